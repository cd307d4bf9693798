"""Deals: proposals of the bot's that somebody has agreed to, and those that were not kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from games.api import Argument, Millis, Observation, SeenLine, Spoken
from games.kit.wordings import read_intent
from games.sucker.bot.remarks import (
    AGREEING,
    COUNTERS,
    FOR_TURN,
    MUTUAL,
    OFFERS,
    PROMISE,
    PROPOSALS,
    REFUSING,
    SAYING_NO,
    SAYING_YES,
    read_pile,
)

CAPTURES: Final = ("sucker.captured", "sucker.capturedByCard", "sucker.pileDied")
PLACEMENTS: Final = ("sucker.opened", "sucker.placed")
CHOICES: Final = ("sucker.gave", "sucker.kept", "sucker.only")
BEGAN: Final = "sucker.began"
STALE_MS: Final = 40_000
"""A deal that is older than this is neither spoken of nor promised for."""
TURNS: Final = 2
"""A proposal can be agreed to until the seat that it was made to has placed so many chips."""
EXPECTED: Final[Mapping[str, str]] = {
    "offerTurn": "expectPile",
    "offerTurnSave": "expectSave",
    "offerTurnBack": "expectTurn",
    "offerTurnSpare": "expectSpare",
    "pact": "expectPact",
    "pactTurn": "expectTurns",
    "pactSpare": "expectTruce",
    "counterSave": "expectSave",
    "counterPile": "expectPile",
}
"""By what the bot has proposed, how it names both sides if the other seat has agreed in words."""


WANTED: Final[Mapping[str, str]] = {
    **MUTUAL,
    "offerTurn": "spare_pile",
    "offerTurnSave": "save",
    "offerTurnBack": "pass_move",
    "offerTurnSpare": "spare_chips",
    "counterSave": "save",
    "counterPile": "spare_pile",
    "askPile": "spare_pile",
}
"""By what was proposed, the kind of promise that agrees to it."""


class Deal(NamedTuple):
    """What the bot proposed to a seat that has agreed.

    It proposed it at `since`, and the seat agreed at `at`. `earlier` is what that seat had proposed before,
    if the bot has demanded something first. `in_words`: the seat has agreed by a phrase, and has promised
    nothing.
    """

    by: int
    intent: str
    args: Mapping[str, Argument]
    earlier: Spoken | None
    since: Millis
    at: Millis
    in_words: bool


def find_time(observation: Observation) -> Millis:
    """The time of the last thing that the bot's seat has read or heard."""
    lines, messages = observation.lines, observation.messages
    return max(lines[-1].at if lines else Millis(0), messages[-1].at if messages else Millis(0))


def find_placement(observation: Observation) -> Millis:
    """When the last chip was placed."""
    return next((line.at for line in reversed(observation.lines) if line.key in PLACEMENTS), Millis(0))


def find_round(observation: Observation) -> Millis:
    """When the round began: deals end with it, like promises."""
    return next((line.at for line in reversed(observation.lines) if line.key == BEGAN), Millis(0))


def list_deals(observation: Observation) -> tuple[Deal, ...]:
    """What others have agreed to, the oldest first."""
    return tuple(_read_deals(observation))


def _read_deals(observation: Observation) -> Iterator[Deal]:
    me = observation.seat
    proposed: dict[int, Spoken] = {}
    theirs: dict[int, Spoken] = {}
    last_to: dict[int, int] = {}
    for message in observation.messages:
        seat, intent = message.seat, read_intent(message.key)
        if intent in PROPOSALS:
            to = message.addressee
            if to is None:
                continue
            last_to[to] = seat
            if seat == me:
                proposed[to] = message
            elif to == me:
                theirs[seat] = message
        elif seat != me and seat in proposed:
            to = message.addressee
            wanted = PROMISE + WANTED.get(read_intent(proposed[seat].key), "")
            is_yes = to == me and (intent in AGREEING or message.key == wanted)
            in_words = message.key == SAYING_YES and last_to.get(seat) == me
            if is_yes or in_words:
                proposal = proposed.pop(seat)
                kind = read_intent(proposal.key)
                earlier = theirs.get(seat) if kind in COUNTERS else None
                yield Deal(seat, kind, proposal.args, earlier, proposal.at, message.at, in_words)
            elif (to == me and intent in REFUSING) or message.key == SAYING_NO:
                del proposed[seat]


