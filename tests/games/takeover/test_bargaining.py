"""How the bots of Takeover trade: sensibly, now and then, and not to be milked (5g)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.api import Millis, Seat
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.offers import Cancel, Decline
from games.takeover.bot import bargaining
from games.takeover.bot.bargaining import Scales
from games.takeover.bot.bot import BOT
from games.takeover.bot.observation import read_table
from games.takeover.rules import deals
from games.takeover.rules.game import TAKEOVER as GAME
from games.takeover.rules.values import (
    Accept,
    Coin,
    Counter,
    Merge,
    Pass,
    Propose,
    TakeoverOptions,
    TakeoverState,
)
from tests.games.takeover.players import JUDGING, moves, offered, seen
from tests.games.takeover.table import Table, position

SPREAD = {(0, 0): "S2", (2, 0): "M3", (4, 0): "C4", (0, 2): "A5", (2, 2): "S1", (4, 2): "M5"}
"""Nothing touches anything."""


def trading(mine: str, hers: str, **options: Any) -> TakeoverState:
    """Seat 2 is at turn, and far ahead; so nobody minds what seat 1 gains."""
    return position(SPREAD, mine, hers, "m4 c5 a4 s5", turn=2, holdings="open", **options)


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_it_takes_gifts_and_what_is_good_for_it(level: str) -> None:
    state = trading("S2 C4", "m5 a1")
    assert moves(offered(state, give="a1"), level) == [Accept(())]
    assert moves(offered(state, give="m5", wish="S"), level) == [Accept(("S2",))]
    assert moves(offered(state, give="m5", wish="coin"), level) == [Accept(("S2",))]  # the least it has


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_it_declines_what_is_bad_and_what_it_cannot_give(level: str) -> None:
    state = trading("S2 C4", "m5 a1")
    assert moves(offered(state, give="a1", wish="C4"), level) == [Decline()]
    assert moves(offered(state, wish="C4"), level) == [Decline()]
    assert moves(offered(state, give="m5", wish="3+"), level) == [Decline()]
    even = offered(trading("S2 c3", "M3"), give="M3", wish="3+")
    assert not any(isinstance(move, Accept) for move in moves(even, level))


def test_5g_it_asks_for_more_where_little_is_lacking() -> None:
    state = offered(trading("S2 C4", "c3 a1"), give="c3", wish="C4")
    for level in JUDGING:
        found = moves(state, level)
        assert Decline() in found
        (counter,) = [move for move in found if isinstance(move, Counter)]
        assert counter == Counter(("C4",), ("3+", "2+"))
    assert moves(state, "easy") == [Decline()]


def test_5g_it_does_not_help_the_leader_more_than_itself() -> None:
    """Its stock is worth 6 and likely to be covered: it may go for 5, but not to who leads."""
    stacks = {(1, 0): "M1 M2 M3 M4 S2", (0, 0): "S3", (2, 0): "S4", (4, 3): "A2"}
    for level in JUDGING:
        behind = position(stacks, "S2 a1", "S3 c5", "S4 m5 a5 a4", turn=2, holdings="open")
        assert moves(offered(behind, give="c5", wish="S2"), level) == [Accept(("S2",))]
        leads = position(stacks, "S2 a1", "S3 m5 c5 a5 a4", "S4", turn=2, holdings="open")
        assert Accept(("S2",)) not in moves(offered(leads, give="c5", wish="S2"), level)


def test_5g_of_two_one_loses_what_the_other_gains() -> None:
    stacks = {(1, 0): "M1 M2 M3 M4 S2", (0, 0): "S3", (2, 0): "S4", (4, 3): "A2"}
    state = position(stacks, "S2 a1", "S3 S4 c5", turn=1, holdings="open")
    for level in JUDGING:
        assert moves(offered(state, give="c5", wish="S2"), level) == [Decline()]
        assert not any(isinstance(move, Propose) for seat in (0, 1) for move in moves(state, level, seat))


@pytest.mark.parametrize("level", BOT.levels)
def test_tko_22_it_withdraws_what_it_no_longer_wants(level: str) -> None:
    grown = {**SPREAD, (0, 0): "A1 A2 A3 A4 S2"}
    for give, wish in (("S2", "2+"), ("a1", "C2")):
        state = offered(trading("S2 a1", "m5"), by=0, to=1, give=give, wish=wish if wish == "2+" else "C4")
        assert moves(state, level) == []
        stacks = grown if give == "S2" else {where: tiles for where, tiles in SPREAD.items() if tiles != "C4"}
        gone = replace(state, grid=position(stacks, "", "").grid)
        assert moves(gone, level) == [Cancel()]


@pytest.mark.parametrize("level", BOT.levels)
def test_tko_22_its_turn_waits_for_nothing_that_others_cannot_see(level: str) -> None:
    grown = position({**SPREAD, (0, 0): "A1 A2 A3 A4 S2"}, "S2 a1", "m5", "c5")
    for by, to, give, wish in ((0, 1, "S2", "2+"), (1, 0, "m5", "C4")):
        (found,) = moves(offered(grown, by=by, to=to, give=give, wish=wish), level)
        assert isinstance(found, Pass | Merge)


def test_gen_6_an_offer_that_never_runs_out_is_withdrawn_some_time() -> None:
    """Once it has played, for its turn waits for nobody."""
    for timers, turn, withdrawn in (
        ("off", 1, True),
        ("off", 0, False),
        ("off", 2, False),
        ("normal", 1, False),
    ):
        state = position(SPREAD, "S2 a1", "m5", "c5", turn=turn, timers=timers)
        found = moves(offered(state, by=0, to=1, give="S2", wish="5+"), "hard")
        assert (Cancel() in found) == withdrawn


def wanting(change: str = "c5") -> TakeoverState:
    """Seat 1 is next, and has a null it has no use for; seat 2 has one, and some cash. Seat 0 leads."""
    stacks = {(0, 0): "A1 A2 A3 A4 M1 S5", (5, 3): "M3", (4, 0): "S2"}
    return position(stacks, "S5", "a0 M3", f"S2 {change}", "c4", turn=0, holdings="open")


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_it_proposes_now_and_then_what_is_good_for_it(level: str) -> None:
    state = wanting()
    table = read_table(seen(state, 1))
    scales = Scales(table, level == "easy")
    answers = [BOT.decide(seen(state, 1), level, Dice(b"%d" % stream)) for stream in range(300)]
    proposals = [answer.move for answer in answers if answer is not None]
    assert 15 < len(proposals) < 100
    for move in proposals:
        assert isinstance(move, Propose)
        got = bargaining.at_least(move.wish)
        assert got is not None
        give = tuple(one for one in table.hand if one.name in move.give)
        assert scales.gain(give, got) >= bargaining.CLEARLY
    assert {move.give for move in proposals if isinstance(move, Propose)} == {("A0",)}
    assert not moves(offered(state, by=1, to=0, give="a0", wish="2+"), level, 1)  # one at a time
    at_turn = replace(state, stage=replace(state.stage, turn=Seat(1)))
    assert all(isinstance(move, Pass | Merge) for move in moves(at_turn, level, 1, 100))


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_among_two_it_proposes_nothing(level: str) -> None:
    stacks = {(0, 0): "A1 A2 A3 A4 M1 S5", (5, 3): "M3", (4, 0): "S2"}
    assert not moves(position(stacks, "S5 S2 c5", "a0 M3", turn=0), level, 1, 100)


def test_5g_a_null_changes_hands_where_it_helps_both() -> None:
    for level in JUDGING:
        too_much = moves(offered(wanting(), by=1, to=2, give="a0", wish="1+"), level, 2)
        assert not any(isinstance(move, Accept) for move in too_much)
        assert moves(offered(wanting("c2"), by=1, to=2, give="a0", wish="1+"), level, 2) == [Accept(("C2",))]


@pytest.mark.parametrize("level", BOT.levels)
@pytest.mark.parametrize("seats", [2, 3])
def test_it_cannot_be_milked_by_trades(level: str, seats: int) -> None:
    """Whatever it is offered, over and over: it never has a hand again that it had before."""
    taken = 0
    for number in range(3):
        table, dice = Table(state=in_the_middle(seats, b"milk %d" % number)), Dice(b"%d" % number)
        hands = {table.state.hands[0]}
        for _ in range(100):
            answer, hand = random_offer(table, level, dice)
            if answer:
                assert hand not in hands
                hands.add(hand)
                taken += 1
    assert taken > 5


def in_the_middle(seats: int, seed: bytes) -> TakeoverState:
    """Somebody else's turn, after some mergers made by chance, and no offers."""
    dice = Dice(seed)
    table = Table(state=GAME.setup(seats, TakeoverOptions(timers="normal"), Millis(0), dice).state)
    while table.state.stage.phase == "draft":
        table.expire()
    for seat in range(seats):
        table.do(seat, "flip", "lock", coins=[one.name for one in table.state.hands[seat]][seat % 2 :: 2])
    free = [way for way in table.public("mergers").mergers if way.touch and not way.cost]
    while len(free) > 6 or table.state.stage.turn == 0:
        turn = table.state.stage.turn
        assert turn is not None
        table.merge(turn, free[dice.below("way", len(free))].pair)
        free = [way for way in table.public("mergers").mergers if way.touch and not way.cost]
    return table.state


