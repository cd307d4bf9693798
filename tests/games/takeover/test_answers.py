"""What a Takeover bot answers to what others ask, say, do and promise."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from games.api import (
    Character,
    Choice,
    Millis,
    NewPromise,
    Observation,
    OneOf,
    Range,
    Seat,
    SeenLine,
    Spoken,
)
from games.dice import Dice
from games.kit.characters import find_character, unnamed
from games.kit.observations import part
from games.kit.promises import MAX_OPEN, TO, view_public
from games.takeover.bot import evaluation
from games.takeover.bot.asking import list_attacks
from games.takeover.bot.bot import BOT
from games.takeover.bot.memory import remember
from games.takeover.bot.observation import read_table
from games.takeover.bot.pauses import AFTER_FALL, AFTER_MERGER, AFTER_REQUEST, choose_pace
from games.takeover.bot.reach import can_cover
from games.takeover.bot.reacting import REPROACHES
from games.takeover.bot.situation import Situation, number_of
from games.takeover.bot.voice import REQUESTS, WORDINGS, intent_of
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import (
    LAPSES,
    NAMES,
    Draft,
    Holdings,
    Merge,
    Passes,
    Picked,
    Propose,
    TakeoverOptions,
    TakeoverState,
    Value,
)
from games.takeover.texts import TEXTS
from tests.games.hand_table import START
from tests.games.takeover.hearing import (
    NOOR,
    RAVI,
    ROW,
    YUKI,
    calm,
    decide,
    hears,
    intents,
    knows,
    reads,
    says,
    seated,
    tall,
)
from tests.games.takeover.players import observe
from tests.games.takeover.table import Table as HandTable
from tests.games.takeover.table import drafted, position


def test_it_promises_to_spare_what_it_does_not_want_to_cover() -> None:
    asked = hears(seated(calm()), says(1, "askSpare", to=0, coin="C3"))
    (decision,) = [one for one in decide(asked, NOOR) if one.promise is not None][:1]
    assert decision.promise == NewPromise("spare", {"coin": "C3", "turn": 2}, (Seat(1),), bot=True)
    assert decision.remark is not None
    assert decision.remark.args == {"to": 1, "coin": "C3"}
    assert intents(asked, NOOR) == {"yesSpare", "offerPact"}
    answered = hears(asked, says(0, "yesSpare", to=1, coin="C3"))
    assert not intents(answered, NOOR)


def test_it_says_why_it_does_not_promise() -> None:
    asked = hears(observe(tall()), says(2, "askSpare", to=0, coin="M4"))
    assert intents(asked, NOOR) == {"noSpareGain"}
    assert {"yesSpare", "noSpareGain"} <= intents(asked, YUKI)  # it may promise what it will not keep
    broken = knows(hears(observe(calm()), says(1, "askSpare", to=0, coin="C3")), 1, "pass", "broken", turn=1)
    assert intents(broken, NOOR) == {"noTrust"}
    others = knows(
        hears(observe(calm()), says(1, "askSpare", to=0, coin="C3")),
        1,
        "spare",
        "broken",
        to=2,
        coin="M4",
        turn=1,
    )
    assert {one.remark.args["other"] for one in decide(others, NOOR) if one.remark is not None} == {2}
    gone = hears(observe(calm()), says(1, "askSpare", to=0, coin="C1"))
    assert "moot" in intents(gone, NOOR)


def test_it_says_when_it_can_give_no_promise() -> None:
    asked = hears(observe(calm()), says(1, "askSpare", to=0, coin="C3"))
    spare: dict[str, int | str] = {"coin": "C3", "turn": 2}
    own = NewPromise("spare", spare, (Seat(1),), bot=True).promise("p", Seat(0), Millis(500), 0)
    assert "promised" in intents(replace(asked, promises=(own,)), NOOR)
    others = tuple(
        replace(own, id=f"p{number}", to=(Seat(2),), terms={**spare, "turn": 2 + 3 * number})
        for number in range(MAX_OPEN)
    )
    assert "noMore" in intents(replace(asked, promises=others), NOOR)
    assert "noMore" not in intents(replace(asked, promises=others[1:]), NOOR)


def test_it_says_that_it_has_just_covered_a_company() -> None:
    state = position({**ROW, (2, 0): "A5 A4 A3 A2 C1 C2 M4"}, "S5 c5", "S3 a5", "M4 m5")
    for request, expected in (("askSpare", "justCovered"), ("askCover", "didCover")):
        asked = hears(observe(state), says(1, request, to=0, coin="M4", height=7))
        decisions = decide(asked, NOOR)
        assert {one.move.pair for one in decisions if isinstance(one.move, Merge)} == {"S5>M4"}
        assert {intent_of(one.remark.key) for one in decisions if one.remark is not None} == {expected}


def test_it_says_later_that_it_has_covered_a_company() -> None:
    merged = ("takeover.merged", {"seat": 0, "source": "S5", "onto": "M1", "paid": []})
    for request, expected in (("askSpare", "justCovered"), ("askCover", "didCover")):
        asked = hears(observe(calm()), says(1, request, to=0, coin="M1", height=3))
        assert expected in intents(reads(asked, merged), NOOR)
        assert expected not in intents(asked, NOOR)


def test_it_offers_another_pact_if_its_own_company_is_gone() -> None:
    offered = hears(observe(calm()), says(1, "offerPact", to=0, yours="C1", mine="M4"))
    assert "offerPact" in intents(offered, NOOR)


def test_bots_save_their_breath_for_deals_first() -> None:
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    heard = hears(seated(calm()), says(1, "askCover", at=500, to=2, coin="C3", height=1))
    wronged = reads(heard, merged, ("takeover.yourFlip", {"coin": "M1"}))
    assert not intents(wronged, NOOR) & {"reproachCovered", "threat"}
    assert intents(hears(wronged, *dealing()), NOOR) & {"reproachCovered", "threat"}


def test_a_pact_binds_both_in_turn() -> None:
    offered = hears(observe(calm()), says(1, "offerPact", to=0, yours="S5", mine="C3"))
    assert intents(offered, NOOR) == {"yesPact"}
    useless = hears(observe(calm()), says(1, "offerPact", to=0, yours="M4", mine="C3"))
    assert intents(useless, NOOR) == {"noPact"}
    own = hears(
        observe(calm()),
        says(0, "offerPact", to=1, yours="C3", mine="S5"),
        says(1, "yesPact", to=0, coin="S5"),
    )
    assert intents(own, NOOR) == {"sealPact"}
    assert {one.promise.terms["coin"] for one in decide(own, NOOR) if one.promise is not None} == {"C3"}


def test_it_gives_a_person_who_promises_what_it_has_offered_for_that() -> None:
    offers = hears(observe(calm()), says(0, "offerPact", at=1_000, to=1, yours="C3", mine="S5"))
    promised = knows(offers, 1, "spare", bot=False, coin="S5", turn=2)
    assert "sealPact" in intents(promised, NOOR)
    elsewhere = knows(offers, 1, "spare", bot=False, coin="M4", turn=2)
    assert "sealPact" not in intents(elsewhere, NOOR)


def test_a_deal_that_a_person_has_agreed_to_counts() -> None:
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    offers = hears(observe(calm()), says(0, "offerPact", at=500, to=1, yours="C3", mine="M1"))
    for answer, expected in (("say.deal", "reproachDeal"), ("say.noDeal", "reproachCovered")):
        broken = reads(hears(offers, says(1, answer, at=600)), merged, ("takeover.yourFlip", {"coin": "M1"}))
        assert intents(broken, NOOR) - {"threat"} == {expected}
        asked = hears(broken, says(1, "askSpare", at=9_000, to=0, coin="C3"))
        assert ("noTrust" in intents(asked, NOOR)) == (answer == "say.deal")


def test_it_answers_whether_it_covers_a_company() -> None:
    def ask(state: TakeoverState, coin: str) -> set[str]:
        return intents(hears(observe(state), says(1, "askCover", to=0, coin=coin, height=1)), NOOR)

    assert ask(tall(), "M4") == {"yesCover"}
    assert ask(tall(), "S5") == {"noCoverGain"}  # its own
    assert ask(tall(), "A1") == {"noCoverReach"}
    assert ask(tall(), "C3") == {"noCoverGain"}
    better = position({**ROW, (2, 0): "A5 A4 A3 A2 C1 C2 M4", (0, 0): "C4 S3"}, "S5 c5", "S3", "M4", turn=2)
    assert ask(better, "S3") == {"noCoverBetter"}


def test_it_haggles_over_stocks() -> None:
    def ask(value: int) -> set[str]:
        state = position(SPREAD, "S2 C4", "m5 a1", "m4 c5 a4 s5", turn=2, holdings="open")
        return intents(hears(observe(state), says(1, "askSell", to=0, coin="S2", value=value)), NOOR)

    assert ask(2) == {"sellPrice"}
    assert ask(5) == {"sellYes"}
    state = position({(0, 0): "A1 A2 A3 A4 A5 S2"}, "S2", "m5 a1", "m4 c5", turn=2)
    kept = hears(observe(state), says(1, "askSell", to=0, coin="S2", value=1))
    assert intents(kept, NOOR) == {"sellKeep"}


SPREAD: Final = {(0, 0): "S2", (2, 0): "M3", (4, 0): "C4", (0, 2): "A5", (2, 2): "S1", (4, 2): "M5"}


def buyer() -> TakeoverState:
    """Seat 0 would gain much by moving S3 onto S5's stack, and has 4 in cash."""
    stacks = {(0, 0): "S3", (1, 0): "M1 M2 M3 A2 A3 S5", (5, 3): "C4"}
    return position(stacks, "c4", "S3", "S5 m5", turn=2, holdings="open")


