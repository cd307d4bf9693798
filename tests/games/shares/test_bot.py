"""The Share and Share Alike bot: legal, deterministic, sensible, blind to secrets, stronger by level (1g)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Argument, Millis, Promise, Seat, SeenLine, Spoken, TalkPolicy, open_prompts
from games.dice import Dice
from games.kit.characters import BY_KEY, unnamed
from games.shares.bot import bargaining, evaluation, pauses
from games.shares.bot.bargaining import TradeEvaluator
from games.shares.bot.bot import BOT, SKILL_LEVELS
from games.shares.bot.observation import read_table
from games.shares.bot.policy import choose_any_card, choose_floor, make_context
from games.shares.rules import scoring
from games.shares.rules.game import SHARES as GAME
from games.shares.rules.moves import Adjust, Play, Propose, Remove, Spy
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import COMPANIES
from games.shares.rules.values import SharesState
from games.testing import random_play
from games.testing.conformance import list_cases
from games.testing.positions import moves_of
from tests.games.hand_table import START
from tests.games.shares.players import decisions, observe, positions, whole_table, win_share
from tests.games.shares.positions import MINE, MIXED, POSITIONS, told
from tests.games.shares.table import Table, position, rolled
from tests.games.tables import tables

JUDGING = ("normal", "hard")
"""The levels that never play at random."""
judging = pytest.mark.parametrize("level", JUDGING)
MARKS = dict(enumerate((MINE, *MIXED)))
MARKET: Mapping[str, Any] = {"openMarket": True, "talk": "wholeTruth"}


def does(state: SharesState, level: str, seat: int = 0, streams: int = 8) -> set[str]:
    """The moves the bot makes in this state, in words."""
    return {told(state, one.move) for one in decisions(state, level, seat, streams)}


@pytest.mark.parametrize(
    ("level", "number", "ends"), [("easy", 1, True), ("easy", 2, False), ("normal", 1, False)]
)
def test_only_an_easy_bot_stops_after_one_action_in_the_first_round(
    level: str, number: int, ends: bool
) -> None:
    state = position("4H 5H", "3H", "4S", "5D", marks={0: "A"}, round=number, actions=(2, 3, 3, 3))
    assert (does(state, level, streams=20) == {"end"}) == ends


def test_a_careless_bot_plays_no_card_in_vain() -> None:
    """Nothing stands that a spade could take a floor off, and a spade would lower only its own tower."""
    for built, expected in (((), {"play 4H", "play 3D"}), (("LL",), {"play 4H", "play 3D"})):
        state = position("4H KS 3D", "3H", "4S", "5D", built=built, marks={0: "AAAA"}, round=4)
        assert does(state, "easy", streams=30) == expected


def list_moves(table: Table, character: str, kind: str, company: str, streams: int = 60) -> set[str]:
    """What a character may do now, once it has promised seat 1 this about a tower."""
    terms: dict[str, int | str] = {"company": company, "round": table.state.stage.round}
    promise = Promise("0", Seat(0), (Seat(1),), kind, terms, Millis(1), 1, bot=True)
    seen = replace(observe(table.state), promises=(promise,))
    moves = [BOT.decide(seen, BY_KEY[character], Dice(b"word %d" % stream)) for stream in range(streams)]
    return {told(table.state, one.move) for one in moves if one is not None}


@pytest.mark.parametrize(("character", "keeps"), [("amara", True), ("tavi", False)])
def test_a_careless_bot_keeps_its_promises_by_its_honesty(character: str, keeps: bool) -> None:
    """The promise's id is 48: more than Tavi's honesty, less than Amara's."""
    for kind, company, hand, marks, others in (
        ("raise", "B", "4H 5C", "ABCC", {"add A", "add C"}),
        ("help", "B", "4H 5C", "ABCC", {"add A", "add C"}),
        ("lower", "B", "4S 5C", "CCCC", {"remove A"}),
        ("leave", "B", "4S 5C", "CCCC", {"remove B"}),
    ):
        built = ("LLL", "LLL", "L")
        table = Table(state=position(hand, "3H", "4S", "5D", built=built, marks={0: marks}, round=4))
        table.play(0, hand[:2])
        deeds = list_moves(table, character, kind, company)
        assert bool(deeds & others) != keeps
        if kind != "leave":
            assert (deeds == {f"add {company}", f"remove {company}"} & deeds) == keeps


