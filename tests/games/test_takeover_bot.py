"""The bots of Takeover: legal, repeatable, sensible, not to be milked, and better level by level (5g)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import sqrt
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from games import trials
from games.api import Bot, Decision, Entry, Manners, Seat, Sight
from games.conformance import conform_bot, list_cases
from games.dice import Dice
from games.kit.offers import Cancel, Decline
from games.simulate.chance import Chance
from games.simulate.plan import Match, Setting
from games.simulate.playing import Row, play
from games.takeover import bargaining, judging, reading
from games.takeover.bargaining import Scales
from games.takeover.bot import BOT
from games.takeover.rules import TAKEOVER as GAME
from games.takeover.texts import TEXTS
from games.takeover.values import (
    NAMES,
    Accept,
    CashOut,
    Coin,
    Counter,
    Lock,
    Merge,
    Pass,
    Pick,
    PickCoin,
    Preview,
    Propose,
    TakeoverMove,
    TakeoverOptions,
    TakeoverState,
    value_of,
)
from tests.games.takeover_table import Table, position

JUDGING = ("normal", "hard")
"""The levels that do not misjudge on purpose."""


# --- whole tables, and what is measured on them ---


class AllKinds(Bot[TakeoverMove]):
    """The bot's levels, and one that moves by chance."""

    levels = (*BOT.levels, "random")
    chance = Chance(TakeoverMove)

    def decide(self, sight: Sight, level: str, dice: Any) -> Decision[TakeoverMove] | None:
        return self.chance.decide(sight, level, dice) if level == "random" else BOT.decide(sight, level, dice)


def whole_table(
    levels: Sequence[str], name: str, options: Mapping[str, Any] = {}, bot: Bot[Any] | None = None
) -> Row:
    """A game with these levels, one a seat, as `parley simulate` plays it."""
    match = Match(0, 0, 0, Setting(len(levels), options), tuple(levels), sha256(name.encode()).digest())
    return play(Entry(GAME, bot or AllKinds()), match, 3_000)


class Share(NamedTuple):
    """A share of wins, and the lower end of its 95 % confidence interval (normal approximation)."""

    won: float
    least: float


def win_share(one: str, others: str, seats: int, tables: int) -> Share:
    """How often `one` wins among `others`, its seat going round; a shared win counts in part."""
    parts = []
    for number in range(tables):
        levels = [others] * seats
        levels[number % seats] = one
        row = whole_table(levels, f"table {seats} {number}")
        assert row.end == "outcome"
        parts.append(1 / len(row.winners) if number % seats in row.winners else 0.0)
    won = sum(parts) / tables
    spread = sum((part - won) ** 2 for part in parts) / max(1, tables - 1)
    return Share(won, won - 1.96 * sqrt(spread / tables))


def seen(state: TakeoverState, seat: int = 0) -> Sight:
    return trials.sight(GAME, state, Seat(seat), len(state.hands))


def moves(state: TakeoverState, level: str, seat: int = 0, streams: int = 24) -> list[TakeoverMove]:
    """All that the bot does there, by different dice; once each."""
    found: list[TakeoverMove] = []
    for stream in range(streams):
        decision = BOT.decide(seen(state, seat), level, Dice(b"stream %d" % stream))
        if decision is not None and decision.move not in found:
            found.append(decision.move)
    return found


def pairs(state: TakeoverState, level: str) -> set[str]:
    """The mergers it makes, or "pass"."""
    return {move.pair if isinstance(move, Merge) else "pass" for move in moves(state, level)}


def offered(
    state: TakeoverState, *, by: int = 1, to: int = 0, give: str = "", wish: str = ""
) -> TakeoverState:
    """With an offer more."""
    table = Table(state=state)
    table.offer(by, to, give.upper().split(), wish.split())
    return table.state


# --- legal ---


def test_5g_all_levels_play_whole_games_by_the_rules() -> None:
    conform_bot(GAME, BOT, cases=12)


def test_5g_all_levels_answer_legally_wherever_a_game_may_get() -> None:
    made: set[type] = set()
    for case in list_cases(GAME, 20):
        options = msgspec.convert(case.options, TakeoverOptions)
        for moment, here in enumerate(trials.play(GAME, case.seats, options, case.seed, case.style, 120)):
            for seat in map(Seat, range(case.seats)):
                sight = trials.sight(GAME, here.state, seat, case.seats)
                decision = BOT.decide(sight, BOT.levels[(moment + seat) % 3], Dice(b"%d" % moment))
                if decision is not None:
                    move = decision.move
                    assert GAME.check(here.state, seat, decision.ask, move, here.event.at) is None
                    made.add(type(move))
    everything = {Pick, PickCoin, Lock, Merge, Pass, CashOut, Propose, Accept, Counter, Decline, Cancel}
    assert made == everything  # and so never extends, calls the last minute, or unlocks


