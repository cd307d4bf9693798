"""The trading of the Takeover bot: sensible, occasional, and not exploitable (5g)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.api import Millis, Seat, Spoken
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.characters import unnamed
from games.kit.observations import part
from games.kit.offers import Cancel, Decline
from games.takeover.bot import bargaining
from games.takeover.bot.bargaining import TradeEvaluator
from games.takeover.bot.bot import BOT
from games.takeover.bot.observation import read_table
from games.takeover.rules import deals
from games.takeover.rules.game import TAKEOVER as GAME
from games.takeover.rules.values import (
    Accept,
    Coin,
    Counter,
    Draft,
    Merge,
    Pass,
    Picked,
    Propose,
    TakeoverOptions,
    TakeoverState,
)
from tests.games.takeover.hearing import NOOR, decide, reads
from tests.games.takeover.players import JUDGING, moves, observe, offered
from tests.games.takeover.table import Table, position

SPREAD = {(0, 0): "S2", (2, 0): "M3", (4, 0): "C4", (0, 2): "A5", (2, 2): "S1", (4, 2): "M5"}
"""Tiles that do not touch each other."""


def trading(own_hand: str, other_hand: str, **options: Any) -> TakeoverState:
    """It is the turn of seat 2, which is far ahead, so seat 0 cares little about what seat 1 gains."""
    return position(SPREAD, own_hand, other_hand, "m4 c5 a4 s5", turn=2, holdings="open", **options)


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_it_accepts_gifts_and_good_offers(level: str) -> None:
    state = trading("S2 C4", "m5 a1")
    assert moves(offered(state, give="a1"), level) == [Accept(())]
    assert moves(offered(state, give="m5", wish="S"), level) == [Accept(("S2",))]
    assert moves(offered(state, give="m5", wish="coin"), level) == [
        Accept(("S2",))
    ]  # its least valuable coin


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_it_declines_bad_offers_and_those_it_cannot_pay(level: str) -> None:
    state = trading("S2 C4", "m5 a1")
    assert moves(offered(state, give="a1", wish="C4"), level) == [Decline()]
    assert moves(offered(state, wish="C4"), level) == [Decline()]
    assert moves(offered(state, give="m5", wish="3+"), level) == [Decline()]
    even = offered(trading("S2 c3", "M3"), give="M3", wish="3+")
    assert not any(isinstance(move, Accept) for move in moves(even, level))


def test_5g_it_asks_for_more_if_an_offer_is_close() -> None:
    state = offered(trading("S2 C4", "c3 a1"), give="c3", wish="C4")
    for level in JUDGING:
        possible = moves(state, level)
        assert Decline() in possible
        (counter,) = [move for move in possible if isinstance(move, Counter)]
        assert counter == Counter(("C4",), ("3+", "2+"))
    assert moves(state, "easy") == [Decline()]


def test_5g_it_does_not_help_the_leader_more_than_itself() -> None:
    """Its stock is worth 6 and likely to be covered, so it sells it for 5, but not to the leader."""
    stacks = {(1, 0): "M1 M2 M3 M4 S2", (0, 0): "S3", (2, 0): "S4", (4, 3): "A2"}
    for level in JUDGING:
        behind = position(stacks, "S2 a1", "S3 c5", "S4 m5 a5 a4", turn=2, holdings="open")
        assert moves(offered(behind, give="c5", wish="S2"), level) == [Accept(("S2",))]
        leads = position(stacks, "S2 a1", "S3 m5 c5 a5 a4", "S4", turn=2, holdings="open")
        assert Accept(("S2",)) not in moves(offered(leads, give="c5", wish="S2"), level)


def test_5g_with_two_seats_one_loses_what_the_other_gains() -> None:
    stacks = {(1, 0): "M1 M2 M3 M4 S2", (0, 0): "S3", (2, 0): "S4", (4, 3): "A2"}
    state = position(stacks, "S2 a1", "S3 S4 c5", turn=1, holdings="open")
    for level in JUDGING:
        assert moves(offered(state, give="c5", wish="S2"), level) == [Decline()]
        assert not any(isinstance(move, Propose) for seat in (0, 1) for move in moves(state, level, seat))


@pytest.mark.parametrize("level", BOT.levels)
def test_tko_22_it_withdraws_unwanted_offers(level: str) -> None:
    grown = {**SPREAD, (0, 0): "A1 A2 A3 A4 S2"}
    for give, wish in (("S2", "2+"), ("a1", "C2")):
        state = offered(trading("S2 a1", "m5"), by=0, to=1, give=give, wish=wish if wish == "2+" else "C4")
        assert moves(state, level) == []
        stacks = (
            grown if give == "S2" else {square: tiles for square, tiles in SPREAD.items() if tiles != "C4"}
        )
        changed = replace(state, grid=position(stacks, "", "").grid)
        assert moves(changed, level) == [Cancel()]


@pytest.mark.parametrize("level", BOT.levels)
def test_tko_22_its_turn_does_not_wait_for_secret_offers(level: str) -> None:
    grown = position({**SPREAD, (0, 0): "A1 A2 A3 A4 S2"}, "S2 a1", "m5", "c5")
    for by, to, give, wish in ((0, 1, "S2", "2+"), (1, 0, "m5", "C4")):
        (move,) = moves(offered(grown, by=by, to=to, give=give, wish=wish), level)
        assert isinstance(move, Pass | Merge)


def test_gen_6_it_eventually_withdraws_an_offer_that_never_expires() -> None:
    """It does so only after its turn, and only if timers are off."""
    for timers, turn, withdrawn in (
        ("off", 1, True),
        ("off", 0, False),
        ("off", 2, False),
        ("normal", 1, False),
    ):
        state = position(SPREAD, "S2 a1", "m5", "c5", turn=turn, timers=timers)
        possible = moves(offered(state, by=0, to=1, give="S2", wish="5+"), "hard")
        assert (Cancel() in possible) == withdrawn


def test_it_withdraws_no_offer_before_the_other_seat_has_had_a_turn() -> None:
    state = offered(
        position(SPREAD, "S2 a1", "m5", "c5", turn=1, timers="off"), by=0, to=1, give="S2", wish="5+"
    )
    made = ("takeover.offered", {"seat": 0, "other": 1, "give": ["S2"], "wish": ["5+"]})
    for lines, withdrawn in (((made,), False), ((made, ("takeover.passed", {"seat": 1})), True)):
        assert (Cancel() in {one.move for one in decide(reads(observe(state), *lines), NOOR)}) == withdrawn


def wanting(change: str = "c5") -> TakeoverState:
    """Seat 1 plays next and has a null it cannot use; seat 2 could use it and has some cash. Seat 0 leads."""
    stacks = {(0, 0): "A1 A2 A3 A4 M1 S5", (5, 3): "M3", (4, 0): "S2"}
    return position(stacks, "S5", "a0 M3", f"S2 {change}", "c4", turn=0, holdings="open")


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_it_occasionally_proposes_trades_that_are_good_for_it(level: str) -> None:
    state = wanting()
    table = read_table(observe(state, 1))
    evaluator = TradeEvaluator(table, level == "easy")
    answers = [BOT.decide(observe(state, 1), unnamed(level), Dice(b"%d" % stream)) for stream in range(300)]
    proposals = [answer.move for answer in answers if answer is not None]
    assert 15 < len(proposals) < 100
    for move in proposals:
        assert isinstance(move, Propose)
        poorest = bargaining.list_poorest(move.wish)
        assert poorest is not None
        give = tuple(one for one in table.hand if one.name in move.give)
        assert evaluator.rate(give, poorest) >= bargaining.MIN_GAIN
    assert {move.give for move in proposals if isinstance(move, Propose)} == {("A0",)}
    assert not moves(offered(state, by=1, to=0, give="a0", wish="2+"), level, 1)  # one at a time
    at_turn = replace(state, stage=replace(state.stage, turn=Seat(1)))
    assert all(isinstance(move, Pass | Merge) for move in moves(at_turn, level, 1, 100))


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_with_two_seats_it_proposes_nothing(level: str) -> None:
    stacks = {(0, 0): "A1 A2 A3 A4 M1 S5", (5, 3): "M3", (4, 0): "S2"}
    assert not moves(position(stacks, "S5 S2 c5", "a0 M3", turn=0), level, 1, 100)


def test_5g_a_null_is_traded_if_that_helps_both() -> None:
    for level in JUDGING:
        too_much = moves(offered(wanting(), by=1, to=2, give="a0", wish="1+"), level, 2)
        assert not any(isinstance(move, Accept) for move in too_much)
        assert moves(offered(wanting("c2"), by=1, to=2, give="a0", wish="1+"), level, 2) == [Accept(("C2",))]


@pytest.mark.parametrize("level", BOT.levels)
@pytest.mark.parametrize("seats", [2, 3])
def test_trades_cannot_exploit_it(level: str, seats: int) -> None:
    """However many offers it gets, it never returns to a hand it had before."""
    accepted = 0
    for number in range(3):
        table, dice = Table(state=in_the_middle(seats, b"milk %d" % number)), Dice(b"%d" % number)
        hands = {table.state.hands[0]}
        for _ in range(100):
            answer, hand = random_offer(table, level, dice)
            if answer:
                assert hand not in hands
                hands.add(hand)
                accepted += 1
    assert accepted > 5


def in_the_middle(seats: int, seed: bytes) -> TakeoverState:
    """Another seat's turn after some random mergers, without any offers."""
    dice = Dice(seed)
    table = Table(state=GAME.setup(seats, TakeoverOptions(timers="normal"), Millis(0), dice).state)
    while table.state.stage.phase == "draft":
        table.expire()
    for seat in range(seats):
        table.do(seat, "flip", "lock", coins=[one.name for one in table.state.hands[seat]][seat % 2 :: 2])
    free_mergers = [merger for merger in table.public("mergers").mergers if merger.touch and not merger.cost]
    while len(free_mergers) > 6 or table.state.stage.turn == 0:
        turn = table.state.stage.turn
        assert turn is not None
        table.merge(turn, free_mergers[dice.below("way", len(free_mergers))].pair)
        free_mergers = [
            merger for merger in table.public("mergers").mergers if merger.touch and not merger.cost
        ]
    return table.state


