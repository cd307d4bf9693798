"""Under the Hammer: sealed bids for a few lots; coins kept are points. The rules (HAM-n) are in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from games.api import (
    Advice,
    Choice,
    Choices,
    Dice,
    Judgement,
    LogLine,
    Millis,
    MoveBase,
    Observation,
    Outcome,
    OwnerOnly,
    Promise,
    PromiseEvent,
    PromiseRules,
    Prompt,
    PromptId,
    Public,
    PublicView,
    Range,
    Refusal,
    Seat,
    Secret,
    Section,
    Step,
    Struct,
    WindowId,
)
from games.kit import sealed, time_control
from games.kit.lessons import read_lesson
from games.kit.memo import memoize
from games.kit.options import number_metadata
from games.kit.promises import section
from games.kit.sealed import Sealed
from games.kit.time_control import TimeControl, TimeControlMove, Timer, Timers
from games.kit.timed_game import OTHER_PROMPT, TimedGame, TimedState, count_missed, timer_of
from tests.sample_game.texts import TEXTS

Kind: TypeAlias = Literal["clock", "lamp", "rug"]
KINDS: Final[tuple[Kind, ...]] = ("clock", "lamp", "rug")
SPAN: Final = Millis(30_000)
WISH: Final = 3
"""Extra points for each lot of the kind a seat wishes for (HAM-5)."""


class Lot(Struct, frozen=True):
    """An item for sale, and the points it is worth."""

    kind: Kind
    worth: int


LOTS: Final = tuple(Lot(KINDS[worth % 3], worth) for worth in range(2, 11))
"""Nine lots, three of each kind (HAM-1)."""


class HammerOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lots: Annotated[int, number_metadata(3, 9, "length")] = 5
    coins: Annotated[int, number_metadata(6, 40, "rules")] = 20
    timers: Timers = "normal"


class Draft(MoveBase, frozen=True, forbid_unknown_fields=True, tag="draft"):
    """Drafts a bid in secret."""

    coins: int


class Lock(MoveBase, frozen=True, forbid_unknown_fields=True, tag="lock"):
    """Seals the drafted bid."""


class Unlock(MoveBase, frozen=True, forbid_unknown_fields=True, tag="unlock"):
    """Takes the sealed bid back while somebody else is still thinking."""


HammerPlay: TypeAlias = Draft | Lock | Unlock
HammerMove: TypeAlias = HammerPlay | TimeControlMove


class Sale(Struct, frozen=True):
    """The sale of a lot: all bids, and the buyer (None if the lot was returned, HAM-4)."""

    lot: Lot
    bids: tuple[int, ...]
    to: Seat | None


class Auction(Struct, frozen=True):
    """Section `auction`: the lot for sale (none after the last), the coins, the locks, and all past sales."""

    lots: Public[int]
    lot: Public[Lot | None]
    coins: Public[tuple[int, ...]]
    locked: Public[tuple[bool, ...]]
    sales: Public[tuple[Sale, ...]]


class Mine(Struct, frozen=True):
    """Section `mine`: the kind this seat wishes for, and the bid it has drafted."""

    wish: Kind
    bid: int | None


class Wishes(Struct, frozen=True):
    """Section `wishes`: shown after the last lot (GEN-9)."""

    wishes: tuple[Kind, ...]


class HammerState(TimedState, frozen=True):
    lots: Public[int]
    lot: Public[Lot | None]
    to_come: Secret[tuple[Lot, ...]]
    """The lots not yet shown; some are never sold."""
    coins: Public[tuple[int, ...]]
    wishes: OwnerOnly[tuple[Kind, ...]]
    bids: Sealed[int]
    sales: Public[tuple[Sale, ...]] = ()
    shown: Public[tuple[Kind, ...] | None] = None
    """The wishes, once all lots are sold; `wishes` is then empty."""


class HammerPromises(PromiseRules):
    """What may be promised: to bid nothing on a lot, counted from 1 (HAM-6, R30)."""

    kinds = ("leave",)

    def choices(self, view: PublicView, seat: Seat) -> tuple[Choice, ...]:
        auction = section(view, "auction", Auction)
        first = len(auction.sales) + 1
        return () if first > auction.lots else (Choice("leave", {"number": Range(first, auction.lots)}),)

    def judge(self, promise: Promise, event: PromiseEvent) -> Judgement | None:
        sales = section(event.after, "auction", Auction).sales
        number = promise.terms["number"]
        assert isinstance(number, int)
        if len(sales) < number:
            return None
        return "broken" if sales[number - 1].bids[promise.by] else "kept"

    def acts(self, promise: Promise, event: PromiseEvent) -> bool:
        """The seat seals a bid or takes it back, or the clock seals it."""
        before, after = section(event.before, "auction", Auction), section(event.after, "auction", Auction)
        had_locked = before.locked[promise.by]
        if len(after.sales) > len(before.sales):
            return not had_locked
        return after.locked[promise.by] != had_locked

    def standing(self, view: PublicView) -> tuple[int, ...]:
        """The coins left and the worth of the lots bought: wishes are secret."""
        auction = section(view, "auction", Auction)
        worth = list(auction.coins)
        for sale in auction.sales:
            if sale.to is not None:
                worth[sale.to] += sale.lot.worth
        return tuple(worth)


class UnderTheHammer(TimedGame[HammerState, HammerPlay, HammerOptions]):
    key = "under_the_hammer"
    seats = range(3, 6)
    minutes = (3, 6)
    silent: frozenset[str] = frozenset({"draft"})
    private_sections = frozenset({"mine"})
    sections: Mapping[str, type[msgspec.Struct]] = {
        "auction": Auction,
        "time_control": TimeControl,
        "mine": Mine,
        "wishes": Wishes,
    }
    texts = TEXTS
    lesson = read_lesson("tests.sample_game")
    promises = HammerPromises()

    def setup(self, seats: int, options: HammerOptions, at: Millis, dice: Dice) -> Step[HammerState]:
        lots = dice.shuffle("lots", LOTS)
        control = time_control.start(seats, options.timers)
        state = HammerState(
            lots=options.lots,
            lot=lots[0],
            to_come=lots[1:],
            coins=(options.coins,) * seats,
            wishes=tuple(KINDS[dice.below("wish", 3)] for _ in range(seats)),
            bids=sealed.make_sealed(seats),
            time_control=control,
            timer=bidding(control, 1, seats, at),
        )
        return Step(state, (offered(state, lots[0]),))

    def prompts(self, state: HammerState) -> tuple[Prompt, ...] | Outcome:
        if state.shown is not None:
            return outcome(state, state.shown)
        return prompts(state.time_control, timer_of(state))

    def done(self, state: HammerState) -> tuple[bool, ...]:
        return state.bids.locked

    def check_move(
        self, state: HammerState, seat: Seat, prompt: PromptId, move: HammerPlay, at: Millis
    ) -> Refusal | None:
        if not prompt.startswith("bid:"):
            return OTHER_PROMPT
        match move:
            case Draft(coins=coins):
                if not 0 <= coins <= state.coins[seat]:
                    return Refusal("TOO_MUCH", "HAM-2", {"coins": state.coins[seat]})
                return sealed.refuse_draft(state.bids, seat)
            case Lock():
                return sealed.refuse_lock(state.bids, seat, drafting=False)
            case Unlock():
                return sealed.refuse_unlock(state.bids, seat)

    def apply_move(
        self, state: HammerState, seat: Seat, prompt: PromptId, move: HammerPlay, at: Millis, dice: Dice
    ) -> Step[HammerState]:
        match move:
            case Draft(coins=coins):
                return Step(replace(state, bids=sealed.draft(state.bids, seat, coins)))
            case Lock():
                return sold(replace(state, bids=sealed.lock(state.bids, seat)), (), at)
            case Unlock():
                return Step(replace(state, bids=sealed.unlock(state.bids, seat)))

    def expire(self, state: HammerState, window: WindowId, at: Millis, dice: Dice) -> Step[HammerState]:
        """Counts a drafted bid as sealed, and a missing bid as 0 (HAM-3, GEN-7)."""
        late = time_control.list_late(timer_of(state), window, state.bids.locked)
        after, away = count_missed(state, late)
        for seat in late:
            after = replace(after, bids=sealed.lock(after.bids, seat, after.bids.draft[seat] or 0))
        return sold(after, (LogLine("hammer.auto", {"seats": late}, None), *away), at)

    def public(self, state: HammerState) -> dict[str, Section]:
        hall = auction(state.lots, state.lot, state.coins, state.bids.locked, state.sales)
        sections = {"auction": hall, "time_control": Section(state.time_control)}
        return sections if state.shown is None else sections | {"wishes": wishes(state.shown)}

    def private(self, state: HammerState, seat: Seat) -> dict[str, Section]:
        return NOTHING if state.shown is not None else mine(state.wishes[seat], state.bids.draft[seat])

    def choices(self, state: HammerState, seat: Seat) -> Choices:
        if state.shown is not None:
            return NO_CHOICES
        bids = state.bids
        drafted = bids.draft[seat] is not None
        return choices(
            state.time_control, timer_of(state), seat, state.coins[seat], drafted, bids.locked[seat]
        )

    def coach(self, observation: Observation, prompt: Prompt) -> Advice | None:
        hall, private = observation.sections["auction"], observation.sections["mine"]
        if prompt.kind != "bid" or not isinstance(hall, Auction) or not isinstance(private, Mine):
            return None
        if hall.lot is None or hall.locked[observation.seat]:
            return None
        worth = hall.lot.worth + WISH * (hall.lot.kind == private.wish)
        return Advice("bid.worth", {"worth": worth})

    def resample(self, state: HammerState, viewer: Seat | None, dice: Dice) -> HammerState:
        kinds = tuple(
            wish if seat == viewer else KINDS[dice.below("resample", 3)]
            for seat, wish in enumerate(state.wishes)
        )
        drafts = tuple(
            draft if seat == viewer else another(state, Seat(seat), dice)
            for seat, draft in enumerate(state.bids.draft)
        )
        return replace(
            state,
            to_come=dice.shuffle("resample", state.to_come),
            wishes=kinds,
            bids=replace(state.bids, draft=drafts),
        )


# --- views: cached, because the hub does not send the same object again ---

NOTHING: Final[dict[str, Section]] = {}
NO_CHOICES: Final[Choices] = {}


@memoize
def auction(
    lots: int, lot: Lot | None, coins: tuple[int, ...], locked: tuple[bool, ...], sales: tuple[Sale, ...]
) -> Section:
    return Section(Auction(lots, lot, coins, locked, sales))


@memoize
def mine(wish: Kind, bid: int | None) -> dict[str, Section]:
    return {"mine": Section(Mine(wish, bid))}


@memoize
def wishes(shown: tuple[Kind, ...]) -> Section:
    return Section(Wishes(shown))


# --- moves ---


def bidding(control: TimeControl, number: int, seats: int, at: Millis) -> Timer:
    """The shared wait for the bids on lot `number`, counted from 1."""
    everybody = tuple(Seat(seat) for seat in range(seats))
    return time_control.timer(control, WindowId(f"bidding:{number}"), "bidding", everybody, SPAN, at)


def bid_prompt(timer: Timer) -> PromptId:
    return PromptId(f"bid:{timer.id.removeprefix('bidding:')}")


@memoize
def prompts(control: TimeControl, timer: Timer) -> tuple[Prompt, ...]:
    window = None if timer.clock is None else timer.id
    bid = Prompt(bid_prompt(timer), "bid", frozenset(timer.concerns), window, None)
    return (bid, *time_control.prompts(control, timer))


@memoize
def choices(
    control: TimeControl, timer: Timer, seat: Seat, coins: int, drafted: bool, locked: bool
) -> Choices:
    write = Choice("draft", {"coins": Range(0, coins)})
    bids = (Choice("unlock"),) if locked else (write, Choice("lock")) if drafted else (write,)
    return {bid_prompt(timer): bids, **time_control.choices(control, timer, seat)}


def another(state: HammerState, seat: Seat, dice: Dice) -> int | None:
    """A draft this seat may have, for all the others know; a locked seat certainly has one."""
    if not state.bids.locked[seat] and dice.below("resample", 2):
        return None
    return dice.below("resample", state.coins[seat] + 1)


# --- results ---


def offered(state: HammerState, lot: Lot) -> LogLine:
    number = len(state.sales) + 1
    return LogLine(
        "hammer.lot", {"number": number, "lots": state.lots, "kind": lot.kind, "worth": lot.worth}, None
    )


def highest(bids: tuple[int, ...]) -> Seat | None:
    """The seat that bid more than any other; None if there is none (HAM-4)."""
    best = max(bids)
    return Seat(bids.index(best)) if bids.count(best) == 1 else None


def sold(state: HammerState, lines: tuple[LogLine, ...], at: Millis) -> Step[HammerState]:
    """Once every seat has locked, reveals the bids, sells the lot and offers the next one (HAM-3, HAM-4)."""
    if state.lot is None or not sealed.complete(state.bids):
        return Step(state, lines)
    lot, bids = state.lot, sealed.reveal(state.bids)
    to = highest(bids)
    arguments: dict[str, int | str] = {"kind": lot.kind, "worth": lot.worth}
    if to is None:
        coins = state.coins
        line = LogLine("hammer.returned", arguments, None)
    else:
        coins = tuple(have - bids[to] * (seat == to) for seat, have in enumerate(state.coins))
        line = LogLine("hammer.sold", {"seat": to, "coins": bids[to], **arguments}, None)
    after = replace(
        state,
        coins=coins,
        bids=sealed.make_sealed(len(coins)),
        sales=(*state.sales, Sale(lot, bids, to)),
    )
    lines = (*lines, line)
    if len(after.sales) == state.lots:
        return Step(replace(after, lot=None, wishes=(), shown=state.wishes, timer=None), lines)
    following = state.to_come[0]
    after = replace(
        after,
        lot=following,
        to_come=state.to_come[1:],
        timer=bidding(state.time_control, len(after.sales) + 1, len(coins), at),
    )
    return Step(after, (*lines, offered(after, following)))


def outcome(state: HammerState, wishes: tuple[Kind, ...]) -> Outcome:
    """Coins kept, the value of lots won, three for each lot wished for; tied seats win together (HAM-5)."""
    scores = list(state.coins)
    for sale in state.sales:
        if sale.to is not None:
            scores[sale.to] += sale.lot.worth + WISH * (sale.lot.kind == wishes[sale.to])
    best = max(scores)
    return Outcome(tuple(Seat(seat) for seat, score in enumerate(scores) if score == best), tuple(scores))


HAMMER: Final = UnderTheHammer()