def test_a_careless_bot_plays_the_card_that_its_promise_takes_before_anything_else() -> None:
    """Also in the first round, where it would spend no other action, and instead of drawing up."""
    for hand, kind, expected in (
        ("KH 4H 5S 3C", "raise", "4H"),
        ("4H 5S", "lower", "5S"),
        ("4H", "raise", "4H"),
    ):
        state = position(hand, "3H", "4S", "5D", built=("L",), marks={0: "B"}, round=1)
        if hand != "4H":
            state = replace(state, turns=replace(state.turns, actions=(2, 3, 3, 3)))
        assert list_moves(Table(state=state), "amara", kind, "A") == {f"play {expected}"}
        assert list_moves(Table(state=state), "tavi", kind, "A") != {f"play {expected}"}


def test_a_careless_bot_throws_away_no_card_that_counts_twice() -> None:
    """Every tower is its own, so that spades gain it nothing."""
    built = ("LL", "LL", "LL", "LL", "LL")
    state = position("QS 10S 3S 2C", "3H", "4S", "5D", built=built, marks={0: "ABCDE"}, round=5)
    thrown = {word for word in does(state, "easy", streams=60) if word.startswith("discard")}
    assert thrown, "it throws away others"
    assert not any(card in word for word in thrown for card in ("QS", "10S"))


@pytest.mark.parametrize(("card", "picks"), [("3H", False), ("QH", True)])
def test_a_careless_bot_draws_no_card_that_it_may_have_thrown_away(card: str, picks: bool) -> None:
    state = position("", "3D", "4S", "5D", built=("L", "L"), marks={0: "AAAA"}, discard=card, round=4)
    table = Table(state=state)
    table.do(0, "turn", "drawUp")
    assert does(table.state, "easy", streams=30) == ({f"pick {card}"} if picks else {"deck"})


def test_a_careless_bot_plays_no_spade_that_takes_more_floors_than_there_are() -> None:
    """Only one floor stands on a tower of others."""
    state = position("KS 3S", "3H", "4S", "5D", built=("LL", "L"), marks={0: "AAAA"}, round=4)
    assert "play 3S" in does(state, "easy", streams=30)
    context = make_context(read_table(observe(state)), SKILL_LEVELS["easy"], Dice(b""))
    assert choose_any_card(context, ()) == Play("3S")
    assert choose_any_card(context, ("B",)) is None


def test_a_tower_that_it_spares_is_left_alone_even_if_it_leans_to_it() -> None:
    """One that is worth about as much to lower as the best; only the last of all turns is free."""
    marks = {0: "CCC", 1: "ABD", 2: "ABD", 3: "EDD"}
    lowered: set[str] = set()
    for number in (4, 15):
        built = ("LLL", "LLL", "LLL", "", "")
        table = Table(state=position("2S", "3H", "4S", "5D", built=built, marks=marks, round=number))
        table.do(0, "turn", "play", card="2S")
        context = make_context(read_table(observe(table.state, 0)), SKILL_LEVELS["normal"], Dice(b""))
        for company in COMPANIES:
            leaning = [float(each == company) for each in COMPANIES]
            lowered |= {company} if choose_floor(context, "S", leaning) == Remove(company) else set()
            assert choose_floor(context, "S", leaning, (company,)) != Remove(company)
    assert len(lowered) > 1


# --- legal ---


