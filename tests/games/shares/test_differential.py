"""The rules of Share and Share Alike and their reference version agree on 20,000 random games."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Millis, Seat, Step
from games.shares.rules import actions, chance, drawing, market, scoring, selection, showing, turn_flow
from games.shares.rules.game import SHARES
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import Card
from games.shares.rules.values import SharesState, Shown
from games.testing import random_play
from tests.games.shares.differential import FIELDS, Disagreement, Manner, Twice
from tests.games.shares.same_words import PHASES
from tests.games.tables import tables

PARTS: Final = 100
EACH: Final = 200
"""Games per part."""
SOAKED: Final = 30
"""Parts that `make soak` plays; `pytest -m "" tests/games/shares/test_differential.py` plays them all."""
SOME: Final = 14
"""Games played in every test run."""
DOMAINS: Final = random_play.domains(SHARES)
KINDS: Final = (
    "select", "lowball", "turn", "hearts", "spades", "peek", "clubs", "adjust",
    "chance1", "take", "chance2", "chance3", "chance4", "chance6", "draw", "market",
)  # fmt: skip
ENDED: Final = {f"{PHASES.get(kind, kind)}: time" for kind in KINDS}


def seated(number: int) -> tuple[int, SharesOptions]:
    """Every fourth game uses one of the tables that cover all pairs of values; others are usually short."""
    found = tables("shares")
    if not number % 4:
        seats, chosen = found[number // 4 % len(found)]
        return seats, msgspec.convert(chosen, SharesOptions)
    chance = random.Random(f"table {number}")
    options = {name: chance.choice(values) for name, values in DOMAINS.items()}
    rounds = chance.choice(("5", "5", "5", "5", "10", "15"))
    return chance.choice(SHARES.seats), msgspec.convert({**options, "rounds": rounds}, SharesOptions)


def table(number: int) -> Twice:
    """A game in which time never, sometimes or often runs out."""
    seats, options = seated(number)
    return Twice(seats, options, number, Manner(random.Random(number).choice((0, 3, 10, 40)), 8))


def play_on(games: Iterable[Twice]) -> set[str]:
    """Plays all games to the end, and returns what happened in them."""
    met: set[str] = set()
    for game in games:
        game.play()
        met |= game.met
    return met


def test_games_of_every_run_agree_with_the_reference() -> None:
    met = play_on(map(table, range(SOME)))
    assert {f"refused: {tag}" for tag in ("play", "discard", "propose", "show", "lock")} <= met
    assert {"market: accept", "clubs: spy", "peek: take", "lowball: lock", "select: time"} <= met


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=pytest.mark.at_length if part < SOAKED else pytest.mark.exhaustive)
        for part in range(PARTS)
    ],
)
def test_20_000_games_agree_with_the_reference(part: int) -> None:
    """SSA-1 to SSA-42: one part of the games."""
    met = play_on(map(table, range(part * EACH, part * EACH + EACH)))
    assert {f"refused: {tag}" for tag in FIELDS} <= met
    assert ENDED | {"select: time of one", "lowball: time of one", "action: time of one"} <= met


# --- a comparison that cannot fail proves nothing ---


def whole_points(prize: int, claimed: int, rounding: str) -> Fraction | None:
    return Fraction(prize // claimed) if claimed else None


def ten_is_royal(card: Card) -> bool:
    return card[:-1] in ("10", "J", "Q", "K", "A")


def outer_first(state: SharesState) -> SharesState:
    """Puts a diamond under the deck before the card of the free action it allowed."""
    under = tuple(one.card for one in state.scene.played)
    return replace(state, deck=(*state.deck, *under), peek=None, offers=turn_flow.NO_OFFERS)


def show_without_trades(state: SharesState, seat: Seat) -> Shown:
    """The tracker without its trades."""
    found = turn_flow.tracker_of(state, seat)
    return Shown(len(found.marks), replace(found, traded=turn_flow.NO_SHARES))


END_TURN: Final = turn_flow.end_turn


def put_out_at_once(state: SharesState, at: Millis, lines: turn_flow.Lines = ()) -> Step[SharesState]:
    """Puts a seat that can spend nothing more out at once, even in a turn in which it has spent actions."""
    if not turn_flow._can_act(state, turn_flow.active_of(state)):
        state = replace(state, turns=replace(state.turns, spent=0))
    return END_TURN(state, at, lines)


PLANTED: Final[dict[str, tuple[Any, str, Any]]] = {
    "SSA-4": (scoring, "share_value", whole_points),
    "SSA-9": (turn_flow, "_mark_out", lambda turns, seat: turns),
    "SSA-11": (turn_flow, "_clear_turn", outer_first),
    "SSA-13": (actions, "is_wasted", lambda state, suit: False),
    "SSA-15": (drawing, "CHANCE_DRAW", 3),
    "SSA-12": (actions, "uses", lambda card: 2),
    "SSA-18": (chance, "adjustment", lambda card: 1),
    "SSA-25": (selection, "HIGHEST_LAST", "HDSC"),
    "SSA-33": (market.Market, "holds", lambda self, state, offer: True),
    "SSA-35": (chance, "royal", ten_is_royal),
    "SSA-36": (turn_flow, "_can_act", lambda state, seat: True),
    "SSA-36 next": (turn_flow, "end_turn", put_out_at_once),
    "SSA-42": (showing, "snapshot", show_without_trades),
}


EVERYTHING: Final = SharesOptions(
    rounds="5",
    talk="wholeTruth",
    open_market=True,
    lowball=True,
    chance3_source="either",
    chance4_draw=True,
)


@pytest.mark.parametrize("rule", PLANTED)
def test_a_planted_fault_is_found(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*PLANTED[rule])
    games = (Twice(4, EVERYTHING, number, Manner(3, 30)) for number in range(200))
    with pytest.raises(Disagreement):
        play_on(games)
