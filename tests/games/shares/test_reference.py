"""The reference version of Share and Share Alike reproduces the examples in the rulings (1f)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.shares.reference import Event, expire, feed, legal
from tests.games.shares.reference_table import (
    CARDS,
    Game,
    Options,
    Peek,
    holdings,
    notes_locked,
    score,
    start,
    uses_of,
    waiting,
)

A, B, C, D, E = range(5)


def dealt(options: Options | None = None, seats: int = 4) -> Game:
    """Round 1 with the cards dealt in order: seat 0 holds 2C to 6C."""
    hands = [CARDS[5 * seat : 5 * seat + 5] for seat in range(seats)]
    return start(options or Options(), hands, CARDS[5 * seats :])


def table(
    hands: str = "2C 3C|4C 5C|6C 7C|8C 9C",
    first: int = 0,
    options: Options | None = None,
    supply: tuple[int, int, int] = (20, 20, 20),
    towers: str = "||||",
    discards: str = "",
    deck: int = 52,
) -> Game:
    """The first action phase, with a share in A for everybody; the deck has at most `deck` cards.

    All other cards are left out of the game.
    """
    given = [hand.split() for hand in hands.split("|")]
    away = [card for hand in given for card in hand] + discards.split()
    game = replace(
        dealt(options, len(given)),
        hands=given,
        deck=[card for card in CARDS if card not in away][:deck],
        discards=discards.split(),
        supply=dict(zip("LMS", supply, strict=True)),
        towers=[list(tower) for tower in towers.split("|")],
    )
    for seat in range(len(given)):
        game = then(game, ("select", (seat, A)), ("lock", (seat,)))
    if game.phase == "start":
        game = then(game, ("begin", (first,)))
    return game


def then(game: Game, *events: Event) -> Game:
    for name, arguments in events:
        found = feed(game, name, *arguments)
        assert isinstance(found, Game), (name, arguments, found)
        game = found
    return game


def refused(game: Game, name: str, *arguments: object) -> str:
    found = feed(game, name, *arguments)
    assert isinstance(found, str), (name, arguments)
    return found


def timed_out(game: Game, *drawn: Event) -> Game:
    found = expire(game, drawn)
    assert isinstance(found, Game), found
    return found


def may(game: Game, name: str) -> set[object]:
    """The first argument after the seat, for all events of this name that may be fed now."""
    return {arguments[1] for other, arguments in legal(game) if other == name}


def test_ssa_t1_setup() -> None:
    game = dealt()
    assert [len(hand) for hand in game.hands] == [5] * 4
    assert (len(game.deck), len(game.discards)) == (32, 0)
    assert game.supply == {"L": 20, "M": 20, "S": 20}
    assert game.towers == [[]] * 5
    assert (game.phase, waiting(game), game.round) == ("select", [0, 1, 2, 3], 1)


def test_ssa_t2_hearts_place_the_largest_floor_left() -> None:
    game = then(table("KH 2C|2D|2S|3C", supply=(2, 20, 20)), ("play", (0, "KH")))
    assert (game.phase, game.actions[0], game.deck[-1]) == ("hearts", 2, "AH")  # KH is not under the deck yet
    game = then(game, ("add", (0, A)), ("add", (0, A)))
    assert (game.phase, game.hands[0]) == ("hearts", ["2C"])
    game = then(game, ("add", (0, B)))
    assert game.towers == [["L", "L"], ["M"], [], [], []]
    assert game.supply == {"L": 0, "M": 19, "S": 20}
    assert (game.deck[-1], game.actions, game.phase, game.active) == ("KH", [2, 3, 3, 3], "action", 0)


def test_ssa_t3_removed_floors_return_to_the_supply() -> None:
    game = then(table("10S 2H|2D|2S|3C", supply=(0, 20, 20), towers="||LM||"), ("play", (0, "10S")))
    game = then(game, ("remove", (0, C)))
    assert refused(game, "remove", 0, D) == "SSA-13"
    game = then(game, ("remove", (0, C)))
    assert (game.supply, game.towers) == ({"L": 1, "M": 21, "S": 20}, [[]] * 5)
    assert game.phase == "action"
    game = then(game, ("play", (0, "2H")), ("add", (0, E)))
    assert game.towers[E] == ["L"]


def test_ssa_t4_turns_of_a_round() -> None:
    game = table("2C 3C 4C|5C 6C 7C|8C 9C|2D", first=2)
    game = then(game, ("discard", (2, ["8C"])), ("end_turn", (2,)))
    assert (game.active, game.actions[2], game.out[2]) == (3, 2, False)
    game = then(game, ("end_turn", (3,)))
    assert (game.active, game.out) == (0, [False, False, False, True])
    game = then(game, ("discard", (0, ["2C"])), ("discard", (0, ["3C"])), ("discard", (0, ["4C"])))
    assert (game.active, game.actions[0]) == (1, 0)  # its turn ended automatically
    game = then(game, ("discard", (1, ["5C"])), ("discard", (1, ["6C"])), ("end_turn", (1,)))
    assert game.active == 2
    game = then(game, ("end_turn", (2,)))
    assert (game.active, game.out) == (1, [False, False, True, True])  # seat 0 has no actions left
    assert refused(game, "discard", 0, ["4C"]) == "GEN-4"
    game = then(game, ("discard", (1, ["7C"])))
    assert (game.phase, game.round, game.active) == ("select", 2, None)
    assert (game.actions, game.out) == ([3] * 4, [False] * 4)
    assert game.hands == [[], [], ["9C"], ["2D"]]  # not refilled


def test_ssa_t5_draw_up() -> None:
    game = then(table("2C 3C|4C|5C|6C", discards="KS 2H"), ("draw_up", (0,)))
    top = list(game.deck)
    game = then(game, ("from_deck", (0,)), ("from_discard", (0, "KS")), ("from_deck", (0,)))
    assert sorted(game.hands[0]) == sorted(["2C", "3C", "KS", *top[:2]])
    assert (game.discards, game.actions[0], game.active) == (["2H"], 0, 1)
    five = table("2C 3C 4C 5C 6C|7C|8C|9C")
    assert refused(five, "draw_up", 0) == "1b ACTION"
    two_left = then(table("2C 3C|4C|5C|6C"), ("discard", (0, ["2C"])))
    assert refused(two_left, "draw_up", 0) == "1b ACTION"


def test_ssa_t6_chance_for_another() -> None:
    game = table("7D 2C 3C|4C 5C|8C 9D KC|6C", options=Options(open_market=True))
    game = replace(game, out=[False, False, True, False])
    game = then(game, ("play", (0, "7D")), ("roll", (6,)))
    assert (game.phase, waiting(game)) == ("chance6", [0])
    assert refused(game, "target", 0, 0) == "SSA-21"
    game = then(game, ("target", (0, 2)), ("roll", (6,)))
    assert (game.phase, game.decider, waiting(game)) == ("roll", 2, [])  # rolled again
    game = then(game, ("roll", (4,)))
    assert (game.phase, waiting(game)) == ("chance4", [2])
    assert refused(game, "play", 2, "9D") == "SSA-17"
    assert refused(game, "open_market", 2, "KC") == "SSA-16"  # not its turn
    assert refused(game, "draw_up", 2) == "SSA-16"
    assert refused(game, "end_turn", 0) == "GEN-4"
    then(game, ("discard", (2, ["9D"])))
    game = then(game, ("play", (2, "8C")), ("spy", (2, 0, "hand")), ("stop_peeking", (2,)))
    assert (game.phase, waiting(game), game.active) == ("action", [0], 0)
    assert (game.actions, game.out[2]) == ([2, 3, 3, 3], True)
    assert game.deck[-2:] == ["8C", "7D"]


@pytest.mark.parametrize(
    ("card", "rolled", "results"),
    [("QD", 1, {1, 2}), ("KD", 5, {3, 4, 5, 6}), ("AD", 1, {1, 2, 3}), ("9D", 3, {3}), ("10D", 4, {3, 4, 5})],
)
def test_ssa_t7_adjusting(card: str, rolled: int, results: set[int]) -> None:
    game = then(table(f"{card} 2C|3C|4C|5C"), ("play", (0, card)), ("roll", (rolled,)))
    assert game.rolled == (rolled if card != "9D" else None)  # its effect is over
    by = {0} if game.phase != "adjust" else may(game, "adjust")
    assert {rolled + one for one in by if isinstance(one, int)} == results
    if card != "9D":
        assert refused(game, "adjust", 0, 3) == "SSA-18"


def test_ssa_t8_swapping_hands() -> None:
    game = then(table("7D 2C|3C 4C 5C|6C|"), ("play", (0, "7D")), ("roll", (2,)))
    assert refused(game, "swap", 0, 1, 1) == "1b CHANCE 2"
    game = then(game, ("swap", (0, 1, 3)))
    assert game.hands == [["2C"], [], ["6C"], ["3C", "4C", "5C"]]


def test_ssa_t9_two_peeks_in_sequence() -> None:
    game = then(table("JC 2C|3C|4C|5C"), ("play", (0, "JC")))
    assert refused(game, "spy", 0, 0, "hand") == "SSA-27"
    game = then(game, ("spy", (0, 1, "tracker")))
    assert (game.phase, game.peeking, notes_locked(game)) == ("spy", Peek(0, 1, "tracker"), [0])
    assert refused(game, "spy", 0, 1, "hand") == "GEN-4"
    assert refused(game, "done", 0) == "GEN-4"
    game = then(game, ("stop_peeking", (0,)))
    assert (game.phase, notes_locked(game), game.hands[0]) == ("clubs", [], ["2C"])
    game = timed_out(then(game, ("spy", (0, 1, "hand"))))
    assert (game.phase, game.deck[-1], game.actions[0]) == ("action", "JC", 2)


@pytest.mark.parametrize("to", ["return", "discard", "bottom"])
def test_ssa_t10_lowball(to: str) -> None:
    game = table("AC 2C|9H 3C|AD 4C|AS 5C", options=Options(lowball=True, lowball_card=to))
    assert (game.phase, waiting(game)) == ("lowball", [0, 1, 2, 3])
    offers = [(0, "AC"), (1, "9H"), (2, "AD"), (3, "AS")]
    for seat, card in offers:
        assert refused(game, "lock", seat) == "GEN-5"
        game = then(game, ("offer_card", (seat, card)), ("lock", (seat,)))
    assert (game.phase, game.active, game.revealed) == ("action", 2, ["AC", "9H", "AD", "AS"])
    cards = [card for _, card in offers]
    held = ["AC", "2C"] if to == "return" else ["2C"]
    assert game.hands[0] == held
    assert game.discards == (cards if to == "discard" else [])
    assert (game.deck[-4:] == cards) is (to == "bottom")


def test_ssa_t19_open_market() -> None:
    game = table("KS 2C|3C|4C|5C", options=Options(open_market=True))
    game = replace(game, marks=[[A, A, A, B], [B, B, B, B], [C] * 4, [C] * 4])
    game = then(game, ("open_market", (0, "KS")))
    before = score(game).claimed
    some = ([1, 0, 0, 0, 0], [0, 2, 0, 0, 0])
    assert refused(game, "propose", 1, 2, *some) == "SSA-34"
    assert refused(game, "propose", 0, 1, [4, 0, 0, 0, 0], [0] * 5) == "SSA-32"
    assert refused(game, "propose", 0, 1, [0] * 5, [0] * 5) == "SSA-32"
    assert refused(game, "propose", 0, 1, [0, 0, 0, 0, -1], [1, 0, 0, 0, 0]) == "SSA-32"
    game = then(game, ("propose", (0, 1, [0] * 5, [0, 9, 0, 0, 0])), ("propose", (0, 1, *some)))
    assert refused(game, "accept", 1, 0) == "SSA-33"
    assert refused(game, "accept", 2, 1) == "GEN-4"
    game = then(game, ("accept", (1, 1)))
    assert [holdings(game, seat) for seat in (0, 1)] == [[2, 3, 0, 0, 0], [1, 2, 0, 0, 0]]
    assert score(game).claimed == before
    assert game.marks[0] == [A, A, A, B]
    game = then(game, ("close_market", (0,)))
    assert (game.offers, game.deck[-1], game.actions[0]) == ([], "KS", 2)


# --- beyond the printed examples: rulings of 1e ---


def test_gen_5_and_ssa_8_selecting() -> None:
    game = then(dealt(), ("select", (0, A)), ("select", (0, B)), ("lock", (0,)))
    assert refused(game, "select", 0, C) == "GEN-5"
    assert refused(game, "lock", 1) == "SSA-6"
    assert refused(game, "select", 1, 5) == "SSA-6"
    game = then(game, ("unlock", (0,)), ("select", (0, D)), ("select", (2, E)), ("lock", (2,)))
    assert game.marks == [[], [], [], []]
    assert expire(game, [("select", (1, A))]) == "SSA-8"
    game = timed_out(game, ("select", (1, A)), ("select", (3, B)))
    assert (game.marks, game.phase) == ([[D], [A], [E], [B]], "start")
    assert refused(game, "unlock", 0) == "GEN-4"


def test_ssa_11_a_card_cannot_be_drawn_by_its_own_chance() -> None:
    game = then(table("7D 2C|3C|4C|5C", deck=1), ("play", (0, "7D")), ("roll", (3,)))
    assert (game.hands[0], game.deck) == (["2C", "6C"], ["7D"])  # the second draw found nothing


def test_ssa_13_uses_that_lapse() -> None:
    game = then(table("2H 2S|3C|4C|5C", supply=(0, 0, 0)), ("play", (0, "2H")))
    assert (game.phase, game.actions[0], game.deck[-1]) == ("action", 2, "2H")
    game = then(table("2H 2S|3C|4C|5C"), ("play", (0, "2S")))
    assert (game.phase, game.actions[0], game.deck[-1]) == ("action", 2, "2S")
    game = then(table("KH 2S|3C|4C|5C", supply=(0, 0, 1)), ("play", (0, "KH")), ("add", (0, A)))
    assert game.phase == "action"
    game = then(table("KS 2S|3C|4C|5C", towers="L||||"), ("play", (0, "KS")), ("remove", (0, A)))
    assert game.phase == "action"
    game = then(table("KS 2S|3C|4C|5C", towers="LL||||"), ("play", (0, "KS")), ("done", (0,)))
    assert (game.phase, game.towers[A]) == ("action", ["L", "L"])


def test_ssa_15_chance_3() -> None:
    three: tuple[Event, ...] = (("play", (0, "7D")), ("roll", (3,)))
    game = then(table("7D|3C|4C|5C", discards="AH"), *three)
    assert (len(game.hands[0]), game.phase, game.active) == (2, "action", 0)
    game = then(table("7D|3C|4C|5C", discards="AH KH", deck=1), *three)
    assert (game.phase, game.to_draw, waiting(game)) == ("chance3", 1, [0])
    assert refused(game, "from_deck", 0) == "SSA-22"
    assert sorted(timed_out(game).hands[0]) == ["2C"]
    assert sorted(then(game, ("from_discard", (0, "KH"))).hands[0]) == ["2C", "KH"]
    either = Options(chance3_source="either")
    game = then(table("7D|3C|4C|5C", discards="AH", options=either), *three)
    assert (game.phase, len(game.hands[0])) == ("chance3", 0)
    assert len(timed_out(game).hands[0]) == 2
    game = then(game, ("from_discard", (0, "AH")))
    assert (game.phase, len(game.hands[0])) == ("action", 2)  # the other came from the deck automatically


def test_ssa_16_moves_allowed_as_a_free_action() -> None:
    both = Options(open_market=True, chance4_draw=True)
    four: tuple[Event, ...] = (("play", (0, "7D")), ("roll", (4,)))
    game = then(table("7D JD|3C|4C|5C", options=both), *four)
    assert refused(game, "play", 0, "JD") == "SSA-17"
    market = then(game, ("open_market", (0, "JD")), ("close_market", (0,)))
    assert (market.deck[-2:], market.actions[0]) == (["JD", "7D"], 2)
    drawn = then(game, ("draw_up", (0,)), ("from_deck", (0,)), ("done", (0,)))
    assert (len(drawn.hands[0]), drawn.actions[0], drawn.active) == (2, 2, 0)
    declined = then(game, ("decline", (0,)))
    assert (declined.phase, declined.spent) == ("action", 1)
    empty = then(table("7D|3C|4C|5C", options=both), *four)
    assert empty.phase == "chance4"  # it may draw up
    nothing = then(table("7D|3C|4C|5C"), *four)
    assert (nothing.active, nothing.actions[0], nothing.out[0]) == (1, 2, False)  # no cards left (SSA-36)


def test_ssa_21_chance_1() -> None:
    game = then(table("7D 2C|3C 4C|5C|"), ("play", (0, "7D")), ("roll", (1,)))
    assert may(game, "target") == {1, 2}
    game = then(game, ("target", (0, 1)))
    assert (game.peeking, notes_locked(game)) == (Peek(0, 1, "hand"), [0])
    assert refused(game, "take", 0, "5C") == "SSA-21"
    game = then(game, ("take", (0, "4C")))
    assert (game.hands, game.peeking) == ([["2C", "4C"], ["3C"], ["5C"], []], None)
    alone = then(table("7D 2C|||"), ("play", (0, "7D")), ("roll", (1,)))
    assert alone.phase == "action"


def test_ssa_25_lowball_without_cards() -> None:
    option = Options(lowball=True)
    assert table("|||", options=option).phase == "action"  # nobody could offer, so a random seat starts
    game = table("AC|KC||", options=option)
    assert waiting(game) == [0, 1]
    game = then(game, ("offer_card", (0, "AC")), ("offer_card", (1, "KC")), ("lock", (1,)))
    shown = timed_out(game)
    assert (shown.revealed, shown.active) == ([None, "KC", None, None], 1)
    nobody = timed_out(table("AC|KC||", options=option))
    assert (nobody.phase, nobody.revealed) == ("start", [None] * 4)
    assert then(nobody, ("begin", (3,))).active == 3


def test_ssa_30_and_42_showing_a_tracker() -> None:
    assert refused(table(), "show", 0, [1]) == "SSA-30"
    game = table("JC|2C|3C|4C", options=Options(talk="wholeTruth"))
    assert refused(game, "show", 0, [0, 1]) == "SSA-30"
    assert then(game, ("show", (2, [1, 3]))).shown[0].marks == (A,)
    spying = then(game, ("play", (0, "JC")), ("spy", (0, 1, "hand")))
    assert refused(spying, "show", 0, [1]) == "1b SPY"
    then(spying, ("show", (1, [0])))
    rolled = then(table("7D|2C|3C|4C", options=game.options), ("play", (0, "7D")), ("roll", (1,)))
    taking = then(rolled, ("target", (0, 1)))
    assert refused(taking, "show", 0, [2]) == "1b SPY"
    then(taking, ("show", (1, [0])))
    fresh_round = then(dealt(Options(talk="wholeTruth")), ("select", (0, B)), ("lock", (0,)))
    assert then(fresh_round, ("show", (0, [1]))).shown[0].marks == ()


def test_ssa_34_passing_shares_on() -> None:
    game = table("KS|3C|4C|5C", options=Options(open_market=True))
    game = then(replace(game, marks=[[A], [B], [C], [D]]), ("open_market", (0, "KS")))
    gift = [[0, 1, 0, 0, 0], [0] * 5]
    game = then(game, ("propose", (1, 0, *gift)), ("propose", (1, 0, *gift)), ("accept", (0, 0)))
    assert game.offers == []  # the other offer gave the same share
    game = then(game, ("propose", (0, 2, *gift)), ("propose", (0, 3, *gift)), ("accept", (2, 2)))
    assert [holdings(game, seat) for seat in range(3)] == [[1, 0, 0, 0, 0], [0] * 5, [0, 1, 1, 0, 0]]
    game = then(game, ("propose", (3, 0, [0] * 5, [1, 0, 0, 0, 0])))
    assert refused(game, "cancel_offer", 0, 4) == "GEN-4"
    assert refused(game, "decline_offer", 3, 4) == "GEN-4"
    assert then(game, ("cancel_offer", (3, 4))).offers == then(game, ("decline_offer", (0, 4))).offers == []
    assert refused(game, "close_market", 1) == "GEN-4"


def test_ssa_36_a_seat_that_can_spend_nothing_goes_out_by_its_next_turn() -> None:
    game = then(table("2C|3C 4C||5C"), ("discard", (0, ["2C"])))
    assert (game.out, game.active, game.actions[0]) == ([False] * 4, 1, 2)
    game = then(game, ("discard", (1, ["3C"])), ("end_turn", (1,)))
    assert game.active == 2  # no cards, but it may draw up
    later = then(game, ("end_turn", (2,)), ("end_turn", (3,)))
    assert (later.out, later.active) == ([True, False, True, True], 1)
    lucky = replace(game, hands=[["6C"], *game.hands[1:]])
    assert then(lucky, ("end_turn", (2,)), ("end_turn", (3,))).active == 0
    assert refused(game, "discard", 2, []) == "SSA-36"
    assert refused(table("2C 3C|||"), "discard", 0, ["2C", "2C"]) == "SSA-36"


def test_ssa_22_and_23_drawing_ends() -> None:
    game = then(table("2C|3C|4C|5C", deck=1, discards="AH"), ("draw_up", (0,)), ("from_deck", (0,)))
    assert refused(game, "from_deck", 0) == "SSA-22"
    assert refused(game, "from_discard", 0, "KH") == "SSA-22"
    assert timed_out(game).active == then(game, ("done", (0,))).active == 1
    game = then(game, ("from_discard", (0, "AH")))
    assert (game.active, game.actions[0]) == (1, 0)
    full = timed_out(then(table("2C|3C|4C|5C"), ("draw_up", (0,))))
    assert (len(full.hands[0]), full.active) == (5, 1)


@pytest.mark.parametrize(
    ("face", "drawn", "hands"),
    [
        (1, (("target", (0, 1)), ("take", (0, "3C"))), [["2C", "3C"], [], ["4C"], ["5C"]]),
        (2, (("swap", (0, 3, 0)),), [["5C"], ["3C"], ["4C"], ["2C"]]),
        (4, (), [["2C"], ["3C"], ["4C"], ["5C"]]),
        (6, (("target", (0, 2)),), [["2C"], ["3C"], ["4C"], ["5C"]]),
    ],
)
def test_gen_7_chance_choices_that_time_out(
    face: int, drawn: tuple[Event, ...], hands: list[list[str]]
) -> None:
    game = then(table("QD 2C|3C|4C|5C"), ("play", (0, "QD")), ("roll", (face,)))
    game = timed_out(game)  # not adjusted
    if drawn:
        assert expire(game) == "GEN-7"
    game = timed_out(game, *drawn)
    assert game.hands == hands
    assert (game.phase, game.decider) == (("roll", 2) if face == 6 else ("action", 0))


@pytest.mark.parametrize(
    ("card", "uses"), [("2H", 1), ("9D", 1), ("10S", 2), ("QC", 2), ("KH", 3), ("AD", 3)]
)
def test_uses_by_rank(card: str, uses: int) -> None:
    assert uses_of(card) == uses


CHANCES: list[tuple[str, list[Event]]] = [
    ("hearts", [("play", (0, "KH"))]),
    ("spades", [("play", (0, "KS"))]),
    ("clubs", [("play", (0, "KC"))]),
    ("spy", [("play", (0, "KC")), ("spy", (0, 2, "hand"))]),
    ("adjust", [("play", (0, "KD")), ("roll", (5,))]),
    ("chance1", [("play", (0, "7D")), ("roll", (1,))]),
    ("chance2", [("play", (0, "7D")), ("roll", (2,))]),
    ("chance3", [("play", (0, "7D")), ("roll", (3,))]),
    ("chance4", [("play", (0, "7D")), ("roll", (4,))]),
    ("chance6", [("play", (0, "7D")), ("roll", (6,))]),
    ("peek", [("play", (0, "7D")), ("roll", (1,)), ("target", (0, 1))]),
    ("draw", [("draw_up", (0,))]),
    ("action", []),
]


@pytest.mark.parametrize(("phase", "events"), CHANCES)
def test_only_the_decider_acts(phase: str, events: list[Event]) -> None:
    options = Options(chance3_source="either", open_market=True)
    hand = "KH KS KC KD" if phase == "draw" else "KH KS KC KD 7D"
    game = table(hand + "|7C 8C|9C|5C", towers="LL||||", discards="2D", options=options)
    game = then(game, *events)
    assert (game.phase, waiting(game)) == (phase, [0])
    assert {arguments[0] for _, arguments in legal(game)} == {0}
    mine = [(name, arguments[1:]) for name, arguments in legal(game)]
    assert all(refused(game, name, 1, *rest) == "GEN-4" for name, rest in mine)


def test_unknown_companies_seats_and_cards_are_refused() -> None:
    game = table("KH KS KC 7D|7C 8C|9C|5C", towers="LL||||")
    for name, card in (("add", "KH"), ("remove", "KS")):
        for company in (-1, 5):
            assert refused(then(game, ("play", (0, card))), name, 0, company) == "SSA-13"
    for seat in (-1, 4):
        assert refused(then(game, ("play", (0, "KC"))), "spy", 0, seat, "hand") == "SSA-27"
        rolled = then(game, ("play", (0, "7D")))
        assert refused(then(rolled, ("roll", (1,))), "target", 0, seat) == "SSA-21"
        assert refused(then(rolled, ("roll", (2,))), "swap", 0, 1, seat) == "1b CHANCE 2"
        assert refused(replace(game, phase="start"), "begin", seat) == "SSA-38"
    assert refused(then(game, ("play", (0, "KC"))), "spy", 0, 1, "deck") == "SSA-27"
    assert refused(then(game, ("play", (0, "7D"))), "roll", 7) == "1b DIAMONDS"
    assert refused(game, "roll", 1) == "1b DIAMONDS"
    assert refused(game, "play", 0, "7C") == "1b ACTION"


def test_ssa_9_the_last_seat_in_a_round_takes_consecutive_turns() -> None:
    game = then(table("2C 3C 4C|5C|6C|7C", first=1), *(("end_turn", (seat,)) for seat in (1, 2, 3)))
    game = then(game, ("discard", (0, ["2C"])), ("end_turn", (0,)))
    assert (game.active, game.spent, game.actions[0], game.out[0]) == (0, 0, 2, False)
    assert then(game, ("end_turn", (0,))).round == 2