@pytest.mark.parametrize("cases", [9, pytest.param(12, marks=pytest.mark.at_length)])
def test_1g_all_levels_answer_legally_in_random_positions(cases: int) -> None:
    """They also never extend a window, make a last call, unlock, or show their shares."""
    moves: set[str] = set()
    for case in list_cases(GAME, cases):
        options = msgspec.convert(case.options, SharesOptions)
        for moment, step in enumerate(
            random_play.play(GAME, case.seats, options, case.seed, case.style, 200)
        ):
            for seat in map(Seat, range(case.seats)):
                decision = BOT.decide(
                    random_play.observation(GAME, step.state, seat, case.seats),
                    unnamed(BOT.levels[(moment + seat) % 3]),
                    Dice(b"%d" % moment),
                )
                if decision is not None and decision.answer is not None:
                    prompt, move = decision.answer
                    assert GAME.check(step.state, seat, prompt, move, step.event.at) is None
                    moves.add(str(msgspec.to_builtins(move)["move"]))
    silent = {"extend", "lastCall", "unlock", "show", "showAll", "select", "bid", "cancel"}
    ever = set(moves_of(GAME)) - silent
    assert moves <= ever
    assert ever - moves <= {"counter", "openMarket", "closeMarket", "propose"}


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, marks=pytest.mark.at_length if turn % 6 else ())
        for turn, table in enumerate(tables("shares"))
    ],
    ids=str,
)
def test_all_levels_finish_games_with_all_options(table: random_play.Table) -> None:
    """No window runs out and nothing is refused."""
    levels = [BOT.levels[seat % 3] for seat in range(table.seats)]
    row = whole_table(levels, f"options {table}", table.options)
    assert row.end == "outcome"
    assert not row.refused
    assert not row.ran_out


@pytest.mark.parametrize("level", BOT.levels)
def test_the_same_dice_give_the_same_answer_whatever_is_hidden(level: str) -> None:
    """GEN-3: different cards and shares of other seats change neither its moves nor its phrases."""
    answered = 0
    options = {"talk": "wholeTruth", "openMarket": True, "lowball": True}
    for number, step in enumerate(list(positions(b"same", 4, options))[::9]):
        for seat in range(4):
            other = GAME.resample(step.state, Seat(seat), Dice(b"other %d" % number))
            first = decisions(step.state, level, seat, streams=3)
            assert first == decisions(other, level, seat, streams=3)
            answered += len(first)
    assert answered > 60


@pytest.mark.parametrize("level", BOT.levels)
def test_a_seat_without_a_prompt_waits(level: str) -> None:
    state = position("2H 3H", "4H", "5H", "6H", marks=MARKS, round=15)
    assert not any(decisions(state, level, seat) for seat in (1, 2, 3))
    assert decisions(state, level, 0)
    table = Table(seats=4)
    table.do(0, "select", "lock", company="A")
    assert not decisions(table.state, level, 0)
    assert decisions(table.state, level, 1)


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        BOT.decide(observe(Table(seats=4).state), unnamed("godlike"), Dice(b""))


# --- talk ---


def test_it_says_nothing_where_talk_is_closed_or_nothing_would_be_heard() -> None:
    table = Table(state=position("4H", "3H", "4S", "", built="LLLLL", marks=MARKS, round=15))
    table.play(0, "4H")
    asked = replace(observe(table.state), messages=(ask("askRaise.1", company="A"),))
    loud = [BOT.decide(asked, unnamed("hard"), Dice(b"%d" % stream)) for stream in range(20)]
    mute = replace(asked, talk_policy=TalkPolicy("closed"))
    quiet = [BOT.decide(mute, unnamed("hard"), Dice(b"%d" % stream)) for stream in range(20)]
    unheard = [
        BOT.decide(replace(asked, may_speak=False), unnamed("hard"), Dice(b"%d" % stream))
        for stream in range(20)
    ]
    assert all(one is not None and one.remark is not None for one in loud)
    assert {one.remark for one in (*quiet, *unheard) if one} == {None}
    assert [one.move for one in loud if one] == [one.move for one in quiet if one]


