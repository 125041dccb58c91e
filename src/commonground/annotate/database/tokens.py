"""Secrets that are shown once and stored as hashes."""

import hashlib
import secrets


def new_secret() -> str:
    """256 bits, fit for a link or a cookie."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """What is stored of a secret. It is random and long, so no slow hash is needed."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
