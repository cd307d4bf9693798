"""So Long Sucker: prisoners given and killed, and the rescue."""

from __future__ import annotations

from games.api import Millis, Running, Seat
from games.sucker.rules.game import SUCKER
from tests.games.sucker.table import B, G, R, Y, rescue, table

# --- prisoners ---


def test_sls_10_prisoners_are_given_and_killed_at_any_time_by_whoever_holds_them() -> None:
    here = table("3R", "3B 2G", "3G", "3Y 1R", piles=["RBG"], mover=R)
    here.transfer(B, 1, "G", Y)  # out of turn
    here.bury(Y, 1, "R")
    assert (here.hand(B), here.hand(Y)) == ("3B 1G", "1G 3Y")
    assert here.dead == "1R"
    assert here.where == ("turn", R)
    here.place(R, "R")
    assert here.where == ("choose", R)
    here.transfer(B, 1, "G", Y)  # while another chooses
    here.give(R, G)
    here.place(G, "G", 0)
    assert here.where == ("kill", G)
    here.bury(Y, 1, "G")  # while another kills
    assert here.told("killedPrisoners")[-1] == {"seat": Y, "colour": G, "count": 1}
    assert here.kinds(B) == []  # it has none left
    assert here.kinds(Y) == ["prisoners"]


def test_sls_11_given_to_its_own_player_a_chip_is_no_prisoner_any_more() -> None:
    here = table("3R", "3B 2G", "3G", "3Y")
    here.transfer(B, 2, "G", G)
    assert here.hand(G) == "5G"
    assert here.kinds(G) == []


def test_sls_12_13_what_may_not_be_given() -> None:
    here = table("3R", "3B 2G", "3G", "", out="Y")
    give = {"colour": G, "count": 1, "to": R}
    assert here.refused(B, "prisoners", "transfer", **{**give, "to": Y}) == "DEFEATED"
    assert here.refused(B, "prisoners", "transfer", **{**give, "to": 4}) == "DEFEATED"
    assert here.refused(B, "prisoners", "transfer", **{**give, "to": B}) == "TO_YOURSELF"
    assert here.refused(B, "prisoners", "transfer", **{**give, "colour": B}) == "OWN_COLOUR"
    assert here.refused(B, "prisoners", "killPrisoners", colour=B, count=1) == "OWN_COLOUR"
    assert here.refused(B, "prisoners", "transfer", **{**give, "colour": Y}) == "NO_CHIP"
    assert here.refused(B, "prisoners", "transfer", **{**give, "colour": 5}) == "NO_CHIP"
    assert here.refused(B, "prisoners", "transfer", **{**give, "count": 3}) == "NO_CHIP"


def test_sls_36_giving_the_last_chip_away_before_placing() -> None:
    here = table("2B", "3B 1R", "3G", "3Y", mover=R, trail="G")
    here.transfer(R, 1, "B", G)
    assert here.where == ("turn", R)
    here.bury(R, 1, "B")
    assert here.where == ("rescue", R)
    here.save(B, 1, "R")
    assert here.where == ("turn", R)
    assert here.state.stage.bound


def test_sls_36_once_rescued_it_must_place() -> None:
    """Two seats cannot hold up the game by handing one chip to and fro (SLS-34)."""
    here = table("1B", "3B 1G", "3G", "3Y", mover=R, trail="G")
    here.transfer(R, 1, "B", G)
    here.save(G, 1, "B")
    assert here.refused(R, "prisoners", "transfer", colour=B, count=1, to=G) == "MUST_PLACE"
    assert here.refused(R, "prisoners", "killPrisoners", colour=B, count=1) == "MUST_PLACE"
    here.transfer(B, 1, "G", R)
    here.transfer(R, 1, "B", G)  # not its last
    assert here.refused(R, "prisoners", "transfer", colour=G, count=1, to=G) == "MUST_PLACE"
    here.place(R, "G")
    assert not here.state.stage.bound


# --- the rescue ---


def test_sls_15_every_holder_must_answer() -> None:
    here = rescue()
    shown = here.public("rescue")
    assert [(one.seat, one.prisoners, one.refused) for one in shown.answers] == [(G, 1, False), (Y, 2, False)]
    assert (shown.needy, shown.back, shown.award) == (B, R, None)
    assert here.kinds(R) == here.kinds(B) == []
    here.refuse(G)
    assert here.where == ("rescue", B)
    assert [one.refused for one in here.public("rescue").answers] == [True, False]
    assert here.refused(G, "rescue", "refuse") == "ALREADY_REFUSED"
    here.do(G, "rescue", "relent")
    assert here.refused(G, "rescue", "relent") == "NOT_REFUSED"
    here.refuse(Y)
    assert here.where == ("rescue", B)
    here.refuse(G)
    assert here.state.stage.out == (B,)
    assert here.where == ("turn", R)


def test_sls_15_who_has_refused_may_still_save() -> None:
    here = rescue()
    here.refuse(G)
    here.save(G, 1, "B")
    assert here.where == ("turn", B)
    assert here.hand(B) == "1B"