def ask(key: str, **args: Any) -> Spoken:
    """What seat 1 asks seat 0."""
    return Spoken(Seat(1), None, f"shares.bot.{key}", {"to": 0, **args}, START)


def test_ssa_31_it_says_nothing_about_an_offer() -> None:
    for _, state, seat in markets():
        assert all(one.remark is None for one in decisions(state, "hard", seat, 40))


# --- its evaluation agrees with the rules ---


def test_ssa_2_expected_prizes_at_the_end_are_those_of_the_rules() -> None:
    """When nothing can change any more, the expected prizes are the actual ones, however ties are paid."""
    for tie in ("average", "high", "low"):
        options = SharesOptions(company_tie=tie)
        above = evaluation.compute_above_chances(evaluation.MIN_SPREAD, tie)
        for step in list(positions(b"prizes", 4))[::7]:
            towers = scoring.standings(step.state.towers, options)
            sizes = [company.size for company in towers.companies]
            expected = [company.prize for company in towers.companies]
            assert [round(prize) for prize in evaluation.expect_prizes(sizes, above)] == expected


@pytest.mark.parametrize("metric", ["floors", "pips"])
def test_the_effect_of_a_floor_agrees_with_the_rules(metric: str) -> None:
    """Compares the sizes after a use, and the resulting points."""
    tried = 0
    options = {"companyMetric": metric}
    for step in [
        step
        for name in (b"one", b"two", b"three", b"four", b"five", b"six")
        for step in positions(name, 4, options)
    ]:
        kind, seat = step.state.scene.kind, step.state.scene.seat
        if kind not in ("hearts", "spades") or seat is None:
            continue
        table = read_table(observe(step.state, seat))
        if table.pips != (metric == "pips"):
            continue  # the sizes do not reveal the metric yet
        valuation = evaluation.Valuation(table, SKILL_LEVELS["hard"].evaluation)
        (prompt,) = [one.id for one in open_prompts(GAME.prompts(step.state), seat) if one.kind == kind]
        for index, company in enumerate(COMPANIES):
            suit = "H" if kind == "hearts" else "S"
            plan = valuation.extend_plan(suit, (0.0, (), table.sizes), index)
            tag = "add" if suit == "H" else "remove"
            move = msgspec.convert({"move": tag, "tower": company}, GAME.Move)
            if GAME.check(step.state, seat, prompt, move, step.event.at) is not None:
                assert plan is None
                continue
            preview: Any = GAME.preview(step.state, seat, move)
            if preview.data.towers is None:
                assert plan is None
                continue
            assert plan is not None
            after = [one.size for one in preview.data.towers.companies]
            assert plan[2] == after
            before = zip(valuation.parts, evaluation.expect_prizes(table.sizes, valuation.above), strict=True)
            then = zip(valuation.parts, evaluation.expect_prizes(after, valuation.above), strict=True)
            change = sum(part * prize for part, prize in then) - sum(part * prize for part, prize in before)
            assert plan[0] == pytest.approx(change, abs=1e-6)
            tried += 1
    assert tried > 20


def test_it_knows_the_shares_it_was_shown_and_estimates_the_others() -> None:
    state = position("2H", "", "", "", marks={0: "AAB", 1: "CCC", 2: "DDE", 3: "EEE"}, round=3, **MARKET)
    table = Table(state=state)
    table.do(1, "show", "showAll")
    table.do(2, "show", "show", to=[0])
    valuation = evaluation.Valuation(read_table(observe(table.state)), SKILL_LEVELS["normal"].evaluation)
    assert valuation.rows[:3] == [[2, 1, 0, 0, 0], [0, 0, 3, 0, 0], [0, 0, 0, 2, 1]]
    assert sum(valuation.rows[3]) == pytest.approx(3)
    assert min(valuation.rows[3]) > 0
    hidden = evaluation.Valuation(read_table(observe(table.state, 3)), SKILL_LEVELS["normal"].evaluation)
    assert hidden.rows[1] == valuation.rows[1]
    assert min(hidden.rows[2]) > 0