def test_it_makes_the_offer_that_was_agreed() -> None:
    agreed = hears(observe(buyer()), says(1, "sellYes", to=0, coin="S3", value=4))
    (decision, *_) = decide(agreed, NOOR)
    assert decision.move == Propose(1, ("C4",), ("S3",))
    assert decision.remark is not None
    assert intent_of(decision.remark.key) == "buy"
    dear = hears(observe(buyer()), says(1, "sellPrice", to=0, coin="S3", value=5))
    assert intents(dear, NOOR) == {"noBuy"}
    useless = hears(observe(buyer()), says(1, "offerSale", to=0, coin="C4", value=4))
    assert intents(useless, NOOR) == {"noThanks"}
    too_dear = hears(observe(buyer()), says(1, "offerSale", to=0, coin="S3", value=5))
    assert intents(too_dear, NOOR) == {"noThanks"}  # the same words, so they tell nothing of its cash


def test_what_was_said_a_round_ago_is_not_answered_any_more() -> None:
    begun = hears(seated(calm()), *(replace(said, at=Millis(100)) for said in dealing()))
    asked = hears(begun, says(1, "offerPact", at=500, to=0, yours="S5", mine="C3"))
    turns = [("takeover.passed", {"seat": seat}) for seat in (1, 2, 0)]
    assert "yesPact" in intents(reads(asked, *turns[:2]), NOOR)
    assert "yesPact" not in intents(reads(asked, *turns), NOOR)


def test_nobody_asks_a_seat_to_cover_what_it_wants_spared() -> None:
    seen = observe(tall())

    def list_asked(*before: Spoken) -> set[object]:
        heard = hears(seen, *before)
        rate = evaluation.rate_by_totals
        situation = Situation(heard, NOOR, read_table(heard), rate, move=None, dice=Dice(b"ask"))
        return {request.to for request in list_attacks(situation)}

    assert list_asked() == {1, 2}
    assert list_asked(says(2, "askSpare", to=1, coin="M4")) == {1}
    assert list_asked(says(1, "offerPact", to=2, yours="C3", mine="M4")) == {2}
    assert list_asked(replace(says(2, "askSpare", to=0, coin="M4"), to=Seat(0))) == {1, 2}
    assert list_asked(says(1, "askCover", to=2, coin="M4", height=7)) == set()  # once is enough
    assert list_asked(says(1, "askCover", to=2, coin="M4", height=6)) == {1, 2}
    passes = replace(part(seen, "passes", Passes), passed=(False, True, False))
    seen = replace(seen, sections={**seen.sections, "passes": passes})
    assert list_asked() == {2}
    seen = observe(tall())
    lapsed = replace(part(seen, "passes", Passes), lapses=(0, LAPSES, LAPSES - 1))
    seen = replace(seen, sections={**seen.sections, "passes": lapsed})
    assert list_asked() == {2}
    seen = observe(tall())
    seen = reads(seen, ("takeover.merged", {"seat": 1, "source": "M4", "onto": "C2", "paid": []}))
    assert list_asked() == {2}


def test_one_request_is_enough_for_people_in_the_first_round() -> None:
    seen = hears(observe(calm()), says(1, "askSell", at=100, to=2, coin="C3", value=3))
    seen = hears(seen, says(2, "sellNone", at=20_000, to=1, coin="C3"))
    assert intents(seen, NOOR).intersection(REQUESTS)
    assert not intents(replace(seen, people=(Seat(2),)), NOOR).intersection(REQUESTS)


