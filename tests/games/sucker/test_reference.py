"""The reference version of So Long Sucker agrees with the examples in the rulings (2d, 2f)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.sucker.reference import defaults, expire, feed, finish, forced_next, legal, next_round
from tests.games.sucker.reference_table import (
    KINDS,
    Card,
    Game,
    Options,
    chips_of,
    holder,
    known_kinds,
    next_chips,
    outcome,
    start,
    waiting,
)

R, B, G, Y = range(4)
FULL = list(KINDS * 2)


def colours(text: str) -> list[int]:
    """The seats for letters such as "RBG"."""
    return ["RBGY".index(letter) for letter in text]


def hands(text: str) -> list[list[int]]:
    """The chips of each seat: "R:RRB G:B" gives R two of its own chips and a B, and G a B."""
    chips = [[0] * 4 for _ in range(4)]
    for hand in text.split():
        for colour in colours(hand[2:]):
            chips["RBGY".index(hand[0])][colour] += 1
    return chips


def table(
    chips: str,
    piles: str = "",
    stack: str = "R",
    dead: str = "",
    cards: tuple[Card, ...] = (),
    deck: tuple[str, ...] = ("return",),
    options: Options | None = None,
) -> Game:
    """A position with four seats in MOVE: the last in `stack` has the move; `dead` is in order of defeat."""
    rows = [[colour for colour in range(4) if colour != seat] for seat in range(4)]
    game = start(4, options or Options(), rows, FULL, R)
    return replace(
        game,
        chips=hands(chips),
        piles=[colours(pile) for pile in piles.split()],
        stack=colours(stack),
        alive=[seat not in colours(dead) for seat in range(4)],
        eliminated=colours(dead),
        cards=list(cards),
        deck=list(deck),
        taken=len(cards),
    )


def after(game: Game, *events: str) -> Game:
    """The game after events like "place R B 0", with letters for seats and colours and - for None."""
    for event in events:
        name, *words = event.split()
        arguments = [
            None if word == "-" else int(word) if word.isdigit() else "RBGY".index(word) for word in words
        ]
        result = feed(game, name, *arguments)
        assert isinstance(result, Game), (event, result)
        game = result
    return game


def refused(game: Game, event: str) -> str:
    """The rule that forbids the event."""
    name, *words = event.split()
    arguments = [
        None if word == "-" else int(word) if word.isdigit() else "RBGY".index(word) for word in words
    ]
    result = feed(game, name, *arguments)
    assert isinstance(result, str), event
    return result


def named(game: Game, name: str) -> set[tuple[int | None, ...]]:
    return {arguments for other, arguments in legal(game) if other == name}


def test_sls_t1_without_a_capture_two_seats_may_be_chosen() -> None:
    game = after(table("R:RR B:BB G:GG Y:YY", "R", "RB"), "place B B 0 -")
    assert (game.phase, waiting(game), game.eligible) == ("choose", [B], [G, Y])
    assert named(game, "give_move") == {(B, G), (B, Y)}
    assert refused(game, "give_move B B") == "SLS-4"
    assert refused(game, "give_move R G") == "GEN-4"
    game = after(game, "give_move B Y")
    assert (game.phase, game.stack) == ("move", [R, B, Y])


def test_sls_t2_forced_and_blackmailed() -> None:
    game = after(table("R:RR B:BB G:GG Y:YY", "RBG", "RBGY"), "place Y Y 0 -")
    assert (game.phase, game.stack) == ("move", [R, B, G, Y, R])
    assert game.cards == [Card(0, "return", Y, R)]
    assert game.deck == []
    assert [known_kinds(game, viewer) for viewer in (R, B, G, Y, None)] == [
        {0: "return"},
        {},
        {},
        {0: "return"},
        {},
    ]
    public = replace(game, options=Options(blackmail_faces="public"))
    assert known_kinds(public, None) == {0: "return"}


def test_sls_t3_lowest_of_the_highest() -> None:
    game = table("R:R B:B G:G Y:Y")
    assert forced_next(game, colours("RBGY")) == R
    assert forced_next(game, colours("RBGYR")) == B
    game = after(table("R:RR B:B G:G Y:Y", "RBGY", "YR"), "place R R 0 -")
    assert holder(game) == B
    assert game.cards == [Card(0, "return", R, B)]


def test_sls_t4_capture_by_a_prisoner() -> None:
    game = after(table("R:RRRRRBB B:BBBB G:G Y:Y", "RGB", "YR"), "place R B 0 -")
    assert (game.phase, waiting(game), game.stack) == ("kill", [B], [Y, R])
    assert named(game, "kill") == {(B, R), (B, G), (B, B)}
    assert refused(game, "kill B Y") == "SLS-9"
    assert refused(game, "kill R R") == "GEN-4"
    game = after(game, "kill B R")
    assert game.chips == hands("R:RRRRRB B:BBBBBBG G:G Y:Y")
    assert game.killed == [1, 0, 0, 0]
    assert (game.piles, game.phase, game.stack) == ([], "move", [Y, R, B])


def test_sls_t5_keeping_the_move() -> None:
    game = after(table("R:RY B:B G:G Y:Y"), "place R Y - -")
    assert game.eligible == [R, B, G]
    game = after(game, "give_move R R")
    assert (game.stack, game.piles) == ([R, R], [[Y]])


def test_sls_t6_defeated_colours_do_not_count() -> None:
    game = after(table("R:R B:B G:GG", "YRB", "RBG", "Y"), "place G G 0 -")
    assert holder(game) == R
    assert game.cards == [Card(0, "return", G, R)]


def test_sls_t7_capture_by_a_defeated_colour() -> None:
    game = after(table("R:RRRY B:B G:G", "BGY", "BR", "Y"), "place R Y 0 -")
    assert (game.killed, game.piles) == ([0, 1, 1, 2], [])
    assert (game.phase, game.stack, chips_of(game, R)) == ("move", [B, R], 3)


def test_sls_t8_a_seat_falls_without_a_window() -> None:
    game = after(table("R:RR G:G Y:Y", "G", "GR"), "place R R 0 -", "give_move R B")
    assert (game.eliminated, game.alive) == ([B], [True, False, True, True])
    assert (game.phase, game.stack) == ("move", [G, R])


def test_sls_t11_rescue() -> None:
    game = after(table("R:RR G:GB Y:Y", "G", "GR"), "place R R 0 -", "give_move R B")
    assert (game.phase, holder(game), waiting(game)) == ("rescue", B, [G])
    assert refused(game, "refuse Y") == "SLS-15"  # it holds no prisoners
    assert refused(game, "transfer Y Y 1 B") == "SLS-13"
    game = after(game, "transfer G B 1 B")
    assert (game.phase, game.stack, game.eliminated, game.cards) == ("move", [G, R, B], [], [])
    assert named(game, "place") == {(B, B, None, None), (B, B, 0, None)}


def test_sls_t11_card_after_the_rescue() -> None:
    game = after(table("R:RR G:GB Y:Y", "BGY", "GR"), "place R R 0 -")
    assert (game.phase, holder(game), game.cards) == ("rescue", B, [])
    game = after(game, "transfer G B 1 B")
    assert game.cards == [Card(0, "return", R, B)]


def test_sls_t12_capture_card() -> None:
    card = Card(0, "capture", R, B)
    game = table("R:RRB B:B G:G Y:Y", "GYB R B", "BR", cards=(card,))
    assert refused(game, "place R B 1 0") == "SLS-26"  # captures nothing
    assert refused(game, "place R B - 0") == "SLS-26"
    assert refused(game, "place R R 1 0") == "SLS-26"  # of a different colour
    without = after(game, "place R B 0 -")
    assert (waiting(without), without.cards) == ([B], [card])
    game = after(game, "place R B 0 0")
    assert (waiting(game), game.cards, game.played) == ([R], [], [card])
    game = after(game, "kill R B")
    assert game.chips == hands("R:RRBGY B:B G:G Y:Y")
    assert (game.killed, game.stack, game.phase) == ([0, 1, 0, 0], [B, R, R], "move")


def test_sls_t13_return_card() -> None:
    card = Card(0, "return", R, B)
    game = after(table("R:RBB B:B G:GB Y:Y", cards=(card,)), "play_card R 0 -")
    assert game.chips == hands("R:R B:BBB G:G Y:Y")
    assert (game.killed, game.played, game.cards) == ([0, 1, 0, 0], [card], [])
    assert (game.phase, holder(game)) == ("move", R)
    nothing = table("R:R B:BB G:G Y:Y", cards=(card,))
    assert refused(nothing, "play_card R 0 -") == "SLS-24"


def test_sls_t14_tribute_card() -> None:
    card = Card(0, "tribute", R, B)
    game = table("R:R B:BBGGGY G:G Y:Y", cards=(card,))
    assert named(game, "play_card") == {(R, 0, G), (R, 0, Y)}  # not B's own, and B has no R
    game = after(game, "play_card R 0 G")
    assert game.chips == hands("R:RGGG B:BBY G:G Y:Y")


def test_sls_t15_self_rescue() -> None:
    card = Card(0, "tribute", R, B)
    game = table("B:BYY G:GG Y:Y", "Y", "RG", cards=(card,))
    game = after(game, "place G G 0 -", "give_move G R")
    assert (game.phase, waiting(game)) == ("rescue", [R, B])
    alone = after(game, "refuse B")
    assert (alone.phase, waiting(alone)) == ("rescue", [R])  # its card might help, so the table waits
    assert after(alone, "refuse R").eliminated == [R]
    game = after(game, "play_card R 0 Y")
    assert game.chips == hands("R:YY B:B G:G Y:Y")
    assert (game.phase, game.stack, game.eliminated) == ("move", [R, G, R], [])


@pytest.mark.parametrize("prisoners", ["", "B"])
def test_sls_t17_no_card_for_a_defeat(prisoners: str) -> None:
    naming = Card(0, "tribute", G, B)
    game = table(f"R:RR G:G{prisoners} Y:Y", "BGY", "GR", cards=(naming,))
    game = after(game, "place R R 0 -")
    if prisoners:
        assert (game.phase, game.eliminated) == ("rescue", [])
        game = after(game, "refuse G")
    assert (game.eliminated, game.deck, game.cards, game.void) == ([B], ["return"], [], [naming])
    assert (game.phase, game.stack) == ("move", [G, R])


def test_sls_t18_the_last_seat_out_wins_alone() -> None:
    game = table("R:R", "BG", "BR", "GY")
    rows = [colours("BGY"), colours("GYR"), colours("RBY"), colours("RBG")]
    game = after(replace(game, rows=rows), "place R R 0 -")
    assert (game.eliminated, chips_of(game, R), game.cards) == ([G, Y, B], 0, [])
    assert (game.phase, game.round_winners, outcome(game)) == ("over", [B], [B])
    assert legal(game) == []


@pytest.mark.parametrize(
    ("row_of_survivor", "row_of_last_out", "winners"),
    [("GYB", "RGY", [R]), ("GYB", "GYR", [R, B]), ("BGY", "RGY", []), ("BGY", "GYR", [B])],
)
def test_sls_t19_outcomes(row_of_survivor: str, row_of_last_out: str, winners: list[int]) -> None:
    rows = [colours(row_of_survivor), colours(row_of_last_out), colours("RBY"), colours("RBG")]
    game = replace(table("R:R", "", "R", "GYB"), rows=rows)
    finish(game)
    assert (game.round_winners, outcome(game)) == (winners, winners)
    alone = replace(table("R:R", "", "R", "GYB"), rows=rows, options=Options(blind_ally=False))
    finish(alone)
    assert outcome(alone) == [R]


def test_sls_t20_chips_of_the_next_round() -> None:
    rows = [colours("GBY"), colours("GRY"), colours("RBY"), colours("BGR")]  # enemy, neutral, ally
    game = replace(table("R:R"), rows=rows)
    assert next_chips(game) == [7 + 1 - 1, 7 + 1, 7 + 2, 7 - 3]
    rows = [colours("BGY"), colours("RGY"), colours("RYB"), colours("GRB")]
    # R is the enemy of two, B the enemy of one and the ally of two, G the enemy of one, and Y the ally of two
    assert next_chips(replace(game, rows=rows)) == [9, 6, 8, 5]
    rows = [colours("BYG"), colours("RGY"), colours("RYB"), colours("GBR")]
    # R is the ally of one and the enemy of two, B and G are each ally and enemy of one, and Y the ally of one
    assert next_chips(replace(game, rows=rows)) == [8, 7, 7, 6]
    rows = [colours("YGB"), colours("RYG"), colours("YRB"), colours("RBG")]
    assert next_chips(replace(game, rows=rows)) == [9, 5, 5, 9]
    cumulative = replace(
        game, rows=rows, options=Options(chip_adjust="cumulative"), started_with=[6, 2, 7, 8]
    )
    assert next_chips(cumulative) == [8, 1, 5, 10]  # never below 1
    assert next_chips(replace(game, rows=rows, options=Options(chip_adjust="off"))) == [7] * 4


# --- beyond the printed examples: rulings of 2e ---


def test_sls_15_the_window_follows_the_holders_of_prisoners() -> None:
    game = after(table("R:RR G:GB Y:YG", "G", "GR"), "place R R 0 -", "give_move R B")
    assert waiting(game) == [G, Y]
    game = after(game, "refuse Y")
    assert waiting(game) == [G]
    game = after(game, "unrefuse Y", "transfer Y G 1 R")
    assert waiting(game) == [R, G]
    assert refused(game, "unrefuse Y") == "SLS-15"
    game = after(
        game, "refuse R", "kill_prisoner G B 1"
    )  # the last seat that had not answered no longer holds any
    assert (game.eliminated, game.phase, game.stack) == ([B], "move", [G, R])


def test_sls_15_a_refusal_lapses_with_the_prisoners() -> None:
    game = after(table("R:RR G:GB Y:YR", "G", "GR"), "place R R 0 -", "give_move R B", "refuse Y")
    game = after(game, "transfer Y R 1 G")
    assert waiting(game) == [G]
    assert waiting(after(game, "transfer G R 1 Y")) == [G, Y]


def test_a_rescued_seat_keeps_a_chip_to_place() -> None:
    card = Card(0, "return", B, R)
    game = table("R:RR G:GB Y:YRR", "G", "GR", cards=(card,))
    game = after(game, "place R R 0 -", "give_move R B", "transfer Y R 2 B")
    assert refused(game, "transfer B R 2 G") == "2b RESCUE"
    assert refused(game, "kill_prisoner B R 2") == "2b RESCUE"
    assert refused(game, "play_card B 0 -") == "2b RESCUE"
    game = after(game, "transfer B R 1 G")
    assert (game.phase, holder(game)) == ("move", B)
    game = after(game, "place B R - -")
    assert not game.bound


def test_sls_26_a_capture_card_needs_a_prisoner() -> None:
    card = Card(0, "capture", R, R)
    game = table("R:RR B:B G:G Y:Y", "GR", "B", cards=(card,), options=Options(self_blackmail=True))
    game = after(game, "place B B - -", "give_move B R")
    assert refused(game, "place R R 0 0") == "SLS-26"


def test_sls_16_and_17_the_move_goes_back_along_the_stack() -> None:
    game = after(table("R:R G:G Y:Y", "", "GRR"), "place R R - -", "give_move R B")
    assert game.eliminated == [B, R]  # R has nothing left either, and the move it gave itself is skipped
    assert (game.stack, game.phase) == ([G], "move")
    game = after(table("R:R G:G Y:Y", "", "R"), "place R R - -", "give_move R B")
    assert (game.eliminated, game.stack) == ([B, R], [G])  # the first seat clockwise from R that is not out


def test_sls_17_the_move_goes_clockwise_if_the_stack_is_empty() -> None:
    game = after(table("R:Y B:B G:G Y:", "", "R", "Y"), "kill_prisoner R Y 1")
    assert (game.eliminated, game.stack, game.phase) == ([Y, R], [B], "move")


@pytest.mark.parametrize("on", [False, True])
def test_sls_20_blackmailing_oneself_is_an_option(on: bool) -> None:
    game = table("R:RB B:B G:G Y:Y", "RGY", "R", options=Options(self_blackmail=on))
    game = after(game, "place R B 0 -")
    assert holder(game) == R
    assert game.cards == ([Card(0, "return", R, R)] if on else [])


def test_sls_25_cards_of_the_defeated() -> None:
    cards = (
        Card(0, "capture", R, B),
        Card(1, "tribute", R, B),
        Card(2, "capture", B, G),
        Card(3, "return", G, Y),
    )
    give = ("place R R 0 -", "give_move R B")
    game = after(table("R:RRB G:G Y:Y", "G B", "GR", cards=cards), *give, "refuse R")
    assert [card.number for card in game.cards] == [3]
    assert [card.number for card in game.void] == [0, 1, 2]
    assert refused(game, "place R B 1 0") == "SLS-26"
    keep = Options(dead_cards="keepCapture")
    game = after(table("R:RRB G:G Y:Y", "G B", "GR", cards=cards, options=keep), *give, "refuse R")
    assert [card.number for card in game.cards] == [0, 1, 3]  # of any kind, so that no kind is given away
    assert refused(game, "play_card R 1 G") == "SLS-24"
    game = after(game, "place R B 1 0")
    assert (game.phase, waiting(game)) == ("kill", [R])
    game = after(game, "kill R B")
    assert (game.stack, game.chips[R]) == ([G, R, R], [1, 1, 0, 0])


def test_sls_36_giving_away_the_last_chip() -> None:
    game = after(table("R:Y B:BG G:G Y:Y", "", "GR"), "transfer R Y 1 Y")
    assert (game.phase, holder(game), waiting(game)) == ("rescue", R, [B])
    game = after(game, "refuse B")
    assert (game.eliminated, game.stack) == ([R], [G])


def test_sls_24_a_return_that_empties_its_owners_hand() -> None:
    card = Card(0, "return", R, B)
    game = after(table("R:B B:B G:GR Y:Y", "", "GR", cards=(card,)), "play_card R 0 -")
    assert (game.phase, holder(game), waiting(game)) == ("rescue", R, [G])


def test_sls_10_12_13_chips_that_may_not_be_moved() -> None:
    game = table("R:RB G:G", "", "R", "BY")
    assert refused(game, "transfer R R 1 G") == "SLS-13"
    assert refused(game, "transfer R B 1 B") == "SLS-12"
    assert refused(game, "transfer R B 2 G") == "SLS-10"
    assert refused(game, "transfer R B 0 G") == "SLS-10"
    assert refused(game, "transfer R B 1 R") == "SLS-10"
    assert refused(game, "kill_prisoner R R 1") == "SLS-13"
    assert refused(game, "kill_prisoner B B 1") == "SLS-12"
    assert refused(game, "place R G - -") == "2b MOVE"
    assert refused(game, "place R R 0 -") == "SLS-29"
    assert refused(game, "place G G - -") == "GEN-4"
    assert refused(game, "kill R R") == "GEN-4"
    assert refused(game, "give_move R G") == "GEN-4"


def test_gen_7_default_moves() -> None:
    assert defaults(table("R:RBB")) == [("place", (R, R, None, None))]
    assert defaults(table("R:BGGYY")) == [("place", (R, G, None, None)), ("place", (R, Y, None, None))]
    choose = after(table("R:RY G:G", ""), "place R Y - -")
    assert defaults(choose) == [("give_move", (R, G))]  # B is nearer, but has no chips; R is the mover
    choose = after(table("R:RR", ""), "place R R - -")
    assert defaults(choose) == [("give_move", (R, B))]
    kill = after(table("R:R B:B", "GYYGR"), "place R R 0 -")
    assert defaults(kill) == [("kill", (R, G)), ("kill", (R, Y))]
    assert defaults(after(table("R:R B:B", "R"), "place R R 0 -")) == [("kill", (R, R))]
    rescue = after(table("R:RY B:R Y:Y", "", "GB"), "transfer B R 1 R")
    assert defaults(rescue) == [("refuse", (R,))]
    fallen = expire(rescue)
    assert isinstance(fallen, Game)
    assert (fallen.eliminated, fallen.phase, waiting(fallen)) == ([B], "rescue", [R])  # R may still rescue G
    assert expire(replace(choose, phase="over")) == "GEN-7"


def test_sls_3_the_first_player_of_the_next_round() -> None:
    rows = [[colour for colour in range(4) if colour != seat] for seat in range(4)]
    over = replace(table("R:R", "", "R", "GYB"), phase="roundOver")
    assert next_round(over, rows, FULL, None) == "SLS-3"
    assert next_round(replace(over, phase="move"), rows, FULL, R) == "2b ROUND END"
    for first_player, drawn, beginner in (
        ("random", G, G),
        ("lastOut", None, B),
        ("lastOut", B, B),
        ("rotate", None, B),
    ):
        game = next_round(replace(over, options=Options(first_player=first_player)), rows, FULL, drawn)
        assert isinstance(game, Game)
        assert (game.round, game.stack) == (2, [beginner])
    assert next_round(replace(over, options=Options(first_player="lastOut")), rows, FULL, Y) == "SLS-3"