def test_a_peeked_tracker_counts_only_during_the_peek() -> None:
    table = Table(state=position("2C 3C", "", "", "", marks={0: "AA", 1: "EE"}, round=2))
    table.play(0, "2C")
    table.do(0, "clubs", "spy", seat=1, what="tracker")
    peeking = read_table(observe(table.state))
    assert peeking.shown[1] is not None
    assert peeking.shown[1].tracker.holdings == (0, 0, 0, 0, 2)
    assert does(table.state, "hard") == {"stop"}
    table.do(0, "peek", "stopPeeking")
    assert read_table(observe(table.state)).shown == (None,) * 4


@pytest.mark.parametrize("tie", ["average", "high", "low"])
def test_it_reads_how_tied_companies_are_paid(tie: str) -> None:
    state = position("2H", "", "", "", built=("LL", "LL", "L"), marks=MARKS, round=15, companyTie=tie)
    assert read_table(observe(state)).tie == tie


def test_ssa_14_floors_are_removed_from_the_top() -> None:
    """In pips: first the large floor, then the small one below it, then none."""
    state = position("10S", "", "", "", built=("SL", "LL", "L"), marks=MARKS, companyMetric="pips")
    valuation = evaluation.Valuation(read_table(observe(state)), SKILL_LEVELS["hard"].evaluation)
    plan: Any = (0.0, (), valuation.table.sizes)
    sizes = []
    while (plan := valuation.extend_plan("S", plan, 0)) is not None:
        sizes.append(plan[2][0])
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
def test_1g_it_finds_the_obvious_move(name: str, level: str) -> None:
    (puzzle,) = [one for one in POSITIONS if one.name == name]
    assert does(puzzle.state(), level) <= puzzle.answers()


@pytest.mark.parametrize("level", BOT.levels)
@pytest.mark.parametrize("face", range(1, 7))
def test_nobody_adjusts_a_roll_to_a_free_action_and_declines_it(level: str, face: int) -> None:
    """Its only card is a diamond, or a king that it keeps for the last round."""
    for hand in ("KD KH", "KD 2D"):
        state = position(hand, "4H", "3C", "", built=("LLL", "LL"), marks=MARKS, round=5)
        for stream in range(8):
            table = rolled(state, face, card="KD")
            if table.state.scene.kind != "adjust":
                continue
            answer = BOT.decide(observe(table.state, 0), unnamed(level), Dice(b"roll %d" % stream))
            assert answer is not None
            assert isinstance(answer.move, Adjust)
            if face + answer.move.by != 4 or not answer.move.by:
                continue
            table.do(0, "adjust", "adjust", by=answer.move.by)
            assert "decline" not in does(table.state, level)


@judging
def test_1g_it_plays_clubs_early_and_discards_them_late(level: str) -> None:
    early = position("3C", "3H", "4H", "5H", marks={}, round=3, actions=(1, 3, 3, 3))
    assert does(early, level) == {"play 3C"}
    late = position("3C", "3H", "4H", "5H", marks={}, round=13, actions=(1, 3, 3, 3))
    assert does(late, level) == {"discard 3C"}


@judging
def test_ssa_28_it_peeks_at_one_seat_after_another(level: str) -> None:
    marks = {0: "CCD", 1: "AAA", 2: "EEE", 3: "BBE"}
    built = ("LLLLLL", "LLL", "L")
    table = Table(state=position("JC", "", "", "", built=built, marks=marks, round=3, talk="wholeTruth"))
    for seat in (1, 2, 3):
        table.do(seat, "show", "showAll")
    table.play(0, "JC")
    assert does(table.state, level) == {"spy 1 tracker"}
    table.do(0, "clubs", "spy", seat=1, what="tracker")
    table.do(0, "peek", "stopPeeking")
    assert list_peeks(table, level, 8) == {3}