def test_it_passes_if_others_do() -> None:
    nothing = position({(0, 0): "C3", (1, 0): "M4"}, "M4 s4", "C3", "a5", turn=2)
    for message in (says(1, "askPass"), says(1, "say.letUsPass")):
        asked = hears(observe(nothing), message)
        assert intents(asked, NOOR) == {"yesPass"}
        assert {one.promise.terms["turn"] for one in decide(asked, NOOR) if one.promise is not None} == {2}
        assert intents(hears(observe(tall()), message), NOOR) == {"noPass"}


def test_it_answers_what_people_say() -> None:
    kind = decide(hears(observe(calm()), says(1, "say.iWillSpare")), NOOR)
    assert {intent_of(one.remark.key) for one in kind if one.remark is not None} == {"backSpare"}
    assert {one.promise.kind for one in kind if one.promise is not None} == {"spare"}
    unsure = position(ROW, "S5 c5", "a5", "M4 m5", turn=2, holdings="open")
    assert intents(hears(observe(unsure), says(1, "say.iWillSpare")), NOOR) == {"thanksWord"}
    assert intents(hears(seated(calm()), says(1, "say.deal")), NOOR) == set()
    plea = hears(
        observe(position(ROW, "S5 c5", "C3 a5", "M4 m5", turn=2, holdings="open")), says(1, "say.spareMine")
    )
    promised = {one.promise.terms["coin"] for one in decide(plea, NOOR) if one.promise is not None}
    assert promised == {"C3"}
    guessed = hears(observe(calm()), says(1, "say.spareMine"))
    assert intents(guessed, NOOR) == {"yesGuess"}
    unknown = position(ROW, "S5 c5", "a5", "M4 m5", turn=2, holdings="open")
    assert intents(hears(observe(unknown), says(1, "say.spareMine")), NOOR) == {"whichOne"}
    assert intents(hears(observe(calm()), says(1, "say.makeAnOffer")), NOOR) >= {"noOffer"}
    wanted = decide(hears(observe(buyer()), says(1, "say.needCash")), NOOR)
    assert {one.move for one in wanted if one.remark is not None and intent_of(one.remark.key) == "offerMade"}
    answered = hears(seated(calm()), says(1, "say.iWillSpare"), says(2, "thanksWord", to=1))
    assert not intents(answered, NOOR)


def test_it_makes_the_offer_that_it_has_announced_when_asked_for_one() -> None:
    asked = hears(observe(buyer()), says(0, "askSell", at=500, to=1, coin="S3", value=4))
    wished = hears(asked, says(1, "say.makeAnOffer"))
    decisions = decide(wished, NOOR)
    assert {one.move for one in decisions} == {Propose(1, ("C4",), ("S3",))}
    assert intents(wished, NOOR) == {"buy"}
    sale = hears(observe(calm()), says(0, "offerSale", at=500, to=1, coin="C3", value=3))
    assert "noOffer" in intents(hears(sale, says(1, "say.makeAnOffer")), NOOR)  # it has sold C3


def test_it_leaves_the_answer_to_whoever_has_asked() -> None:
    asked = hears(seated(calm()), says(2, "askSell", at=500, to=1, coin="S3", value=3))
    assert not intents(hears(asked, says(1, "say.makeAnOffer")), NOOR)
    assert intents(hears(asked, replace(says(1, "say.makeAnOffer"), to=Seat(0))), NOOR)
    begged = hears(seated(calm()), says(2, "askSpare", at=500, to=1, coin="M4"))
    assert not intents(hears(begged, says(1, "say.iWillSpare")), NOOR)
    both = hears(begged, says(0, "askSpare", at=600, to=1, coin="S5"))
    assert intents(hears(both, says(1, "say.iWillSpare")), NOOR)


def test_too_much_is_about_a_price() -> None:
    for verdict, expected in (("say.noDeal", {"asYouLike"}), ("say.tooMuch", set())):
        asked = hears(seated(calm()), says(0, "askSpare", at=500, to=1, coin="S5"))
        assert intents(hears(asked, says(1, verdict)), NOOR) == expected


def test_who_complains_says_to_whom() -> None:
    for intent in REPROACHES:
        for key in WORDINGS[intent]:
            assert "to" in (TEXTS.remarks[key] or ()), key


def test_before_play_it_asks_people_to_wait() -> None:
    table = HandTable(seats=3)
    turn = table.state.stage.turn
    assert turn is not None
    other = (turn + 1) % 3
    asked = hears(observe(table.state, turn), says(other, "say.spareMine"))
    assert intents(asked, NOOR) == {"tooEarly"}


def test_it_trusts_the_promises_of_people_who_keep_them() -> None:
    promised = knows(observe(calm()), 1, "spare", bot=False, coin="S5", turn=3)
    assert intents(promised, NOOR) == {"backSpare"}
    assert intents(knows(observe(calm()), 1, "pass", bot=False, turn=3), NOOR) == {"heard"}
    broken = knows(
        knows(observe(calm()), 1, "pass", "broken", turn=1), 1, "spare", bot=False, coin="S5", turn=3
    )
    assert intents(broken, NOOR) == {"doubt"}


def test_it_thanks_for_what_was_kept_and_traded() -> None:
    assert intents(knows(seated(calm()), 1, "spare", "kept", coin="S5", turn=1), NOOR) == {"thanksKept"}
    traded = reads(seated(calm()), ("takeover.traded", {"seat": 1, "other": 0, "gave": 1, "got": 1}))
    assert intents(traded, NOOR) == {"thanksTrade"}
    offer = SeenLine("takeover.offered", {"seat": 2, "other": 0}, frozenset({Seat(0)}), traded.lines[-1].at)
    offered = replace(traded, lines=(*traded.lines, offer, offer))
    assert intents(offered, NOOR) == {"thanksTrade"}, "its silence would tell of the offers"


def test_it_reproaches_each_wrong_once_with_its_own_move() -> None:
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    wronged = reads(
        observe(position(ROW, "S5 c5", "S3 a5", "M4 m5")), merged, ("takeover.yourFlip", {"coin": "M1"})
    )
    begun = hears(wronged, *dealing())
    assert "reproachCovered" in intents(begun, NOOR)
    said = hears(begun, says(0, "reproachCovered", to=1, coin="M1"))
    assert "reproachCovered" not in intents(said, NOOR)
    assert remember(wronged, NOOR).goodwill[1] < 0
    forgotten = reads(wronged, *[("takeover.passed", {"seat": seat % 3}) for seat in range(30)])
    assert remember(forgotten, NOOR).goodwill[1] == 0


