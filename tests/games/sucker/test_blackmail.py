"""So Long Sucker: blackmail cards, what each seat knows about them, and their options."""

from __future__ import annotations

from typing import Any

import pytest

from games.sucker.rules.values import KINDS
from tests.games.sucker.table import B, G, R, Y, rescue, set_up

# --- blackmail ---


def test_sls_18_public_faces_show_the_kind_of_a_card() -> None:
    table = set_up("6R", "6B", "6G", "7Y", piles=["RBG"], mover=Y, deck=["return"], blackmailFaces="public")
    table.place(Y, "Y", 0)
    assert table.told("cardKind") == [{"seat": Y, "other": R, "kind": "return"}]
    assert table.public("cards").cards[0].kind == "return"
    assert [table.own_section(seat).kinds for seat in range(4)] == [()] * 4


def test_sls_18_played_cards_are_public_and_void_ones_hidden_until_the_end() -> None:
    cards: Any = [(R, B, "tribute"), (R, G, "return"), (B, R, "capture"), (B, G, "return")]
    table = set_up("3R", "2B 3G", "2G 2R", "4Y 1R", piles=["G"], mover=R, trail="Y", cards=cards)
    table.play(R, 0, "G")
    assert [card.kind for card in table.public("cards").cards] == ["tribute", None, None, None]
    table.deal("3R", "", "2G", "4Y")
    table.place(R, "R", 0)
    table.give(R, B)  # falls at once
    shown = table.public("cards").cards
    assert [card.status for card in shown] == ["played", "held", "void", "void"]
    assert [card.kind for card in shown] == ["tribute", None, None, None]
    assert table.own_section(B).kinds == ()
    assert [known.id for known in table.own_section(G).kinds] == [1]
    assert table.told("voided") == [{"seat": B, "count": 2}]


@pytest.mark.parametrize(("allowed", "cards"), [(False, 0), (True, 1)])
def test_sls_20_blackmailing_oneself_is_an_option(allowed: bool, cards: int) -> None:
    table = set_up("3R 1G", "3B", "3G", "3Y", piles=["RBY"], mover=R, deck=["return"], selfBlackmail=allowed)
    table.place(R, "G", 0)
    assert table.phase_and_mover == ("turn", R)
    assert len(table.told("tookCard")) == cards
    if allowed:
        assert table.told("cardKind", R) == [{"seat": R, "other": R, "kind": "return"}]
        table.deal("1R", "2R 3B", "3G", "3Y")
        table.play(R, 0)
        assert table.hand(R) == "2R"  # one came back, one died


def test_sls_22_several_cards_in_one_turn() -> None:
    cards: Any = [(R, B, "tribute"), (R, G, "return"), (R, G, "capture")]
    table = set_up("3R", "2B 3G", "2G", "4Y 1G", piles=["BG"], mover=R, cards=cards)
    table.play(R, 0, "G")
    table.transfer(R, 1, "G", Y)
    table.transfer(R, 1, "G", B)
    table.play(R, 1)  # returns all four that others hold, including R's last one
    assert table.hand(G) == "5G"
    assert table.dead == "1G"
    assert table.refused(R, "turn", "playCard", card=1) == "NOT_YOUR_CARD"
    assert table.refused(R, "turn", "place", colour=G, pile=0, card=2) == "NO_CHIP"
    table.place(R, "R", 0)


def test_sls_24_cards_without_effect_are_refused() -> None:
    cards: Any = [(R, B, "tribute"), (R, G, "return"), (R, R, "tribute"), (Y, R, "return")]
    table = set_up("3R 1B", "2B 3Y", "2G", "4Y", mover=R, cards=cards)
    assert table.refused(R, "turn", "playCard", card=0, colour=G) == "NO_EFFECT"
    assert table.refused(R, "turn", "playCard", card=0, colour=B) == "NO_EFFECT"  # its own are not prisoners
    assert table.refused(R, "turn", "playCard", card=0) == "NAME_A_COLOUR"
    assert table.refused(R, "turn", "playCard", card=1) == "NO_EFFECT"
    assert table.refused(R, "turn", "playCard", card=1, colour=Y) == "NAME_A_COLOUR"
    assert table.refused(R, "turn", "playCard", card=2, colour=B) == "NO_EFFECT"  # it names R itself
    assert table.refused(R, "turn", "playCard", card=3) == "NOT_YOUR_CARD"
    assert table.refused(R, "turn", "playCard", card=5) == "NOT_YOUR_CARD"
    table.play(R, 0, "Y")
    assert table.hand(R) == "3R 1B 3Y"


def test_a_tribute_of_ones_own_colour_brings_ordinary_chips() -> None:
    table = set_up("3R", "2B 3R", "2G", "4Y", mover=R, cards=[(R, B, "tribute")])
    table.play(R, 0, "R")
    assert table.hand(R) == "6R"
    assert table.kinds(R) == ["turn"]


def test_sls_24_a_return_may_cost_its_owner_the_last_chip() -> None:
    table = set_up("2B", "2B", "2G", "4Y 1R", mover=R, trail="G", cards=[(R, B, "return")])
    assert table.preview(R, "playCard", card=0).needy == R
    table.play(R, 0)
    assert table.hand(B) == "3B"
    assert table.phase_and_mover == ("rescue", R)
    bound = set_up("1Y", "2B", "2G", "3Y", mover=R, trail="G", cards=[(R, B, "return")])
    bound.transfer(R, 1, "Y", G)
    bound.save(G, 1, "Y")
    bound.deal("1B", "2B", "2G", "3Y")
    assert bound.refused(R, "turn", "playCard", card=0) == "MUST_PLACE"