@pytest.mark.parametrize("level", BOT.levels)
def test_nobody_looks_at_one_tracker_twice_while_others_are_left(level: str) -> None:
    """Nor with another card of the same round; all seem to hold the same."""
    table = Table(state=position("AC 2C", "3H", "4H", "5H", round=3))
    table.play(0, "AC")
    seen: set[int] = set()
    for _ in range(3):
        likely = list_peeks(table, level, 40)
        assert likely == {1, 2, 3} - seen
        seen.add(min(likely))
        table.do(0, "clubs", "spy", seat=min(likely), what="tracker")
        table.do(0, "peek", "stopPeeking")
    table = Table(state=position("2C 3C", "3H", "4H", "5H", round=3))
    table.play(0, "2C")
    table.do(0, "clubs", "spy", seat=2, what="tracker")
    table.do(0, "peek", "stopPeeking")
    table.play(0, "3C")
    assert list_peeks(table, level, 40) == {1, 3}


def list_peeks(table: Table, level: str, streams: int) -> set[int]:
    """The seats at whose tracker the bot may look, knowing what has happened at the table."""
    lines = tuple(SeenLine(one.key, one.args, one.to, START) for one in table.lines)
    seen = replace(observe(table.state), lines=lines)
    moves = [BOT.decide(seen, unnamed(level), Dice(b"peek %d" % stream)) for stream in range(streams)]
    return {one.move.seat for one in moves if one is not None and isinstance(one.move, Spy)}


def test_1g_hard_spends_one_action_a_turn_in_the_last_round() -> None:
    state = position("2H 3S 4H", "5H 6H", "", "", built="LLLLL", marks=MARKS, round=15)
    table = Table(state=state)
    (first,) = does(table.state, "hard")
    assert first.startswith("play")
    table.play(0, first.removeprefix("play "))
    (target,) = does(table.state, "hard")
    table.do(0, table.state.scene.kind, target[:-2], tower=target[-1])
    assert does(table.state, "hard") == {"end"}
    assert does(table.state, "normal") != {"end"}
    last = replace(table.state, turns=replace(table.state.turns, actions=(2, 0, 0, 0)))
    assert does(last, "hard") != {"end"}


@judging
def test_1g_it_fills_its_hand_before_the_last_round(level: str) -> None:
    state = position("KH 2C", "3H", "4H", "5H", built="LLLLL", marks=MARKS, round=14)
    assert does(state, level) == {"draw up"}


@judging
def test_ssa_16_it_uses_the_free_action(level: str) -> None:
    options: dict[str, Any] = {"built": "LLLLL", "marks": MARKS, "round": 9}
    assert does(rolled(position("2D 4H 2C", "", "", "", **options), 4).state, level) == {"play 4H"}
    drawing = position("2D 3C", "5H", "6H", "", chance4Draw=True, **options)
    assert does(rolled(drawing, 4).state, level) == {"draw up"}


@judging
def test_it_keeps_a_good_hand_when_two_must_be_swapped(level: str) -> None:
    state = position("2D AH KH QS", "3C", "4C 5C", "", built="LLLLL", marks=MARKS, round=9)
    assert does(rolled(state, 2).state, level) <= {"swap 1 2", "swap 1 3", "swap 2 3"}


# --- markets ---


def market(give: str, wish: str, *, right: bool = True) -> SharesState:
    """A state in which seat 1 has made seat 0 this offer, with all trackers shown."""
    name = "take the fair trade" if right else "refuse the trade that feeds the leader"
    (puzzle,) = [one for one in POSITIONS if one.name == name]
    return puzzle._replace(deal=(give, wish)).state()