def random_offer(table: Table, level: str, dice: Dice) -> tuple[bool, tuple[Coin, ...]]:
    """Seat 1 offers seat 0 something; whether that took it, and its hand then."""
    mine, hers = table.state.hands[0], table.state.hands[1]
    give = dice.shuffle("give", hers)[: dice.below("count", 3)]
    wished = dice.shuffle("wish", mine)[: 1 + dice.below("count", 2)]
    prompt = table.offer(1, 0, [one.name for one in give], [bargaining.asking(one) for one in wished])
    decision = BOT.decide(seen(table.state), level, dice)
    assert decision is not None
    assert decision.prompt == prompt
    if isinstance(decision.move, Accept):
        table.do(0, prompt, "accept", coins=list(decision.move.coins))
        return True, table.state.hands[0]
    table.do(0, prompt, "decline")
    return False, table.state.hands[0]


def test_tko_24_it_finds_coins_that_meet_a_wish_wherever_there_are_some() -> None:
    met = missed = 0
    for number in range(30):
        dice = Dice(b"%d" % number)
        full = read_table(seen(in_the_middle(3, b"wish %d" % number)))
        for _ in range(10):
            here = full._replace(hand=dice.shuffle("hand", full.hand)[: 2 + dice.below("size", 3)])
            every = [*map(bargaining.asking, here.hand), *"SMCA", "1+", "2+", "3+", "null", "coin", "coin"]
            wish = tuple(dice.shuffle("wish", every)[: 1 + dice.below("count", 4)])
            bag, coins = deals.answers(here.hand, wish), bargaining.meeting(here, wish)
            assert (bag is None) == (coins is None)
            if bag is not None and coins is not None:
                assert kit_choices.covers(bag, [one.name for one in coins], 0)
            met, missed = met + (coins is not None), missed + (coins is None)
    assert met > 50
    assert missed > 50
