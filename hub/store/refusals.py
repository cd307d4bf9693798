"""The meaning of the store's errors, as one sentence for the start, /readyz and the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import redis.exceptions

MEANINGS: Final[Mapping[str, str]] = {
    "OOM": "is full (OOM): give it more memory (maxmemory)",
    "READONLY": "is a read-only replica (READONLY): use its primary in PARLEY_REDIS_URL",
    "MISCONF": "cannot write to its disk (MISCONF): make room on the disk that holds its data folder",
    "LOADING": "is still reading its data (LOADING): wait until it has finished",
    "MASTERDOWN": "is a replica that has lost its primary (MASTERDOWN): use its primary in PARLEY_REDIS_URL",
    "CLUSTERDOWN": "is a Cluster that is down, or has slots without a primary (CLUSTERDOWN): start its nodes",
    "NOREPLICAS": "has too few replicas to accept writes (NOREPLICAS): start them",
    "NOPERM": "does not let this user do what the hub needs (NOPERM): give the user in PARLEY_REDIS_URL the "
    "rights to read, write and run scripts on the keys parley:*, and with PARLEY_ACK=replica to run WAIT and "
    "ROLE",
    "NOAUTH": "requires a password (NOAUTH): give it in PARLEY_REDIS_URL",
    "WRONGPASS": "refuses the login (WRONGPASS): correct the password in PARLEY_REDIS_URL",
}
"""The rest of a sentence that begins with the store, by the first word of its error."""

STALE_SENTINELS: Final = (
    "is a replica that its Sentinels still name as the primary: wait until they notice the failover"
)

NO_ANSWER: Final = "does not answer"
TOO_FEW_REPLICAS: Final = "too few replicas confirmed in time"

_CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (redis.exceptions.OutOfMemoryError, "OOM"),
    (redis.exceptions.ReadOnlyError, "READONLY"),
    (redis.exceptions.BusyLoadingError, "LOADING"),
    (redis.exceptions.MasterDownError, "MASTERDOWN"),
    (redis.exceptions.ClusterDownError, "CLUSTERDOWN"),
    (redis.exceptions.NoPermissionError, "NOPERM"),
    (redis.exceptions.AuthenticationError, "WRONGPASS"),
)
"""The errors from whose text redis-py removes the code."""


def meaning(error: BaseException | str) -> str | None:
    """The meaning of an error reply, as the rest of a sentence; None for an unknown reply or any other
    error."""
    if "WAIT cannot be used with replica" in str(error):
        return STALE_SENTINELS
    if TOO_FEW_REPLICAS in str(error):
        return "has too few replicas that confirm in time"
    if isinstance(error, str):
        return MEANINGS.get(error.split(" ", 1)[0])
    for kind, code in _CODES:
        if isinstance(error, kind):
            return MEANINGS[code]
    if "ACL failure in script" in str(error):
        return MEANINGS["NOPERM"]
    return meaning(str(error))


def is_damage(error: BaseException) -> bool:
    """Whether an error reply is about what one key holds: its type, or a field that is no number."""
    if type(error) is not redis.exceptions.ResponseError:  # the others are about the store
        return False
    return tells_of_damage(str(error))


def tells_of_damage(reply: str) -> bool:
    """The same, of an error reply's text."""
    return reply.startswith("WRONGTYPE") or any(
        words in reply for words in ("not an integer", "attempt to ", "specified in XADD is equal or smaller")
    )