def markets() -> list[tuple[str, SharesState, int]]:
    return [("fair", market("A", "E"), 0), ("bad", market("EE", "B", right=False), 0)]


@judging
def test_ssa_32_it_accepts_gifts_and_gives_nothing_away(level: str) -> None:
    assert does(market("B", ""), level) == {"accept"}
    assert does(market("", "E"), level) == {"decline"}
    assert does(market("D", "BB"), level) == {"decline"}


@judging
def test_ssa_33_it_declines_offers_it_cannot_pay(level: str) -> None:
    assert does(market("AAAAA", "DDDDDDDDD"), level) == {"decline"}


@judging
def test_it_never_accepts_both_a_trade_and_its_reverse(level: str) -> None:
    """It never accepts both a trade and its reverse."""
    for give, wish in (("A", "E"), ("B", "C"), ("AA", "BB"), ("D", "EEE"), ("B", "CC")):
        state = market(give, wish)
        table = read_table(observe(state))
        evaluator = TradeEvaluator(
            evaluation.Valuation(table, SKILL_LEVELS[level].evaluation), level == "normal"
        )
        lots: list[Any] = [tuple(give), tuple(wish)]
        assert not (evaluator.is_good(1, lots[0], lots[1]) and evaluator.is_good(1, lots[1], lots[0]))


def test_its_proposals_are_good_for_it_and_fair() -> None:
    marks = {0: "AAAAAACCCC", 1: "BBBBBDDDDD", 2: "DDDDDBBBEE", 3: "CCCCAAEEEE"}
    built = ("LLL", "LLL", "LLL", "LLL")
    state = position("KC", "", "", "", built=built, marks=marks, round=10, **MARKET)
    table = Table(state=state)
    for seat in (1, 2, 3):
        table.do(seat, "show", "showAll")
    table.do(0, "turn", "openMarket", card="KC")
    moves = [one.move for one in decisions(table.state, "hard", 0, 40)]
    words = Counter(told(table.state, move) for move in moves)
    assert set(words) == {"propose", "close"}
    valuation = evaluation.Valuation(read_table(observe(table.state)), SKILL_LEVELS["hard"].evaluation)
    evaluator = TradeEvaluator(valuation, simple=False)
    for move in moves:
        if isinstance(move, Propose):
            assert evaluator.rate(move.give, move.wish) > bargaining.MIN_GAIN
            assert evaluator.is_fair(move.give, move.wish)


def test_bots_trade_occasionally_and_close_every_market() -> None:
    moves: Counter[str] = Counter()
    for number in range(12):
        row = whole_table(["hard", "normal", "hard", "easy"], f"market {number}", {"openMarket": True})
        assert row.end == "outcome"
        assert not row.refused
        assert not row.ran_out
        moves.update(row.move_counts)
        assert moves["openMarket"] == moves["closeMarket"]
        if moves["openMarket"] > 4 and moves["propose"] > 10 and moves["accept"] and moves["decline"]:
            return
    raise AssertionError(f"too little trade: {moves}")


# --- stronger with each level: a few tables; docs/BOTS.md has more ---

AT_LENGTH = [pytest.param(seats, 60, marks=pytest.mark.at_length) for seats in (3, 4, 5, 6)]


@pytest.mark.parametrize("tables", [18, pytest.param(24, marks=pytest.mark.at_length)])
def test_1g_hard_wins_more_than_its_share_among_normal_in_short_games(tables: int) -> None:
    assert win_share("hard", "normal", 4, tables, {"rounds": "5"}).low > 1 / 4


@pytest.mark.parametrize(("seats", "tables"), AT_LENGTH)
def test_1g_hard_wins_more_than_its_share_among_normal(seats: int, tables: int) -> None:
    assert win_share("hard", "normal", seats, tables).low > 1 / seats