def test_sls_23_a_seat_that_a_card_could_save_is_asked_too() -> None:
    """Everybody knows that a card is held, so the table waits for the seat in need, whatever the card is."""
    for kind in KINDS[::2]:
        cards: Any = [(B, Y, kind)]
        table = rescue(cards=cards)
        assert [one.seat for one in table.public("rescue").answers] == [B, G, Y]
        table.refuse(G, Y)
        assert table.phase_and_mover == ("rescue", B)
        if kind == "tribute":
            table.play(B, 0, "R", kind="rescue")
            assert table.hand(B) == "2R"
            assert table.phase_and_mover == ("turn", B)
            continue
        code = table.refused(B, "rescue", "playCard", card=0)
        assert code == "OTHER_CARD"
        table.refuse(B)
        assert table.state.stage.out == (B,)


def test_sls_23_a_seat_that_no_card_could_save_is_not_asked() -> None:
    holder: Any = [(B, R, "tribute")]  # R has no prisoners
    assert [one.seat for one in rescue(cards=holder).public("rescue").answers] == [G, Y]
    faces: Any = [(B, Y, "return")]
    shown = rescue(cards=faces, blackmailFaces="public").public("rescue")
    assert [one.seat for one in shown.answers] == [G, Y]
    cards: Any = [(B, Y, "return"), (R, G, "tribute"), (R, G, "tribute")]
    table = set_up("2R", "", "3G 1B 1Y", "3Y 2R", piles=["Y"], mover=R, trail="G", cards=cards)
    table.play(R, 1, "B")
    table.play(R, 2, "Y")
    table.place(R, "R", 0)
    table.give(R, B)
    assert [one.seat for one in table.public("rescue").answers] == [R, Y]  # both tributes have been played


def test_sls_23_a_seat_stays_asked_while_prisoners_remain() -> None:
    cards: Any = [(B, Y, "tribute")]
    table = rescue(cards=cards)
    table.transfer(Y, 2, "R", G)
    assert [one.seat for one in table.public("rescue").answers] == [B, G]
    table.transfer(G, 1, "R", Y)
    table.refuse(G, Y)
    table.play(B, 0, "R", kind="rescue")
    assert table.hand(B) == "1R"


def test_sls_25_cards_owned_by_or_naming_a_defeated_seat_are_void() -> None:
    cards: Any = [(R, B, "capture"), (B, R, "capture"), (R, Y, "return")]
    table = set_up("2R 1B", "", "3G", "3Y", piles=["Y", "GB"], mover=R, trail="G", cards=cards)
    table.bury(R, 1, "B")
    table.place(R, "R", 0)
    table.give(R, B)
    assert [card.status for card in table.public("cards").cards] == ["void", "void", "held"]


def test_sls_25_a_kept_capture_card_captures_with_a_dead_colour() -> None:
    cards: Any = [(R, B, "capture"), (B, R, "capture"), (R, B, "return"), (R, B, "tribute")]
    about: Any = {"piles": ["Y", "GB"], "mover": R, "trail": "G", "cards": cards, "deadCards": "keepCapture"}
    table = set_up("2R", "", "3G", "3Y", **about)
    table.place(R, "R", 0)
    table.give(R, B)
    # all cards that name it are kept; keeping only captures would reveal which cards they are
    assert [card.status for card in table.public("cards").cards] == ["held", "void", "held", "held"]
    table.deal("1R 1B", "", "1B 3G", "3Y")
    assert table.refused(R, "turn", "playCard", card=2) == "NO_EFFECT"
    assert table.refused(R, "turn", "playCard", card=3, colour=G) == "NO_EFFECT"
    table.place(R, "B", 1, card=0)
    assert table.phase_and_mover == ("kill", R)
    table.kill(R, "B")
    assert table.hand(R) == "1R 1B 1G"


def test_sls_26_when_a_capture_card_may_be_used() -> None:
    cards: Any = [(R, B, "capture"), (R, R, "capture"), (R, G, "return"), (Y, B, "return")]
    table = set_up("3R 1B 1G", "3B", "2G", "4Y", piles=["GB", "R", "BG"], mover=R, cards=cards)
    assert table.refused(R, "turn", "place", colour=B, pile=2, card=0) == "NO_CAPTURE"
    assert table.refused(R, "turn", "place", colour=G, pile=2, card=0) == "NO_CAPTURE"
    assert table.refused(R, "turn", "place", colour=B, card=0) == "NO_CAPTURE"
    assert table.refused(R, "turn", "place", colour=R, pile=1, card=1) == "OWN_COLOUR"
    assert table.refused(R, "turn", "place", colour=G, pile=2, card=2) == "OTHER_CARD"
    assert table.refused(R, "turn", "place", colour=B, pile=0, card=3) == "NOT_YOUR_CARD"
    assert table.refused(R, "turn", "playCard", card=0) == "OTHER_CARD"
    assert table.refused(R, "turn", "place", colour=B, pile=7) == "NO_PILE"
    assert table.refused(R, "turn", "place", colour=Y) == "NO_CHIP"
    table.place(R, "B", 0)  # using it is optional
    assert table.phase_and_mover == ("kill", B)


def test_sls_27_an_empty_stack_gives_no_card() -> None:
    cards: Any = [(G, Y, kind) for kind in KINDS]
    table = set_up("6R", "6B", "6G", "7Y", piles=["RBG"], mover=Y, cards=cards)
    table.place(Y, "Y", 0)
    assert table.phase_and_mover == ("turn", R)
    assert table.told("tookCard") == []


def test_sls_28_a_kill_among_chips_of_one_colour_is_automatic() -> None:
    table = set_up("3R", "3B", "2G", "4Y", piles=["R"], mover=R)
    table.place(R, "R", 0)
    assert table.phase_and_mover == ("turn", R)
    assert table.hand(R) == "3R"
    assert table.dead == "1R"
