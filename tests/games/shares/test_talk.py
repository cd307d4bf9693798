"""What bots of Share and Share Alike say and promise: answers, truth, no line twice, temper (R30)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import groupby
from typing import Any, Final

import pytest
from msgspec.structs import replace

from games.api import Argument, Millis, Observation, Promise, Seat, SeenLine, Spoken
from games.dice import Dice
from games.kit.characters import BY_KEY, CHARACTERS, unnamed
from games.kit.observations import part
from games.kit.wordings import read_intent
from games.shares.bot import policy
from games.shares.bot.bot import BOT, SKILL_LEVELS
from games.shares.bot.observation import read_table
from games.shares.bot.sayings import PREFIX, WORDINGS, identify, read_voice
from games.shares.bot.talk import Talk
from games.shares.rules.game import SHARES
from games.shares.rules.moves import Add
from games.shares.rules.pieces import COMPANIES, suit_of
from games.shares.rules.values import Hand, Mark, Players, Scene, Stage, Standing, Towers, Trades
from games.shares.texts import OWN, STRICT, TEXTS
from tests.games.shares.players import observe, positions
from tests.games.shares.table import Table, position
from tests.games.shares.talking import TalkingTable
from tests.games.talking_table import Saying

GAMES = pytest.mark.parametrize("count", [12, pytest.param(20, marks=pytest.mark.at_length)])
"""The number of games that the tests below look at."""
LEVELS = (["normal"] * 4, ["easy"] * 4, ["hard"] * 4, ["easy", "normal", "hard", "normal"])
OPTIONS: tuple[Mapping[str, Any], ...] = ({}, {"talk": "looseLips", "openMarket": True}, {"openMarket": True})
MIN_EXCHANGES = 3
AT = Millis(50_000)


def intent_of(key: str) -> str:
    return key.removeprefix(PREFIX).partition(".")[0]


OWN_REMARKS = {key: names for key, names in TEXTS.remarks.items() if key.startswith(PREFIX)}
INTENTS = frozenset(map(intent_of, OWN_REMARKS))
TO_PEOPLE = frozenset(
    {"haveHearts", "modest", "soon", "yourMove", "notMyTurn", "ready", "noted", "heard", "forWhat", "deny"}
    | {"settled", "youFirst", "counting", "reproachDeal"}
)
"""What bots say only to people."""


@cache
def play(number: int) -> TalkingTable:
    table = TalkingTable(LEVELS[number % 4], f"talk {number}", OPTIONS[number % 3])
    table.play()
    return table


def games(count: int) -> list[TalkingTable]:
    return [play(number) for number in range(count)]


# --- whole games ---


@GAMES
def test_each_game_has_exchanges_of_proposal_and_answer(count: int) -> None:
    counts = [len([*table.list_exchanges()]) for table in games(count)]
    assert min(counts) >= MIN_EXCHANGES, counts


@GAMES
def test_no_line_is_said_twice_in_a_game(count: int) -> None:
    for table in games(count):
        lines = Counter(identify(one.spoken.key, one.spoken.args) for one in table.sayings)
        assert max(lines.values()) == 1, lines.most_common(3)


def test_bots_find_something_to_say_for_each_intent() -> None:
    said = {read_intent(one.spoken.key) for table in games(24) for one in table.sayings}
    assert said <= INTENTS
    assert INTENTS - said <= TO_PEOPLE | {"doubtAgain", "traded", "doubt", "trust", "owed", "substitute"}


@GAMES
def test_bots_make_promises_and_mostly_keep_them(count: int) -> None:
    judged = Counter(promise.judgement for table in games(count) for promise in table.promises)
    assert judged["kept"] > judged["broken"] > 0


@GAMES
def test_they_say_nothing_about_their_shares_where_that_is_forbidden(count: int) -> None:
    """SSA-29."""
    for table in games(count):
        if table.state.options.talk == "strict":
            assert "seek" not in {read_intent(one.spoken.key) for one in table.sayings}


# --- each line is true of the state it was said in ---

Args = Mapping[str, Argument]
Claim = Callable[[Saying], bool]


def tower(one: Saying, name: str = "company") -> Standing:
    companies = part(one.observation, "towers", Towers).companies
    return next(
        standing
        for company, standing in zip(COMPANIES, companies, strict=True)
        if company == one.spoken.args[name]
    )


def wins_prize(one: Saying) -> bool:
    return tower(one).prize == one.spoken.args["prize"]


def leads(one: Saying) -> bool:
    return wins_prize(one) and (tower(one).place, tower(one).tied) == (1, 1)


def holds(one: Saying, suit: str) -> bool:
    return any(suit_of(held.card) == suit for held in part(one.observation, "hand", Hand).cards)


def has_done(one: Saying, key: str, name: str = "company") -> bool:
    """Whether the seat that it speaks to has raised or lowered this tower."""
    wanted = {"seat": one.spoken.args["to"], "company": one.spoken.args[name]}
    lines: Iterable[SeenLine] = one.observation.lines
    return any(line.key == key and wanted.items() <= dict(line.args).items() for line in lines)


def can_carry_out(one: Saying) -> bool:
    """Whether both towers of a threat have floors, and its speaker has cards."""
    companies = part(one.observation, "towers", Towers).companies
    towers = [companies[COMPANIES.index(one.spoken.args[name])] for name in ("company", "yours")]
    cards = part(one.observation, "players", Players).cards
    return cards[one.spoken.seat] > 0 and all(tower.floors for tower in towers)


def is_done_for_the_round(one: Saying) -> bool:
    players = part(one.observation, "players", Players)
    return players.out[one.spoken.seat] or not players.actions[one.spoken.seat]


def has_heard(one: Saying) -> bool:
    """Whether the seat that it speaks to has said something."""
    return any(said.seat == one.spoken.args["to"] for said in one.observation.messages)


def has_asked(one: Saying) -> bool:
    """Whether the seat that it speaks to has named this company."""
    company, to = one.spoken.args["company"], one.spoken.args["to"]
    return any(said.seat == to and company in said.args.values() for said in one.observation.messages)


def theirs(one: Saying, judgement: str | None) -> bool:
    """Whether the seat that it speaks to has made it a promise that was judged so."""
    return any(
        (promise.by, promise.judgement) == (one.spoken.args["to"], judgement)
        and (not promise.to or one.spoken.seat in promise.to)
        for promise in one.observation.promises
    )


def mine(one: Saying, judgement: str) -> bool:
    return any(
        (promise.by, promise.judgement) == (one.spoken.seat, judgement)
        and one.spoken.args["to"] in promise.to
        and promise.terms.get("company") == one.spoken.args["company"]
        for promise in one.observation.promises
    )


def has_traded(one: Saying) -> bool:
    trades = part(one.observation, "trades", Trades).trades
    return any({trade.seat, trade.other} == {one.spoken.seat, one.spoken.args["to"]} for trade in trades)


def has_proposed(one: Saying, *intents: str) -> bool:
    """Whether it has proposed this to the seat that it speaks to."""
    return any(
        said.seat == one.spoken.seat
        and intent_of(said.key) in intents
        and said.addressee == one.spoken.args["to"]
        and all(said.args.get(name) == value for name, value in one.spoken.args.items())
        for said in one.observation.messages
    )


def is_lowered_by(one: Saying, seat: int) -> bool:
    wanted = {"seat": seat, "company": one.spoken.args["company"]}
    return any(
        line.key == "shares.removed" and wanted.items() <= dict(line.args).items()
        for line in one.observation.lines
    )


def decides(one: Saying) -> int | None:
    return part(one.observation, "scene", Scene).seat


def is_last_round(one: Saying) -> bool:
    stage = part(one.observation, "stage", Stage)
    return stage.round == stage.rounds


def claims_nothing(one: Saying) -> bool:
    return True


CLAIMS: Final[Mapping[str, Claim]] = {
    "askRaise": lambda one: holds(one, "H") and not is_done_for_the_round(one),
    "askFloor": lambda one: bool(tower(one).floors),
    "askStart": lambda one: not tower(one).floors,
    "askLower": wins_prize,
    "askLeave": lambda one: bool(tower(one).floors),
    "deal": lambda one: bool(tower(one).floors) and has_done(one, "shares.added", "yours"),
    "counter": lambda one: one.spoken.args["company"] != one.spoken.args["yours"] and has_asked(one),
    "yesRaise": has_asked,
    "yesLower": has_asked,
    "yesLeave": has_asked,
    "noHearts": lambda one: not holds(one, "H"),
    "noSpades": lambda one: not holds(one, "S"),
    "noTurn": is_done_for_the_round,
    "substitute": lambda one: one.character.is_substitute,
    "noPrize": wins_prize,
    "noLeave": wins_prize,
    "thankRaise": lambda one: has_done(one, "shares.added"),
    "thankKept": lambda one: theirs(one, "kept"),
    "thankYes": has_heard,
    "settled": lambda one: has_proposed(one, "deal"),
    "youFirst": lambda one: has_proposed(one, "counter"),
    "counting": lambda one: has_proposed(one, "askRaise", "askFloor", "askStart", "askLower", "askLeave"),
    "pity": has_heard,
    "shrug": has_heard,
    "reproachLower": lambda one: has_done(one, "shares.removed"),
    "reproachBroken": lambda one: theirs(one, "broken"),
    "reproachDeal": lambda one: has_done(one, "shares.removed"),
    "owed": lambda one: theirs(one, "broken") and has_done(one, "shares.added", "yours"),
    "threat": lambda one: has_done(one, "shares.added", "yours") and can_carry_out(one),
    "sorry": lambda one: mine(one, "broken"),
    "kept": lambda one: mine(one, "kept"),
    "trust": lambda one: theirs(one, None),
    "doubt": lambda one: theirs(one, None),
    "doubtAgain": lambda one: theirs(one, "broken"),
    "haveHearts": lambda one: holds(one, "H"),
    "welcome": has_heard,
    "forWhat": has_heard,
    "deny": has_heard,
    "why": lambda one: is_lowered_by(one, one.spoken.seat),
    "defy": has_asked,
    "modest": has_heard,
    "soon": has_heard,
    "yourMove": lambda one: decides(one) == one.spoken.args["to"],
    "notMyTurn": lambda one: decides(one) == one.spoken.args["other"] not in (one.spoken.seat, None),
    "ready": lambda one: part(one.observation, "mark", Mark).locked,
    "noted": has_heard,
    "heard": has_heard,
    "lead": leads,
    "last": is_last_round,
    "market": lambda one: "trades" in one.observation.sections,
    "seek": lambda one: OWN[0] in one.observation.talk_policy.phrases,
    "traded": has_traded,
}
MAY_BE_LIES: Final = frozenset(
    {
        "askRaise",
        "yesRaise",
        "yesLower",
        "yesLeave",
        "deal",
        "counter",
        "settled",
        "youFirst",
        "threat",
        "trust",
    }
)
"""What is said about later moves or feelings: it may turn out otherwise."""


def test_every_intent_claims_something_or_nothing() -> None:
    assert CLAIMS.keys() == INTENTS
    assert MAY_BE_LIES <= INTENTS


@GAMES
def test_each_line_is_true_of_the_state_it_was_said_in(count: int) -> None:
    for table in games(count):
        for one in table.sayings:
            assert CLAIMS[read_intent(one.spoken.key)](one), one.spoken


# --- answers to people ---

MARKS = {0: "AAAB", 1: "BBCC", 2: "CCDD", 3: "EEEE"}
CHARACTER = BY_KEY["noor"]


def at_table(
    seat: int = 0, hands: tuple[str, ...] = ("4H 5S", "3H", "4S", "5D"), **options: Any
) -> Observation:
    state = position(*hands, built=("LLL", "LL", "L", "L"), marks=MARKS, turn=1, round=4, **options)
    return observe(state, seat)


def tell(observation: Observation, *keys: str, bot: bool = False, **args: Argument) -> Observation:
    """Seat 1 says something, last of all."""
    messages = tuple(Spoken(Seat(1), None, key, args, AT, bot) for key in keys)
    return replace(observation, messages=(*observation.messages, *messages))


def reply(observation: Observation, stream: int = 0, character: str = "noor") -> str:
    """The intent of what the bot says to seat 1."""
    decision = BOT.decide(observation, BY_KEY[character], Dice(b"reply %d" % stream))
    assert decision is not None
    assert decision.answer is None  # it is seat 1's turn
    assert decision.remark is not None
    assert decision.remark.args["to"] == 1
    return read_intent(decision.remark.key)


REPLIES = frozenset(f"shares.say.{phrase}" for phrase in ("agreed", "no", "iHelp"))
"""Phrases that answer somebody."""


@pytest.mark.parametrize("phrase", sorted({*STRICT} - REPLIES))
def test_every_phrase_of_a_person_is_answered(phrase: str) -> None:
    for character in CHARACTERS:
        reply(tell(at_table(), phrase), character=character.key)


def propose(observation: Observation, key: str, seat: int = 0, **args: Argument) -> Observation:
    """This seat has proposed something to seat 1."""
    said = Spoken(Seat(seat), None, f"{PREFIX}{key}", {"to": 1, **args}, AT, bot=True)
    return replace(observation, messages=(*observation.messages, said))


@pytest.mark.parametrize(
    ("key", "args", "intent", "promise"),
    [
        ("deal.1", {"company": "A", "yours": "B"}, "settled", ("leave", "B")),
        ("counter.1", {"company": "B", "yours": "A"}, "youFirst", ("raise", "B")),
        ("askRaise.1", {"company": "A"}, "counting", None),
        ("askLower.1", {"company": "C", "prize": 600}, "counting", None),
    ],
)
def test_a_yes_seals_the_last_proposal_of_the_seat_that_made_it(
    key: str, args: Mapping[str, Any], intent: str, promise: tuple[str, str] | None
) -> None:
    agreed = tell(propose(at_table(), key, **args), "shares.say.agreed")
    decision = BOT.decide(agreed, CHARACTER, Dice(b"1"))
    assert decision is not None
    assert decision.remark is not None
    assert intent_of(decision.remark.key) == intent
    made = decision.promise and (decision.promise.kind, decision.promise.terms["company"])
    assert made == promise
    assert reply(tell(propose(at_table(), key, **args), "shares.say.no")) in ("shrug", "pity", "threat")
    for phrase in REPLIES:
        others = tell(propose(at_table(), key, seat=2, **args), phrase)
        assert BOT.decide(others, CHARACTER, Dice(b"1")) is None


def test_it_remembers_a_truce_that_a_person_agreed_to() -> None:
    agreed = tell(propose(at_table(), "deal.1", company="A", yours="B"), "shares.say.agreed")
    hit = SeenLine("shares.removed", {"seat": 1, "company": "A", "size": "L"}, None, Millis(AT + 5_000))
    own = Spoken(Seat(0), None, f"{PREFIX}settled.1", {"to": 1, "company": "A", "yours": "B"}, AT, True)
    after = replace(agreed, messages=(*agreed.messages, own), lines=(*agreed.lines, hit))
    said = [BOT.decide(after, BY_KEY["kwame"], Dice(b"%d" % stream)) for stream in range(30)]
    intents = {intent_of(one.remark.key) for one in said if one and one.remark}
    assert "reproachDeal" in intents
    assert make_talk(after).liking[1] < make_talk(agreed).liking[1]


def test_few_answer_what_is_said_to_everybody() -> None:
    """Nobody repeats another's answer; one bot answers thanks, two a question."""
    for phrase, most in (("thanks", 1), ("hurry", 1), ("whoHasHearts", 2), ("raiseA", 2)):
        asked = tell(at_table(), f"shares.say.{phrase}")
        key = "noHearts" if most == 2 else "welcome"
        for count in range(1, 3):
            line = Spoken(Seat(2), None, f"{PREFIX}{key}.{count}", {"to": 1}, AT, bot=True)
            asked = replace(asked, messages=(*asked.messages, line))
            decision = BOT.decide(asked, CHARACTER, Dice(b"1"))
            assert (decision is None) == (count >= most), (phrase, count)