def test_it_reproaches_a_broken_promise() -> None:
    seen = observe(position(ROW, "S5 c5", "S3 a5", "M4 m5"))
    broken = knows(seen, 1, "pass", "broken", turn=1)
    assert "reproachBroken" in intents(hears(broken, *dealing()), NOOR)
    covered = knows(seen, 1, "spare", "broken", coin="M1", turn=1)
    assert "reproachSpare" in intents(hears(covered, *dealing()), NOOR)


def test_it_reproaches_a_broken_promise_before_anything_else_and_once() -> None:
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    flipped = ("takeover.yourFlip", {"coin": "M1"})
    seen = reads(observe(position(ROW, "S5 c5", "S3 a5", "M4 m5")), merged, flipped)
    broken = knows(seen, 1, "pass", "broken", turn=1)
    for character in (NOOR, YUKI):
        assert intents(broken, character) == {"reproachBroken"}  # bold ones do not threaten instead
        assert "reproachBroken" not in intents(hears(broken, says(0, "reproachBroken", to=1)), character)
    assert "promise.broken" in BOT.remarkable
    waiting = knows(seated(calm()), 1, "pass", "broken", turn=1)
    later = says(2, "noPact", at=9_000, to=1, coin="S3")
    assert intents(hears(waiting, *dealing(), later), NOOR) == {"reproachBroken"}  # it had to be silent first


def test_it_says_at_once_what_it_thinks_of_somebody_who_swallows_its_stock() -> None:
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    flipped = ("takeover.yourFlip", {"coin": "M1"})
    asked = hears(observe(calm()), says(0, "askSpare", at=500, to=1, coin="M1"))
    for before, expected in (
        (seated(calm()), "reproachCovered"),
        (asked, "reproachAsked"),
        (hears(asked, says(1, "say.iWillSpare", at=600)), "reproachWord"),
    ):
        assert intents(reads(before, merged, flipped), NOOR) - {"threat"} == {expected}
        later = reads(before, merged, flipped, ("takeover.passed", {"seat": 2}))
        assert intents(hears(later, says(2, "noPact", at=9_000, to=1, coin="S3")), NOOR) == set()


def test_a_person_can_say_yes_or_no_to_what_it_proposes() -> None:
    offered = hears(observe(calm()), says(0, "offerPact", at=1_000, to=1, yours="C3", mine="S5"))
    agreed = decide(hears(offered, says(1, "say.deal")), NOOR)
    assert {one.promise.terms["coin"] for one in agreed if one.promise is not None} == {"C3"}
    assert intents(hears(offered, says(1, "say.deal")), NOOR) == {"sealPact"}
    assert intents(hears(offered, says(1, "say.noDeal")), NOOR) == {"asYouLike"}
    assert intents(hears(offered, says(2, "say.deal")), NOOR) == set()
    since = hears(offered, says(2, "askSpare", to=1, coin="M4"), says(1, "say.deal"))
    assert intents(since, NOOR) == set()
    for phrase in ("say.deal", "say.noDeal"):  # it must be about something else by now
        assert intents(hears(offered, says(1, phrase, at=60_000)), NOOR) == set()


def declines(observation: Observation, character: Character = NOOR) -> set[str]:
    """What the character says to a yes for which it promises nothing."""
    answers = decide(observation, character)
    assert not any(answer.promise for answer in answers)
    return {intent_of(answer.remark.key) for answer in answers if answer.remark is not None}


def test_a_yes_to_a_pact_comes_too_late_once_it_gets_nothing_for_it() -> None:
    offered = hears(seated(calm()), says(0, "offerPact", at=500, to=1, yours="C3", mine="S5"))
    gone = hears(seated(calm()), says(0, "offerPact", at=500, to=1, yours="C3", mine="M1"))
    sold = hears(seated(calm()), says(0, "offerPact", at=500, to=1, yours="C3", mine="M4"))
    safe = hears(seated(calm()), says(0, "offerPact", at=500, to=2, yours="C3", mine="S5"))
    yes = says(1, "say.deal")
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    covered = reads(gone, merged, ("takeover.yourFlip", {"coin": "M1"}))
    complained = hears(covered, says(0, "reproachCovered", at=1_500, to=1, coin="M1"))
    elsewhere = reads(offered, merged, ("takeover.yourFlip", {"coin": "M1"}))
    complained_elsewhere = hears(elsewhere, says(0, "reproachCovered", at=1_500, to=1, coin="M1"))
    assert intents(hears(offered, yes), NOOR) == {"sealPact"}
    for character in (NOOR, YUKI, RAVI):
        assert declines(hears(gone, yes), character) == {"moot"}
        assert declines(hears(sold, yes), character) == {"noPact"}
        assert declines(hears(covered, yes), character) == {"reproachCovered"}
        assert declines(hears(complained, yes), character) == {"moot"}
        assert declines(hears(elsewhere, yes), character) == {"reproachCovered"}
        assert declines(hears(complained_elsewhere, yes), character) == {"noDealAfter"}
    out_of_reach = position({**ROW, (0, 0): "C2", (2, 0): "C1"}, "S5 c5", "c2", "M4 m5", holdings="open")
    far = hears(observe(out_of_reach), says(0, "offerPact", at=500, to=1, yours="C3", mine="S5"))
    assert declines(hears(far, yes)) == {"noPactReach"}
    assert intents(hears(safe, yes), NOOR) == set()


def test_a_yes_to_a_pact_comes_too_late_after_a_broken_promise_or_if_it_wants_to_cover() -> None:
    offered = hears(observe(calm()), says(0, "offerPact", at=500, to=1, yours="C3", mine="S5"))
    promises: dict[str, dict[str, Any]] = {"spare": {"coin": "A1"}, "grow": {"coin": "C3"}, "pass": {}}
    for kind, about in promises.items():
        broken = knows(offered, 1, kind, "broken", bot=False, turn=2, **about)
        assert declines(hears(broken, says(1, "say.deal"))) == {"noTrust"}
        to_other = knows(offered, 1, kind, "broken", to=2, bot=False, turn=2, **about)
        assert declines(hears(to_other, says(1, "say.deal"))) == {"noTrustOther"}
    wanted = hears(observe(tall()), says(0, "offerPact", at=500, to=1, yours="M4", mine="S5"))
    assert declines(hears(wanted, says(1, "say.deal"))) == {"noSpareGain"}