@pytest.mark.parametrize("level", BOT.levels)
def test_the_same_dice_give_the_same_answer(level: str) -> None:
    for here in list(trials.play(GAME, 4, TakeoverOptions(), b"same", trials.STYLES[0], 150))[::9]:
        for seat in range(4):
            sight = seen(here.state, seat)
            first = [BOT.decide(sight, level, Dice(b"%d" % stream)) for stream in range(3)]
            assert first == [BOT.decide(sight, level, Dice(b"%d" % stream)) for stream in range(3)]


@pytest.mark.parametrize("level", BOT.levels)
def test_who_is_not_asked_waits(level: str) -> None:
    table = Table(seats=2)
    turn = table.state.stage.turn
    assert turn is not None
    assert not moves(table.state, level, 1 - turn)
    while table.state.stage.phase == "draft":
        table.expire()
    table.do(0, "flip", "lock")
    assert not moves(table.state, level, 0)
    assert moves(table.state, level, 1)


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        BOT.decide(seen(Table(seats=2).state), "godlike", Dice(b""))


def test_it_speaks_rarely_and_only_what_may_be_said() -> None:
    said: list[str | None] = []

    class Listened(Bot[TakeoverMove]):
        levels = BOT.levels

        def decide(self, sight: Sight, level: str, dice: Any) -> Decision[TakeoverMove] | None:
            decision = BOT.decide(sight, level, dice)
            if decision is not None:
                said.append(decision.phrase)
            return decision

    for number in range(8):
        whole_table(["hard", "normal", "easy", "hard"], f"talk {number}", bot=Listened())
    phrases = [phrase for phrase in said if phrase is not None]
    assert set(phrases) <= TEXTS.phrases
    assert len(set(phrases)) > 2
    assert len(phrases) < len(said) / 8
    quiet = msgspec.structs.replace(seen(nothing_to_gain()), manners=Manners("closed"))
    assert all(BOT.decide(quiet, "hard", Dice(b"%d" % i)).phrase is None for i in range(40))  # type: ignore[union-attr]


# --- every game ends, and nobody is left waiting ---


class Eager:
    """Dice that always say yes: propose, haggle, say something."""

    def below(self, label: str, sides: int) -> int:
        return 0

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(items)


class EagerBot(Bot[TakeoverMove]):
    levels = BOT.levels

    def decide(self, sight: Sight, level: str, dice: Any) -> Decision[TakeoverMove] | None:
        return BOT.decide(sight, level, Eager())