def test_it_does_not_answer_a_question_of_long_ago() -> None:
    asked = tell(at_table(), "shares.say.whoHasHearts")
    later = SeenLine("shares.ended", {"seat": 2}, None, Millis(AT + 16_000))
    assert BOT.decide(replace(asked, lines=(later,)), CHARACTER, Dice(b"1")) is None


def test_it_tells_an_impatient_person_whose_turn_it_is() -> None:
    assert reply(tell(at_table(), "shares.say.hurry")) == "yourMove"


@pytest.mark.parametrize("phrase", OWN)
def test_a_claim_about_shares_is_noted(phrase: str) -> None:
    assert reply(tell(at_table(talk="looseLips"), phrase)) == "noted"


def test_it_says_which_cards_it_lacks() -> None:
    poor = at_table(hands=("4C 5C", "3H", "4S", "5D"))
    assert reply(tell(poor, "shares.say.raiseA")) == "noHearts"
    assert reply(tell(poor, "shares.say.lowerA")) == "noSpades"
    assert reply(tell(poor, "shares.say.whoHasHearts")) == "noHearts"
    assert reply(tell(at_table(), "shares.say.whoHasHearts")) == "haveHearts"


def test_it_agrees_to_raise_its_own_company_and_promises_it() -> None:
    decision = BOT.decide(tell(at_table(), "shares.say.raiseA"), CHARACTER, Dice(b"1"))
    assert decision is not None
    assert decision.remark is not None
    assert read_intent(decision.remark.key) == "yesRaise"
    assert decision.promise is not None
    assert (decision.promise.kind, decision.promise.to) == ("raise", (1,))
    assert decision.promise.terms == {"company": "A", "round": 4}


