"""The bots of Share and Share Alike: legal, repeatable, sensible, by views alone, better by level (1g)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Seat, TalkPolicy, open_prompts
from games.dice import Dice
from games.shares.bot import bargaining, evaluation
from games.shares.bot.bargaining import Scales
from games.shares.bot.bot import BOT, TEMPERS
from games.shares.bot.observation import read_table
from games.shares.rules import scoring
from games.shares.rules.game import SHARES as GAME
from games.shares.rules.moves import Propose
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import COMPANIES
from games.shares.rules.values import SharesState
from games.shares.texts import STRICT
from games.testing import random_play
from games.testing.conformance import conform_bot, list_cases
from games.testing.positions import moves_of
from tests.games.selfplay import AllKinds
from tests.games.shares.players import decisions, positions, seen, whole_table, win_share
from tests.games.shares.positions import MINE, MIXED, POSITIONS, told
from tests.games.shares.table import Table, position, rolled
from tests.games.tables import tables

JUDGING = ("normal", "hard")
"""The levels that do nothing careless."""
judging = pytest.mark.parametrize("level", JUDGING)
MARKS = dict(enumerate((MINE, *MIXED)))
MARKET: Mapping[str, Any] = {"openMarket": True, "talk": "wholeTruth"}


def does(state: SharesState, level: str, seat: int = 0, streams: int = 8) -> set[str]:
    """The moves it makes there, in words."""
    return {told(state, one.move) for one in decisions(state, level, seat, streams)}


# --- legal ---


def test_1g_all_levels_play_whole_games_by_the_rules() -> None:
    """And decide, and speak, by what they may see alone."""
    conform_bot(GAME, BOT, cases=3)


def test_1g_all_levels_answer_legally_wherever_a_game_may_get() -> None:
    """And never lengthen a window, call the last minute, unlock, or show their shares."""
    made: set[str] = set()
    for case in list_cases(GAME, 12):
        options = msgspec.convert(case.options, SharesOptions)
        for moment, here in enumerate(
            random_play.play(GAME, case.seats, options, case.seed, case.style, 200)
        ):
            for seat in map(Seat, range(case.seats)):
                decision = BOT.decide(
                    random_play.observation(GAME, here.state, seat, case.seats),
                    BOT.levels[(moment + seat) % 3],
                    Dice(b"%d" % moment),
                )
                if decision is not None:
                    move = decision.move
                    assert GAME.check(here.state, seat, decision.prompt, move, here.event.at) is None
                    made.add(str(msgspec.to_builtins(move)["move"]))
    ever = set(moves_of(GAME)) - {
        "extend",
        "lastCall",
        "unlock",
        "show",
        "showAll",
        "select",
        "bid",
        "cancel",
    }
    assert made <= ever
    assert ever - made <= {"counter", "openMarket", "closeMarket", "propose"}


@pytest.mark.parametrize("table", tables("shares"), ids=str)
def test_all_options_are_played_to_the_end_by_all_levels(table: random_play.Table) -> None:
    """Nobody waits, but in markets, and nothing is refused."""
    levels = [BOT.levels[seat % 3] for seat in range(table.seats)]
    row = whole_table(levels, f"options {table}", table.options)
    assert row.end == "outcome"
    assert not row.refused
    assert not row.ran_out


@pytest.mark.parametrize("level", BOT.levels)
def test_the_same_dice_give_the_same_answer_whatever_it_cannot_see(level: str) -> None:
    """GEN-3: where others have other cards and shares, it does and says the same."""
    answered = 0
    options = {"talk": "wholeTruth", "openMarket": True, "lowball": True}
    for number, here in enumerate(list(positions(b"same", 4, options))[::9]):
        for seat in range(4):
            other = GAME.resample(here.state, Seat(seat), Dice(b"other %d" % number))
            first = decisions(here.state, level, seat, streams=3)
            assert first == decisions(other, level, seat, streams=3)
            answered += len(first)
    assert answered > 60


@pytest.mark.parametrize("level", BOT.levels)
def test_who_is_not_asked_waits(level: str) -> None:
    state = position("2H 3H", "4H", "5H", "6H", marks=MARKS, round=15)
    assert not any(decisions(state, level, seat) for seat in (1, 2, 3))
    assert decisions(state, level, 0)
    here = Table(seats=4)
    here.do(0, "select", "lock", company="A")
    assert not decisions(here.state, level, 0)
    assert decisions(here.state, level, 1)


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        BOT.decide(seen(Table(seats=4).state), "godlike", Dice(b""))


# --- talk ---


def test_it_speaks_now_and_then_and_only_what_may_be_said() -> None:
    players = AllKinds(GAME, BOT)
    for number in range(4):
        whole_table(["hard", "normal", "easy", "normal"], f"talk {number}", player=players)
    phrases = [phrase for phrase in players.said if phrase is not None]
    assert set(phrases) <= set(STRICT)  # SSA-29: nothing of its own shares
    assert len(set(phrases)) > 6
    assert 0 < len(phrases) < len(players.said) / 8
    here = Table(state=position("4H", "3H", "4S", "", built="LLLLL", marks=MARKS, round=15))
    here.play(0, "4H")
    (added,) = does(here.state, "hard")
    loud = [BOT.decide(seen(here.state), "hard", Dice(b"%d" % stream)) for stream in range(60)]
    mute = replace(seen(here.state), talk_policy=TalkPolicy("closed"))
    quiet = [BOT.decide(mute, "hard", Dice(b"%d" % stream)) for stream in range(60)]
    assert {one.phrase for one in loud if one} == {None, f"shares.say.raise{added[-1]}"}
    assert {one.phrase for one in quiet if one} == {None}
    assert [one.move for one in loud if one] == [one.move for one in quiet if one]


def test_ssa_30_of_its_own_shares_it_talks_only_where_one_may() -> None:
    players = AllKinds(GAME, BOT)
    for number in range(3):
        whole_table(["hard", "normal", "easy"], f"loose {number}", {"talk": "looseLips"}, players)
    assert any("iTake" in phrase for phrase in players.said if phrase)


def test_ssa_31_it_says_nothing_of_an_offer() -> None:
    for _, state, seat in markets():
        assert all(one.phrase is None for one in decisions(state, "hard", seat, 40))


# --- what it thinks with is what the rules say ---


def test_ssa_2_prizes_of_what_is_over_are_those_of_the_rules() -> None:
    """Where nothing can change any more, what is expected is what it is, however ties are shared."""
    for tie in ("average", "high", "low"):
        options = SharesOptions(company_tie=tie)
        above = evaluation.above_by(evaluation.LEAST_SPREAD, tie)
        for here in list(positions(b"prizes", 4))[::7]:
            towers = scoring.standings(here.state.towers, options)
            sizes = [company.size for company in towers.companies]
            expected = [company.prize for company in towers.companies]
            assert [round(prize) for prize in evaluation.prizes(sizes, above)] == expected


@pytest.mark.parametrize("metric", ["floors", "pips"])
def test_what_a_floor_changes_is_what_the_rules_say(metric: str) -> None:
    """Its sizes after a use, and the points of it where nothing else can come."""
    tried = 0
    options = {"companyMetric": metric}
    for here in [
        here
        for name in (b"one", b"two", b"three", b"four", b"five", b"six")
        for here in positions(name, 4, options)
    ]:
        kind, seat = here.state.scene.kind, here.state.scene.seat
        if kind not in ("hearts", "spades") or seat is None:
            continue
        table = read_table(seen(here.state, seat))
        if table.pips != (metric == "pips"):
            continue  # no floor to tell by, or none that tells
        view = evaluation.Outlook(table, TEMPERS["hard"].lens)
        (prompt,) = [one.id for one in open_prompts(GAME.prompts(here.state), seat) if one.kind == kind]
        for place, company in enumerate(COMPANIES):
            suit = "H" if kind == "hearts" else "S"
            way = view.longer_way(suit, (0.0, (), table.sizes), place)
            tag = "add" if suit == "H" else "remove"
            move = msgspec.convert({"move": tag, "tower": company}, GAME.Move)
            if GAME.check(here.state, seat, prompt, move, here.event.at) is not None:
                assert way is None
                continue
            shown: Any = GAME.preview(here.state, seat, move)
            if shown.data.towers is None:
                assert way is None
                continue
            assert way is not None
            after = [one.size for one in shown.data.towers.companies]
            assert way[2] == after
            before = zip(view.parts, evaluation.prizes(table.sizes, view.above), strict=True)
            then = zip(view.parts, evaluation.prizes(after, view.above), strict=True)
            change = sum(part * prize for part, prize in then) - sum(part * prize for part, prize in before)
            assert way[0] == pytest.approx(change, abs=1e-6)
            tried += 1
    assert tried > 20


def test_it_knows_the_shares_it_was_shown_and_guesses_at_others() -> None:
    state = position("2H", "", "", "", marks={0: "AAB", 1: "CCC", 2: "DDE", 3: "EEE"}, round=3, **MARKET)
    here = Table(state=state)
    here.do(1, "show", "showAll")
    here.do(2, "show", "show", to=[0])
    view = evaluation.Outlook(read_table(seen(here.state)), TEMPERS["normal"].lens)
    assert view.rows[:3] == [[2, 1, 0, 0, 0], [0, 0, 3, 0, 0], [0, 0, 0, 2, 1]]
    assert sum(view.rows[3]) == pytest.approx(3)
    assert min(view.rows[3]) > 0
    hidden = evaluation.Outlook(read_table(seen(here.state, 3)), TEMPERS["normal"].lens)
    assert hidden.rows[1] == view.rows[1]
    assert min(hidden.rows[2]) > 0


def test_what_it_sees_of_a_tracker_counts_while_it_looks_and_is_gone_then() -> None:
    here = Table(state=position("2C 3C", "", "", "", marks={0: "AA", 1: "EE"}, round=2))
    here.play(0, "2C")
    here.do(0, "clubs", "spy", seat=1, what="tracker")
    peeking = read_table(seen(here.state))
    assert peeking.known[1] is not None
    assert peeking.known[1].tracker.holdings == (0, 0, 0, 0, 2)
    assert does(here.state, "hard") == {"stop"}
    here.do(0, "peek", "stopPeeking")
    assert read_table(seen(here.state)).known == (None,) * 4


@pytest.mark.parametrize("tie", ["average", "high", "low"])
def test_it_sees_how_companies_that_tie_are_paid(tie: str) -> None:
    state = position("2H", "", "", "", built=("LL", "LL", "L"), marks=MARKS, round=15, companyTie=tie)
    assert read_table(seen(state)).tie == tie


def test_ssa_14_floors_come_off_from_the_top() -> None:
    """By pips: the large one first, then the small one below it, and then there is none."""
    state = position("10S", "", "", "", built=("SL", "LL", "L"), marks=MARKS, companyMetric="pips")
    view = evaluation.Outlook(read_table(seen(state)), TEMPERS["hard"].lens)
    way: Any = (0.0, (), view.here.sizes)
    sizes = []
    while (way := view.longer_way("S", way, 0)) is not None:
        sizes.append(way[2][0])
    assert sizes == [1, 0]


# --- sensible ---


SIMPLE = (
    "spade the rival above",
    "do not lower the tower you hold most of",
    "take the ace",
    "swap a poor hand for the rich one",
    "draw up",
    "take the ace from the Discard Pile",
    "last round: take the prize at once",
    "save the king",
    "bid low for the last word",
    "adjust to the free action",
)


@judging
@pytest.mark.parametrize("name", SIMPLE)
def test_1g_what_every_sensible_player_finds(name: str, level: str) -> None:
    (here,) = [one for one in POSITIONS if one.name == name]
    assert does(here.state(), level) <= here.answers()


@judging
def test_1g_clubs_are_for_the_beginning(level: str) -> None:
    early = position("3C", "3H", "4H", "5H", marks={}, round=3, actions=(1, 3, 3, 3))
    assert does(early, level) == {"play 3C"}
    late = position("3C", "3H", "4H", "5H", marks={}, round=13, actions=(1, 3, 3, 3))
    assert does(late, level) == {"discard 3C"}


@judging
def test_ssa_28_it_looks_at_one_after_the_other(level: str) -> None:
    marks = {0: "CCD", 1: "AAA", 2: "EEE", 3: "BBE"}
    built = ("LLLLLL", "LLL", "L")
    here = Table(state=position("JC", "", "", "", built=built, marks=marks, round=3, talk="wholeTruth"))
    for seat in (1, 2, 3):
        here.do(seat, "show", "showAll")
    here.play(0, "JC")
    first = does(here.state, level)
    assert first == {"spy 1 tracker"}
    here.do(0, "clubs", "spy", seat=1, what="tracker")
    here.do(0, "peek", "stopPeeking")
    assert does(here.state, level) == {"spy 3 tracker"}


def test_1g_hard_spends_one_action_in_a_turn_of_the_last_round() -> None:
    state = position("2H 3S 4H", "5H 6H", "", "", built="LLLLL", marks=MARKS, round=15)
    here = Table(state=state)
    (first,) = does(here.state, "hard")
    assert first.startswith("play")
    here.play(0, first.removeprefix("play "))
    (target,) = does(here.state, "hard")
    here.do(0, here.state.scene.kind, target[:-2], tower=target[-1])
    assert does(here.state, "hard") == {"end"}
    assert does(here.state, "normal") != {"end"}
    last = replace(here.state, turns=replace(here.state.turns, actions=(2, 0, 0, 0)))
    assert does(last, "hard") != {"end"}


@judging
def test_1g_the_hand_is_filled_before_the_last_round(level: str) -> None:
    state = position("KH 2C", "3H", "4H", "5H", built="LLLLL", marks=MARKS, round=14)
    assert does(state, level) == {"draw up"}


@judging
def test_ssa_16_the_free_action(level: str) -> None:
    options: dict[str, Any] = {"built": "LLLLL", "marks": MARKS, "round": 9}
    assert does(rolled(position("2D 4H 2C", "", "", "", **options), 4).state, level) == {"play 4H"}
    drawing = position("2D 3C", "5H", "6H", "", chance4Draw=True, **options)
    assert does(rolled(drawing, 4).state, level) == {"draw up"}


@judging
def test_it_keeps_its_good_hand_when_two_must_change_places(level: str) -> None:
    state = position("2D AH KH QS", "3C", "4C 5C", "", built="LLLLL", marks=MARKS, round=9)
    assert does(rolled(state, 2).state, level) <= {"swap 1 2", "swap 1 3", "swap 2 3"}


# --- markets ---


def market(give: str, wish: str, *, right: bool = True) -> SharesState:
    """Seat 1 offers seat 0 these shares; all trackers are known."""
    name = "take the fair trade" if right else "refuse the trade that feeds the leader"
    (here,) = [one for one in POSITIONS if one.name == name]
    return here._replace(deal=(give, wish)).state()


def markets() -> list[tuple[str, SharesState, int]]:
    return [("fair", market("A", "E"), 0), ("bad", market("EE", "B", right=False), 0)]


@judging
def test_ssa_32_a_gift_is_taken_and_nothing_is_given_away(level: str) -> None:
    assert does(market("B", ""), level) == {"accept"}
    assert does(market("", "E"), level) == {"decline"}
    assert does(market("D", "BB"), level) == {"decline"}


@judging
def test_ssa_33_what_it_has_not_it_cannot_give(level: str) -> None:
    assert does(market("AAAAA", "DDDDDDDDD"), level) == {"decline"}


@judging
def test_nobody_leads_it_in_a_circle(level: str) -> None:
    """Of a trade and its reverse it takes one at most."""
    for give, wish in (("A", "E"), ("B", "C"), ("AA", "BB"), ("D", "EEE"), ("B", "CC")):
        state = market(give, wish)
        here = read_table(seen(state))
        scales = Scales(evaluation.Outlook(here, TEMPERS[level].lens), level == "normal")
        lots: list[Any] = [tuple(give), tuple(wish)]
        assert not (scales.good(1, lots[0], lots[1]) and scales.good(1, lots[1], lots[0]))


def test_what_it_proposes_is_good_for_it_and_fair() -> None:
    marks = {0: "AAAAAACCCC", 1: "BBBBBDDDDD", 2: "DDDDDBBBEE", 3: "CCCCAAEEEE"}
    built = ("LLL", "LLL", "LLL", "LLL")
    state = position("KC", "", "", "", built=built, marks=marks, round=10, **MARKET)
    here = Table(state=state)
    for seat in (1, 2, 3):
        here.do(seat, "show", "showAll")
    here.do(0, "turn", "openMarket", card="KC")
    found = [one.move for one in decisions(here.state, "hard", 0, 40)]
    words = Counter(told(here.state, move) for move in found)
    assert set(words) == {"propose", "close"}
    view = evaluation.Outlook(read_table(seen(here.state)), TEMPERS["hard"].lens)
    scales = Scales(view, simple=False)
    for move in found:
        if isinstance(move, Propose):
            assert scales.gain(move.give, move.wish) > bargaining.CLEARLY
            assert scales.fair(move.give, move.wish)


def test_in_markets_bots_trade_now_and_then_and_every_market_is_closed() -> None:
    made: Counter[str] = Counter()
    for number in range(8):
        row = whole_table(["hard", "normal", "hard", "easy"], f"market {number}", {"openMarket": True})
        assert row.end == "outcome"
        assert not row.refused
        assert not row.ran_out
        made.update(row.made)
    assert made["openMarket"] == made["closeMarket"] > 4
    assert made["propose"] > 10
    assert made["accept"] > 0
    assert made["decline"] > 0


# --- better level by level: a few tables; docs/BOTS.md has more ---

AT_LENGTH = [pytest.param(seats, 60, marks=pytest.mark.at_length) for seats in (3, 4, 5, 6)]


@pytest.mark.parametrize(("seats", "tables"), [(4, 8), *AT_LENGTH])
def test_1g_hard_wins_more_than_its_share_among_normal(seats: int, tables: int) -> None:
    assert win_share("hard", "normal", seats, tables).low > 1 / seats


@pytest.mark.parametrize(("seats", "tables"), [(4, 10), *AT_LENGTH])
def test_1g_normal_beats_chance(seats: int, tables: int) -> None:
    assert win_share("normal", "random", seats, tables).low > 1 / seats


@pytest.mark.parametrize(
    ("one", "others", "tables"),
    [
        ("easy", "random", 10),
        pytest.param("easy", "random", 120, marks=pytest.mark.at_length),
        pytest.param("normal", "easy", 120, marks=pytest.mark.at_length),
    ],
)
def test_1g_levels_beat_those_below(one: str, others: str, tables: int) -> None:
    assert win_share(one, others, 4, tables).low > 1 / 4
