"""The Whole Truth: a seat shows its tracker to some or all seats; the hub vouches for it (SSA-30, SSA-42)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from games.api import Choice, LogLine, PromptId, Refusal, Seat, Step, Subset
from games.kit import peeks as peeks
from games.kit.tuples import replace_at
from games.shares.rules.moves import Show, ShowAll
from games.shares.rules.turn_flow import NO_SHARES, tracker_of
from games.shares.rules.values import SharesState, Shown, Shows
from games.shares.texts import ALREADY_SHOWN, NOBODY, NOTHING_MARKED

PROMPT = PromptId("show")


def open_to(state: SharesState) -> frozenset[Seat]:
    """The seats that may show their tracker: at any time, every seat except one that is peeking."""
    if state.options.talk != "wholeTruth":
        return frozenset()
    seats = map(Seat, range(len(state.hands)))
    return frozenset(seat for seat in seats if not peeks.peeks(state.peek, seat))


def snapshot(state: SharesState, seat: Seat) -> Shown:
    """The tracker the seat would show: closed selections and trades (SSA-42)."""
    tracker = tracker_of(state, seat)
    return Shown(len(tracker.marks), tracker)


def news(state: SharesState, seat: Seat) -> bool:
    """Whether there is something to show that not everybody has been shown yet (SSA-42)."""
    current = snapshot(state, seat)
    return current.round > 0 and state.shows.shown[seat] != current


def list_outdated(state: SharesState, seat: Seat) -> tuple[int, ...]:
    """The seats that have not been shown the current tracker."""
    if not news(state, seat):
        return ()
    current = snapshot(state, seat)
    return tuple(other for other, seen in enumerate(state.seen) if other != seat and seen[seat] != current)


def refuse(state: SharesState, seat: Seat, move: Show | ShowAll) -> Refusal | None:
    if not snapshot(state, seat).round:
        return NOTHING_MARKED
    if isinstance(move, ShowAll):
        return None if news(state, seat) else ALREADY_SHOWN
    others = set(range(len(state.hands))) - {seat}
    if not move.to or len(set(move.to)) < len(move.to) or not set(move.to) <= others:
        return NOBODY
    return None if set(move.to) <= set(list_outdated(state, seat)) else ALREADY_SHOWN


def choices(to: tuple[int, ...], news: bool) -> Iterator[Choice]:
    if to:
        yield Choice("show", {"to": Subset(to, 1, len(to))})
    if news:
        yield Choice("showAll")


def show(state: SharesState, seat: Seat, move: Show | ShowAll) -> Step[SharesState]:
    """Show a tracker: everyone learns that it was shown, but only those it was shown to see its contents.

    A tracker shown to everyone replaces every version that was shown to some seats before.
    """
    shown = snapshot(state, seat)
    if isinstance(move, ShowAll):
        recent = replace(state.recent, showed=(seat,))
        after = replace(
            state,
            shows=Shows(replace_at(state.shows.shown, seat, shown)),
            marks=replace_at(state.marks, seat, ()),
            traded=replace_at(state.traded, seat, NO_SHARES),
            seen=tuple(replace_at(seen, seat, None) for seen in state.seen),
            recent=recent,
        )
        everybody = frozenset(map(Seat, range(len(state.hands))))
        return Step(after, (LogLine("shares.showedAll", {"seat": seat}, None),), everybody)
    to = tuple(map(Seat, sorted(move.to)))
    seen = state.seen
    for other in to:
        seen = replace_at(seen, other, replace_at(seen[other], seat, shown))
    line = LogLine("shares.showed", {"seat": seat, "seats": list(to)}, None)
    after = replace(state, seen=seen, recent=replace(state.recent, showed=(seat, *to)))
    return Step(after, (line,), frozenset({seat, *to}))
