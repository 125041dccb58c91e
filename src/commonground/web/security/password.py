"""Passwords, and limits on attempts."""

import ipaddress
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from commonground.errors import InputError

MIN_LENGTH: Final = 10
"""Of the password of an account."""

_DIFFERENT: Final = 4
_ATTEMPTS: Final = 5  # per address; per name where somebody has logged in
_ATTEMPTS_OF_KNOWN: Final = 30  # per address where somebody has logged in
_ATTEMPTS_OF_STRANGERS: Final = 100  # in total
_WINDOW_SECONDS: Final = 900.0
_MAX_ADDRESSES: Final = 10_000


class Hasher:
    """Makes and checks argon2 hashes, one at a time: each takes 64 MB."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._lock = threading.Lock()

    def hash(self, password: str) -> str:
        """Return the hash of a password."""
        with self._lock:
            return self._hasher.hash(password.encode("utf-8", "surrogatepass"))

    def matches(self, known: str | None, attempt: str) -> bool:
        """Return whether this is the password; takes equally long without a password."""
        with self._lock:
            try:
                sent = attempt.encode("utf-8", "surrogatepass")
                return self._hasher.verify(known or self._nobody, sent) and known is not None
            except VerificationError:
                return False

    @cached_property
    def _nobody(self) -> str:
        return self._hasher.hash("nobody")


class Password:
    """The owner's password, given as text or as its argon2 hash; only the hash is held."""

    def __init__(self, password: str, hasher: Hasher | None = None) -> None:
        self._hasher = hasher or Hasher()
        is_hash = password.startswith("$argon2")
        self._hash = password if is_hash else self._hasher.hash(password)
        try:
            PasswordHasher().check_needs_rehash(self._hash)
        except (InvalidHashError, ValueError):
            raise InputError("the password starts with $argon2 but is not an argon2 hash") from None

    def matches(self, attempt: str) -> bool:
        """Return whether this is the password, in constant time."""
        return self._hasher.matches(self._hash, attempt)


def check_new_password(password: str, name: str) -> None:
    """Raise InputError for a password that is too short or too much like the account's name."""
    if len(password) < MIN_LENGTH:
        raise InputError(f"the password has {len(password)} characters; use at least {MIN_LENGTH}")
    if password.casefold().replace(name, "").strip("0123456789") == "":
        raise InputError("the password is too much like the name; choose another")
    if len(set(password)) < _DIFFERENT:
        raise InputError(f"the password needs at least {_DIFFERENT} different characters")


class Throttle:
    """Allows five failures per address within 15 minutes, and 100 of all strangers together.

    The total is for attackers with many addresses. It does not lock out the owner: an address
    from which a password was entered before is not a stranger's. There, as in a classroom, each
    name has five failures and the address 30; a login forgives those of its own name only, so that
    nobody can guess another's password and log in between.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: dict[str, list[tuple[float, str]]] = {}
        self._of_strangers: deque[float] = deque()
        self._known: dict[str, None] = {}

    def attempt(self, address: str, name: str = "") -> int:
        """Count an attempt before it is made; return the seconds to wait, 0 if it is allowed.

        It counts as failed until `forgive` is called, so that many attempts at once do not pass.
        """
        key, now = _network(address), self._clock()
        with self._lock:
            failures = self._failures.get(key, ())
            recent = [one for one in failures if now - one[0] < _WINDOW_SECONDS]
            if wait := self._wait(key, name, recent, now):
                return wait
            self._failures.pop(key, None)
            if len(self._failures) >= _MAX_ADDRESSES:
                del self._failures[next(iter(self._failures))]
            self._failures[key] = [*recent, (now, name)]
            return 0

    def forgive(self, address: str, name: str = "") -> None:
        """Clear the failures of a name at an address from which its right password came."""
        key = _network(address)
        with self._lock:
            others = [one for one in self._failures.pop(key, ()) if one[1] != name]
            if others:
                self._failures[key] = others
            if key not in self._known:
                if self._of_strangers:
                    self._of_strangers.pop()
                if len(self._known) >= _MAX_ADDRESSES:
                    del self._known[next(iter(self._known))]
                self._known[key] = None

    def _wait(self, key: str, name: str, recent: list[tuple[float, str]], now: float) -> int:
        """Return the seconds to wait; a stranger who need not is counted."""
        if key in self._known:
            same = [at for at, other in recent if other == name]
            limits = ((same, _ATTEMPTS), ([at for at, _ in recent], _ATTEMPTS_OF_KNOWN))
            return max(
                _left(times[-most], now) if len(times) >= most else 0 for times, most in limits
            )
        if len(recent) >= _ATTEMPTS:
            return _left(recent[-_ATTEMPTS][0], now)
        while self._of_strangers and now - self._of_strangers[0] >= _WINDOW_SECONDS:
            self._of_strangers.popleft()
        if len(self._of_strangers) >= _ATTEMPTS_OF_STRANGERS:
            return _left(self._of_strangers[0], now)
        self._of_strangers.append(now)
        return 0


class RateLimit:
    """Allows an action some times within a period, for each key."""

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}

    def take(self, key: str) -> int:
        """Count an action; return the seconds to wait, 0 if it is allowed now."""
        now = self._clock()
        with self._lock:
            times = self._times.setdefault(key, deque())
            while times and now - times[0] >= self._seconds:
                times.popleft()
            if len(times) >= self._most:
                return max(1, round(times[0] + self._seconds - now))
            times.append(now)
            if len(self._times) > _MAX_ADDRESSES:
                del self._times[next(iter(self._times))]
            return 0


def _left(since: float, now: float) -> int:
    return max(1, round(since + _WINDOW_SECONDS - now))


def _network(address: str) -> str:
    """Return the /64 network of an IPv6 address, since one client has all of it.

    Some proxies report a port, which differs in every connection, or IPv4 as IPv6.
    """
    host = re.sub(r"^\[(.*)\](:\d+)?$|^([^:]+):\d+$", r"\1\3", address)
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network(f"{ip}/64", strict=False)) if ip.version == 6 else host