def test_it_refuses_or_haggles_over_a_company_of_others() -> None:
    answers = {reply(tell(at_table(), "shares.say.raiseE"), stream) for stream in range(30)}
    assert answers == {"counter", "noPrize"}


def test_a_substitute_promises_and_threatens_nothing() -> None:
    for phrase in sorted({*STRICT} - REPLIES):
        for stream in range(5):
            asked = tell(at_table(), phrase)
            decision = BOT.decide(asked, unnamed("normal"), Dice(b"%d" % stream))
            assert decision is not None
            assert decision.promise is None
            assert decision.remark is None or read_intent(decision.remark.key) not in ("threat", "counter")


@pytest.mark.parametrize("phrase", ["shares.say.raiseA", "shares.say.lowerA", "shares.say.leaveA"])
def test_a_substitute_agrees_to_nothing_in_its_persons_name(phrase: str) -> None:
    asked = tell(at_table(), phrase)
    decisions = [BOT.decide(asked, unnamed("normal"), Dice(b"%d" % stream)) for stream in range(20)]
    remarks = [one.remark for one in decisions if one is not None and one.remark is not None]
    assert {read_intent(remark.key) for remark in remarks} == {"substitute"}


def vow(kind: str, judgement: Any = None, at: int = AT, by: int = 1) -> Promise:
    terms: dict[str, int | str] = {"company": "A", "round": 4}
    to = Seat(1 - by)
    return Promise("vow", Seat(by), (to,), kind, terms, Millis(at), 9, judgement=judgement)


