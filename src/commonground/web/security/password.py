"""The owner's password, and how often it may be tried."""

import ipaddress
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from commonground.errors import InputError

_TRIES: Final = 5
_TRIES_OF_ALL: Final = 100
_WINDOW_SECONDS: Final = 900.0
_ADDRESSES: Final = 10_000  # remembered at most


class Password:
    """A password as its argon2 hash.

    Args:
        given: The password, or a hash of it that starts with `$argon2`.
    """

    def __init__(self, given: str) -> None:
        self._hasher = PasswordHasher()
        self._hash = given if given.startswith("$argon2") else self._hasher.hash(given)
        self._one_at_a_time = threading.Lock()  # each check takes 64 MB
        try:
            self._hasher.check_needs_rehash(self._hash)
        except (InvalidHashError, ValueError):
            raise InputError("the password starts with $argon2 but is no such hash") from None

    def matches(self, tried: str) -> bool:
        """Whether this is the password; takes as long whether it is or not."""
        with self._one_at_a_time:
            try:
                return self._hasher.verify(self._hash, tried)
            except VerificationError:
                return False


class Throttle:
    """Counts failures by address: five within a quarter of an hour, then it is closed.

    And a hundred of all strangers together: some have thousands of addresses. An address that the
    password came from before is no stranger's, so that the owner is not kept out by them.

    Args:
        clock: Seconds, of which only differences count.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: dict[str, list[float]] = {}
        self._of_strangers: deque[float] = deque()
        self._known: dict[str, None] = {}

    def attempt(self, address: str) -> int:
        """Count a try before it is made; how many seconds to wait first, 0 for none.

        A try is counted as failed until `forgive` says otherwise, so that many at once are not
        all let through.
        """
        key, now = _network(address), self._clock()
        with self._lock:
            recent = [at for at in self._failures.get(key, ()) if now - at < _WINDOW_SECONDS]
            if len(recent) >= _TRIES:
                return _wait(recent[0], now)
            while self._of_strangers and now - self._of_strangers[0] >= _WINDOW_SECONDS:
                self._of_strangers.popleft()
            if key not in self._known:
                if len(self._of_strangers) >= _TRIES_OF_ALL:
                    return _wait(self._of_strangers[0], now)
                self._of_strangers.append(now)
            self._failures.pop(key, None)
            if len(self._failures) >= _ADDRESSES:
                del self._failures[next(iter(self._failures))]
            self._failures[key] = [*recent, now]
            return 0

    def forgive(self, address: str) -> None:
        """The one at this address knows the password."""
        key = _network(address)
        with self._lock:
            self._failures.pop(key, None)
            if key not in self._known:
                if self._of_strangers:
                    self._of_strangers.pop()
                if len(self._known) >= _ADDRESSES:
                    del self._known[next(iter(self._known))]
                self._known[key] = None


def _wait(since: float, now: float) -> int:
    return max(1, round(since + _WINDOW_SECONDS - now))


def _network(address: str) -> str:
    """One guest has a whole /64 of IPv6 addresses."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network(f"{ip}/64", strict=False)) if ip.version == 6 else address
