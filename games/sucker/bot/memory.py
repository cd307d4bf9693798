"""What a bot remembers of the others: recomputed from the lines and promises that its seat was told of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from games.api import Argument, Millis, Observation, Promise, SeenLine, Temper
from games.kit.wordings import read_intent
from games.sucker.bot.deals import CAPTURES, CHOICES, TURNS, Deal, find_round, list_deals, list_reneged

Act: TypeAlias = Literal["gave", "chip", "kept", "starved", "killed", "refused", "broke", "reneged"]

GOOD: Final[Mapping[Act, float]] = {"gave": 0.5, "chip": 2.0, "kept": 1.5}
BAD: Final[Mapping[Act, float]] = {
    "starved": 2.0,
    "killed": 1.0,
    "refused": 1.0,
    "broke": 3.0,
    "reneged": 2.0,
}
FULL: Final = 4.0
"""The weight of deeds that make a bot favour or disfavour a seat fully."""
GRUDGE_STEP: Final = 0.6
"""How many more placements a wrong is remembered for with each point of grudge."""
LATELY: Final = 12
"""How many lines back it is not too late to be sorry."""
WELL_REMEMBERED: Final = 40
"""How many lines back somebody may mean a wrong that they are sorry for."""
OWN_MOVES: Final = frozenset(
    f"sucker.{key}" for key in ("opened", "placed", "gave", "kept", "refused", "killed", "auto")
)
"""The lines about moves that a seat makes when the table waits for it."""


PLACEMENTS: Final = frozenset({"sucker.opened", "sucker.placed"})
ABOUT_DEEDS: Final = frozenset(
    {
        *("sucker.gave", "sucker.transferred", "sucker.killed", "sucker.refused"),
        *("promise.kept", "promise.broken"),
        *CAPTURES,
    }
)
HURTS: Final = frozenset({"sucker.needy", "sucker.fell"})
"""The lines that follow a turn given to a seat that has no chips."""


class Deed(NamedTuple):
    """Something that a seat did to the bot's at table time `at`; `age` counts the placements since.

    It is `recent` until the bot's seat has moved itself. `promise` is the one that was kept or broken.
    """

    act: Act
    seat: int
    age: int
    at: Millis
    recent: bool
    promise: Promise | None = None


def list_deeds(observation: Observation, deals: tuple[Deal, ...]) -> tuple[Deed, ...]:
    """The latest deeds first; `deals` are those of `list_standing`."""
    return tuple(_read_deeds(observation, deals))


def list_standing(observation: Observation) -> tuple[Deal, ...]:
    """The deals that others did not agree to too late, as the bot sees it or has told them."""
    return tuple(
        deal
        for deal in list_deals(observation)
        if not _is_late(observation, deal) and not _is_called_late(observation, deal)
    )


def _is_called_late(observation: Observation, deal: Deal) -> bool:
    """Whether the bot has replied to a seat's yes that it came too late.

    That ends the deal, even if there is room for the bot's part again.
    """
    has_agreed = False
    for message in observation.messages:
        is_reply = (message.seat, message.addressee) == (observation.seat, deal.by)
        if message.seat == deal.by:
            has_agreed = message.at == deal.at
        elif has_agreed and is_reply and read_intent(message.key) == "tooLate":
            return True
    return False


def _is_late(observation: Observation, deal: Deal) -> bool:
    """Whether the yes came too late.

    Since it was asked, a round had begun, or the seat had placed `TURNS` chips, wronged the bot, or not done
    what it then agreed to.
    """
    before = replace(observation, lines=tuple(line for line in observation.lines if line.at < deal.at))
    if find_round(before) > deal.since:
        return True
    placed = sum(
        line.key in PLACEMENTS and line.at > deal.since and line.args["seat"] == deal.by
        for line in before.lines
    )
    if placed >= TURNS:
        return True
    if not any(line.at > deal.since and line.args.get("seat") == deal.by for line in before.lines):
        return False
    asked = deal._replace(at=Millis(deal.since + 1), in_words=True)
    return is_wronged_since(list_deeds(before, (asked,)), deal)


def is_wronged_since(deeds: tuple[Deed, ...], deal: Deal) -> bool:
    """Whether the seat that has agreed to a proposal has wronged the bot since that was made."""
    return any(deed.seat == deal.by and deed.act in BAD and deed.at > deal.since for deed in deeds)


def _read_deeds(observation: Observation, deals: tuple[Deal, ...]) -> Iterator[Deed]:
    lines, me = observation.lines, observation.seat
    promises = {promise.id: promise for promise in observation.promises}
    needy, breaches = _list_needy(observation), tuple(list_reneged(observation, deals))
    age, recent = 0, True
    for index in range(len(lines) - 1, -1, -1):
        key = lines[index].key
        if key in PLACEMENTS:
            age += 1
        if key not in ABOUT_DEEDS and key not in OWN_MOVES:
            continue
        args = lines[index].args
        seat = args.get("seat")
        if seat == me:
            recent = recent and key not in OWN_MOVES
        elif isinstance(seat, int) and key in ABOUT_DEEDS:
            act = _classify(key, args, me, needy[index], promises)
            if act == "gave" and index + 1 < len(lines) and lines[index + 1].key in HURTS:
                act = "starved"
            if act is not None:
                promise = promises.get(str(args.get("promise")))
                yield Deed(act, seat, age, lines[index].at, recent, promise)
        reneged = seat if breaches and any(lines[index] is line for _, line in breaches) else None
        if isinstance(reneged, int):
            yield Deed("reneged", reneged, age, lines[index].at, recent)


def _list_needy(observation: Observation) -> list[int | None]:
    """For each line, the seat that is in need when it is written."""
    needy: int | None = None
    seats = []
    for line in observation.lines:
        if line.key == "sucker.needy":
            needy = _seat_of(line.args)
        elif line.key in ("sucker.rescued", "sucker.fell"):
            needy = None
        seats.append(needy)
    return seats


def _seat_of(args: Mapping[str, object]) -> int | None:
    seat = args.get("seat")
    return seat if isinstance(seat, int) else None


def _classify(
    key: str, args: Mapping[str, object], me: int, needy: int | None, promises: Mapping[str, Promise]
) -> Act | None:
    match key:
        case "sucker.gave":
            return "gave" if args["other"] == me else None
        case "sucker.transferred":
            return "chip" if args["other"] == me else None
        case "sucker.killed":
            return "killed" if args["colour"] == me else None
        case "sucker.refused":
            return "refused" if needy == me else None
        case "promise.kept" | "promise.broken":
            promise = promises.get(str(args["promise"]))
            if promise is None or promise.excused or (promise.to and me not in promise.to):
                return None
            return "kept" if key == "promise.kept" else "broke"
        case _:
            return None


def weigh_deeds(deeds: tuple[Deed, ...], seats: int, temper: Temper) -> tuple[float, ...]:
    """By seat, how much the bot favours it: from -1 to 1."""
    favour = [0.0] * seats
    for deed in deeds:
        if deed.act in GOOD:
            favour[deed.seat] += GOOD[deed.act] * temper.warmth / 50
        elif deed.age <= 1 + GRUDGE_STEP * temper.grudge:
            favour[deed.seat] -= BAD[deed.act]
    return tuple(max(-1.0, min(1.0, value / FULL)) for value in favour)


def resents(deeds: tuple[Deed, ...], seat: int, temper: Temper) -> bool:
    """Whether it still remembers a wrong that this seat did to it."""
    return find_wrong(deeds, seat, temper) is not None


def find_wrong(deeds: tuple[Deed, ...], seat: int, temper: Temper) -> Deed | None:
    """The worst wrong of this seat that it still remembers, the latest of several."""
    wrongs = (
        deed
        for deed in deeds
        if deed.seat == seat and deed.act in BAD and deed.age <= 1 + GRUDGE_STEP * temper.grudge
    )
    return max(wrongs, key=lambda deed: BAD[deed.act], default=None)


def has_broken(observation: Observation, seat: int) -> bool:
    """Whether this seat itself has broken a promise that the bot may know of."""
    return any(
        promise.by == seat and promise.judgement == "broken" and not promise.excused
        for promise in observation.promises
    )


def has_kept(observation: Observation, seat: int) -> bool:
    """Whether this seat has kept a promise that the bot may know of, though it could have done otherwise."""
    return any(
        promise.by == seat and promise.judgement == "kept" and was_dear(observation, promise)
        for promise in observation.promises
    )


def was_dear(observation: Observation, promise: Promise) -> bool:
    """Whether a kept promise has cost something: otherwise it is nothing to be praised for.

    A choice is not if the pile left nobody else. To spare a pile is only if its own chip would have captured
    it, and whoever it was promised to had a chip in it.
    """
    if promise.kind not in ("pass_move", "spare_pile"):
        return True
    lines, by = observation.lines, promise.by
    judged = next(
        (
            number
            for number, line in enumerate(lines)
            if line.key == "promise.kept" and line.args["promise"] == promise.id
        ),
        0,
    )
    keys = CHOICES if promise.kind == "pass_move" else PLACEMENTS
    moves = (n for n in range(judged - 1, -1, -1) if lines[n].key in keys and lines[n].args["seat"] == by)
    number = next(moves, None)
    if number is None:
        return False
    if promise.kind == "pass_move":
        return lines[number].key == "sucker.gave"
    chips = _list_chips(lines[:number], promise.terms["pile"])
    losers = [chip for chip in chips if (chip in promise.to if promise.to else chip != by)]
    return bool(losers) and chips[-1] == by


def _list_chips(lines: Sequence[SeenLine], pile: Argument) -> list[Argument]:
    """The chips that these lines have put into a pile, bottom first."""
    chips: list[Argument] = []
    for line in lines:
        if line.args.get("pile") != pile:
            continue
        if line.key in CAPTURES or line.key == "sucker.opened":
            chips.clear()
        if line.key in PLACEMENTS:
            chips.append(line.args["colour"])
    return chips


def list_deceived(observation: Observation) -> tuple[int, ...]:
    """The seats to which the bot has lately broken a promise."""
    lately = {
        str(line.args["promise"]) for line in observation.lines[-LATELY:] if line.key == "promise.broken"
    }
    return tuple(
        seat
        for promise in observation.promises
        if promise.by == observation.seat and promise.id in lately and not promise.excused
        for seat in promise.to
    )


def list_breakers(deeds: tuple[Deed, ...]) -> frozenset[int]:
    """The seats that have broken a promise to the bot."""
    return frozenset(deed.seat for deed in deeds if deed.act == "broke")


def has_deceived(observation: Observation, seat: int) -> bool:
    """Whether the bot has ever broken a promise to this seat."""
    return any(
        promise.by == observation.seat
        and seat in promise.to
        and promise.judgement == "broken"
        and not promise.excused
        for promise in observation.promises
    )


def find_victim(observation: Observation, seat: int) -> int | None:
    """Whom this seat has wronged last, of what everybody has seen: it broke its word, or killed a chip."""
    promises = {promise.id: promise for promise in observation.promises}
    for line in reversed(observation.lines[-WELL_REMEMBERED:]):
        if line.args.get("seat") != seat:
            continue
        if line.key == "promise.broken":
            promise = promises.get(str(line.args["promise"]))
            if promise is not None and promise.to and not promise.excused:
                return promise.to[0]
        colour = line.args.get("colour")
        if line.key == "sucker.killed" and isinstance(colour, int) and colour != seat:
            return colour
    return None


def has_saved(observation: Observation, seat: int) -> bool:
    """Whether the bot's seat has given this one a chip when it was in need."""
    return any(
        line.key == "sucker.transferred"
        and (line.args["seat"], line.args["other"], needy) == (observation.seat, seat, seat)
        for line, needy in zip(observation.lines, _list_needy(observation), strict=True)
    )


