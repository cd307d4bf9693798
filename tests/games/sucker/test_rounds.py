"""So Long Sucker: time, rounds and matches, and what each viewer sees."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.api import Millis, Outcome, Running, Seat
from games.dice import Dice
from games.sucker.rules import endings
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import KINDS, Result, SuckerOptions
from games.testing import random_play
from games.testing.positions import encode_everything
from tests.games.sucker.table import B, G, R, Table, Y, colours, rescue, set_up

# --- time ---


def test_an_expired_turn_opens_a_pile_with_the_movers_colour() -> None:
    table = set_up("3R 5B", "3B", "2G", "4Y", piles=["Y"], mover=R)
    assert table.expire() == "turn:1"
    assert table.at == 76_000
    assert table.piles == ["Y", "R"]
    assert table.told("auto") == [{"seat": R}]
    table = set_up("1B 2G", "3B", "2G", "4Y", mover=R)
    table.expire()
    assert table.piles == ["G"]


def test_an_expired_choice_goes_to_the_nearest_other_seat_with_a_chip() -> None:
    table = set_up("3R 1Y", "", "2G", "4Y", mover=R)
    table.place(R, "Y")
    assert table.state.stage.next == (R, B, G)
    table.expire()
    assert table.at == 46_000
    assert table.phase_and_mover == ("turn", G)
    table = set_up("1Y", "", "", "4Y", mover=R, trail="Y")
    table.place(R, "Y")
    table.expire()  # none of them has a chip: the nearest gets the move and falls, and then the placer falls
    assert table.state.stage.out[0] == B


def test_an_expired_kill_takes_the_most_numerous_foreign_colour() -> None:
    table = set_up("3R", "3B", "2G", "4Y", piles=["GYYRRR"], mover=R)
    table.place(R, "R", 0)
    table.expire()
    assert table.at == 26_000
    assert table.dead == "1Y"


def test_gen_7_the_refusal_of_an_away_seat_comes_sooner() -> None:
    table = rescue()
    table.away(G)
    assert table.expire() == f"rescue:{table.state.stage.number}:away:2"
    assert table.at == 11_000
    assert [one.refused for one in table.public("rescue").answers] == [True, False]
    table.do(G, "rescue", "relent")  # it is back
    assert table.state.time_control.missed_in_a_row[G] == 0
    table.refuse(Y)
    assert table.phase_and_mover == ("rescue", B)


def test_gen_7_prisoners_given_to_an_away_seat_open_an_away_window() -> None:
    table = rescue()
    table.away(R)
    table.at = Millis(table.at + 20_000)
    table.transfer(G, 1, "B", R)
    windows = SUCKER.windows(table.state)
    assert [one.kind for one in windows] == ["away", "rescue"]
    assert windows[0].clock == Running(Millis(table.at + 10_000))


# --- rounds ---


def play_round_out(table: Table) -> None:
    """Lets time run until the round is over."""
    while table.state.stage.mover is not None:
        table.expire()


def test_a_match_shows_each_round_and_continues_when_all_are_ready() -> None:
    table = Table(4, rounds=2)
    rows, deck = table.state.rows, table.state.deck
    play_round_out(table)
    assert table.state.stage.phase == "review"
    (over,) = table.public("match").results
    assert over.rows == rows
    assert over.deck == deck
    assert table.told("loyalty")
    assert SUCKER.private(table.state, Seat(0)) == {}
    assert table.public("history").deeds[-1].what == "fall"
    table.do(1, "continue", "continue")
    assert table.public("readiness").done == (False, True, False, False)
    assert table.kinds(1) == []
    pass_review(table)
    assert table.state.stage.round == 2
    assert table.own_section(0).row
    play_round_out(table)
    assert len(table.public("match").results) == 2
    assert table.outcome.scores == table.public("match").points


def test_who_is_defeated_is_out_until_the_round_is_over() -> None:
    """The next round asks them again."""
    table = set_up("1R", "3B", "", "", piles=["BG"], mover=R, out="Y", rounds=2)
    assert SUCKER.out_seats(table.state) == {Y}
    play_round_out(table)
    assert len(table.state.stage.out) == 3
    assert SUCKER.out_seats(table.state) == frozenset()


def pass_review(table: Table) -> None:
    """Lets time run until the next round."""
    while table.state.stage.phase == "review":
        table.expire()


def test_gen_4_prompts_of_one_round_do_not_recur_in_the_next() -> None:
    table = set_up("1R", "", "", "", piles=["BG"], mover=R, out="GY", rounds=2)
    before = {prompt.id for prompt in set_up("3R 1B", "3B", "3G", "3Y", rounds=2).prompts}
    table.place(R, "R", 0)
    pass_review(table)
    table.deal("3R 1B", "3B", "3G", "3Y")
    assert "prisoners" in table.kinds(R)
    assert not before & {prompt.id for prompt in table.prompts}


def result_of(**about: Any) -> Result:
    result: Any = {
        "first": Seat(0),
        "chips": (7, 7, 7, 2),
        "survivor": Seat(1),
        "out": (Seat(0), Seat(3), Seat(2)),
        "winners": (Seat(1),),
        "rows": (),
        "deck": (),
        "change": (2, 0, 1, -3),
    }
    return Result(**{**result, **about})


@pytest.mark.parametrize(
    ("option", "chips"), [("fromBase", (9, 7, 8, 4)), ("cumulative", (9, 7, 8, 1)), ("off", (7, 7, 7, 7))]
)
def test_sls_30_chips_from_the_base_or_from_the_last_round(option: Any, chips: tuple[int, ...]) -> None:
    change = (0,) * 4 if option == "off" else (2, 0, 1, -3)
    assert endings.next_chips(SuckerOptions(chip_adjust=option), result_of(change=change)) == chips
    rows = tuple(map(colours, ("BYG", "YRG", "RBY", "BRG")))
    assert any(endings.change(rows, SuckerOptions(chip_adjust=option))) == (option != "off")


def test_sls_30_chips_never_fall_below_one() -> None:
    six = result_of(chips=(5,) * 6, change=(-5, 1, 1, 1, 1, 1))
    assert endings.next_chips(SuckerOptions(), six) == (1, 6, 6, 6, 6, 6)


@pytest.mark.parametrize("option", ["random", "lastOut", "rotate"])
def test_sls_3_the_first_player_of_the_next_round(option: str) -> None:
    firsts = set()
    for number in range(12):
        table = Table(4, rounds=2, firstPlayer=option, blackmail=False)
        table.dice = Dice(b"first %d" % number)
        play_round_out(table)
        before, last = table.state.stage.first, table.state.stage.out[-1]
        pass_review(table)
        if option == "rotate":
            assert table.state.stage.first == (before + 1) % 4
        if option == "lastOut":
            assert table.state.stage.first == last
        firsts.add(table.state.stage.first)
    assert len(firsts) > 1 or option != "random"


def test_sls_31_the_highest_scores_win_together_but_zero_wins_nothing() -> None:
    assert endings.outcome((1, 2, 2, 0)) == Outcome((Seat(1), Seat(2)), (1, 2, 2, 0))
    assert endings.outcome((0, 0, 0, 0)) == Outcome((), (0, 0, 0, 0))


# --- what each viewer sees ---


def test_the_seats_over_and_under_which_a_seat_can_still_win() -> None:
    table = set_up("3R", "3B", "3G", "3Y", rows=["BYG", "GYR", "RBY", "RBG"])
    section = table.own_section(R)
    assert (section.enemy, section.ally) == (B, G)
    assert (section.over, section.under) == ((G, Y), (G,))
    table = set_up("3R", "3B", "", "", rows=["BYG", "GYR", "RBY", "RBG"], out="YG")
    assert (table.own_section(R).over, table.own_section(R).under) == ((), ())  # only its enemy is left
    assert (table.own_section(B).over, table.own_section(B).under) == ((R,), (R,))
    assert (table.own_section(G).over, table.own_section(G).under) == ((), ())  # defeated
    plain = set_up("3R", "3B", "3G", "", out="Y", blindAlly=False).own_section(R)
    assert (plain.over, plain.under) == ((B, G), ())


def test_previews_show_what_a_move_would_do() -> None:
    table = set_up("2R 1B", "3B", "3G 1B", "3Y", piles=["BGY", "GB"], mover=R, trail="G")
    forced = table.preview(R, "place", colour=R, pile=0)
    assert (forced.next, forced.forced, forced.card) == ((B,), True, B)
    assert [(one.seat, one.colour, one.count) for one in forced.gains] == [(R, R, -1)]
    capture = table.preview(R, "place", colour=B, pile=1)
    assert (capture.captor, capture.forced, capture.card) == (B, False, None)
    table = set_up("2R", "", "3G 1B", "3Y", piles=["BGY"], mover=R, trail="G")
    needy = table.preview(R, "place", colour=R, pile=0)
    assert (needy.needy, needy.rescuers, needy.back, needy.card) == (B, (G,), R, B)
    assert needy.falls == ()
    gift = table.preview(G, "transfer", colour=B, count=1, to=B)
    assert [(one.seat, one.colour, one.count) for one in gift.gains] == [(B, B, 1), (G, B, -1)]
    assert table.preview(G, "killPrisoners", colour=B, count=1).dies == (0, 1, 0, 0)
    last = set_up("1R", "", "", "", piles=["BG"], out="GY")
    end = last.preview(R, "place", colour=R, pile=0)
    assert (end.falls, end.ends, end.next) == ((B,), True, ())
    assert (
        SUCKER.preview(table.state, Seat(Y), msgspec.convert({"move": "place", "colour": Y}, SUCKER.Move))
        is None
    )


def test_a_return_card_in_a_rescue_has_no_preview() -> None:
    cards: Any = [(B, Y, "return")]
    table = rescue(cards=cards)
    move = msgspec.convert({"move": "playCard", "card": 0}, SUCKER.Move)
    assert SUCKER.preview(table.state, Seat(B), move) is None


def test_only_seats_may_talk_at_the_table() -> None:
    table = set_up("3R", "3B", "3G", "", out="Y")
    for seat in range(4):  # defeated seats, too
        talk_policy = SUCKER.talk_policy(table.state, Seat(seat))
        assert (talk_policy.mode, talk_policy.whispers, talk_policy.notes_locked) == ("open", False, False)
        assert set(talk_policy.phrases) <= set(SUCKER.texts.phrases)
    assert SUCKER.talk_policy(table.state, None).mode == "closed"


def test_section_7_no_view_shows_another_seats_row_or_hidden_cards() -> None:
    """In random games, no view reveals another seat's row, or the kind of a card its viewer may not see."""
    held = 0
    for seed in range(30):
        options = SuckerOptions()
        for place in random_play.play(SUCKER, 4, options, b"seen %d" % seed, random_play.STYLES[0], 90):
            state = place.state
            if state.stage.mover is None:
                continue
            for viewer in (None, *map(Seat, range(4))):
                own_sections = {} if viewer is None else SUCKER.private(state, viewer)
                sections = {
                    name: one
                    for name, one in {**SUCKER.public(state), **own_sections}.items()
                    if name != "piles"
                }
                text = msgspec.json.encode(sections).decode()
                may = {
                    state.deck[number]
                    for number, card in enumerate(state.taken)
                    if card.status == "played"
                    or (card.status == "held" and viewer in (card.owner, card.token))
                }
                held += any(card.status == "held" for card in state.taken)
                assert {kind for kind in KINDS if f'"{kind}"' in text} <= may
                assert ('"row"' in text) == (viewer is not None)
                if viewer is not None:
                    assert Table(state=state).own_section(viewer).row == state.rows[viewer]
    assert held > 100


def test_views_stay_small_in_long_matches() -> None:
    largest = 0
    for seed in range(3):
        options = SuckerOptions(rounds=10, chip_adjust="cumulative", timers="fast")
        for place in random_play.play(SUCKER, 6, options, b"long %d" % seed, random_play.STYLES[0], 3_000):
            if place.state.stage.mover is None:
                largest = max(largest, len(encode_everything(SUCKER, place.state, Seat(0))))
    assert 4_000 < largest < 12_000


def test_a_state_of_version_1_is_upgraded() -> None:
    state = Table(5).state
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(state))
    assert SUCKER.version == 2
    assert SUCKER.upgrade(1, packed) == SUCKER.upgrade(2, packed) == state
    assert SUCKER.upgrade(0, packed) is SUCKER.upgrade(3, packed) is None