def test_a_pact_lapses_with_the_next_turn_of_whoever_offered_it() -> None:
    offered = hears(seated(calm()), says(0, "offerPact", at=500, to=1, yours="C3", mine="S5"))
    for key in ("takeover.merged", "takeover.passed"):
        about = {"source": "C0", "onto": "M2", "paid": []} if key == "takeover.merged" else {}
        other = reads(offered, (key, {"seat": 2, **about}))
        assert intents(hears(other, says(1, "say.deal")), NOOR) == {"sealPact"}
        own = reads(offered, (key, {"seat": 0, **about}))
        assert declines(hears(own, says(1, "say.deal"))) == {"tooLate"}
        agreed = reads(hears(offered, says(1, "say.deal", at=600)), (key, {"seat": 0, **about}))
        assert intents(agreed, NOOR) == {"sealPact"}


def test_a_yes_that_it_has_declined_is_no_deal() -> None:
    """Whoever was told that it is too late does not break a deal later."""
    offered = hears(observe(calm()), says(0, "offerPact", at=500, to=1, yours="C3", mine="M1"))
    agreed = hears(offered, says(1, "say.deal", at=600))
    for reply, expected in (("tooLate", "reproachCovered"), ("sealPact", "reproachDeal")):
        merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
        answered = hears(agreed, says(0, reply, at=700, to=1, coin="C3"))
        covered = reads(answered, merged, ("takeover.yourFlip", {"coin": "M1"}))
        assert intents(covered, NOOR) - {"threat"} == {expected}


def test_it_asks_whoever_agrees_to_a_favour_to_promise_it() -> None:
    for intent, kind, about in (
        ("askSpare", "spare", {"coin": "S5"}),
        ("askCover", "cover", {"coin": "M4", "height": 1}),
    ):
        agreed = hears(observe(calm()), says(0, intent, at=1_000, to=1, **about), says(1, "say.deal"))
        assert intents(agreed, NOOR) == {"askWord"}
        promised = knows(agreed, 1, kind, bot=False, coin=about["coin"], turn=4)
        assert intents(promised, NOOR) == {"heard"}
    gone = hears(observe(calm()), says(0, "askSpare", at=1_000, to=1, coin="C5"), says(1, "say.deal"))
    assert not intents(gone, NOOR)


def test_it_sends_the_offer_to_which_a_person_has_said_yes() -> None:
    state = position(SPREAD, "S2 C4", "m5 a1", "m4 c5 a4 s5", turn=2, holdings="open")
    offered = hears(observe(state), says(0, "offerSale", at=1_000, to=1, coin="S2", value=5))
    (decision, *_) = decide(hears(offered, says(1, "say.deal")), NOOR)
    assert decision.move == Propose(1, ("S2",), ("5+",))
    assert intents(hears(offered, says(1, "say.tooMuch")), NOOR) <= {"sellPrice", "sellKeep"}
    wanted = hears(observe(buyer()), says(0, "askSell", at=1_000, to=1, coin="S3", value=4))
    (decision, *_) = decide(hears(wanted, says(1, "say.deal")), NOOR)
    assert decision.move == Propose(1, ("C4",), ("S3",))


def test_it_answers_small_talk_while_it_is_new() -> None:
    for phrase, intent in {
        "say.wellPlayed": "praiseBack",
        "say.hostile": "shrug",
        "say.oops": "comfort",
        "say.hurry": "patience",
    }.items():
        said = hears(seated(calm()), says(1, phrase))
        assert intents(said, NOOR) == {intent}
        assert intents(hears(said, says(2, "noPact", at=30_000, to=1, coin="S3")), NOOR) == set()


def test_it_tells_a_person_who_hurries_others_whose_turn_it_is() -> None:
    said = hears(seated(calm()), says(2, "say.hurry"))
    assert intents(said, NOOR) == {"yourTurn"}


def test_a_pact_for_a_company_that_is_gone_is_not_sealed() -> None:
    offered = hears(observe(calm()), says(0, "offerPact", at=1_000, to=1, yours="C3", mine="S0"))
    assert intents(hears(offered, says(1, "yesPact", to=0, coin="S0")), NOOR) == {"moot"}


def test_it_spares_in_return_only_what_is_probably_that_seats() -> None:
    promised = knows(observe(calm()), 1, "spare", bot=False, coin="S5", turn=3)
    assert intents(promised, NOOR) == {"backSpare"}
    grown = reads(
        promised, *[("takeover.merged", {"seat": 2, "source": name, "onto": "M1"}) for name in OTHERS]
    )
    assert intents(grown, NOOR) == {"heard"}
    asked = hears(promised, *[says(0, "askCover", at=500, to=2, coin=name, height=1) for name in OTHERS])
    assert intents(asked, NOOR) == {"heard"}


def test_only_who_was_seen_to_take_a_0_coin_answers_somebody_who_needs_one() -> None:
    asked = hears(seated(calm()), says(1, "say.needNull"))
    draft = part(asked, "draft", Draft)
    for picker, answers in ((0, {"noNull"}), (2, set())):
        picked = replace(draft, picks=(Picked(Seat(picker), 0, None),))
        seen = replace(asked, sections={**asked.sections, "draft": picked})
        assert intents(seen, NOOR) - {"offerMade"} == answers


def test_it_offers_a_0_coin_to_whoever_needs_one_or_says_that_none_is_left() -> None:
    state = position(tower(), "A1 s0 c5", "S3 a5", "M4 m5", turn=2)
    asked = hears(seated(state), says(1, "say.needNull"))
    moves = [one.move for one in decide(asked, NOOR) if isinstance(one.move, Propose)]
    assert moves
    assert {move.give for move in moves} == {("S0",)}
    holdings = part(asked, "holdings", Holdings)
    used = replace(asked, sections={**asked.sections, "holdings": replace(holdings, spent=(0, 0, 0, 0))})
    assert intents(used, NOOR) == {"noNullLeft"}


def tower() -> dict[tuple[int, int], str]:
    return {**ROW, (0, 3): "M5 M3 M2 M1 C1 C2 C4"}


def test_a_threat_is_answered_and_not_held_against_whoever_drops_it() -> None:
    threat = knows(picked(5), 1, "cover", bot=False, coin="S5", turn=5)
    assert intents(threat, NOOR) == {"threatened", "unmoved"}
    dropped = knows(picked(5), 1, "cover", "broken", bot=False, coin="S5", turn=5)
    assert intents(dropped, NOOR) == {"relieved"}
    assert remember(dropped, NOOR).broke == frozenset()
    again = replace(dropped, promises=(*dropped.promises, replace(dropped.promises[0], id="q")))
    assert remember(again, NOOR).broke == {1}
    asked = hears(picked(5), says(0, "askCover", at=500, to=1, coin="M4", height=1))
    assert intents(knows(asked, 1, "cover", "broken", bot=False, coin="M4", turn=5), NOOR) == {
        "reproachBroken"
    }