def test_a_promise_to_it_is_answered() -> None:
    promised = replace(at_table(), promises=(vow("raise"),))
    assert {reply(promised, stream) for stream in range(30)} == {"trust", "doubt"}
    again = replace(promised, promises=(vow("leave", "broken", 1), vow("raise")))
    assert {reply(again, stream) for stream in range(9)} == {"doubtAgain"}


def test_a_promise_to_spare_an_empty_tower_impresses_nobody() -> None:
    empty = replace(vow("leave"), terms={"company": "E", "round": 4})
    assert {reply(replace(at_table(), promises=(empty,)), stream) for stream in range(20)} == {"shrug"}


@pytest.mark.parametrize("hand", ["4H 5S", ""])
def test_it_threatens_only_with_cards_and_while_both_towers_stand(hand: str) -> None:
    """Mateo is bold; seat 1 has raised Beacon, and takes a floor off Anchor."""
    deeds = (("shares.added", "B"), ("shares.removed", "A"), ("shares.removed", "E"))
    lines = tuple(
        SeenLine(key, {"seat": 1, "company": company, "size": "L"}, None, Millis(AT + 5_000))
        for key, company in deeds
    )
    hands = (hand, "3H", "4S", "5D")
    said = []
    for company in ("A", "E"):
        asked = propose(replace(at_table(hands=hands), lines=lines), "askLeave.1", company=company)
        decisions = (
            BOT.decide(tell(asked, "shares.say.no"), BY_KEY["mateo"], Dice(b"%d" % stream))
            for stream in range(40)
        )
        said.append({intent_of(one.remark.key) for one in decisions if one and one.remark})
    assert ("threat" in said[0]) == bool(hand)
    assert "threat" not in said[1]