def random_offer(table: Table, level: str, dice: Dice) -> tuple[bool, tuple[Coin, ...]]:
    """Seat 1 makes seat 0 a random offer; returns whether it was accepted, and the resulting hand."""
    own_hand, other_hand = table.state.hands[0], table.state.hands[1]
    give = dice.shuffle("give", other_hand)[: dice.below("count", 3)]
    wished = dice.shuffle("wish", own_hand)[: 1 + dice.below("count", 2)]
    prompt = table.offer(1, 0, [one.name for one in give], [bargaining.describe_wish(one) for one in wished])
    decision = BOT.decide(observe(table.state), unnamed(level), dice)
    assert decision is not None
    assert decision.prompt == prompt
    if isinstance(decision.move, Accept):
        table.do(0, prompt, "accept", coins=list(decision.move.coins))
        return True, table.state.hands[0]
    table.do(0, prompt, "decline")
    return False, table.state.hands[0]


def test_tko_24_it_finds_coins_for_every_wish_it_can_fulfil() -> None:
    met = missed = 0
    for number in range(30):
        dice = Dice(b"%d" % number)
        whole = read_table(observe(in_the_middle(3, b"wish %d" % number)))
        for _ in range(10):
            table = whole._replace(hand=dice.shuffle("hand", whole.hand)[: 2 + dice.below("size", 3)])
            every = [
                *map(bargaining.describe_wish, table.hand),
                *"SMCA",
                "1+",
                "2+",
                "3+",
                "null",
                "coin",
                "coin",
            ]
            wish = tuple(dice.shuffle("wish", every)[: 1 + dice.below("count", 4)])
            bag, coins = deals.answers(table.hand, wish), bargaining.fulfil(table, wish)
            assert (bag is None) == (coins is None)
            if bag is not None and coins is not None:
                assert kit_choices.contains(bag, [one.name for one in coins], 0)
            met, missed = met + (coins is not None), missed + (coins is None)
    assert met > 50
    assert missed > 50