def test_a_threat_is_forgiven_if_it_was_dropped_first_not_made_first() -> None:
    threat = knows(picked(5), 1, "cover", bot=False, coin="S5", turn=9).promises[0]
    later = replace(threat, id="q", terms={"coin": "M4", "turn": 5})

    def drops(*ids: str) -> Observation:
        promises = [replace(one, judgement="broken" if one.id in ids else None) for one in (threat, later)]
        lines = [
            SeenLine("promise.broken", {"seat": 1, "promise": id}, None, Millis(2_000 + number))
            for number, id in enumerate(ids)
        ]
        return replace(picked(5), promises=tuple(promises), lines=tuple(lines))

    once, twice = remember(drops("q"), NOOR), remember(drops("q", threat.id), NOOR)
    assert once.broke == frozenset()
    assert twice.broke == frozenset({1})
    assert once.spared == twice.spared == ((1, 2_000),)
    assert [wrong.at for wrong in twice.wrongs] == [2_001]


def test_a_threat_to_everybody_is_answered_by_one_bot() -> None:
    threat = knows(picked(5), 1, "cover", bot=False, coin="S5", turn=5)
    open_to_all = replace(threat, promises=(replace(threat.promises[0], to=()),))
    assert intents(open_to_all, NOOR) == {"threatened", "unmoved"}
    asked = hears(open_to_all, says(2, "askSell", at=1_600, to=1, coin="S5", value=4))
    assert intents(asked, NOOR) == {"threatened", "unmoved"}
    assert not intents(hears(open_to_all, says(2, "unmoved", at=1_600, to=1, coin="S5")), NOOR)
    for kind in ("spare", "pass"):
        promise = replace(threat.promises[0], kind=kind, to=())
        assert not intents(replace(threat, promises=(promise,)), NOOR)


@pytest.mark.parametrize("judgement", [None, "kept", "broken", "lapsed"])
@pytest.mark.parametrize("to", [(), (0,)])
def test_it_decides_whatever_it_is_promised(to: tuple[int, ...], judgement: str | None) -> None:
    """It is its turn, and it has asked for a company to be covered. Promises of all kinds are tried."""
    turn = observe(position(ROW, "S5 c5", "S3 a5", "M4 m5"))
    random, asked = Random(5), hears(turn, says(0, "askCover", at=500, to=1, coin="M4", height=1))
    states = TAKEOVER.setup(3, TakeoverOptions(), START, Dice(b"promises")).state, drafted(3).state, calm()
    choices = [
        choice
        for state in states
        for choice in TAKEOVER.promises.choices(view_public(TAKEOVER, state), Seat(1))
    ]
    assert {choice.move for choice in choices} == set(TAKEOVER.promises.kinds)
    for choice in 10 * choices:
        terms = draw_terms(choice, random)
        known = knows(asked, 1, choice.move, judgement, bot=False, **terms)
        promises = tuple(replace(promise, to=tuple(map(Seat, to))) for promise in known.promises)
        for character in (NOOR, RAVI):
            assert decide(replace(known, promises=promises), character, 2)


@pytest.mark.parametrize("intent", ["askSpare", "askCover", "askSell"])
def test_it_decides_whatever_is_said_after_a_promise(intent: str) -> None:
    """It has asked a person for something who has promised something. All kinds and phrases are tried."""
    turn, random = observe(position(ROW, "S5 c5", "S3 a5", "M4 m5")), Random(5)
    about: dict[str, dict[str, int | str]] = {
        "askSpare": {"coin": "S5"},
        "askCover": {"coin": "M4", "height": 1},
        "askSell": {"coin": "S3", "value": 4},
    }
    asked = hears(turn, says(0, intent, at=500, to=1, **about[intent]))
    state = drafted(3).state
    by_kind = {
        choice.move: choice for choice in TAKEOVER.promises.choices(view_public(TAKEOVER, state), Seat(1))
    }
    for kind, choice in by_kind.items():
        known = knows(asked, 1, kind, bot=False, **draw_terms(choice, random))
        for phrase in TEXTS.phrases:
            assert decide(hears(known, says(1, phrase.removeprefix("takeover."))), NOOR, 2)


def draw_terms(choice: Choice, random: Random) -> dict[str, Any]:
    """What a promise of this kind may be about."""
    terms: dict[str, Any] = {}
    for name, domain in choice.fields.items():
        if isinstance(domain, Range):
            terms[name] = random.randint(domain.least, domain.most)
        elif isinstance(domain, OneOf) and name != TO:
            terms[name] = random.choice(domain.of)
    return terms


@pytest.mark.parametrize("streams", [50, pytest.param(150, marks=pytest.mark.at_length)])
def test_what_it_answers_does_not_tell_whose_stock_a_company_is(streams: int) -> None:
    """The same dice lead to the same words, silence, promises and time, whether it has the stock or not.

    Two companies of the same number have like neighbours. One is its own, and everybody has seen it pick a 5.
    """
    row = {(0, 0): "S3", (1, 0): "S5", (2, 0): "M4", (2, 1): "M2", (0, 3): "C3", (1, 3): "C5", (2, 3): "A4"}
    about = seated(position(row, "S5 M2 c1", "S3 a5", "M4 m5", turn=2))
    draft = replace(part(about, "draft", Draft), picks=(Picked(Seat(0), 5, None), Picked(Seat(1), 3, None)))
    about = replace(about, sections={**about.sections, "draft": draft})

    def count(observation: Observation, character: Character) -> Counter[object]:
        return Counter(
            None
            if one is None
            else (
                one.remark and (one.remark.key, one.remark.args.get("to"), "mine" in one.remark.args),
                one.promise and (one.promise.kind, one.promise.to),
                one.after,
            )
            for one in (BOT.decide(observation, character, Dice(b"%d" % stream)) for stream in range(streams))
        )

    def ask_everything(coin: str) -> list[Observation]:
        threat = knows(about, 1, "cover", bot=False, coin=coin, turn=6)
        all_threatened = replace(threat, promises=(replace(threat.promises[0], to=()),))
        named = knows(about, 1, "hold", bot=False, coin=coin)
        grown = ("takeover.merged", {"seat": 1, "source": coin, "onto": "M1", "paid": []})
        shown = reads(about, grown)
        return [
            threat,
            all_threatened,
            hears(threat, says(0, "unmoved", at=1_600, to=1, coin=coin), says(1, "say.iWillSpare")),
            knows(about, 1, "cover", "broken", bot=False, coin=coin, turn=2),
            named,
            hears(named, says(0, "heard", at=1_600, to=1), says(1, "say.spareMine")),
            hears(shown, says(1, "say.spareMine")),
            hears(shown, says(1, "say.iWillSpare")),
            knows(about, 1, "spare", bot=False, coin=coin, turn=6),
            knows(about, 1, "spare", "kept", bot=False, coin=coin, turn=2),
        ]

    for character in (NOOR, YUKI, RAVI, find_character("kwame", "normal")):
        for own, other in zip(ask_everything("S5"), ask_everything("C5"), strict=True):
            assert count(own, character) == count(other, character)


