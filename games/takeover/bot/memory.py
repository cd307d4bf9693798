"""What a bot remembers: who has helped or wronged it, and what it has promised, read from its observation.

Nothing is kept between decisions, so a bot whose process has died remembers as much as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from games.api import Character, Observation, Promise, SeenLine
from games.kit.promises import list_open
from games.kit.wordings import read_intent
from games.takeover.rules.promises import IDLE, MERGED, TRADED

PROMISE_BROKEN: Final = "promise.broken"
ROUNDS_REMEMBERED: Final = 6
"""The number of rounds for which a grudge of 100 remembers a wrong, after the first one."""
COVERED: Final = 1.0
BROKEN: Final = 2.0
"""The weight of a wrong: covering the seat's stock, and breaking a promise made to it."""
KEPT: Final = 1.0
TRADE: Final = 0.5
"""The weight of a favour: keeping a promise made to the seat, and trading with it."""


class Wrong(NamedTuple):
    """Something that another seat did to this one: it covered the stock `coin`, or broke a promise."""

    by: int
    coin: str | None
    """The company: also of a broken promise to spare it, but of no other one."""
    at: int
    turns: int = 0
    """The number of turns since then."""
    tower: str | None = None
    """The company that swallowed it."""
    broken: bool = False
    """Whether it broke a promise."""
    merged: bool = False
    """Whether it merged after all, although it had proposed that all pass and this seat had agreed."""


class Memory(NamedTuple):
    goodwill: tuple[float, ...]
    """By seat, how much it likes that seat: 0 is indifferent."""
    wrongs: tuple[Wrong, ...]
    """The wrongs it still minds, oldest first."""
    kept: tuple[tuple[int, int], ...]
    """Seats that have kept a promise made to it, with the time, in the order in which they did."""
    broke: frozenset[int]
    """Seats that have broken any promise that it knows of."""
    spared: tuple[tuple[int, int], ...] = ()
    """Seats that have dropped their first threat, if it was to this seat, with the time."""


def remember(observation: Observation, character: Character) -> Memory:
    """Reads the lines and promises; wrongs that are too old for this character are forgotten."""
    seats, temper = observation.seats, character.temper
    horizon = seats * (1 + ROUNDS_REMEMBERED * temper.grudge / 100)
    by_id = {promise.id: promise for promise in observation.promises}
    goodwill = [0.0] * seats
    wrongs: list[Wrong] = []
    kept: list[tuple[int, int]] = []
    turns = 0
    for line, merger in reversed(list(_find_mergers(observation.lines))):
        wrong, weight = _find_wrong(observation, line, merger, by_id)
        if wrong is not None and turns <= horizon:
            goodwill[wrong.by] -= weight
            if not any(
                (other.by, other.coin, other.broken) == (wrong.by, wrong.coin, True) for other in wrongs
            ):
                wrongs.append(wrong._replace(turns=turns))
        turns += line.key in MERGED | IDLE
        helper, favour = _find_favour(observation, line, by_id)
        if helper is not None:
            goodwill[helper] += favour * temper.warmth / 100
            if favour == KEPT:
                kept.append((helper, line.at))
    broke = (promise.by for promise in observation.promises if _is_wrong(observation, promise))
    return Memory(
        tuple(goodwill),
        tuple(reversed(wrongs)),
        tuple(reversed(kept)),
        frozenset(map(int, broke)),
        tuple(_list_spared(observation, by_id)),
    )


def _list_spared(observation: Observation, by_id: Mapping[str, Promise]) -> Iterator[tuple[int, int]]:
    for line in observation.lines:
        promise = by_id.get(str(line.args["promise"])) if line.key == PROMISE_BROKEN else None
        if promise is not None and observation.seat in promise.to and _is_idle_threat(observation, promise):
            yield promise.by, line.at


def _find_mergers(lines: tuple[SeenLine, ...]) -> Iterator[tuple[SeenLine, SeenLine | None]]:
    """Each line with the line about the last merger before it."""
    merger: SeenLine | None = None
    for line in lines:
        if line.key in MERGED:
            merger = line
        yield line, merger