OPTIONS: tuple[Mapping[str, Any], ...] = (
    {},
    {"timers": "off"},
    {"trading": "ownTurnOnly", "timers": "off"},
    {"holdings": "open", "tradeLog": "public"},
    {"holdings": "faces", "voluntaryCashOut": True, "exactPay": True},
    {"draftSuits": "shown", "voluntaryCashOut": True, "trading": "off"},
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_games_of_bots_are_short_and_leave_nobody_waiting(seats: int, options: Mapping[str, Any]) -> None:
    for number in range(2):
        levels = [BOT.levels[(seat + number) % 3] for seat in range(seats)]
        row = whole_table(levels, f"short {number}", options)
        assert row.end == "outcome"
        assert not row.ran_out
        assert not row.refused
        turns = row.made["merge"] + row.made["pass"]
        assert row.made.get("propose", 0) + row.made.get("counter", 0) <= turns
        assert row.moves < 200


@pytest.mark.parametrize("options", OPTIONS[:3], ids=str)
@pytest.mark.parametrize("seats", [3, 5])
def test_no_game_hangs_in_offers_even_if_all_bots_always_want_to_trade(
    seats: int, options: Mapping[str, Any]
) -> None:
    for number in range(2):
        row = whole_table((["hard", "normal"] * 3)[:seats], f"eager {number}", options, EagerBot())
        assert row.end == "outcome"
        assert row.made["propose"] > 5
        assert row.moves < 1_500


# --- the draft and the flips ---


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_picks_the_highest_value(level: str) -> None:
    table = Table(seats=3)
    turn = table.state.stage.turn
    assert turn is not None
    assert moves(table.state, level, turn) == [Pick(5)]


@pytest.mark.parametrize("level", JUDGING)
def test_5g_where_suits_are_shown_it_minds_what_its_tile_touches(level: str) -> None:
    state = Table(seats=3, draft_suits="shown").state
    tiles = [
        "M5",
        "A5",
        "C5",
        "S5",
        "S4",
        *(name for name in NAMES if name not in ("M5", "A5", "C5", "S5", "S4")),
    ]
    places: dict[str, int] = {"S5": 0, "S4": 1, "M5": 3, "A5": 5, "C5": 13}
    rest = iter(name for name in tiles if name not in places)
    apart = {square: next(rest) for square in range(24) if square not in places.values()}
    by_square = {**apart, **{square: name for name, square in places.items()}}
    raw = [[by_square[square]] for square in range(24)]
    for square in (2, 4, 6, 7, 8, 9, 10, 11, 12, 14, 19):  # nothing of their industry near the other 5s
        raw[square] = ["M0"] if square not in (2, 4, 9) else ["S0"]
    state = replace(state, grid=msgspec.convert(raw, tuple[tuple[str, ...], ...]))
    turn = state.stage.turn
    assert turn is not None
    assert moves(state, level, turn) == [PickCoin("S5")]


def test_tko_5_hard_makes_everything_a_stock_and_normal_keeps_some_cash() -> None:
    table = Table(seats=2)
    while table.state.stage.phase == "draft":
        table.expire()
    own = tuple(one.name for one in table.state.hands[0])
    assert moves(table.state, "hard") == [Lock(own)]
    (kept,) = moves(table.state, "normal")
    assert isinstance(kept, Lock)
    assert kept.coins is not None
    assert {value_of(name) for name in own if name not in kept.coins} <= {0, 4, 5}
    assert len(moves(table.state, "easy")) > 3


# --- mergers ---


def nothing_to_gain() -> TakeoverState:
    """M4 onto C3 would cost 3 and bring 1."""
    return position({(0, 0): "C3", (1, 0): "M4"}, "M4 s3", "C3 s5", "a5")


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_passes_where_nothing_gains(level: str) -> None:
    assert pairs(nothing_to_gain(), level) == {"pass"}


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_covers_what_brings_most(level: str) -> None:
    stacks = {(0, 0): "M1 C2 A3 S5", (1, 0): "S2", (2, 0): "S1", (1, 1): "M2 S3"}
    assert pairs(position(stacks, "S2", "S5 S1", "S3"), level) == {"S2>S5"}


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_does_not_cover_its_own_tall_stack_with_a_stock_of_others(level: str) -> None:
    stacks = {(0, 0): "M1 C2 A3 S5", (1, 0): "S2"}
    assert pairs(position(stacks, "S5", "S2", "a1"), level) == {"S5>S2"}


@pytest.mark.parametrize("level", JUDGING)
def test_tko_12_it_pays_the_cheapest_set(level: str) -> None:
    stacks = {(0, 0): "S1 S2 S4 A2 C3", (1, 0): "M4"}
    state = position(stacks, "M4 c5 a3 m2 a1", "C3", "s5")
    assert moves(state, level) == [Merge("M4>C3", ("A3",))]


@pytest.mark.parametrize("level", JUDGING)
def test_tko_16_it_keeps_its_null_for_what_is_worth_it(level: str) -> None:
    hands = ("S2 a0", "S5", "c5")
    assert pairs(position({(0, 0): "S2", (4, 0): "S5"}, *hands), level) == {"pass"}
    tall = position({(0, 0): "S2", (4, 0): "M1 M2 M3 M4 S5"}, *hands)
    assert moves(tall, level) == [Merge("S2>S5", (), "A0")]


def test_5g_hard_does_not_build_beside_who_can_cover_it() -> None:
    """On S3's square the stack would stand beside S5; on S4's, apart."""
    stacks = {(0, 1): "S5", (1, 1): "S3", (2, 1): "M1 M2 M3 S2", (3, 1): "S4"}
    state = position(stacks, "S2 c5", "S3 S5", "S4")
    assert pairs(state, "normal") == {"S2>S3", "S2>S4"}
    assert pairs(state, "hard") == {"S2>S4"}


@pytest.mark.parametrize("level", JUDGING)
def test_tko_6_it_cashes_out_to_pay_for_a_better_merger(level: str) -> None:
    stacks = {(0, 0): "S1 S2 S4 A2 C3", (1, 0): "M4", (4, 3): "S3"}
    hands = ("M4 S3", "C3", "s5")
    assert moves(position(stacks, *hands), level) == [Pass()]
    table = Table(state=position(stacks, *hands, voluntary_cash_out=True))
    assert moves(table.state, level) == [CashOut(("S3",))]
    table.do(0, "turn", "cashOut", coins=["S3"])
    assert moves(table.state, level) == [Merge("M4>C3", ("S3",))]


def turns_of(*games: bytes) -> list[TakeoverState]:
    """Positions of play, made by chance."""
    found = []
    for seed in games:
        positions = trials.play(GAME, 2 + sum(seed) % 4, TakeoverOptions(), seed, trials.STYLES[0], 400)
        found.extend(here.state for here in positions if here.state.stage.phase == "play")
    return found


def test_5b_what_a_merger_gains_at_once_is_what_the_rules_say() -> None:
    tried = 0
    for state in turns_of(b"gain one", b"gain two", b"gain three")[::5]:
        turn = state.stage.turn
        assert turn is not None
        here = reading.table(seen(state, turn))
        for gain in judging.gains(here, (0.0,) * 24, 0.0):
            section = GAME.preview(state, turn, judging.merger(here, gain))
            assert section is not None
            preview: Any = section.data
            assert isinstance(preview, Preview)
            assert (preview.gain, preview.cost) == (gain.points, gain.cost)
            tried += 1
    assert tried > 300


# --- who holds what ---


@pytest.mark.parametrize("holdings", ["concealed", "faces", "open"])
def test_tko_4_it_believes_what_it_sees_of_others(holdings: str) -> None:
    stacks = {(0, 0): "S5", (1, 0): "S4", (2, 0): "M3", (3, 0): "C2", (4, 0): "A1"}
    state = position(stacks, "S5 m5", "S4 c5", "M3 C2 a4", holdings=holdings)
    here = reading.table(seen(state))
    share = dict(zip(NAMES, here.shares, strict=True))
    assert share["S5"] == [0, 0, 0]  # its own
    assert all(sum(row) <= 1 and row[0] == 0 for row in here.shares)
    if holdings == "open":
        assert (share["S4"], share["M3"], share["A1"]) == ([0, 1, 0], [0, 0, 1], [0, 0, 0])
        assert here.totals == [10, 9, 9]
    elif holdings == "faces":
        assert (share["S4"], share["M3"], share["A1"]) == ([0, 1, 0], [0, 0, 1], [0, 0, 0])
    else:
        assert share["S4"][1] == share["S4"][2] > 0


def test_tko_1_what_others_picked_tells_what_they_may_hold() -> None:
    table = Table(seats=3)
    while table.state.stage.phase != "play":
        table.expire()
    me = 0
    here = reading.table(seen(table.state, me))
    picked = {
        seat: [pick.value for pick in table.state.draft.picks if pick.seat == seat] for seat in range(3)
    }
    for number, row in enumerate(here.shares):
        if sum(row):
            one, other = (picked[seat].count(value_of(NAMES[number])) for seat in (1, 2))
            assert (one < other) == (row[1] < row[2])
    assert here.totals[1:] == [sum(picked[1]), sum(picked[2])]


# --- trades ---

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


def test_5g_it_asks_for_more_where_little_is_lacking() -> None:
    state = offered(trading("S2 C4", "c3 a1"), give="c3", wish="C4")
    for level in JUDGING:
        found = moves(state, level)
        assert Decline() in found
        (counter,) = [move for move in found if isinstance(move, Counter)]
        assert counter == Counter(("C4",), ("3+", "2+"))
    assert moves(state, "easy") == [Decline()]


def test_5g_it_does_not_help_the_leader_more_than_itself() -> None:
    """Its stock is worth 6 and likely to be covered: it may go for 4, but not to who leads."""
    stacks = {(1, 0): "M1 M2 M3 M4 S2", (0, 0): "S3", (2, 0): "S4", (4, 3): "A2"}
    hands = {"poor": "S3 s5", "rich": "S4 m5 c5 a5 a4"}
    for level in JUDGING:
        ahead = position(stacks, "S2 a1", "S3 c4", hands["rich"], turn=2, holdings="open")
        assert moves(offered(ahead, give="c4", wish="S2"), level) == [Accept(("S2",))]
        leads = position(stacks, "S2 a1", "S3 c4 m5 c5 a5 a4", "S4", turn=2, holdings="open")
        assert Accept(("S2",)) not in moves(offered(leads, give="c4", wish="S2"), level)


def test_5g_of_two_one_loses_what_the_other_gains() -> None:
    stacks = {(1, 0): "M1 M2 M3 M4 S2", (0, 0): "S3", (2, 0): "S4", (4, 3): "A2"}
    state = position(stacks, "S2 a1", "S3 S4 c4", turn=1, holdings="open")
    for level in JUDGING:
        assert moves(offered(state, give="c4", wish="S2"), level) == [Decline()]
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


def test_gen_6_an_offer_that_never_runs_out_is_withdrawn_some_time() -> None:
    for timers, withdrawn in (("off", True), ("normal", False)):
        state = position(SPREAD, "S2 a1", "m5", "c5", turn=0, timers=timers)
        found = moves(offered(state, by=0, to=1, give="S2", wish="5+"), "hard")
        assert (Cancel() in found) == withdrawn
        assert any(isinstance(move, Pass | Merge) for move in found)  # and its turn waits for nobody


def wanting() -> TakeoverState:
    """Seat 1 is next, has a null it has no use for, and no offer open; seat 2 could well use the null."""
    stacks = {(0, 0): "A1 A2 A3 S5", (5, 3): "M3", (4, 0): "S2"}
    return position(stacks, "S5", "a0 M3", "S2 c5", "c4", turn=0)


@pytest.mark.parametrize("level", BOT.levels)
def test_5g_it_proposes_now_and_then_what_is_good_for_it(level: str) -> None:
    state = wanting()
    table = reading.table(seen(state, 1))
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
    assert not moves(state, level, 2)  # neither next, nor was it before


def test_5g_a_null_changes_hands_where_it_helps_both() -> None:
    state = offered(wanting(), by=1, to=2, give="a0", wish="1+")
    for level in JUDGING:
        assert moves(state, level, 2) == [Decline()]  # its 5 is too much
        change = replace(state, own=(*state.own[:2], (Coin("S2", True), Coin("C2", False)), state.own[3]))
        assert moves(change, level, 2) == [Accept(("C2",))]


@pytest.mark.parametrize("level", BOT.levels)
@pytest.mark.parametrize("seats", [2, 3])
def test_it_cannot_be_milked_by_trades(level: str, seats: int) -> None:
    """Whatever it is offered, over and over: it never has a hand again that it had before."""
    taken = 0
    for number in range(4):
        dice = Dice(b"milk %d" % number)
        positions = [here for here in turns_of(b"milk %d%d" % (number, seats)) if len(here.hands[0]) > 2]
        state = replace(
            positions[len(positions) // 2], offers=GAME.setup(2, TakeoverOptions(), 0, dice).state.offers
        )
        table = Table(state=state)
        hands = {table.state.hands[0]}
        for _ in range(120):
            answer, hand = random_offer(table, level, dice)
            if answer:
                assert hand not in hands
                hands.add(hand)
                taken += 1
    assert taken > 5


def random_offer(table: Table, level: str, dice: Dice) -> tuple[bool, tuple[Coin, ...]]:
    """Seat 1 offers seat 0 something; whether that took it, and its hand then."""
    mine, hers = table.state.hands[0], table.state.hands[1]
    give = dice.shuffle("give", hers)[: dice.below("count", 3)]
    wished = dice.shuffle("wish", mine)[: 1 + dice.below("count", 2)]
    ask = table.offer(1, 0, [one.name for one in give], [bargaining.asking(one) for one in wished])
    decision = BOT.decide(seen(table.state), level, dice)
    assert decision is not None
    assert decision.ask == ask
    accepted = isinstance(decision.move, Accept)
    table.do(
        0,
        ask,
        "accept" if accepted else "decline",
        **({"coins": list(decision.move.coins)} if isinstance(decision.move, Accept) else {}),
    )
    return accepted, table.state.hands[0]


# --- better level by level: a few tables; docs/BOTS.md has many ---


@pytest.mark.parametrize(("seats", "tables"), [(2, 24), (3, 32), (4, 56)])
def test_5g_hard_wins_more_than_its_share_among_normal(seats: int, tables: int) -> None:
    assert win_share("hard", "normal", seats, tables).least > 1 / seats


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_5g_normal_beats_chance(seats: int) -> None:
    assert win_share("normal", "random", seats, 12).least > 1 / seats


@pytest.mark.parametrize(("one", "others"), [("easy", "random"), ("normal", "easy")])
def test_5g_every_level_beats_the_one_below(one: str, others: str) -> None:
    assert win_share(one, others, 2, 16).least > 1 / 2
