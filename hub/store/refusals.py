"""The meaning of the store's errors, as one sentence for the start, /readyz and the log."""

from __future__ import annotations

import re
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
    "rights to read, write and run scripts on the keys parley:*, with PARLEY_ACK=replica to run WAIT and "
    "ROLE, and in a Cluster to run ASKING, CLUSTER INFO and CLUSTER SLOTS",
    "NOAUTH": "requires a password (NOAUTH): give it in PARLEY_REDIS_URL",
    "WRONGPASS": "refuses the login (WRONGPASS): correct the password in PARLEY_REDIS_URL",
}
"""The rest of a sentence that begins with the store, by the first word of its error."""


class MapRefused(ConnectionError):
    """No node of a Cluster gives its map, and the text says what to do."""


_WANTS_CERTIFICATE: Final = (
    "name its files with ?ssl_certfile= and ?ssl_keyfile= in PARLEY_REDIS_URL, or set tls-auth-clients to no"
)
_NEEDS_TLS: Final = "switch it on there, or name it with redis instead of rediss in PARLEY_REDIS_URL"
_TLS_MEANINGS: Final = tuple(
    (re.compile(words), sentence)
    for words, sentence in (
        (
            r"certificate verify failed: .*(is not valid for '[^']*')",
            r"has a certificate that \1: have one issued for the address in PARLEY_REDIS_URL, or for the one "
            "that Sentinels or the nodes of a Cluster announce",
        ),
        (
            "certificate verify failed: certificate has expired",
            "has a certificate that has expired: renew it",
        ),
        (
            r"certificate verify failed: ([^(]*?)\.? *\(",
            r"has a certificate that the hub does not trust (\1): name the file of its authority with "
            "?ssl_ca_certs= in PARLEY_REDIS_URL",
        ),
        ("ALERT_CERTIFICATE_REQUIRED", f"wants a certificate of the hub: {_WANTS_CERTIFICATE}"),
        ("WRONG_VERSION_NUMBER|RECORD_LAYER_FAILURE", f"does not speak TLS: {_NEEDS_TLS}"),
    )
)
"""The same, by what the error of a TLS connection says. Those of redis-py have only its text."""

_STALL: Final = "SSL handshake is taking longer"
"""How the error of a TLS handshake says that it has taken too long."""
_CUT_OFF: Final = re.compile(r"closed by|reset", re.IGNORECASE)
"""How the errors of connections say that the other end has closed it."""

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
    """The meaning of an error reply, of an error of TLS or of a refused map, as the rest of a sentence; None
    for an unknown reply or any other error."""
    if isinstance(error, MapRefused):
        return f"does not say where its tables are: {error}"
    for pattern, sentence in _TLS_MEANINGS:
        if match := pattern.search(str(error)):
            return match.expand(sentence)
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


def is_stall(error: BaseException) -> bool:
    """Whether a server has not answered a TLS handshake in time."""
    return _STALL in str(error)


def explain_first(error: BaseException, is_tls: bool) -> str | None:
    """The meaning of an error of the first connection, if the server has cut it off, or does not answer a TLS
    handshake; otherwise None. Later such a server has only failed.

    A server that speaks TLS cuts off what does not, and some do if they are shown no certificate. One that
    does not speak TLS may wait for more.
    """
    if is_stall(error):
        return f"does not answer the TLS handshake: if it does not speak TLS, {_NEEDS_TLS}"
    if not _CUT_OFF.search(str(error)):
        return None
    advice = (
        f"if it wants a certificate of the hub, {_WANTS_CERTIFICATE}"
        if is_tls
        else "if it speaks TLS, name it with rediss instead of redis in PARLEY_REDIS_URL"
    )
    return f"cuts off the connection ({error}): {advice}"


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
