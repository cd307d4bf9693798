"""The record of a finished game: its log as JSON lines, chained, signed, and checked by replaying it.

    {"parley_record": 1, "game": ..., "version", "seats", "name_hashes", "options", "seed", "seed_hash",
     "salts", "restarts", "latecomers", "public_key", "chain"}
    {"n": 1, "kind": ..., "at", "seat", "prompt", "move", "window", "draws", "state", "chain"}  once per entry
    {"outcome": {...}, "entries": ..., "chain", "signature"}
    {"names": [{"name": ..., "key"}, null, ...], "latecomers": [...]}

`chain` is the SHA-256 of the chain value before it (32 zero bytes at first) and the line's bytes up to
`,"chain":`. `signature` is Ed25519 over `SIGNED` and the last chain value. `state` is the SHA-256 of the
state after the entry, in deterministic msgpack. docs/PROTOCOL.md has the full specification.

The `outcome` of a game that its table ended early is null, and `abandoned` (otherwise left out) is true.

If newer rules went on with the game, the first line has `crossings` (otherwise left out). The hub that writes
the record cannot replay what older rules played: those lines have no `draws` and no `state`.

Names are outside the chain, which holds a hash of each with a random key. Without the key, nobody can test a
hash against a list of names, so `without_names` can remove a name and its key without a trace, and the record
stays genuine.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct
from msgspec.structs import replace

from games.api import Outcome
from games.dice import Draw, commitment
from hub.table.record_parts import CrossingMismatch, Parts, RecordedCrossing
from hub.table.replay import (
    EntryKind,
    LogEntry,
    Registry,
    ReplayConfig,
    ReplayedEntry,
    ReplayError,
    find_rules,
    refuse_versions,
)
from hub.wire.messages import Count

__all__ = [
    "EntryKind",
    "LogEntry",
    "Name",
    "Part",
    "RecordedCrossing",
    "Rejected",
    "ReplayConfig",
    "ReplayError",
    "Report",
    "Verified",
    "build",
    "hash_name",
    "verify",
    "without_names",
]

FORMAT: Final = 1
SIGNED: Final = b"parley record 1\n"
"""The signature covers this prefix and the last chain value, so it is valid for nothing else."""
LARGEST: Final = 8 * 1024 * 1024
"""The maximum size of an uncompressed record, in bytes."""
_START: Final = bytes(32)
_CHAIN: Final = b',"chain":"'
_SIGNATURE: Final = b',"signature":"'
_GZIP: Final = b"\x1f\x8b"
NOT_OURS: Final = "it is not written the way Parley writes it"
NAME_KEY: Final = 16
"""The size of a name's key, in bytes."""


class TakenSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that a latecomer took over after entry `after`, and the hash of their name."""

    seat: Count
    after: Count
    name_hash: str


class Part(Struct, frozen=True):
    """A record's entries from `first` to `last`, which this version of the rules played."""

    version: int
    first: int
    last: int


class Verified(Struct, frozen=True):
    """A genuine record: everything in it follows from its seed and moves, and `public_key` signed it.

    That does not hold for the parts that are `not_recomputed`, because other rules played them: for these,
    there is only the word of whoever signed the record. `version` is that of the rules that began the game.

    `names` and `latecomers`: None for a name that was removed. `salts`: empty for a seat that added none.
    `outcome`: None if the table ended the game early, for which there is only the word of whoever signed
    the record.
    `key_given`: the caller asked for this very key. Otherwise anybody may have signed it.
    """

    game: str
    title: str
    names: tuple[str | None, ...]
    latecomers: tuple[tuple[TakenSeat, str | None], ...]
    entries: int
    draws: int
    salts: tuple[str, ...]
    restarts: int
    outcome: Outcome | None
    public_key: bytes
    key_given: bool
    version: int
    crossings: tuple[RecordedCrossing, ...]
    not_recomputed: tuple[Part, ...]