def goes_back_on_rescue(observation: Observation, seat: int) -> bool:
    """Whether a refusal to save this seat breaks the bot's word, or did so since that seat is in need."""
    broken: set[Argument] = set()
    for line in observation.lines:
        if line.key == "sucker.needy" and line.args["seat"] == seat:
            broken.clear()
        elif line.key == "promise.broken":
            broken.add(line.args["promise"])
    return any(
        (promise.by, promise.kind) == (observation.seat, "save")
        and seat in promise.to
        and (promise.judgement is None or promise.id in broken)
        for promise in observation.promises
    )


def has_let_fall(observation: Observation, seat: int) -> bool:
    """Whether the bot's seat has refused to save this one, which then was out, and has not told it why."""
    lines = observation.lines
    needy = [line for line in lines if line.key == "sucker.needy" and line.args["seat"] == seat]
    if not needy or not any(line.key == "sucker.fell" and line.args["seat"] == seat for line in lines):
        return False
    began = needy[-1].at
    has_refused = any(
        line.key == "sucker.refused" and line.args["seat"] == observation.seat and line.at >= began
        for line in lines
    )
    has_spoken = any(
        message.seat == observation.seat and message.addressee == seat and message.at >= began
        for message in observation.messages
    )
    return has_refused and not has_spoken


def list_fallen(observation: Observation) -> tuple[int, ...]:
    """The seats that have lately been defeated."""
    fallen = [line.args["seat"] for line in observation.lines[-LATELY:] if line.key == "sucker.fell"]
    return tuple(seat for seat in fallen if isinstance(seat, int))
