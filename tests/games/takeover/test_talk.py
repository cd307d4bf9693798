"""What Takeover bots say in whole games: proposals with answers, nothing twice, and nothing false."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from statistics import mean
from typing import Any, Final

from games.api import Character, Millis, Seat, Spoken
from games.dice import Dice
from games.kit.characters import CHARACTERS
from games.kit.observations import part
from games.kit.promises import has_room
from games.kit.texts import format_message
from games.takeover.bot import evaluation
from games.takeover.bot.observation import Table, read_table
from games.takeover.bot.reach import can_cover
from games.takeover.bot.situation import number_of
from games.takeover.bot.voice import REPLIES, REQUESTS, WORDINGS, find_words, intent_of
from games.takeover.rules.promises import list_turns
from games.takeover.rules.values import (
    NAMES,
    Board,
    Deals,
    Draft,
    Holdings,
    Name,
    Passes,
    Stage,
)
from games.takeover.texts import TEXTS
from tests.games.takeover.hearing import (
    NOOR,
    calm,
    hears,
    says,
)
from tests.games.takeover.players import observe
from tests.games.takeover.talking import TalkingTable
from tests.games.talking_table import Saying

GAMES: Final = 34
LEVELS: Final = (
    ["easy", "easy", "easy", "easy"],
    ["normal", "normal", "normal", "normal"],
    ["hard", "hard", "hard", "hard"],
    ["hard", "normal", "easy", "normal"],
)
BY_HAND: Final = frozenset(
    {
        *("whichOne", "tooEarly", "heard", "doubt", "thanksWord", "offerMade", "noOffer", "substitute"),
        *("reproachDeal", "askWord", "tooLate", "noDealAfter"),
        *("yesGuess", "backSpare", "reproachWord", "praiseBack", "shrug", "comfort", "patience", "asYouLike"),
        *("yourTurn", "threatened", "unmoved", "relieved", "butCover", "reproachPass"),
        *("noNull", "noNullLeft"),
    }
)
"""What bots only say to people, or when they play for one."""


# --- whole games ---


@cache
def play_games() -> tuple[tuple[Saying, ...], ...]:
    games = []
    for number in range(GAMES):
        table = TalkingTable(LEVELS[number % len(LEVELS)], f"talk {number}")
        table.play()
        games.append(tuple(table.sayings))
    return tuple(games)


def test_games_have_proposals_that_are_answered() -> None:
    exchanges = [count_exchanges([said.spoken for said in game]) for game in play_games()]
    assert min(exchanges) >= 3
    assert mean(exchanges) >= 4


PASSING: Final = frozenset({"askPass", "say.letUsPass", "yesPass", "noPass", "noPassBehind"})


def test_passing_is_proposed_once_and_answered_once() -> None:
    for game in play_games():
        intents = [intent_of(said.spoken.key) for said in game]
        passing = [intent for intent in intents if intent in PASSING]
        assert passing[:1] in ([], ["askPass"], ["say.letUsPass"])
        assert len(passing) <= 2
        assert len(PASSING.intersection(passing[1:]) - {"askPass", "say.letUsPass"}) == len(passing[1:])


def count_exchanges(talk: Sequence[Spoken]) -> int:
    """The number of proposals that the seat asked, or any seat if all were, has answered with yes, no or a
    counter-proposal; not that the occasion is gone."""
    return sum(
        intent_of(spoken.key) in REQUESTS
        and any(
            reply.addressee == spoken.seat
            and spoken.addressee in (None, reply.seat)
            and intent_of(reply.key) in REPLIES
            for reply in talk[number + 1 :]
        )
        for number, spoken in enumerate(talk)
    )


def test_no_line_is_said_twice_in_a_game() -> None:
    messages = {**TEXTS.catalogue["remarks"], **TEXTS.catalogue["phrases"]}
    for game in play_games():
        lines = [format_message(messages[said.spoken.key], said.spoken.args) for said in game]
        assert len(lines) == len(set(lines))


def test_every_intent_is_said_and_every_variant_can_be() -> None:
    said = {intent_of(said.spoken.key) for game in play_games() for said in game}
    assert WORDINGS.keys() - BY_HAND - RARE <= said
    observation = observe(calm())
    for intent, keys in WORDINGS.items():
        args: dict[str, int | str] = dict.fromkeys(TEXTS.remarks[keys[0]], 1)
        heard = observation
        for number in range(len(keys)):
            remark = find_words(heard, intent, args, NOOR, Dice(b"%d" % number))
            assert remark is not None
            heard = hears(heard, Spoken(Seat(0), None, remark.key, args, Millis(number)))
        assert {message.key for message in heard.messages} == set(keys)
        assert find_words(heard, intent, args, NOOR, Dice(b"")) is None


def test_all_variants_of_an_intent_have_the_same_arguments() -> None:
    """Except that not each names whom it is said to."""
    for keys in WORDINGS.values():
        assert len({frozenset(TEXTS.remarks[key]) - {"to"} for key in keys}) == 1


def test_no_bot_says_at_once_what_another_has_just_said() -> None:
    said = hears(observe(calm()), says(1, "noCoverGain", to=2, coin="S5"))
    assert find_words(said, "noCoverGain", {"to": 1, "coin": "S5"}, NOOR, Dice(b"")) is None
    assert find_words(said, "noCoverGain", {"to": 1, "coin": "M4"}, NOOR, Dice(b"")) is not None
    later = hears(said, *(says(2, "askPass"), says(1, "askPass"), says(2, "askPass")))
    assert find_words(later, "noCoverGain", {"to": 1, "coin": "S5"}, NOOR, Dice(b"")) is not None


def test_each_character_has_words_of_its_own() -> None:
    def words(character: Character) -> set[str]:
        dice = (Dice(b"%d" % number) for number in range(40))
        args: dict[str, int | str] = {"to": 1, "coin": "S5"}
        remarks = [find_words(observe(calm()), "askSpare", args, character, one) for one in dice]
        return {remark.key for remark in remarks if remark is not None}

    assert len({frozenset(words(character)) for character in CHARACTERS}) > 2


# --- the truth ---


class Truth:
    """What its speaker knows just after a remark."""

    def __init__(self, said: Saying) -> None:
        self.said = said
        self.observation = said.observation
        self.args: Mapping[str, Any] = said.spoken.args
        self.seat = said.spoken.seat
        self.table: Table = read_table(said.observation)

    def is_on_top(self, name: str = "coin") -> bool:
        return number_of(self.args[name]) in self.table.stacks.tops

    def owns(self, name: str = "coin") -> bool:
        return number_of(self.args[name]) in self.table.purse.stocks

    @property
    def height(self) -> int:
        return self.table.stacks.heights[self.table.stacks.tops.index(number_of(self.args["coin"]))]

    @property
    def cash(self) -> int:
        return sum(int(NAMES[coin][1]) for coin in self.table.purse.cash)

    def may_lose(self) -> bool:
        """Whether another seat may be richer, by its own count."""
        return evaluation.may_lose_now(self.table)

    def can_be_covered(self, name: str) -> bool:
        """Whether the seat that it speaks to could cover the company, for all that it knows."""
        return can_cover(self.observation, self.table, self.args["to"], number_of(self.args[name]))

    @property
    def gain(self) -> int | None:
        return self.find_gain("coin")

    def find_gain(self, name: str) -> int | None:
        """The most that covering the company gains at once; None if the seat cannot cover it."""
        square = self.table.stacks.tops.index(number_of(self.args[name]))
        mergers = evaluation.list_mergers(self.table, (0.0,) * len(NAMES), 0.0)
        return max((int(merger.points) for merger in mergers if merger.onto == square), default=None)

    @property
    def movable(self) -> set[Name]:
        tops = self.table.stacks.tops
        mergers = evaluation.list_mergers(self.table, (0.0,) * len(NAMES), 0.0)
        return {NAMES[tops[merger.source]] for merger in mergers}

    def promised(self, kind: str) -> bool:
        """For its next turn, as it says."""
        stage = part(self.observation, "stage", Stage)
        turn = list_turns(stage, self.seat, self.observation.seats)[0]
        terms: dict[str, Any] = {"turn": turn}
        if "coin" in self.args:
            terms["coin"] = self.args["coin"]
        to = () if kind == "pass" else (self.args["to"],)
        return any(
            (promise.by, promise.kind, promise.terms, promise.to) == (self.seat, kind, terms, to)
            for promise in self.observation.promises
        )

    def has_passed(self) -> bool:
        return part(self.observation, "passes", Passes).passed[self.seat]

    def deceived(self, other: int) -> bool:
        return any(
            promise.by == self.args["to"] and promise.judgement == "broken" and other in promise.to
            for promise in self.observation.promises
        )

    def has_heard(self, seat: int, intent: str, **args: Any) -> bool:
        return any(
            (said.seat, intent_of(said.key)) == (seat, intent) and args.items() <= said.args.items()
            for said in self.observation.messages
        )

    def has_covered(self, seat: int) -> bool:
        merged = ("takeover.merged", "takeover.special")
        return any(self.has_line(key, seat=seat, onto=self.args["coin"]) for key in merged)

    def judged(self, judgement: str) -> bool:
        return any(
            promise.by == self.args["to"] and promise.judgement == judgement
            for promise in self.observation.promises
        )

    def has_line(self, key: str, **args: Any) -> bool:
        return any(line.key == key and args.items() <= line.args.items() for line in self.observation.lines)

    def has_offered(self, wished: str | None = None) -> bool:
        """Whether it has made an offer to the seat that it speaks to, and wishes for this stock, if given."""
        deals = part(self.observation, "deals", Deals).deals
        mine = (deal for deal in deals if deal.by == self.seat and deal.to == self.args["to"])
        return any(wished is None or wished in deal.wish for deal in mine)

    def has_swallowed(self) -> bool:
        stacks = part(self.observation, "board", Board).stacks
        for tiles in (stack.tiles for stack in stacks if stack is not None):
            if tiles[-1] == self.args["source"] and self.args["onto"] in tiles:
                return tiles.index(self.args["onto"]) + 1 == int(self.args["height"])
        return False

    def has_picked(self) -> bool:
        pick = part(self.observation, "draft", Draft).picks[-1]
        return (pick.seat, pick.value) == (self.seat, self.args["value"])

    def leaves_high_coins(self) -> bool:
        """Whether others can still fight for a 4 or a 5."""
        return any(part(self.observation, "draft", Draft).left[4:])


LIES: Final = frozenset({"sellNone"})
"""What a character that is not honest may say although it is not true."""
RARE: Final = frozenset(
    {
        *("noTrust", "noSparePlan", "noSpareGain", "noCoverBetter", "yesCover", "hostile", "reproachBroken"),
        *("sellYes", "sellPrice", "sellNone", "sellKeep", "buy", "thanksTrade", "noTrustOther", "threat"),
        *("reproachAsked", "reproachSpare", "noBuy", "thanksKept"),
        *("yesPass", "noPass", "noPassBehind", "noPactReach", "noMore", "promised"),
    }
)
"""What a few games may lack; it is tested by hand (test_answers.py)."""
TRUTHS: Final[Mapping[str, Callable[[Truth], bool]]] = {
    "askSpare": lambda true: true.owns() and true.can_be_covered("coin"),
    "offerPact": lambda true: (
        true.owns("mine")
        and true.can_be_covered("mine")
        and true.is_on_top("yours")
        and not true.owns("yours")
        and true.find_gain("yours") is not None
    ),
    "askSell": lambda true: true.is_on_top() and not true.owns() and true.cash >= true.args["value"],
    "offerSale": lambda true: true.owns(),
    "askCover": lambda true: (
        true.height == true.args["height"]
        and not true.owns()
        and true.can_be_covered("coin")
        and not true.has_heard(true.args["to"], "askSpare", coin=true.args["coin"])
        and not true.has_line("takeover.merged", seat=true.args["to"], source=true.args["coin"])
    ),
    "askPass": lambda true: true.has_passed() and not true.may_lose(),
    "yesSpare": lambda true: true.promised("spare"),
    "yesPact": lambda true: true.promised("spare"),
    "sealPact": lambda true: true.promised("spare"),
    "yesGuess": lambda true: true.promised("spare") and not true.owns(),
    "backSpare": lambda true: true.promised("spare") and not true.owns(),
    "noSpareGain": lambda true: true.gain is not None and true.gain > 0,
    "noSparePlan": lambda true: true.gain is not None,
    "noTrust": lambda true: true.judged("broken"),
    "noTrustOther": lambda true: true.deceived(true.args["other"]) and not true.deceived(true.seat),
    "noPact": lambda true: not true.owns(),
    "noPactReach": lambda true: true.owns() and not true.can_be_covered("coin"),
    "moot": lambda true: not true.is_on_top(),
    "justCovered": lambda true: true.has_covered(true.seat),
    "didCover": lambda true: true.has_covered(true.seat),
    "noMore": lambda true: not has_room(true.observation.promises, true.seat, true.observation.seats),
    "promised": lambda true: true.promised("spare") or true.promised("cover"),
    "yesCover": lambda true: true.promised("cover"),
    "noCoverReach": lambda true: true.gain is None,
    "noCoverGain": lambda true: true.gain is not None and true.gain <= 0,
    "noCoverBetter": lambda true: true.gain is not None and true.gain > 0,
    "sellYes": lambda true: true.owns(),
    "sellPrice": lambda true: true.owns(),
    "sellNone": lambda true: not true.owns(),
    "sellKeep": lambda true: true.owns(),
    "buy": lambda true: true.has_offered(true.args["coin"]),
    "noBuy": lambda true: not true.has_offered(true.args["coin"]) and true.is_on_top(),
    "noThanks": lambda true: not true.has_offered(true.args["coin"]) and true.is_on_top(),
    "yesPass": lambda true: true.promised("pass") and not true.may_lose(),
    "noPassBehind": lambda true: true.may_lose(),
    "passBehind": lambda true: true.has_passed() and true.may_lose(),
    "noPass": lambda true: bool(true.movable),
    "threat": lambda true: true.gain is not None and not true.owns(),
    "reproachCovered": lambda true: true.has_line("takeover.yourFlip", coin=true.args["coin"]),
    "reproachAsked": lambda true: (
        true.has_line("takeover.yourFlip", coin=true.args["coin"])
        and true.has_heard(true.seat, "askSpare", to=true.args["to"], coin=true.args["coin"])
    ),
    "reproachWord": lambda true: (
        true.has_line("takeover.yourFlip", coin=true.args["coin"])
        and true.has_heard(true.args["to"], "say.iWillSpare")
    ),
    "reproachDeal": lambda true: (
        true.has_line("takeover.yourFlip", coin=true.args["coin"])
        and true.has_heard(true.args["to"], "say.deal")
    ),
    "reproachSpare": lambda true: true.deceived(true.seat) and true.has_covered(true.args["to"]),
    "reproachBroken": lambda true: true.judged("broken"),
    "thanksKept": lambda true: true.judged("kept"),
    "thanksTrade": lambda true: true.has_line("takeover.traded"),
    "hostile": lambda true: true.has_swallowed(),
    "pickedSmall": lambda true: true.has_picked() and true.args["value"] <= 2 and true.leaves_high_coins(),
    "offerMade": lambda true: true.has_offered(),
    "noOffer": lambda true: not true.has_offered(),
    "noNull": lambda true: not true.has_offered(),
    "noNullLeft": lambda true: part(true.observation, "holdings", Holdings).spent.count(0) == 4,
    "threatened": lambda true: true.is_on_top(),
    "unmoved": lambda true: true.is_on_top(),
    "butCover": lambda true: true.is_on_top(),
    "relieved": lambda true: true.judged("broken"),
    "reproachPass": lambda true: true.has_heard(true.args["to"], "say.letUsPass"),
    "doubt": lambda true: true.judged("broken"),
    "yourTurn": lambda true: part(true.observation, "stage", Stage).turn == true.args["to"],
    "askWord": lambda true: true.has_heard(true.args["to"], "say.deal"),
    "tooLate": lambda true: true.has_heard(true.args["to"], "say.deal"),
    "noDealAfter": lambda true: (
        true.has_line("takeover.yourFlip", coin=true.args["coin"])
        and true.has_heard(true.args["to"], "say.deal")
    ),
}
"""By intent, whether it is true of what its speaker knows. What is left out says nothing about the game."""


def test_every_line_is_true_of_the_state_it_was_said_in() -> None:
    assert WORDINGS.keys() - TRUTHS.keys() == {
        *("heard", "thanksWord", "whichOne", "tooEarly", "substitute"),
        *("praiseBack", "shrug", "comfort", "patience", "asYouLike"),
    }
    for game in play_games():
        for said in game:
            check_truth(said)


def check_truth(said: Saying) -> None:
    """Fails if a remark is false; after the last move, its speaker sees no hand of its own any more."""
    intent = intent_of(said.spoken.key)
    if intent in TRUTHS and intent not in LIES and "hand" in said.observation.sections:
        assert TRUTHS[intent](Truth(said)), said.spoken
