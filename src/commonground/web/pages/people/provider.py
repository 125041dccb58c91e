"""Log in at an OpenID provider: who has an account there, was invited, or is of a known domain."""

from typing import Annotated, Final

from anyio.to_thread import run_sync
from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import Response

from commonground.database import (
    Account,
    Database,
    accept_link,
    account_of_link,
    add_subject,
    find_subject,
    record,
)
from commonground.errors import InputError
from commonground.web.context import failure
from commonground.web.pages.people.joining import is_first, takes_address, welcome
from commonground.web.pages.people.login import logged_in, own_path
from commonground.web.security.provider import Flow, Identity, Provider, ProviderError

router = APIRouter(include_in_schema=False)

_NOT_ADMITTED: Final = "You have no account here. Ask an administrator for an invitation."


@router.get("/login/provider")
async def begin(
    request: Request,
    next: Annotated[str, Query(max_length=2000)] = "/",
    join: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Redirect to the provider."""
    provider, state = _provider(request), request.app.state
    back = f"{request.scope['scheme']}://{request.headers['host']}"
    back += f"{state.settings.root_path}/login/provider/back"
    try:
        secret, response = await provider.begin(
            request, back, provider.new_flow(own_path(next), join)
        )
    except ProviderError as error:
        return failure(request.scope, 502, str(error))
    # Not strict: the provider's answer is a link from another site.
    response.set_cookie(
        _cookie(request),
        secret,
        max_age=600,
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
    )
    return response


@router.get("/login/provider/back")
async def finish(request: Request) -> Response:
    """Check the provider's answer and log in."""
    provider, state = _provider(request), request.app.state
    secret = request.cookies.get(_cookie(request), "")
    has_begun = provider.knows(secret)
    try:
        flow, who = await provider.finish(request, secret)
    except ProviderError as error:
        if has_begun:  # else anybody could fill the log
            await run_sync(record, state.database, "nobody", "login refused", "provider")
        return failure(request.scope, 403, str(error))
    return await run_sync(_enter, request, provider, flow, who)


def _enter(request: Request, provider: Provider, flow: Flow, who: Identity) -> Response:
    database: Database = request.app.state.database
    account = _joined(request, flow, who) if flow.join else find_subject(database, who.subject)
    if account is None and not flow.join and provider.admits(who.email):
        try:
            account = add_subject(database, who.email, who.subject)
        except InputError:
            account = None
    if account is None:
        record(database, "nobody", "login refused", "provider")
        return failure(request.scope, 403, _NOT_ADMITTED)
    return logged_in(request, account, flow.next)


def _joined(request: Request, flow: Flow, who: Identity) -> Account | None:
    database: Database = request.app.state.database
    if find_subject(database, who.subject) is not None:
        raise HTTPException(409, "You have an account here already. Log in with it.")
    invited = account_of_link(database, flow.join)
    if invited is None:
        return None
    first = is_first(request, invited)
    name = who.email if takes_address(request, invited) else ""
    try:
        account = accept_link(database, flow.join, subject=who.subject, name=name or None)
    except InputError:  # the address is somebody's name already, or cannot be one
        account = accept_link(database, flow.join, subject=who.subject)
    if account is not None:
        welcome(request, account, is_first=first)
    return account


def _provider(request: Request) -> Provider:
    provider: Provider | None = request.app.state.provider
    if provider is None:
        raise HTTPException(404, "This server has no OpenID provider.")
    return provider


def _cookie(request: Request) -> str:
    return f"{request.app.state.settings.cookie}_provider"
