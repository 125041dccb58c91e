"""Login at an OpenID provider, by Authlib: the code flow with PKCE, state and nonce.

Authlib keeps what it needs between the two requests in a session; ours is in memory, bound to the
browser by a cookie, and used up by the first answer.
"""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from commonground.errors import CommongroundError, MissingExtraError
from commonground.web.settings import OidcSettings

_SIGNATURES: Final = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA")
_LEEWAY_SECONDS: Final = 60
_FLOW_SECONDS: Final = 600.0
_MOST_FLOWS: Final = 1000


class ProviderError(CommongroundError):
    """The provider's answer cannot be trusted, or it cannot be reached."""


@dataclass
class Flow:
    """A login that began: where it leads, and what Authlib has to remember."""

    next: str
    join: str
    began: float
    session: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who logged in at the provider; `email` is set only if the provider has verified it."""

    subject: str
    email: str


class Provider:
    """An OpenID provider."""

    def __init__(self, settings: OidcSettings, clock: Callable[[], float] = time.monotonic) -> None:
        try:
            from authlib.integrations.starlette_client import OAuth
        except ImportError:
            raise MissingExtraError("login at an OpenID provider", "oidc") from None
        self._settings, self._clock = settings, clock
        self._flows: dict[str, Flow] = {}
        self._lock = threading.Lock()
        self._client = OAuth().register(
            "provider",
            client_id=settings.client_id,
            client_secret=settings.client_secret,
            server_metadata_url=f"{settings.issuer}/.well-known/openid-configuration",
            client_kwargs={"scope": "openid email", "code_challenge_method": "S256", "timeout": 20},
        )

    async def begin(self, request: Request, back: str, flow: Flow) -> tuple[str, Response]:
        """Return the secret of a flow for the cookie, and the redirect to the provider."""
        await self._metadata()
        request.scope["session"] = flow.session
        response: Response = await self._client.authorize_redirect(request, back)
        secret = secrets.token_urlsafe(32)
        with self._lock:
            while len(self._flows) >= _MOST_FLOWS:
                del self._flows[next(iter(self._flows))]
            self._flows[secret] = flow
        return secret, response

    def new_flow(self, next: str, join: str) -> Flow:
        """Return a flow that begins now."""
        return Flow(next, join, self._clock())

    def knows(self, secret: str) -> bool:
        """Return whether a flow with this secret has begun here."""
        with self._lock:
            return secret in self._flows

    async def finish(self, request: Request, secret: str) -> tuple[Flow, Identity]:
        """Check the provider's answer; a flow is used up even if that fails.

        Raises:
            ProviderError: The answer is not for this browser, or not valid.
        """
        with self._lock:
            flow = self._flows.pop(secret, None)
        if flow is None or self._clock() - flow.began > _FLOW_SECONDS:
            raise ProviderError("This login expired or started in another browser. Log in again.")
        await self._metadata()
        request.scope["session"] = flow.session
        issuer = {"iss": {"essential": True, "value": self._settings.issuer}}
        try:
            token = await self._client.authorize_access_token(
                request, claims_options=issuer, leeway=_LEEWAY_SECONDS
            )
        except Exception as error:  # Authlib, joserfc and httpx each have their own
            raise ProviderError("The provider's answer was not accepted. Log in again.") from error
        claims = token.get("userinfo")
        if not claims or not claims.get("sub"):
            raise ProviderError("The provider did not say who you are.")
        verified = claims.get("email_verified") is True
        email = str(claims.get("email") or "") if verified else ""
        return flow, Identity(f"{self._settings.issuer} {claims['sub']}", email)

    def admits(self, email: str) -> bool:
        """Return whether a verified address is of a domain that needs no invitation."""
        domain = email.rpartition("@")[2].lower()
        return bool(email) and domain in self._settings.domains

    async def _metadata(self) -> None:
        """Load what the provider says of itself; only its own name and safe signatures count."""
        try:
            found: dict[str, Any] = await self._client.load_server_metadata()
        except Exception as error:
            raise ProviderError("The provider cannot be reached. Try again later.") from error
        if found.get("issuer") != self._settings.issuer:
            raise ProviderError("The provider's issuer is not the one that the server expects.")
        offered = found.get("id_token_signing_alg_values_supported") or ["RS256"]
        safe = [one for one in offered if one in _SIGNATURES]
        found["id_token_signing_alg_values_supported"] = safe or ["RS256"]