def _find_wrong(
    observation: Observation, line: SeenLine, merger: SeenLine | None, by_id: Mapping[str, Promise]
) -> tuple[Wrong | None, float]:
    if line.key == "takeover.yourFlip" or (line.key == "takeover.flipped" and _is_own(observation, line)):
        coin = line.args["coin"]
        if merger is not None and isinstance(coin, str):
            mover, tower = _get_seat(merger, "seat"), str(merger.args["source"])
            if mover != observation.seat:
                return Wrong(mover, coin, line.at, tower=tower), COVERED
    elif line.key == PROMISE_BROKEN:
        promise = by_id.get(str(line.args["promise"]))
        if promise is not None and _is_wrong(observation, promise) and _concerns(observation, promise):
            coin = str(promise.terms["coin"]) if promise.kind == "spare" else None
            return Wrong(promise.by, coin, line.at, broken=True), BROKEN
    elif line.key in MERGED and merges_after_all(observation, line):
        return Wrong(_get_seat(line, "seat"), None, line.at, merged=True), COVERED
    return None, 0.0


def merges_after_all(observation: Observation, line: SeenLine) -> bool:
    """Whether a seat merges with its first turn after this seat has promised it to pass, at its request.

    If anybody else has merged in between, it may as well.
    """
    mover = _get_seat(line, "seat")
    earlier = [other for other in observation.lines if other.at < line.at]
    turns = (other.at for other in earlier if other.key in MERGED | IDLE and other.args["seat"] == mover)
    since = max(turns, default=-1)
    said = [message for message in observation.messages if since < message.at < line.at]
    proposal = next((one for one in said if (one.seat, one.key) == (mover, "takeover.say.letUsPass")), None)
    if mover == observation.seat or proposal is None:
        return False
    agreed = next(
        (
            reply.at
            for reply in said[said.index(proposal) :]
            if (reply.seat, reply.addressee, read_intent(reply.key)) == (observation.seat, mover, "yesPass")
        ),
        None,
    )
    return agreed is not None and not any(other.key in MERGED and other.at >= agreed for other in earlier)


def _find_favour(
    observation: Observation, line: SeenLine, by_id: Mapping[str, Promise]
) -> tuple[int | None, float]:
    if line.key == "promise.kept":
        promise = by_id.get(str(line.args["promise"]))
        if promise is not None and observation.seat in promise.to and not is_threat(observation, promise):
            return promise.by, KEPT
    elif line.key == TRADED:
        pair = {_get_seat(line, "seat"), _get_seat(line, "other")}
        if observation.seat in pair:
            return next(iter(pair - {observation.seat})), TRADE
    return None, 0.0


def _is_broken(promise: Promise) -> bool:
    return promise.judgement == "broken" and not promise.excused


def is_threat(observation: Observation, promise: Promise) -> bool:
    """Whether somebody has promised to cover a company, and nobody it was promised to has asked for that.

    Whose stock it is does not matter: otherwise what bots say about it would give their secret away.
    """
    if promise.kind != "cover":
        return False
    asked = (
        message
        for message in observation.messages
        if (not promise.to or message.seat in promise.to)
        and message.addressee == promise.by
        and read_intent(message.key) == "askCover"
    )
    return all(message.args["coin"] != promise.terms["coin"] for message in asked)


def _is_idle_threat(observation: Observation, promise: Promise) -> bool:
    """Whether a promise is the first threat that its seat dropped, whenever it was made."""
    if not (_is_broken(promise) and is_threat(observation, promise)):
        return False
    by_id = {other.id: other for other in observation.promises if other.by == promise.by}
    judged = (
        by_id.get(str(line.args["promise"])) for line in observation.lines if line.key == PROMISE_BROKEN
    )
    dropped = (other for other in judged if other is not None and is_threat(observation, other))
    first = next(dropped, None)
    return first is not None and first.id == promise.id


def _is_wrong(observation: Observation, promise: Promise) -> bool:
    """Whether a promise was broken. A first threat that was dropped was none."""
    return _is_broken(promise) and not _is_idle_threat(observation, promise)


def _concerns(observation: Observation, promise: Promise) -> bool:
    """Whether somebody else made this promise to everybody, or to this seat."""
    return promise.by != observation.seat and (not promise.to or observation.seat in promise.to)


def _is_own(observation: Observation, line: SeenLine) -> bool:
    return line.args["seat"] == observation.seat


def _get_seat(line: SeenLine, name: str) -> int:
    seat = line.args[name]
    if not isinstance(seat, int):
        raise TypeError(f"{name} is not a seat in {line}")
    return seat


# --- its own promises ---


def list_open_promises(observation: Observation) -> list[Promise]:
    """What this seat's bot has promised, while nobody knows whether it keeps it.

    What a person promised before the bot took over does not bind it (R30).
    """
    return [promise for promise in list_open(observation.promises, observation.seat) if promise.bot]