def list_reneged(observation: Observation, deals: tuple[Deal, ...]) -> Iterator[tuple[int, SeenLine]]:
    """The seats that have agreed in words and done otherwise, each with the line that says so."""
    for deal in deals:
        if deal.in_words:
            known = _cut_after_round(observation.lines, deal.at)
            lines = tuple(line for line in known if line.at >= deal.at)
            if deal.intent in OFFERS:
                gifts = (
                    number for number, line in enumerate(lines) if is_gift(line, observation.seat, deal.by)
                )
                lines = lines[next(gifts, len(lines)) :]
            me, start = observation.seat, len(known) - len(lines)
            if deal.intent in FOR_TURN:
                broken = _find_refused_turn(lines, me, deal)
            else:
                broken = _find_breach(lines, me, deal) or _find_other_choice(known, start, me, deal)
            if broken is not None:
                yield deal.by, broken


def _cut_after_round(lines: tuple[SeenLine, ...], time: Millis) -> tuple[SeenLine, ...]:
    """The lines until the end of the round of that time."""
    later = (number for number, line in enumerate(lines) if line.key == BEGAN and line.at > time)
    return lines[: next(later, None)]


def _find_other_choice(lines: tuple[SeenLine, ...], start: int, me: int, deal: Deal) -> SeenLine | None:
    """The line of the first choice that could have gone to the bot's seat, if its partner chose another one.

    Whether it could have follows from the colours in the pile that the chip was placed on. Choices before
    the line numbered `start` do not count.
    """
    if EXPECTED.get(deal.intent) not in ("expectTurn", "expectTurns"):
        return None
    piles: dict[Argument, set[Argument]] = {}
    last: Argument = -1
    for number, line in enumerate(lines):
        args = line.args
        if line.key == "sucker.opened":
            piles[args["pile"]] = set()
        if line.key in PLACEMENTS:
            last = args["pile"]
            if last in piles:
                piles[last].add(args["colour"])
        if number < start or line.key not in CHOICES or args["seat"] != deal.by:
            continue
        if args.get("other") == me:
            return None
        if last in piles and me not in piles[last]:
            return line
    return None


def _find_refused_turn(lines: tuple[SeenLine, ...], me: int, deal: Deal) -> SeenLine | None:
    """The line of the choice that the bot asked for, if its partner chose another seat after all.

    A promise on that choice is judged by itself.
    """
    for line in lines:
        if line.key in PLACEMENTS:
            return None
        if line.key in CHOICES and line.args["seat"] == deal.by:
            return None if line.args.get("other") == me else line
    return None


def is_gift(line: SeenLine, seat: int, to: int) -> bool:
    """Whether a seat has given another one the turn, or had to."""
    return line.key in ("sucker.gave", "sucker.only") and (line.args["seat"], line.args["other"]) == (
        seat,
        to,
    )


def _find_breach(lines: tuple[SeenLine, ...], me: int, deal: Deal) -> SeenLine | None:
    expected = "expectPile" if deal.intent == "askPile" else EXPECTED.get(deal.intent)
    needy: Argument | None = None
    placer: Argument | None = None
    placed = 0
    for line in lines:
        seat = line.args.get("seat")
        if line.key in PLACEMENTS:
            placer = seat
            placed += seat == deal.by
        if line.key == "sucker.needy":
            needy = seat
        elif line.key in ("sucker.rescued", "sucker.fell"):
            needy = None
        if seat != deal.by:
            continue
        if expected == "expectPile":
            is_next = placed == 1 and placer == deal.by
            if is_next and line.key in CAPTURES and line.args["pile"] == read_pile(deal.args):
                return line
        elif (expected in ("expectSave", "expectPact") and line.key == "sucker.refused" and needy == me) or (
            expected in ("expectSpare", "expectTruce")
            and line.key == "sucker.killed"
            and line.args["colour"] == me
        ):
            return line
    return None