def test_sls_15_holders_are_counted_anew_and_the_clock_runs_on() -> None:
    here = rescue()
    (window,) = SUCKER.windows(here.state)
    here.refuse(G)
    here.at = Millis(here.at + 5_000)
    here.transfer(Y, 1, "R", R)  # R is itself asked now? Its own chip is no prisoner
    assert [one.seat for one in here.public("rescue").answers] == [G, Y]
    here.transfer(G, 1, "B", R)
    shown = here.public("rescue")
    assert [(one.seat, one.refused) for one in shown.answers] == [(R, False), (Y, False)]
    (later,) = SUCKER.windows(here.state)
    assert later.id == window.id
    assert later.clock == window.clock
    here.refuse(R)
    here.bury(Y, 1, "R")  # the last that had to answer has no prisoners any more
    assert here.state.stage.out == (B,)


def test_sls_15_a_refusal_lapses_with_the_prisoners_it_was_about() -> None:
    here = rescue()
    here.refuse(G)
    here.transfer(G, 1, "B", R)
    here.transfer(R, 1, "B", G)
    assert [(one.seat, one.refused) for one in here.public("rescue").answers] == [(G, False), (Y, False)]
    here.refuse(Y)
    assert here.where == ("rescue", B)


def test_sls_15_when_the_last_prisoners_die_there_is_nobody_to_wait_for() -> None:
    here = rescue()
    here.bury(G, 1, "B")
    assert here.where == ("rescue", B)
    here.bury(Y, 2, "R")
    assert here.state.stage.out == (B,)


def test_sls_15_time_is_up_is_a_refusal() -> None:
    here = rescue()
    here.refuse(G)
    here.expire()
    assert here.at == 46_000
    assert here.state.stage.out == (B,)
    assert here.told("autoRefused") == [{"seats": [Y]}]
    assert here.state.time_control.missed_in_a_row == (0, 0, 0, 1)


def test_gen_6_a_rescue_is_never_extended() -> None:
    here = rescue()
    assert [prompt.kind for prompt in here.prompts] == ["rescue", "prisoners"]
    (window,) = SUCKER.windows(here.state)
    assert window.extend is None
    assert SUCKER.extension(here.state, Seat(G), window.id) is None
    assert isinstance(window.clock, Running)
    assert window.clock.end == 46_000
    here = rescue(timers="relaxed")  # but scaled
    (window,) = SUCKER.windows(here.state)
    assert isinstance(window.clock, Running)
    assert window.clock.end == 91_000
    here = rescue(timers="off")
    assert SUCKER.windows(here.state) == ()
    here.do(B, "lastCall", "lastCall")
    assert [prompt.kind for prompt in here.prompts] == ["rescue", "prisoners"]
    here.expire()
    assert here.state.stage.out == (B,)


def test_gen_4_an_answer_names_its_rescue() -> None:
    """Whoever answers too late keeps its prisoners."""
    here = rescue()
    asked = here.prompt("rescue", Y)
    here.save(G, 1, "B")
    assert asked not in [prompt.id for prompt in here.prompts]


def test_a_rescue_answers_only_what_is_asked() -> None:
    here = rescue()
    assert here.refused(G, "rescue", "rescue", colour=G, count=1) == "OWN_COLOUR"
    assert here.refused(G, "rescue", "rescue", colour=B, count=2) == "NO_CHIP"
    assert here.refused(G, "rescue", "transfer", colour=B, count=1, to=B) == "OTHER_PROMPT"
    assert here.refused(G, "prisoners", "rescue", colour=B, count=1) == "OTHER_PROMPT"
    assert here.refused(G, "rescue", "playCard", card=0) == "OTHER_PROMPT"


def test_sls_16_the_move_goes_back_further() -> None:
    """G gave R the move, R gave B its last chip's move: B falls, then R, and G moves."""
    here = table("1R", "", "3G", "3Y", piles=["Y"], mover=R, trail="YG")
    here.place(R, "R", 0)
    here.give(R, B)
    assert here.state.stage.out == (B, R)
    assert here.where == ("turn", G)
    assert here.trail == "YG"
    assert here.told("back") == [{"seat": R}, {"seat": G}]


def test_sls_16_who_the_move_rebounds_to_may_be_rescued() -> None:
    here = table("1R", "", "3G 1R", "3Y", piles=["Y"], mover=R, trail="YG")
    here.place(R, "R", 0)
    here.give(R, B)
    here.refuse(G)
    assert here.state.stage.out == (B,)
    assert here.where == ("rescue", R)
    here.save(G, 1, "R")
    assert here.where == ("turn", R)


def test_sls_17_past_the_defeated_and_past_oneself() -> None:
    here = table("1R", "3B", "3G", "", mover=R, trail="BYRR", out="Y")
    assert here.public("trail").back == B
    here.place(R, "R")
    here.give(R, B)
    here = table("1B", "3B", "3G", "", mover=R, trail="BYRR", out="Y")
    here.bury(R, 1, "B")
    assert here.state.stage.out == (Y, R)
    assert here.where == ("turn", B)
    assert here.trail == "B"


def test_sls_17_from_the_start_on_to_the_left_of_the_fallen() -> None:
    here = table("3R", "1R", "", "3Y", mover=B, out="G")
    assert here.public("trail").back == Y
    here.bury(B, 1, "R")
    assert here.where == ("turn", Y)
    assert here.trail == "Y"
