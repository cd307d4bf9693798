"""So Long Sucker: prisoners given and killed, and the rescue."""

from __future__ import annotations

from games.api import Millis, Running, Seat
from games.sucker.rules.game import SUCKER
from tests.games.sucker.table import B, G, R, Y, rescue, set_up

# --- prisoners ---


def test_sls_10_holders_may_give_or_kill_prisoners_at_any_time() -> None:
    table = set_up("3R", "3B 2G", "3G", "3Y 1R", piles=["RBG"], mover=R)
    table.transfer(B, 1, "G", Y)  # out of turn
    table.bury(Y, 1, "R")
    assert (table.hand(B), table.hand(Y)) == ("3B 1G", "1G 3Y")
    assert table.dead == "1R"
    assert table.phase_and_mover == ("turn", R)
    table.place(R, "R")
    assert table.phase_and_mover == ("choose", R)
    table.transfer(B, 1, "G", Y)  # while another seat is choosing
    table.give(R, G)
    table.place(G, "G", 0)
    assert table.phase_and_mover == ("kill", G)
    table.bury(Y, 1, "G")  # while another seat is killing a chip
    assert table.told("killedPrisoners")[-1] == {"seat": Y, "colour": G, "count": 1}
    assert table.kinds(B) == []  # it has none left
    assert table.kinds(Y) == ["prisoners"]


def test_sls_11_a_chip_given_to_its_own_player_is_no_longer_a_prisoner() -> None:
    table = set_up("3R", "3B 2G", "3G", "3Y")
    table.transfer(B, 2, "G", G)
    assert table.hand(G) == "5G"
    assert table.kinds(G) == []


def test_sls_12_13_chips_that_may_not_be_given() -> None:
    table = set_up("3R", "3B 2G", "3G", "", out="Y")
    give = {"colour": G, "count": 1, "to": R}
    assert table.refused(B, "prisoners", "transfer", **{**give, "to": Y}) == "DEFEATED"
    assert table.refused(B, "prisoners", "transfer", **{**give, "to": 4}) == "DEFEATED"
    assert table.refused(B, "prisoners", "transfer", **{**give, "to": B}) == "TO_YOURSELF"
    assert table.refused(B, "prisoners", "transfer", **{**give, "colour": B}) == "OWN_COLOUR"
    assert table.refused(B, "prisoners", "killPrisoners", colour=B, count=1) == "OWN_COLOUR"
    assert table.refused(B, "prisoners", "transfer", **{**give, "colour": Y}) == "NO_CHIP"
    assert table.refused(B, "prisoners", "transfer", **{**give, "colour": 5}) == "NO_CHIP"
    assert table.refused(B, "prisoners", "transfer", **{**give, "count": 3}) == "NO_CHIP"


def test_sls_36_giving_the_last_chip_away_before_placing() -> None:
    table = set_up("2B", "3B 1R", "3G", "3Y", mover=R, trail="G")
    table.transfer(R, 1, "B", G)
    assert table.phase_and_mover == ("turn", R)
    table.bury(R, 1, "B")
    assert table.phase_and_mover == ("rescue", R)
    table.save(B, 1, "R")
    assert table.phase_and_mover == ("turn", R)
    assert table.state.stage.bound


def test_sls_36_a_rescued_seat_must_place() -> None:
    """Two seats cannot hold up the game by handing one chip back and forth (SLS-34)."""
    table = set_up("1B", "3B 1G", "3G", "3Y", mover=R, trail="G")
    table.transfer(R, 1, "B", G)
    table.save(G, 1, "B")
    assert table.refused(R, "prisoners", "transfer", colour=B, count=1, to=G) == "MUST_PLACE"
    assert table.refused(R, "prisoners", "killPrisoners", colour=B, count=1) == "MUST_PLACE"
    table.transfer(B, 1, "G", R)
    table.transfer(R, 1, "B", G)  # not its last
    assert table.refused(R, "prisoners", "transfer", colour=G, count=1, to=G) == "MUST_PLACE"
    table.place(R, "G")
    assert not table.state.stage.bound


# --- the rescue ---


def test_sls_15_every_holder_must_answer() -> None:
    table = rescue()
    shown = table.public("rescue")
    assert [(one.seat, one.prisoners, one.refused) for one in shown.answers] == [(G, 1, False), (Y, 2, False)]
    assert (shown.needy, shown.back, shown.award) == (B, R, None)
    assert table.kinds(R) == table.kinds(B) == []
    table.refuse(G)
    assert table.phase_and_mover == ("rescue", B)
    assert [one.refused for one in table.public("rescue").answers] == [True, False]
    assert table.refused(G, "rescue", "refuse") == "ALREADY_REFUSED"
    table.do(G, "rescue", "relent")
    assert table.refused(G, "rescue", "relent") == "NOT_REFUSED"
    table.refuse(Y)
    assert table.phase_and_mover == ("rescue", B)
    table.refuse(G)
    assert table.state.stage.out == (B,)
    assert table.phase_and_mover == ("turn", R)


def test_sls_15_a_seat_that_refused_may_still_rescue() -> None:
    table = rescue()
    table.refuse(G)
    table.save(G, 1, "B")
    assert table.phase_and_mover == ("turn", B)
    assert table.hand(B) == "1B"