def test_it_thanks_reproaches_and_apologizes_once() -> None:
    for promise, intent in (
        (vow("raise", "kept"), "thankKept"),
        (vow("raise", "broken"), "reproachBroken"),
        (vow("raise", "kept", by=0), "kept"),
        (vow("leave", "broken", by=0), "sorry"),
    ):
        seen = replace(at_table(), promises=(promise,))
        said = [BOT.decide(seen, CHARACTER, Dice(b"%d" % stream)) for stream in range(30)]
        assert {read_intent(one.remark.key) for one in said if one and one.remark} == {intent}
        line = Spoken(Seat(0), None, WORDINGS[intent][0], {"to": 1, "company": "A"}, AT, bot=True)
        after = replace(seen, messages=(line,))
        assert not any(BOT.decide(after, CHARACTER, Dice(b"%d" % stream)) for stream in range(30))


# --- words ---


def make_talk(observation: Observation) -> Talk:
    dice = Dice(b"words")
    context = policy.make_context(read_table(observation), SKILL_LEVELS["hard"], dice)
    return Talk(observation, CHARACTER, context, dice)


@pytest.mark.parametrize("intent", sorted(INTENTS))
def test_every_text_is_used_once_and_then_none(intent: str) -> None:
    """Each in a voice that fits the character, or in none."""
    keys = [key for key in WORDINGS[intent] if read_voice(key) in (None, "p")]
    args: dict[str, Argument] = {
        name: "A" if name in ("company", "yours") else 2 for name in TEXTS.remarks[keys[0]]
    }
    observation = at_table()
    said = []
    while (remark := make_talk(observation).say(intent, **args)) is not None:
        said.append(remark.key)
        heard = Spoken(Seat(1), None, remark.key, remark.args, AT, bot=True)
        observation = replace(observation, messages=(*observation.messages, heard))
    assert sorted(said) == sorted(keys)
    voices = {read_voice(key) for key in WORDINGS[intent]}
    assert voices == ({None} if intent == "substitute" else {None, "p", "b", "c"})


