"""Sharing a project or a saved result with a person, or with everyone who has an account.

The gate has checked that the session is the owner's.
"""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from commonground.database import (
    Database,
    Thing,
    find_account,
    list_accounts,
    share,
    shares_of,
    unshare,
)
from commonground.web.context import CurrentSession, TheDatabase
from commonground.web.pages.annotate.labelling import Number

router = APIRouter(tags=["sharing"])

Who = Annotated[str, Field(pattern=r"^(everyone|[1-9][0-9]{0,8})$")]
"""The id of an account, or `everyone`."""


class Person(BaseModel):
    """An account, or everyone."""

    who: str
    name: str


class Sharing(BaseModel):
    """With whom something is shared, and with whom it could be."""

    shared: list[Person]
    others: list[Person]


@router.get("/api/annotate/projects/{project}/shares")
def project_shares(project: Number, session: CurrentSession, database: TheDatabase) -> Sharing:
    """Return with whom a project is shared."""
    return _sharing(database, Thing(project=project), session.account)


@router.put("/api/annotate/projects/{project}/shares/{who}", status_code=204)
def share_project(project: Number, who: Who, database: TheDatabase) -> None:
    """Share a project: others see it, invite annotators and export; they cannot delete it."""
    share(database, Thing(project=project), _account(database, who))


@router.delete("/api/annotate/projects/{project}/shares/{who}", status_code=204)
def unshare_project(project: Number, who: Who, database: TheDatabase) -> None:
    """Stop sharing a project."""
    unshare(database, Thing(project=project), _account(database, who))


@router.get("/api/saved/{link}/shares")
def result_shares(link: str, session: CurrentSession, database: TheDatabase) -> Sharing:
    """Return with whom a result is shared."""
    return _sharing(database, Thing(saved=link), session.account)


@router.put("/api/saved/{link}/shares/{who}", status_code=204)
def share_result(link: str, who: Who, database: TheDatabase) -> None:
    """Share a result: it is in the others' list of saved results, and its link opens for them."""
    share(database, Thing(saved=link), _account(database, who))


@router.delete("/api/saved/{link}/shares/{who}", status_code=204)
def unshare_result(link: str, who: Who, database: TheDatabase) -> None:
    """Stop sharing a result; a public link still works."""
    unshare(database, Thing(saved=link), _account(database, who))


def _account(database: Database, who: str) -> int | None:
    return None if who == "everyone" else find_account(database, int(who)).id


def _sharing(database: Database, thing: Thing, me: int | None) -> Sharing:
    everyone = Person(who="everyone", name="Everyone")
    shared = [
        everyone if one.account is None else Person(who=str(one.account), name=one.name)
        for one in shares_of(database, thing)
    ]
    known = [everyone] + [
        Person(who=str(one.id), name=one.name)
        for one in list_accounts(database)
        if one.state != "disabled" and one.id != me
    ]
    return Sharing(shared=shared, others=[one for one in known if one not in shared])