def test_sls_15_new_holders_are_asked_without_restarting_the_clock() -> None:
    table = rescue()
    (window,) = SUCKER.windows(table.state)
    table.refuse(G)
    table.at = Millis(table.at + 5_000)
    table.transfer(Y, 1, "R", R)  # R is not asked: its own chip is not a prisoner
    assert [one.seat for one in table.public("rescue").answers] == [G, Y]
    table.transfer(G, 1, "B", R)
    shown = table.public("rescue")
    assert [(one.seat, one.refused) for one in shown.answers] == [(R, False), (Y, False)]
    (later,) = SUCKER.windows(table.state)
    assert later.id == window.id
    assert later.clock == window.clock
    table.refuse(R)
    table.bury(Y, 1, "R")  # the last seat that had to answer no longer has any prisoners
    assert table.state.stage.out == (B,)


def test_sls_15_a_refusal_lapses_when_its_prisoners_change_hands() -> None:
    table = rescue()
    table.refuse(G)
    table.transfer(G, 1, "B", R)
    table.transfer(R, 1, "B", G)
    assert [(one.seat, one.refused) for one in table.public("rescue").answers] == [(G, False), (Y, False)]
    table.refuse(Y)
    assert table.phase_and_mover == ("rescue", B)


def test_sls_15_a_rescue_ends_when_the_last_prisoners_die() -> None:
    table = rescue()
    table.bury(G, 1, "B")
    assert table.phase_and_mover == ("rescue", B)
    table.bury(Y, 2, "R")
    assert table.state.stage.out == (B,)


def test_sls_15_a_timeout_counts_as_a_refusal() -> None:
    table = rescue()
    table.refuse(G)
    table.expire()
    assert table.at == 46_000
    assert table.state.stage.out == (B,)
    assert table.told("autoRefused") == [{"seats": [Y]}]
    assert table.state.time_control.missed_in_a_row == (0, 0, 0, 1)


def test_gen_6_a_rescue_is_never_extended() -> None:
    table = rescue()
    assert [prompt.kind for prompt in table.prompts] == ["rescue", "prisoners"]
    (window,) = SUCKER.windows(table.state)
    assert window.extend is None
    assert SUCKER.extension(table.state, Seat(G), window.id) is None
    assert isinstance(window.clock, Running)
    assert window.clock.end == 46_000
    table = rescue(timers="relaxed")  # but it is scaled
    (window,) = SUCKER.windows(table.state)
    assert isinstance(window.clock, Running)
    assert window.clock.end == 91_000
    table = rescue(timers="off")
    assert SUCKER.windows(table.state) == ()
    table.do(B, "lastCall", "lastCall")
    assert [prompt.kind for prompt in table.prompts] == ["rescue", "prisoners"]
    table.expire()
    assert table.state.stage.out == (B,)


def test_gen_4_an_answer_names_its_rescue() -> None:
    """A seat that answers too late keeps its prisoners."""
    table = rescue()
    asked = table.prompt("rescue", Y)
    table.save(G, 1, "B")
    assert asked not in [prompt.id for prompt in table.prompts]


def test_a_rescue_prompt_accepts_only_its_own_moves() -> None:
    table = rescue()
    assert table.refused(G, "rescue", "rescue", colour=G, count=1) == "OWN_COLOUR"
    assert table.refused(G, "rescue", "rescue", colour=B, count=2) == "NO_CHIP"
    assert table.refused(G, "rescue", "transfer", colour=B, count=1, to=B) == "OTHER_PROMPT"
    assert table.refused(G, "prisoners", "rescue", colour=B, count=1) == "OTHER_PROMPT"
    assert table.refused(G, "rescue", "playCard", card=0) == "OTHER_PROMPT"
    assert table.refused(G, "rescue", "place", colour=B) == "ANSWER_FIRST"


def test_sls_16_the_move_may_go_back_several_seats() -> None:
    """G gave R the move, and R placed its last chip and gave B the move: B falls, then R, and G moves."""
    table = set_up("1R", "", "3G", "3Y", piles=["Y"], mover=R, trail="YG")
    table.place(R, "R", 0)
    table.give(R, B)
    assert table.state.stage.out == (B, R)
    assert table.phase_and_mover == ("turn", G)
    assert table.trail == "YG"
    assert table.told("back") == [{"seat": R}, {"seat": G}]


def test_sls_16_the_seat_the_move_goes_back_to_may_be_rescued() -> None:
    table = set_up("1R", "", "3G 1R", "3Y", piles=["Y"], mover=R, trail="YG")
    table.place(R, "R", 0)
    table.give(R, B)
    table.refuse(G)
    assert table.state.stage.out == (B,)
    assert table.phase_and_mover == ("rescue", R)
    table.save(G, 1, "R")
    assert table.phase_and_mover == ("turn", R)


def test_sls_17_the_move_skips_defeated_seats_and_the_seat_itself() -> None:
    table = set_up("1R", "3B", "3G", "", mover=R, trail="BYRR", out="Y")
    assert table.public("trail").back == B
    table.place(R, "R")
    table.give(R, B)
    table = set_up("1B", "3B", "3G", "", mover=R, trail="BYRR", out="Y")
    table.bury(R, 1, "B")
    assert table.state.stage.out == (Y, R)
    assert table.phase_and_mover == ("turn", B)
    assert table.trail == "B"


def test_sls_17_without_a_trail_the_move_goes_to_the_left_of_the_fallen() -> None:
    table = set_up("3R", "1R", "", "3Y", mover=B, out="G")
    assert table.public("trail").back == Y
    table.bury(B, 1, "R")
    assert table.phase_and_mover == ("turn", Y)
    assert table.trail == "Y"