def test_people_who_talk_get_more_offers() -> None:
    states = [in_the_middle(4, b"people %d" % number) for number in range(6)]

    def count(*messages: Spoken) -> int:
        """The number of offers that seat 0 makes to seat 2 in all these positions."""
        moves = []
        for state in states:
            seen = replace(observe(state), messages=messages)
            decisions = (BOT.decide(seen, unnamed("normal"), Dice(b"%d" % stream)) for stream in range(80))
            moves += [one.move for one in decisions if one is not None]
        return sum(isinstance(move, Propose) and move.to == 2 for move in moves)

    silent = count()
    assert count(Spoken(Seat(2), None, "takeover.say.hurry", {}, Millis(0))) > silent > 0
    assert count(Spoken(Seat(2), Seat(0), "takeover.say.hurry", {}, Millis(0))) == silent


def test_it_does_not_make_a_person_who_talks_the_same_offer_again() -> None:
    """However often it may propose: the other price is a new offer."""
    state = wanting()

    def list_wishes(*messages: Spoken, people: tuple[Seat, ...] = ()) -> set[tuple[str, ...]]:
        lines = (
            ("takeover.offered", {"seat": 1, "other": 2, "give": ["A0$"], "wish": ["2+"]}),
            ("offer.declined", {"seat": 1, "other": 2}),
        )
        seen = replace(reads(observe(state, 1), *lines), messages=messages, people=people)
        draft = replace(part(seen, "draft", Draft), picks=(Picked(Seat(2), 0, None),))
        seen = replace(seen, sections={**seen.sections, "draft": draft})
        decisions = (BOT.decide(seen, unnamed("normal"), Dice(b"%d" % stream)) for stream in range(300))
        moves = [one.move for one in decisions if one is not None]
        return {move.wish for move in moves if isinstance(move, Propose) and move.to == 2}

    said = Spoken(Seat(2), None, "takeover.say.hurry", {}, Millis(0))
    assert list_wishes(said) == {("1+",)}
    assert list_wishes() == list_wishes(replace(said, bot=True)) == {("1+",), ("2+",)}
    assert list_wishes(people=(Seat(2),)) == set()  # it has been seen to take a 0 coin of its own