class Rejected(Struct, frozen=True):
    """The fault in a record, in one sentence, and its line (from 1), or None for the whole file."""

    line: int | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"


Report: TypeAlias = Verified | Rejected


class Header(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    parley_record: Literal[1]
    game: str
    version: int
    seats: int
    name_hashes: tuple[str, ...]
    options: dict[str, Any]
    seed: str
    seed_hash: str
    salts: tuple[str, ...]
    restarts: Count
    latecomers: tuple[TakenSeat, ...]
    public_key: str
    crossings: tuple[RecordedCrossing, ...] = ()


class Row(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    n: Count
    kind: EntryKind
    at: Count
    seat: Count | None = None
    prompt: str | None = None
    move: Mapping[str, Any] | None = None
    window: str | None = None
    draws: tuple[Draw, ...] = ()
    state: str = ""


class End(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    outcome: Outcome | None
    entries: int
    abandoned: bool = False


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's name, and in hexadecimal the random key of its hash in the header."""

    name: str
    key: str


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line, outside the chain: the name of each seat when the game began, and of each latecomer.

    None for a name that was removed.
    """

    names: tuple[Name | None, ...]
    latecomers: tuple[Name | None, ...]


_encode = msgspec.json.Encoder(order="deterministic").encode


# --- writing ---


def hash_name(key: bytes, name: str) -> str:
    """The hash of a name in a record: SHA-256 of its key (16 random bytes) and its UTF-8, in hexadecimal."""
    return sha256(key + name.encode()).hexdigest()


def build(
    config: ReplayConfig,
    name_hashes: Sequence[str],
    names: Sequence[Name | None],
    entries: Iterable[LogEntry],
    registry: Registry,
    key: Ed25519PrivateKey,
    latecomers: Sequence[tuple[TakenSeat, Name | None]] = (),
    *,
    crossings: Sequence[RecordedCrossing] = (),
    abandoned: bool = False,
) -> bytes:
    """The record of a finished game. Raises ReplayError if the log does not play to its end.

    `abandoned`: its table ended it early, so it has no outcome, and its log no end. `config` has the version
    of the rules that began the game, and `crossings` those that went on with it.
    `name_hashes` and `names` have one item for each seat: the hash of its name (`hash_name`), and the name,
    None if it was removed. `latecomers` has the same for each, in order.
    """
    parts = Parts(config, crossings, registry)
    public = key.public_key().public_bytes_raw()
    taken_seats = tuple(place for place, _ in latecomers)
    line, chain = _chain_line(
        _encode(_header(config, tuple(name_hashes), taken_seats, parts, public)), _START
    )
    lines = [line]
    for entry in entries:
        played = parts.play(entry) or ReplayedEntry(entry, (), b"")
        line, chain = _chain_line(_encode(_row(len(lines), played)), chain)
        lines.append(line)
    outcome = parts.end()
    if (outcome is None) != abandoned:
        raise ReplayError("the game is not over" if outcome is None else "the game is over, not abandoned")
    line, chain = _chain_line(_encode(End(outcome, len(lines) - 1, abandoned)), chain)
    lines.append(line[:-1] + _SIGNATURE + key.sign(SIGNED + chain).hex().encode() + b'"}')
    lines.append(_encode(Names(tuple(names), tuple(name for _, name in latecomers))))
    return b"\n".join(lines) + b"\n"


def without_names(record: bytes, seats: Collection[int], latecomers: Collection[int] = ()) -> bytes:
    """A record (plain or gzipped) without the names and keys of these seats and latecomers (from 0).

    It is as genuine as before. One that the record does not have is ignored. Raises ValueError for a file
    that does not end with the names of a record.
    """
    packed = record.startswith(_GZIP)
    start, newline, line = (
        (gzip.decompress(record) if packed else record).removesuffix(b"\n").rpartition(b"\n")
    )
    names = msgspec.json.decode(line, type=Names)
    left = Names(_remove(names.names, seats), _remove(names.latecomers, latecomers))
    plain = start + newline + _encode(left) + b"\n"
    return gzip.compress(plain, mtime=0) if packed else plain


def _remove(names: tuple[Name | None, ...], places: Collection[int]) -> tuple[Name | None, ...]:
    return tuple(None if place in places else name for place, name in enumerate(names))


def _header(
    config: ReplayConfig,
    name_hashes: tuple[str, ...],
    latecomers: tuple[TakenSeat, ...],
    parts: Parts,
    public: bytes,
) -> Header:
    return Header(
        parley_record=FORMAT,
        game=config.game,
        version=config.version,
        seats=config.seats,
        name_hashes=name_hashes,
        options=parts.options,
        seed=config.seed.hex(),
        seed_hash=commitment(config.seed),
        salts=config.salts,
        restarts=config.restarts,
        latecomers=latecomers,
        public_key=public.hex(),
        crossings=parts.crossings,
    )


def _row(n: int, played: ReplayedEntry) -> Row:
    e = played.entry
    return Row(n, e.kind, e.at, e.seat, e.prompt, e.move, e.window, played.draws, played.digest.hex())


def _chain_line(body: bytes, chain: bytes) -> tuple[bytes, bytes]:
    """The line with its chain value added, and that value."""
    body = body[:-1]
    chain = sha256(chain + body).digest()
    return body + _CHAIN + chain.hex().encode() + b'"}', chain


# --- checking ---


class _Bad(Exception):
    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.rejected = Rejected(line, reason)


def verify(data: bytes, registry: Registry, key: bytes | None = None) -> Report:
    """Checks a whole record (plain or gzipped): chain, draws, states, outcome, signature.

    `key` is the public key (32 bytes) it must be signed with. Never raises, whatever `data` contains.
    """
    try:
        return _verify(_lines(_decompress(data)), registry, key)
    except _Bad as bad:
        return bad.rejected


def _decompress(data: bytes) -> bytes:
    if data.startswith(_GZIP):
        inflate = zlib.decompressobj(wbits=31)
        try:
            data = inflate.decompress(data, LARGEST + 1)
        except zlib.error:
            raise _Bad(None, "the gzip file is damaged") from None
        if len(data) <= LARGEST and not inflate.eof:
            raise _Bad(None, "the gzip file is cut off")
        if inflate.unused_data:
            raise _Bad(None, "something follows the gzip file")
    if len(data) > LARGEST:
        raise _Bad(None, f"a record may have at most {LARGEST} bytes")
    return data


def _lines(data: bytes) -> list[bytes]:
    if not data.startswith(b'{"parley_record":'):
        raise _Bad(None, "this is not a Parley record")
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise _Bad(len(lines) + 1, "the last line is not complete, or something follows it")
    if len(lines) < 4:
        raise _Bad(len(lines), "the record is cut off")
    return lines


def _verify(lines: list[bytes], registry: Registry, key: bytes | None) -> Verified:
    names = lines.pop()
    chain = _START
    body, chain = _unchain_line(1, lines[0], chain)
    header = _decode(1, body, Header)
    public = _hex(1, "public key", header.public_key, 32)
    seed = _hex(1, "seed", header.seed, 32)
    if commitment(seed) != header.seed_hash:
        raise _Bad(1, "the seed is not the one whose hash was shown")
    for salt in filter(None, header.salts):
        _hex(1, "salt", salt, 32)
    config = ReplayConfig(
        header.game, header.version, header.seats, header.options, seed, header.salts, header.restarts
    )
    _check_crossings(header, len(lines) - 2)
    try:
        _check_rules(header, registry)
        parts = Parts(config, header.crossings, registry)
    except ReplayError as problem:
        raise _Bad(1, str(problem)) from None
    _check_latecomers(header, len(lines) - 2)
    if len(header.name_hashes) != header.seats:
        raise _Bad(1, "there must be one hash of a name for each seat")
    for name_hash in header.name_hashes:
        _hex(1, "hash of a name", name_hash, 32)
    if _encode(_header(config, header.name_hashes, header.latecomers, parts, public)) != body:
        raise _Bad(1, NOT_OURS)

    draws = 0
    not_recomputed: list[Part] = []
    for i, line in enumerate(lines[1:-1], start=1):
        body, chain = _unchain_line(i + 1, line, chain)
        recomputed = _check_row(i, body, parts)
        if recomputed is not None:
            draws += recomputed
        elif not_recomputed and not_recomputed[-1].version == parts.version:
            not_recomputed[-1] = replace(not_recomputed[-1], last=i)
        else:
            not_recomputed.append(Part(parts.version, i, i))

    last = len(lines)
    signature_at = lines[-1].rfind(_SIGNATURE)
    if signature_at < 0 or not lines[-1].endswith(b'"}'):
        raise _Bad(last, "the record is cut off: its last line holds no outcome and no signature")
    body, chain = _unchain_line(last, lines[-1][:signature_at] + b"}", chain)
    with _refusing(last, parts):
        outcome = parts.end()
    is_abandoned = outcome is None and _decode(last, body, End).abandoned
    if outcome is None and not is_abandoned:
        if parts.replay is not None:
            raise _Bad(last, "the game is not over: entries are missing before it")
        outcome = _decode(last, body, End).outcome
    if outcome is not None:
        _check_outcome(last, outcome, header.seats)
    if _encode(End(outcome, last - 2, is_abandoned)) != body:
        raise _Bad(last, "this is not how the game ended")
    text = lines[-1][signature_at + len(_SIGNATURE) : -2].decode("ascii", "replace")
    _check_signature(last, public, _hex(last, "signature", text, 64), chain)
    if key is not None and key != public:
        raise _Bad(1, f"it is signed with a different key from the one asked for: {public.hex()}")
    title = registry[header.game].game.title
    read_names, late_names = _check_names(last + 1, names, header)
    return Verified(
        game=header.game,
        title=title,
        names=read_names,
        latecomers=tuple(zip(header.latecomers, late_names, strict=True)),
        entries=last - 2,
        draws=draws,
        salts=header.salts,
        restarts=header.restarts,
        outcome=outcome,
        public_key=public,
        key_given=key is not None,
        version=header.version,
        crossings=header.crossings,
        not_recomputed=tuple(not_recomputed),
    )


def _check_crossings(header: Header, entries: int) -> None:
    after, version = 1, header.version
    for crossing in header.crossings:
        if crossing.version <= version or not after <= crossing.after <= entries:
            raise _Bad(1, "no newer rules can have gone on then")
        after, version = crossing.after, crossing.version
        _hex(1, "state at a crossing", crossing.state, len(crossing.state) // 2)


def _check_rules(header: Header, registry: Registry) -> None:
    """Raises ReplayError if the registry's rules are none of those that played the game, or do not allow so
    many seats."""
    rules = find_rules(header.game, registry)
    versions = [header.version, *(crossing.version for crossing in header.crossings)]
    if rules.version not in versions:
        raise ReplayError(refuse_versions(rules, versions))
    if min(versions) < 1:
        raise ReplayError("the versions of rules begin with 1")
    if header.seats not in rules.seats:
        raise ReplayError(f"{rules.title} cannot be played by {header.seats} players")
    if len(header.salts) != header.seats:
        raise ReplayError("there must be one salt for each seat")


def _check_outcome(line: int, outcome: Outcome, seats: int) -> None:
    """Checks the shape of an outcome, which may be nothing but the word of whoever signed the record."""
    winners = outcome.winners
    if len(outcome.scores) != seats or outcome.over < 1:
        raise _Bad(line, "there must be one score for each seat")
    if len(set(winners)) != len(winners) or not all(0 <= seat < seats for seat in winners):
        raise _Bad(line, "the winners must be seats of this game")


def _check_latecomers(header: Header, entries: int) -> None:
    after = 1
    for place in header.latecomers:
        if place.seat >= header.seats or not after <= place.after <= entries:
            raise _Bad(1, "no seat can have been taken over then")
        after = place.after
        _hex(1, "hash of a name", place.name_hash, 32)


ShownNames: TypeAlias = tuple[str | None, ...]


def _check_names(line: int, text: bytes, header: Header) -> tuple[ShownNames, ShownNames]:
    """The names of seats and of latecomers, each compared with its hash; None for those that were removed."""
    names: Names = _decode(line, text, Names)
    if len(names.names) != header.seats or len(names.latecomers) != len(header.latecomers):
        raise _Bad(line, "there must be one name, or null, for each seat and each latecomer")
    for seat, (name, expected) in enumerate(zip(names.names, header.name_hashes, strict=True)):
        _check_name(line, name, expected, f"seat {seat}")
    for place, name in zip(header.latecomers, names.latecomers, strict=True):
        _check_name(line, name, place.name_hash, f"the latecomer in seat {place.seat}")
    if _encode(names) != text:
        raise _Bad(line, NOT_OURS)
    return _list_names(names.names), _list_names(names.latecomers)


def _check_name(line: int, name: Name | None, expected: str, holder: str) -> None:
    if name is not None and hash_name(_hex(line, "key", name.key, NAME_KEY), name.name) != expected:
        raise _Bad(line, f"this is not the name of {holder}")


def _list_names(names: tuple[Name | None, ...]) -> ShownNames:
    return tuple(None if name is None else name.name for name in names)


def _check_row(n: int, body: bytes, parts: Parts) -> int | None:
    """Plays an entry, compares the resulting line with the record's, and returns the number of its draws.

    Returns None for a line that cannot be recomputed: other rules played the entry, or wrote the record.
    """
    line = n + 1
    row = _decode(line, body, Row)
    if row.n != n:
        raise _Bad(line, f"entry {n} should be here, not {row.n}")
    with _refusing(line, parts):
        played = parts.play(LogEntry(row.kind, row.seat, row.prompt, row.move, row.window, row.at))
    if played is None or (parts.crossings and not row.state):
        if _encode(row) != body:
            raise _Bad(line, NOT_OURS)
        return None
    if played.draws != row.draws:
        raise _Bad(line, "these are not the draws that follow from the seed")
    if played.digest.hex() != row.state:
        raise _Bad(line, "it does not lead to this state")
    if _encode(_row(n, played)) != body:
        raise _Bad(line, NOT_OURS)
    return len(played.draws)


@contextmanager
def _refusing(line: int, parts: Parts) -> Iterator[None]:
    """Raises _Bad for whatever a replay raises at a line, as rules may after a forged state at a crossing."""
    try:
        yield
    except CrossingMismatch as problem:
        raise _Bad(1, str(problem)) from None
    except ReplayError as problem:
        raise _Bad(line, str(problem)) from None
    except Exception:
        if not parts.crossings:
            raise
        raise _Bad(line, "the rules cannot go on with the state at a crossing before it") from None


def _unchain_line(line: int, text: bytes, chain: bytes) -> tuple[bytes, bytes]:
    """The line without its chain value, and that value, checked."""
    at = text.rfind(_CHAIN)
    if at < 0:
        raise _Bad(line, "it has no chain value")
    body = text[:at] + b"}"
    rebuilt, value = _chain_line(body, chain)
    if rebuilt != text:
        raise _Bad(line, "the chain breaks: this line, or the order of lines before it, was changed")
    return body, value


def _check_signature(line: int, public: bytes, signature: bytes, chain: bytes) -> None:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, SIGNED + chain)
    except InvalidSignature:
        raise _Bad(line, "the signature does not match") from None


def _decode(line: int, body: bytes, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _Bad(line, f"it cannot be read: {error}") from None


def _hex(line: int, label: str, text: str, length: int) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != length or value.hex() != text:
        raise _Bad(line, f"the {label} is not {length} bytes in lower-case hex")
    return value