def test_who_proposes_to_pass_does_not_learn_with_what_another_goes_on() -> None:
    asked = hears(observe(tall()), says(1, "say.letUsPass"))
    remarks = [one.remark for one in decide(asked, NOOR)]
    assert {intent_of(remark.key) for remark in remarks if remark is not None} == {"noPass"}
    assert all("coin" not in remark.args for remark in remarks if remark is not None)


def test_it_takes_for_a_seats_company_what_that_seat_has_let_grow() -> None:
    grown = ("takeover.merged", {"seat": 1, "source": "A1", "onto": "M1", "paid": []})
    asked = hears(reads(seated(calm()), grown), says(1, "say.spareMine"))
    assert {one.promise.terms["coin"] for one in decide(asked, NOOR) if one.promise is not None} == {"A1"}


def test_it_does_not_thank_for_the_word_of_somebody_who_has_broken_a_promise() -> None:
    broken = knows(seated(calm()), 1, "spare", "broken", bot=False, coin="M1", turn=1)
    reproached = hears(broken, says(0, "reproachSpare", at=1_600, to=1, coin="M1"), says(1, "say.iWillSpare"))
    assert intents(reproached, NOOR) == {"doubt"}


def test_the_answer_to_a_threat_shows_only_what_everybody_may_think() -> None:
    def answers(coin: str, *values: Value) -> set[str]:
        return intents(knows(picked(*values), 1, "cover", bot=False, coin=coin, turn=5), NOOR)

    assert answers("M4", 5, 5) == {"unmoved"}  # everybody has seen that it picked no 4
    for coin in ("S5", "M4"):
        dropped = knows(picked(5, 4), 1, "cover", "broken", bot=False, coin=coin, turn=5)
        assert intents(dropped, NOOR) == {"relieved"}
        kept = knows(picked(5, 4), 1, "cover", "kept", bot=False, coin=coin, turn=5)
        assert "thanksKept" not in intents(kept, NOOR)
        assert remember(kept, NOOR).goodwill[1] == 0


def picked(*values: Value) -> Observation:
    """What seat 0 sees after it has picked coins of these values."""
    observation = seated(calm())
    draft = part(observation, "draft", Draft)
    draft = replace(draft, picks=tuple(Picked(Seat(0), value, None) for value in values))
    return replace(observation, sections={**observation.sections, "draft": draft})


def test_it_asks_about_a_threat_that_contradicts_what_a_person_says() -> None:
    threat = knows(picked(5), 1, "cover", bot=False, coin="S5", turn=5)
    answered = hears(threat, says(0, "threatened", at=1_600, to=1, coin="S5"), says(1, "say.iWillSpare"))
    assert intents(answered, NOOR) == {"butCover"}


def test_a_person_can_name_a_company_by_a_promise() -> None:
    named = knows(seated(calm()), 1, "hold", bot=False, coin="C3")
    assert intents(named, NOOR) <= {"yesSpare", "offerPact"}
    assert {one.promise.terms["coin"] for one in decide(named, NOOR) if one.promise is not None} == {"C3"}
    open_to_all = replace(named, promises=(replace(named.promises[0], to=()),))
    assert not intents(open_to_all, NOOR) & {"yesSpare", "offerPact"}
    wondered = hears(open_to_all, says(0, "whichOne", at=1_000, to=1))
    assert intents(wondered, NOOR) <= {"yesSpare", "offerPact"}
    assert intents(wondered, NOOR)
    answered = hears(named, says(0, "heard", at=1_600, to=1), says(1, "say.spareMine"))
    assert intents(answered, NOOR) <= {"yesSpare", "offerPact"}
    taken = knows(seated(calm()), 1, "hold", bot=False, coin="S5")  # its own: it does not tell
    assert intents(taken, NOOR) == {"yesSpare"}


def test_it_reproaches_whoever_proposes_to_pass_and_merges() -> None:
    agreed = hears(
        seated(calm()), says(1, "say.letUsPass", at=500), says(0, "yesPass", at=600, to=1), *dealing()
    )
    merged = reads(agreed, ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []}))
    assert "reproachPass" in intents(merged, NOOR)
    proposal, agreement, *others = agreed.messages[1:]
    *before, own = merged.lines
    for other in (0, 2):  # once somebody else has merged, whoever proposed it may merge as well
        first = replace(own, args={**own.args, "seat": other}, at=Millis(own.at - 100))
        assert "reproachPass" not in intents(replace(merged, lines=(*before, first, own)), NOOR)
    late = (replace(proposal, at=Millis(1_500)), replace(agreement, at=Millis(1_600)))
    assert "reproachPass" not in intents(replace(merged, messages=(*late, *others)), NOOR)


def test_it_agrees_to_pass_once() -> None:
    nothing = position({(0, 0): "C3", (1, 0): "M4"}, "M4 s4", "C3", "a5", turn=2)
    asked = hears(observe(nothing), says(1, "askPass"))
    assert intents(knows(asked, 0, "pass", turn=2), NOOR) == set()
    answered = hears(asked, says(2, "noPassBehind", to=1))
    assert intents(answered, NOOR) == set()
    passed = replace(part(asked, "passes", Passes), passed=(True, False, False))
    seen = replace(asked, sections={**asked.sections, "passes": passed})
    assert intents(seen, NOOR) == set()
    merged = ("takeover.merged", {"seat": 2, "source": "S3", "onto": "M1", "paid": []})
    later = reads(hears(observe(nothing), says(1, "askPass", at=500)), merged)
    assert intents(later, NOOR) == set()


def test_it_agrees_to_pass_and_proposes_it_only_if_it_would_not_lose() -> None:
    board = {(0, 0): "C3", (1, 0): "M4"}
    for hand, other, answer in (
        ("M4 s3", "C3 s5", {"noPassBehind"}),  # 7 against 8
        ("M4 s4", "C3 s5", {"yesPass"}),
        ("M4 s5", "C3 s4", {"yesPass"}),
    ):
        waiting = position(board, hand, other, "a5", turn=2, holdings="open")
        assert intents(hears(observe(waiting), says(1, "askPass")), NOOR) == answer
        turn = position(board, hand, other, "a5", holdings="open")
        proposed = {"askPass", "say.letUsPass"} & (
            intents(observe(turn), NOOR) | intents(observe(turn), unnamed("normal"))
        )
        assert bool(proposed) == (answer == {"yesPass"})
        heard = hears(observe(turn), says(2, "askPass"))
        assert not {"askPass", "say.letUsPass"} & intents(heard, NOOR)