@pytest.mark.parametrize(("seats", "tables"), [(4, 4), *AT_LENGTH])
def test_1g_normal_beats_random_play(seats: int, tables: int) -> None:
    assert win_share("normal", "random", seats, tables).low > 1 / seats


@pytest.mark.parametrize(
    ("one", "others", "tables"),
    [
        ("easy", "random", 12),
        pytest.param("easy", "random", 120, marks=pytest.mark.at_length),
        pytest.param("normal", "easy", 120, marks=pytest.mark.at_length),
    ],
)
def test_1g_levels_beat_those_below(one: str, others: str, tables: int) -> None:
    assert win_share(one, others, 4, tables).low > 1 / 4


# --- pace: it depends on what everybody has read and heard ---


def line(key: str, seat: int = 1, at: int = 50, to: frozenset[Seat] | None = None) -> SeenLine:
    return SeenLine(key, {"seat": seat}, to, Millis(at))


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        ((line("shares.ended"),), pauses.NEXT_TURN),
        ((line("shares.ended"), line("promise.kept")), pauses.NEXT_TURN),
        ((line("shares.starts", 0),), pauses.FIRST_TURN),
        ((line("shares.ended"), line("shares.played", 0)), pauses.AFTER_CARD),
        ((line("shares.ended"), line("shares.drew", 0)), None),
        ((line("shares.ended"), line("shares.drewCard", 0, to=frozenset({Seat(0)}))), pauses.NEXT_TURN),
    ],
)
def test_it_waits_until_others_have_read_what_has_happened(
    lines: tuple[SeenLine, ...], after: Millis | None
) -> None:
    state = position("4H 5S", "3H", "4S", "5D", built=("L",), marks=MARKS, turn=0, round=4)
    decision = BOT.decide(replace(observe(state, 0), lines=lines), unnamed("hard"), Dice(b"1"))
    assert decision is not None
    assert decision.answer is not None
    assert decision.after == after


def test_it_takes_its_time_over_a_share_once_a_round_is_over() -> None:
    state = GAME.setup(4, SharesOptions(), START, Dice(b"pace")).state
    first, second = line("shares.round"), line("shares.round", at=60)
    for lines, after in (((first,), None), ((first, second), pauses.AFTER_ROUND)):
        decision = BOT.decide(replace(observe(state, 0), lines=lines), unnamed("hard"), Dice(b"1"))
        assert decision is not None
        assert decision.after == after


def test_it_waits_for_an_answer_to_what_it_has_asked_for() -> None:
    state = position("4H 5S", "3H", "4S", "5D", built=("L",), marks=MARKS, turn=0, round=4)
    args: dict[str, Argument] = {"to": 1, "company": "A"}
    asked = Spoken(Seat(0), None, "shares.bot.askFloor.1", args, Millis(70), bot=True)
    answer = Spoken(Seat(1), None, "shares.bot.yesRaise.1", {**args, "to": 0}, Millis(80), bot=True)
    seen = replace(observe(state, 0), lines=(line("shares.drew", 0), line("shares.drew", 1, 90)))
    for messages, after in (((asked,), pauses.AFTER_REQUEST), ((asked, answer), None), ((answer,), None)):
        assert pauses.choose_pace(replace(seen, messages=messages)) == after
    moved = replace(seen, messages=(asked,), lines=(line("shares.drew", 0, 75),))
    assert pauses.choose_pace(moved) is None
    whispered = replace(answer, to=Seat(0))
    drawn = line("shares.drewCard", 0, 75, to=frozenset({Seat(0)}))
    for silent in (
        replace(seen, messages=(asked, whispered)),
        replace(seen, messages=(asked,), lines=(*seen.lines, drawn)),
        replace(seen, messages=(asked,), lines=(*seen.lines, line("promise.kept", 0, 75))),
    ):
        assert pauses.choose_pace(silent) == pauses.AFTER_REQUEST
    assert pauses.choose_pace(replace(seen, messages=(replace(asked, to=Seat(1)),))) is None