def test_texts_with_one_intent_name_the_same_things() -> None:
    for key, names in OWN_REMARKS.items():
        first = TEXTS.remarks[f"{PREFIX}{intent_of(key)}.1"]
        assert {*names} - {"to"} == {*first} - {"to"}, key


def test_about_half_of_what_is_said_names_nobody() -> None:
    named = sum("to" in names for names in OWN_REMARKS.values())
    assert named < 0.6 * len(OWN_REMARKS)


# --- secrets ---


def test_its_words_depend_on_nothing_that_its_seat_does_not_see() -> None:
    answered = 0
    for number, step in enumerate([*positions(b"talk", 4, {"openMarket": True})][::9]):
        for seat in map(Seat, range(4)):
            other = SHARES.resample(step.state, seat, Dice(b"other %d" % number))
            key = "shares.bot.askRaise.1"
            args: dict[str, Argument] = {"to": seat, "company": "B"}
            question = Spoken(Seat((seat + 1) % 4), None, key, args, AT, bot=True)
            for stream in range(3):
                first, second = (
                    BOT.decide(
                        replace(observe(state, seat), messages=(question,)), CHARACTER, Dice(b"%d" % stream)
                    )
                    for state in (step.state, other)
                )
                assert first == second
                answered += first is not None and first.remark is not None
    assert answered > 20


# --- temper ---


def test_an_honest_character_keeps_a_promise_that_costs_little() -> None:
    """Two towers are equally good to raise: it raises the one that it has promised to."""
    table = Table(state=position("4H", "", "", "", built=("L", "L"), marks={0: "AABB"}, round=4))
    table.play(0, "4H")
    for company in ("A", "B"):
        terms: dict[str, int | str] = {"company": company, "round": 4}
        promise = Promise("0", Seat(0), (Seat(1),), "raise", terms, AT, 0)
        seen = replace(observe(table.state), promises=(promise,))
        for stream in range(5):
            decision = BOT.decide(seen, CHARACTER, Dice(b"%d" % stream))
            assert decision is not None
            assert decision.move == Add(company)


def test_phrases_are_in_the_order_of_their_verbs() -> None:
    """So that whoever looks for one finds its five companies side by side."""
    verbs = [key[:-1] for key in TEXTS.phrases if key[-1] in COMPANIES]
    assert [verb for verb, _ in groupby(verbs)] == list(dict.fromkeys(verbs))
    assert all(len(list(run)) == len(COMPANIES) for _, run in groupby(verbs))