def test_it_says_that_nothing_pays_if_it_passes_behind_but_not_with_the_last_pass() -> None:
    board = {(0, 0): "C3", (2, 3): "M4"}
    passing = {"askPass", "say.letUsPass", "passBehind"}
    for hand, says_before in (("s1", {"passBehind"}), ("s5 m5", {"askPass"})):
        seen = observe(position(board, hand, "C3", "M4", holdings="open"))
        for passed in (False, True):
            passes = replace(part(seen, "passes", Passes), passed=(False, True, passed))
            observation = replace(seen, sections={**seen.sections, "passes": passes})
            said = passing & (intents(observation, NOOR) | intents(observation, unnamed("normal")))
            assert said - {"say.letUsPass"} == (set() if passed else says_before)
            assert "say.letUsPass" not in said or says_before == {"askPass"}


OTHERS: Final = ("S3", "S5", "M4", "C3", "A1")
"""The companies of `ROW`, each of which another seat may hold, for all that is seen."""
RICH: Final = "c3 c5 m3 m5 s4"


def test_a_pact_is_about_what_the_other_seat_could_do() -> None:
    """Only who has 5 in cash can cover S5: one company is beside it."""
    row = {(0, 0): "M4", (1, 0): "A2 A3 A4 C1 C2 C4 S5", (4, 2): "C3", (5, 2): "A1"}
    for other, answer in (("c2 a5", "yesPact"), ("c2", "noPactReach")):
        state = position(row, "S5 c5", other, "M4 m5", turn=2, holdings="open")
        offered = hears(observe(state), says(1, "offerPact", to=0, yours="S5", mine="C3"))
        assert intents(offered, NOOR) == {answer}
        asked = {
            (intent_of(one.remark.key), one.remark.args.get("to"))
            for one in decide(observe(position(row, "S5 m2", other, RICH, holdings="open")), NOOR)
            if one.remark is not None
        }
        assert (("askSpare", 1) in asked) == (other == "c2 a5")


def test_what_another_seat_could_do_depends_on_what_is_seen_of_its_coins() -> None:
    row = {(0, 0): "M4", (1, 0): "S5", (1, 3): "C3"}

    def can(hand: str, **options: str) -> bool:
        seen = observe(position(row, "S5 c5", hand, "M4 m5", turn=2, **options))
        return can_cover(seen, read_table(seen), 1, number_of("S5"))

    assert can("a2")  # any coin that is not its own may be a 5
    assert not can("")
    assert not can("a2", holdings="faces")
    assert not can("A5", holdings="faces")
    assert can("a2 a3", holdings="faces")
    assert not can("a0 a4", holdings="open")
    assert can("a0 a5", holdings="open")
    seen = observe(position(row, "S5 c5", "a2 c4", "M4 m5", turn=2))
    draft = part(seen, "draft", Draft)
    picks = tuple(Picked(Seat(1), value, None) for value in (2, 2))
    picked = replace(seen, sections={**seen.sections, "draft": replace(draft, picks=picks)})
    assert not can_cover(picked, read_table(picked), 1, number_of("S5"))
    traded = reads(picked, ("takeover.traded", {"seat": 2, "other": 1, "gave": 1, "got": 1}))
    assert can_cover(traded, read_table(traded), 1, number_of("S5"))


def test_it_gives_others_time_to_read() -> None:
    merged = ("takeover.merged", {"seat": 2, "source": "S3", "onto": "M1", "paid": []})
    level = observe(position({**ROW, (0, 0): "M1 S3"}, "S5 c5", "C3 a5", "M4 m5"))
    tall = observe(position({**ROW, (0, 0): "A2 M1 S3"}, "S5 c5", "C3 a5", "M4 m5"))
    assert choose_pace(level) is None
    assert choose_pace(reads(level, merged)) == AFTER_MERGER
    assert choose_pace(reads(tall, merged)) == AFTER_FALL
    asked = hears(reads(level, merged), says(2, "askSpare", to=1, coin="M4"))
    assert choose_pace(asked) == AFTER_REQUEST
    assert choose_pace(hears(asked, says(1, "noSparePlan", to=2, coin="M4"))) == AFTER_MERGER
    assert {one.after for one in decide(asked, NOOR)} == {AFTER_REQUEST}


def test_it_threatens_only_with_what_it_can_do() -> None:
    merged = ("takeover.merged", {"seat": 1, "source": "S3", "onto": "M1", "paid": []})
    for hand, possible in (("S5 a5", True), ("c5 a5", False)):
        state = position(ROW, hand, "C3", "M4 m5", turn=2, holdings="open")
        wronged = reads(seated(state), merged, ("takeover.yourFlip", {"coin": "M1"}))
        assert ("threat" in intents(wronged, YUKI)) == possible


def test_it_announces_what_it_has_swallowed() -> None:
    stacks = {(0, 0): "S3", (1, 0): "M1 M2 M3 A2 A3 S5", (5, 3): "C4"}
    observation = hears(observe(position(stacks, "S3 c4", "S5 m5", "C4")), *dealing())
    assert "hostile" in intents(observation, YUKI)


def dealing() -> list[Spoken]:
    """Four requests of the others with answers."""
    return [
        message
        for number in range(4)
        for message in (
            says(1, "askSpare", to=2, coin=NAMES[number]),
            says(2, "noSparePlan", to=1, coin=NAMES[number]),
        )
    ]


def test_a_substitute_promises_nothing_and_asks_for_nothing() -> None:
    asked = hears(observe(calm()), says(1, "askSpare", to=0, coin="C3"))
    decisions = decide(asked, unnamed("normal"))
    assert all(one.promise is None for one in decisions)
    assert intents(asked, unnamed("normal")) == {"substitute"}
    for own in (observe(position(ROW, "S5 c5", "S3 a5", "M4 m5")), observe(tall())):
        assert intents(own, unnamed("normal")) <= {"say.letUsPass", "say.hostile"}


def test_only_the_dishonest_say_what_is_not_true() -> None:
    state = position(ROW, "S3 C3", "S5 m5", "M4 a5", turn=2)
    asked = hears(observe(state), says(1, "askSell", to=0, coin="C3", value=1))
    assert "sellNone" not in intents(asked, NOOR)
    assert "sellNone" in intents(asked, RAVI)
