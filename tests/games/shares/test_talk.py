"""What bots of Share and Share Alike say and promise: answers, truth, no line twice, temper (R30)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import Any, Final

import pytest
from msgspec.structs import replace

from games.api import Argument, Character, Millis, Observation, Promise, Remark, Seat, SeenLine, Spoken
from games.dice import Dice
from games.kit.characters import BY_KEY, CHARACTERS, unnamed
from games.kit.observations import part
from games.kit.wordings import read_intent
from games.shares.bot import policy
from games.shares.bot.bot import BOT, SKILL_LEVELS
from games.shares.bot.observation import read_table
from games.shares.bot.sayings import PREFIX, PROPOSALS, WORDINGS, identify, read_voice
from games.shares.bot.talk import Talk, speak
from games.shares.rules.game import SHARES
from games.shares.rules.moves import (
    Add,
    DrawUp,
    EndTurn,
    FromDeck,
    FromDiscard,
    Lock,
    Play,
    Remove,
    SharesMove,
    Swap,
    Take,
)
from games.shares.rules.pieces import COMPANIES, suit_of, uses
from games.shares.rules.values import Hand, Mark, Players, Scene, Stage, Standing, Towers, Trades
from games.shares.texts import OWN, STRICT, TEXTS
from tests.games.shares.players import observe, positions
from tests.games.shares.table import Table, position
from tests.games.shares.talking import TalkingTable
from tests.games.talking_table import Saying

GAMES = pytest.mark.parametrize("count", [12, pytest.param(24, marks=pytest.mark.at_length)])
"""The number of games that the tests below look at."""
LEVELS = (["normal"] * 4, ["easy"] * 4, ["hard"] * 4, ["easy", "normal", "hard", "normal"])
OPTIONS: tuple[Mapping[str, Any], ...] = ({}, {"talk": "looseLips", "openMarket": True}, {"openMarket": True})
THREATENED = 27
"""The number of a game in which a bot threatens another, which defies it."""
MIN_EXCHANGES = 3
AT = Millis(50_000)


def intent_of(key: str) -> str:
    return key.removeprefix(PREFIX).partition(".")[0]


OWN_REMARKS = {key: names for key, names in TEXTS.remarks.items() if key.startswith(PREFIX)}
INTENTS = frozenset(map(intent_of, OWN_REMARKS))
TO_PEOPLE = frozenset(
    {"haveHearts", "modest", "soon", "yourMove", "notMyTurn", "ready", "noted", "heard", "forWhat", "deny"}
    | {"settled", "youFirst", "counting", "reproachDeal", "lackHearts", "nothingThere", "busy", "noLower"}
    | {"caught", "noCards", "tooLate", "letDown", "lookWho", "whoMeant", "ownWork"}
)
"""What bots say only to people."""
RARE = frozenset(
    {"doubtAgain", "traded", "doubt", "trust", "owed", "substitute", "already", "twice", "cannot", "did"}
    | {"grudge", "passed", "whyPromised", "remind", "reproachBroken", "unmoved", "yesLower", "likesFirst"}
)
"""What bots need not say to one another in a few games."""


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


@GAMES
def test_bots_find_something_to_say_for_each_intent(count: int) -> None:
    tables = [*games(count), play(THREATENED)]
    said = {read_intent(one.spoken.key) for table in tables for one in table.sayings}
    assert said <= INTENTS
    assert INTENTS - said <= TO_PEOPLE | RARE


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


def lead_of(one: Saying) -> int:
    """How many floors this tower is ahead of all others."""
    companies = part(one.observation, "towers", Towers).companies
    *_, second, first = sorted(len(standing.floors) for standing in companies)
    return first - second if len(tower(one).floors) == first else 0


def margin(one: Saying) -> int:
    """How many floors this tower is ahead of the other; -1 if it is not alone in first place, or the other is
    not next."""
    first, second = tower(one), tower(one, "rival")
    places = [standing.place for standing in part(one.observation, "towers", Towers).companies]
    is_next = second.place == min(place for place in places if place > 1) if max(places) > 1 else False
    alone = (first.place, first.tied) == (1, 1)
    return len(first.floors) - len(second.floors) if alone and is_next else -1


def change(one: Saying, name: str = "company") -> int:
    """How many floors this tower gained in the last round, as the whole log says."""
    rounds = [number for number, line in enumerate(one.lines) if line.key == "shares.round"]
    last = one.lines[rounds[-2] : rounds[-1]]
    mine = [line.key for line in last if line.args.get("company") == one.spoken.args[name]]
    return mine.count("shares.added") - mine.count("shares.removed")


def has_passed(one: Saying) -> bool:
    ahead, behind = len(tower(one).floors), len(tower(one, "rival").floors)
    before = ahead - change(one), behind - change(one, "rival")
    return tower(one).place == 1 and ahead > behind and before[0] < before[1]


def promises_of(one: Saying, judgement: str | None, *kinds: str) -> bool:
    """Whether the speaker has made a promise about this tower that was judged so."""
    return any(
        (promise.by, promise.judgement, promise.terms.get("company"))
        == (one.spoken.seat, judgement, one.spoken.args["company"])
        and promise.kind in kinds
        for promise in one.observation.promises
    )


def list_lines_of_round(one: Saying) -> tuple[SeenLine, ...]:
    rounds = [number for number, line in enumerate(one.lines) if line.key == "shares.round"]
    return one.lines[rounds[-1] :]


def list_assured(one: Saying, *intents: str) -> set[Argument | None]:
    """The seats to which the speaker has said yes in this round to something about this tower."""
    began = list_lines_of_round(one)[0].at
    return {
        said.args["to"]
        for said in one.observation.messages
        if said.seat == one.spoken.seat
        and said.at >= began
        and intent_of(said.key) in (intents or ("yesRaise", "yesLower", "yesLeave"))
        and said.args["company"] == one.spoken.args["company"]
    }


def lacks_card(one: Saying) -> bool:
    """Whether the speaker has promised or agreed to something with this tower that it has no card for."""
    owes_heart = promises_of(one, None, "raise", "help") or list_assured(one, "yesRaise")
    owes_spade = promises_of(one, None, "lower") or list_assured(one, "yesLower")
    return bool((owes_heart and not holds(one, "H")) or (owes_spade and not holds(one, "S")))


def has_played_on(one: Saying) -> bool:
    """Whether the speaker has raised or lowered this tower in this round."""
    keys = ("shares.added", "shares.removed")
    wanted = {"seat": one.spoken.seat, "company": one.spoken.args["company"]}
    lines = list_lines_of_round(one)
    return any(line.key in keys and wanted.items() <= dict(line.args).items() for line in lines)


def is_wronged_by(one: Saying) -> bool:
    """Whether the seat that it speaks to has broken a promise to it, or taken three floors off its tower."""
    wanted = {"seat": one.spoken.args["to"], "company": make_talk(one.observation, one.character).front}
    lines = [line for line in one.lines if line.key == "shares.removed"]
    return theirs(one, "broken") or sum(wanted.items() <= dict(line.args).items() for line in lines) >= 3


def saves_hearts(one: Saying) -> bool:
    """Whether the speaker has hearts, but only such as add two floors or more, and a later round."""
    hearts = [held.card for held in part(one.observation, "hand", Hand).cards if suit_of(held.card) == "H"]
    return bool(hearts) and all(uses(card) > 1 for card in hearts) and not is_last_round(one)


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


def draws(one: Saying) -> bool:
    """Whether the speaker is in the middle of a card or of drawing, or is about to."""
    answer = one.decision.answer
    moves = DrawUp | FromDeck | FromDiscard | Take | Swap
    scene = part(one.observation, "scene", Scene)
    is_on = scene.seat == one.spoken.seat and scene.kind not in ("turn", "select")
    return is_on or (answer is not None and isinstance(answer[1], moves))


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


def has_lost_cards(one: Saying) -> bool:
    robber, me = one.spoken.args["to"], one.spoken.seat
    return any(
        line.key in ("shares.took", "shares.swapped")
        and line.args["seat"] == robber
        and me in (line.args.get("other"), *read_seats(line.args.get("seats")))
        for line in one.lines
    )


def read_seats(value: Argument | None) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


def has_proposed(one: Saying, *intents: str) -> bool:
    """Whether it has proposed this to the seat that it speaks to."""
    return any(
        said.seat == one.spoken.seat
        and intent_of(said.key) in intents
        and said.addressee == one.spoken.args["to"]
        and all(said.args.get(name) == value for name, value in one.spoken.args.items())
        for said in one.observation.messages
    )


def has_agreed(one: Saying) -> bool:
    """Whether the seat that it speaks to has said yes."""
    return any(
        said.seat == one.spoken.args["to"] and said.key == "shares.say.agreed"
        for said in one.observation.messages
    )


def has_raised(one: Saying) -> bool:
    """Whether the seat that it speaks to has raised this tower since it said yes."""
    agreed = max(said.at for said in one.observation.messages if said.key == "shares.say.agreed")
    wanted = {"seat": one.spoken.args["to"], "company": one.spoken.args["company"]}
    return any(
        line.key == "shares.added" and line.at > agreed and wanted.items() <= dict(line.args).items()
        for line in one.observation.lines
    )


def is_lowered_by(one: Saying, seat: int) -> bool:
    wanted = {"seat": seat, "company": one.spoken.args["company"]}
    return any(
        line.key == "shares.removed" and wanted.items() <= dict(line.args).items()
        for line in one.observation.lines
    )


def is_raised_by(one: Saying, seat: int) -> bool:
    wanted = {"seat": seat, "company": one.spoken.args["company"]}
    return any(line.key == "shares.added" and wanted.items() <= dict(line.args).items() for line in one.lines)


def has_lost_work(one: Saying) -> bool:
    """Whether the seat that it speaks to has taken a floor off this tower since the speaker raised it."""
    to, company = one.spoken.args["to"], one.spoken.args["company"]
    deeds = [(line.key, line.args["seat"]) for line in one.lines if line.args.get("company") == company]
    raised = ("shares.added", one.spoken.seat)
    return raised in deeds and ("shares.removed", to) in deeds[deeds.index(raised) :]


def has_asked_to_lower(one: Saying) -> bool:
    to, company = one.spoken.args["to"], one.spoken.args["company"]
    return any(
        said.seat == to and (said.key == f"shares.say.lower{company}" or said.args.get("company") == company)
        for said in one.observation.messages
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
    "noCards": lambda one: (
        not part(one.observation, "players", Players).cards[one.spoken.seat] and not draws(one)
    ),
    "noHearts": lambda one: not holds(one, "H") and not draws(one),
    "lackHearts": lambda one: not holds(one, "H") and not draws(one),
    "already": lambda one: (
        promises_of(one, None, "raise", "help", "lower", "leave") or bool(list_assured(one))
    ),
    "twice": lambda one: one.spoken.args["to"] in list_assured(one),
    "cannot": lacks_card,
    "did": has_played_on,
    "busy": draws,
    "grudge": is_wronged_by,
    "tallEnough": lambda one: (tower(one).place, tower(one).tied) == (1, 1),
    "saving": saves_hearts,
    "noLower": lambda one: wins_prize(one) and holds(one, "S") and tower(one).place > 1,
    "likesFirst": lambda one: wins_prize(one) and holds(one, "S") and tower(one).place == 1,
    "nothingThere": lambda one: not tower(one).floors,
    "noSpades": lambda one: not holds(one, "S"),
    "noTurn": is_done_for_the_round,
    "substitute": lambda one: one.character.is_substitute,
    "noPrize": wins_prize,
    "noLeave": wins_prize,
    "thankRaise": lambda one: has_done(one, "shares.added"),
    "thankKept": lambda one: theirs(one, "kept"),
    "thankYes": has_heard,
    "settled": lambda one: has_proposed(one, "deal"),
    "tooLate": lambda one: has_proposed(one, "deal", "counter"),
    "youFirst": lambda one: has_proposed(one, "counter"),
    "counting": lambda one: has_proposed(one, "askRaise", "askFloor", "askStart", "askLower", "askLeave"),
    "pity": has_heard,
    "shrug": has_heard,
    "reproachLower": lambda one: has_done(one, "shares.removed") and has_lost_work(one),
    "ownWork": lambda one: has_asked_to_lower(one) and is_raised_by(one, one.spoken.seat),
    "reproachBroken": lambda one: theirs(one, "broken"),
    "reproachDeal": lambda one: has_done(one, "shares.removed"),
    "letDown": lambda one: (
        has_proposed(one, "askRaise", "askFloor", "askStart") and has_agreed(one) and not has_raised(one)
    ),
    "remind": lambda one: theirs(one, None),
    "robbed": has_lost_cards,
    "lookWho": lambda one: theirs(one, "broken"),
    "whoMeant": has_heard,
    "unmoved": lambda one: theirs(one, "broken"),
    "owed": lambda one: (
        theirs(one, "broken") and has_done(one, "shares.added", "yours") and bool(tower(one, "yours").floors)
    ),
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
    "whyLeads": lambda one: wins_prize(one) and tower(one).place == 1 and is_lowered_by(one, one.spoken.seat),
    "whyRevenge": lambda one: (
        is_lowered_by(one, one.spoken.seat) and has_done(one, "shares.removed", "yours")
    ),
    "whyPromised": lambda one: promises_of(one, "kept", "lower"),
    "defy": has_asked,
    "modest": has_heard,
    "soon": has_heard,
    "yourMove": lambda one: decides(one) == one.spoken.args["to"],
    "notMyTurn": lambda one: decides(one) == one.spoken.args["other"] not in (one.spoken.seat, None),
    "ready": lambda one: part(one.observation, "mark", Mark).locked,
    "noted": has_heard,
    "heard": has_heard,
    "caught": lambda one: any(
        line.key == "peek.began"
        and (line.args["seat"], line.args["other"]) == (one.spoken.args["to"], one.spoken.seat)
        for line in one.lines
    ),
    "lead": lambda one: lead_of(one) >= 3,
    "close": lambda one: (
        margin(one) == 1 and tower(one, "rival").tied == 1 and bool(tower(one, "rival").floors)
    ),
    "level": lambda one: tower(one).place == tower(one, "rival").place == 1 and tower(one).tied == 2,
    "passed": has_passed,
    "fell": lambda one: change(one) == -int(str(one.spoken.args["count"])),
    "grew": lambda one: change(one) == one.spoken.args["count"],
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


@GAMES
def test_no_bot_refuses_what_it_agreed_to_in_the_same_round(count: int) -> None:
    """Nor threatens a tower and lowers it before the other has done anything."""
    agreed = {
        "yesRaise": ("noPrize", "tallEnough", "saving", "grudge"),
        "yesLower": ("noLower", "grudge"),
        "yesLeave": ("noLeave",),
    }
    for table in games(count):
        for one in table.sayings:
            began = max(line.at for line in one.lines if line.key == "shares.round")
            intent, company = read_intent(one.spoken.key), one.spoken.args.get("company")
            for said in one.before:
                if said.seat == one.spoken.seat and said.at >= began and said.args.get("company") == company:
                    assert intent not in agreed.get(read_intent(said.key), ()), (said, one.spoken)
            if intent == "threat":
                assert part(one.observation, "stage", Stage).active != one.spoken.seat
                assert not lowers_unprovoked(table, one)


def lowers_unprovoked(table: TalkingTable, threat: Saying) -> bool:
    """Whether the maker of a threat carries it out in the same round, though its tower was left alone."""
    seat, args = threat.spoken.seat, threat.spoken.args
    for line in table.lines[len(threat.lines) :]:
        if line.key == "shares.round":
            return False
        if line.key == "shares.removed":
            if (line.args["seat"], line.args["company"]) == (args["to"], args["company"]):
                return False
            if (line.args["seat"], line.args["company"]) == (seat, args["yours"]):
                return True
    return False


@GAMES
def test_comments_on_the_towers_differ(count: int) -> None:
    """Rather than saying again and again that first place wins 1000."""
    comments = ("lead", "close", "level", "passed", "fell", "grew")
    said = [one for table in games(count) for one in table.sayings if read_intent(one.spoken.key) in comments]
    assert len({read_intent(one.spoken.key) for one in said}) >= 4
    assert len({(one.spoken.key, repr(one.spoken.args)) for one in said}) > 0.8 * len(said)
    assert not any(1000 in one.spoken.args.values() for one in said)


@pytest.mark.parametrize(("count", "most"), [(12, 8), pytest.param(24, 12, marks=pytest.mark.at_length)])
def test_no_line_is_heard_in_most_games(count: int, most: int) -> None:
    """What is said most has the most wordings. A dozen games are too few for an exact half."""
    heard = Counter(key for table in games(count) for key in {one.spoken.key for one in table.sayings})
    key, times = heard.most_common(1)[0]
    assert times <= most, (key, times)


@GAMES
def test_it_asks_for_nothing_that_it_has_refused_to_raise(count: int) -> None:
    asks = ("askRaise", "askFloor", "askStart", "seek")
    for table in games(count):
        for one in table.sayings:
            refused = {
                said.args["company"]
                for said in one.before
                if said.seat == one.spoken.seat and read_intent(said.key) in ("noPrize", "saving")
            }
            if read_intent(one.spoken.key) in asks:
                assert one.spoken.args["company"] not in refused, one.spoken


# --- answers to people ---

MARKS = {0: "AAAB", 1: "BBCC", 2: "CCDD", 3: "EEEE"}
CHARACTER = BY_KEY["noor"]
SCOLDED = (Spoken(Seat(0), None, f"{PREFIX}reproachBroken.1", {"to": 1}, Millis(AT - 1), bot=True),)
RAISED = SeenLine("shares.added", {"seat": 0, "company": "A", "size": "L"}, None, Millis(AT - 1_000))
"""Seat 0 has raised Anchor, so everybody may guess that it has shares there."""


def at_table(
    seat: int = 0, hands: tuple[str, ...] = ("4H 5S", "3H", "4S", "5D"), **options: Any
) -> Observation:
    given = {"built": ("LLL", "LL", "L", "L"), **options}
    state = position(*hands, marks=MARKS, turn=1, round=4, **given)
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


LATER = Millis(AT + 1)
LOWERED = SeenLine("shares.removed", {"seat": 1, "company": "A", "size": "L"}, None, LATER)
NEXT_ROUND = SeenLine("shares.round", {"round": 4, "rounds": 15}, None, LATER)
BROKEN = SeenLine("promise.broken", {"seat": 1, "promise": "p"}, None, LATER)
LIE = Promise("p", Seat(1), (Seat(0),), "raise", {"company": "C", "round": 4}, AT, 1, judgement="broken")


@pytest.mark.parametrize(
    ("key", "args"),
    [("deal.1", {"company": "A", "yours": "B"}), ("counter.1", {"company": "B", "yours": "A"})],
)
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (LOWERED, "reproachLower"),
        (NEXT_ROUND, "tooLate"),
        (BROKEN, "doubtAgain"),
        (replace(LOWERED, at=AT), None),
        (replace(LOWERED, args={**LOWERED.args, "company": "B"}), None),
        (replace(LOWERED, args={**LOWERED.args, "seat": 2}), None),
        (replace(NEXT_ROUND, at=AT), None),
    ],
)
def test_a_yes_comes_too_late_after_a_wrong_or_in_another_round(
    key: str, args: Mapping[str, Any], line: SeenLine, answer: str | None
) -> None:
    seen = replace(propose(at_table(), key, **args), lines=(line,), promises=(LIE,) if line == BROKEN else ())
    yes = Spoken(Seat(1), None, "shares.say.agreed", {}, Millis(AT + 2), bot=False)
    scolded = SCOLDED if line == BROKEN else ()
    decision = BOT.decide(replace(seen, messages=(*scolded, *seen.messages, yes)), CHARACTER, Dice(b"1"))
    assert decision is not None
    assert decision.remark is not None
    usual = "settled" if key == "deal.1" else "youFirst"
    assert intent_of(decision.remark.key) == (answer or usual)
    assert (decision.promise is None) == (answer is not None)


def test_a_yes_comes_too_late_if_nothing_can_follow_from_it() -> None:
    """Seat 1 has no action left, or the tower that it was to leave alone has no floor."""
    proposed = propose(at_table(), "deal.1", company="A", yours="B")
    players = part(proposed, "players", Players)
    done = replace(players, actions=tuple(0 if seat == 1 else 3 for seat in range(4)))
    spent = replace(proposed, sections={**proposed.sections, "players": done})
    empty = propose(at_table(), "deal.1", company="E", yours="B")
    for seen, answer in ((spent, "tooLate"), (empty, "nothingThere")):
        decision = BOT.decide(tell(seen, "shares.say.agreed"), CHARACTER, Dice(b"1"))
        assert decision is not None
        assert decision.promise is None
        assert decision.remark is not None
        assert intent_of(decision.remark.key) == answer


def test_a_truce_of_an_earlier_round_is_not_broken_in_this_one() -> None:
    proposed = propose(at_table(), "deal.1", company="A", yours="B")
    yes = Spoken(Seat(1), None, "shares.say.agreed", {}, Millis(AT + 2), bot=False)
    for began, breaches in ((NEXT_ROUND, 0), (replace(NEXT_ROUND, at=AT), 1)):
        lines = (began, replace(LOWERED, at=Millis(AT + 3)))
        seen = replace(proposed, messages=(*proposed.messages, yes), lines=lines)
        assert len(make_talk(seen).memory.list_breaches()) == breaches


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
        key = "lackHearts" if most == 2 else "welcome"
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
    assert reply(tell(poor, "shares.say.whoHasHearts")) == "lackHearts"
    assert reply(tell(at_table(), "shares.say.whoHasHearts")) == "haveHearts"


def promised(observation: Observation, kind: str, company: str) -> Observation:
    """This seat has promised this to seat 2, and seat 1 asks next."""
    terms: dict[str, int | str] = {"company": company, "round": 4}
    promise = Promise("own", Seat(0), (Seat(2),), kind, terms, AT, 1, bot=True)
    return replace(observation, promises=(*observation.promises, promise))


@pytest.mark.parametrize(
    ("kind", "phrase", "company"),
    [("raise", "raise", "E"), ("help", "raise", "E"), ("lower", "lower", "A"), ("leave", "leave", "B")],
)
def test_it_stands_by_what_it_has_promised_when_it_is_asked_for_it(
    kind: str, phrase: str, company: str
) -> None:
    """Ember is not worth a heart to it, nor Anchor a spade, and Beacon is the best to lower."""
    asked = tell(at_table(), f"shares.say.{phrase}{company}")
    for stream in range(20):
        assert reply(promised(asked, kind, company), stream, "ravi") == "already"
    answers = {reply(asked, stream, "ravi") for stream in range(20)}
    assert "already" not in answers
    if kind in ("raise", "help", "lower"):
        poor = tell(at_table(hands=("4C", "3H", "4S", "5D")), f"shares.say.{phrase}{company}")
        assert reply(promised(poor, kind, company)) == "cannot"


def test_it_agrees_to_nothing_that_contradicts_what_it_has_promised() -> None:
    """Anchor is its own, which it would leave alone; Beacon is the best to lower."""
    for kind, phrase, answer in (("lower", "leaveA", "noLeave"), ("leave", "lowerB", "noLower")):
        asked = tell(at_table(), f"shares.say.{phrase}")
        for stream in range(9):
            assert reply(promised(asked, kind, phrase[-1]), stream) == answer
            assert reply(asked, stream) != answer
    agreed = tell(propose(at_table(), "deal.1", company="A", yours="B"), "shares.say.agreed")
    for stream in range(9):
        assert reply(promised(agreed, "lower", "B"), stream) == "noLeave"
        assert reply(promised(agreed, "lower", "C"), stream) == "settled"
    assert make_talk(agreed).memory.spared == ("B",)
    assert make_talk(promised(agreed, "lower", "B")).memory.spared == ()


def test_it_offers_no_truce_for_a_tower_that_it_has_promised_to_lower() -> None:
    deeds = ((0, "A"), (1, "B"), (1, "B"))
    lines = tuple(SeenLine("shares.added", {"seat": by, "company": name}, None, AT) for by, name in deeds)
    seen = replace(at_table(), lines=lines)
    for kind, offers in (("lower", False), ("raise", True)):
        said = {read_intent(remark.key) for remark in speak_with(promised(seen, kind, "B"), Lock())}
        assert "askLeave" in said
        assert ("deal" in said) == offers


def test_it_stands_by_a_yes_of_this_round_without_a_promise() -> None:
    began = SeenLine("shares.round", {"round": 4, "rounds": 15}, None, Millis(AT - 5))
    own = Spoken(Seat(0), None, f"{PREFIX}yesRaise.1", {"to": 2, "company": "E"}, Millis(AT - 1), True)
    agreed = replace(at_table(), lines=(began,), messages=(own,))
    assert reply(tell(agreed, "shares.say.raiseE")) == "already"
    own_yes = replace(agreed, messages=(replace(own, args={"to": 1, "company": "E"}),))
    assert reply(tell(own_yes, "shares.say.raiseE")) == "twice"
    assert reply(promised(tell(own_yes, "shares.say.raiseE"), "raise", "E")) == "twice"
    raised = SeenLine("shares.added", {"seat": 0, "company": "E", "size": "L"}, None, AT)
    done = replace(agreed, lines=(began, raised))
    assert reply(tell(done, "shares.say.raiseE")) == "did"
    before = replace(agreed, lines=(replace(began, at=AT),))
    assert reply(tell(before, "shares.say.raiseE")) != "already"


def test_it_threatens_nothing_on_its_own_turn() -> None:
    """Seat 1 would have no time to answer."""
    deeds = (("shares.added", "B"), ("shares.removed", "A"))
    others = tuple(
        SeenLine(key, {"seat": 1, "company": company, "size": "L"}, None, Millis(AT + 5_000))
        for key, company in deeds
    )
    lines = (RAISED, *others)
    for turn in (0, 1):
        state = position(
            "4H", "3H", "4S", "5D", built=("LLL", "LL", "L", "L"), marks=MARKS, turn=turn, round=4
        )
        seen = propose(replace(observe(state, 0), lines=lines), "askLeave.1", company="A")
        decisions = [
            BOT.decide(tell(seen, "shares.say.no"), BY_KEY["mateo"], Dice(b"%d" % stream))
            for stream in range(40)
        ]
        said = {intent_of(one.remark.key) for one in decisions if one and one.remark}
        assert ("threat" in said) == (turn == 1)


@pytest.mark.parametrize("kind", ["leave", "lower"])
def test_it_threatens_no_tower_that_it_has_promised_to_leave_or_to_lower(kind: str) -> None:
    lines = tuple(
        SeenLine(key, {"seat": 1, "company": company, "size": "L"}, None, AT)
        for key, company in (("shares.added", "B"), ("shares.removed", "A"))
    )
    seen = replace(propose(at_table(), "askLeave.1", company="A"), lines=(RAISED, *lines))
    for company, threatens in (("C", True), ("B", False)):
        refused = promised(tell(seen, "shares.say.no"), kind, company)
        said = {reply(refused, stream, "mateo") for stream in range(30)}
        assert ("threat" in said) == threatens


def test_a_question_for_hearts_is_answered_for_the_hand_after_its_move() -> None:
    """It is seat 0's turn: it plays a heart or, with a single card, draws up."""
    for hand, intent in (("4H 5D 6D", "lackHearts"), ("4H 5H 6D", "haveHearts"), ("4H", "busy")):
        state = position(hand, "3H", "4S", "5D", built=("L",), marks=MARKS, turn=0, round=4)
        asked = tell(observe(state, 0), "shares.say.whoHasHearts")
        decision = BOT.decide(asked, CHARACTER, Dice(b"1"))
        assert decision is not None
        assert decision.answer is not None
        assert decision.remark is not None
        assert isinstance(decision.answer[1], DrawUp if intent == "busy" else Play)
        assert read_intent(decision.remark.key) == intent


def test_it_answers_whom_it_has_put_off() -> None:
    """Seat 1 asks in the middle of a card, and again gets an answer once the card is over."""
    table = Table(state=position("4S 5S", "3H", "4S", "5D", built=("L", "L"), marks=MARKS, turn=0, round=4))
    asked = Spoken(Seat(1), None, "shares.say.raiseA", {}, AT)
    busy = Spoken(Seat(0), None, f"{PREFIX}busy.1", {"to": 1}, Millis(AT + 1), bot=True)

    def speak(*messages: Spoken) -> str | None:
        decision = BOT.decide(replace(observe(table.state), messages=messages), CHARACTER, Dice(b"1"))
        return None if decision is None or decision.remark is None else read_intent(decision.remark.key)

    by_bot = Spoken(Seat(1), None, f"{PREFIX}askFloor.1", {"to": 0, "company": "A"}, AT, bot=True)
    assert speak(asked, busy) == "noHearts"
    table.play(0, "4S")
    assert speak(asked) == "busy"
    assert speak(asked, busy) is None
    assert speak(by_bot) is None


@pytest.mark.parametrize(
    ("asked", "intent"),
    [("raiseA", "tallEnough"), ("lowerE", "nothingThere")],
)
def test_a_refusal_gives_a_reason_that_is_true_of_the_tower(asked: str, intent: str) -> None:
    """Anchor is first, and Ember has no floors; seat 0 holds shares in Dynamo alone."""
    marks = {**MARKS, 0: "DDDD"}
    state = position("4H 5S", "3H", "4S", "5D", built=("LLL", "LL", "L", "L"), marks=marks, turn=1, round=4)
    seen = tell(observe(state, 0), f"shares.say.{asked}")
    assert intent in {reply(seen, stream) for stream in range(30)} <= {intent, "counter"}


@pytest.mark.parametrize("hand", ["4C 5C", "4C 5S", ""])
def test_it_defends_a_tower_that_it_has_raised_whatever_it_could_play(hand: str) -> None:
    """Anchor is best for it as it stands; once it has pulled Anchor down itself, it is as any tower."""
    seen = replace(at_table(hands=(hand, "3H", "4S", "5D")), lines=(RAISED,))
    asked = tell(seen, "shares.say.lowerA")
    assert {reply(asked, stream) for stream in range(9)} == {"ownWork"}
    lowered = SeenLine("shares.removed", {"seat": 0, "company": "A", "size": "L"}, None, Millis(AT - 900))
    assert reply(replace(asked, lines=(RAISED, lowered))) != "ownWork"
    assert reply(tell(at_table(hands=(hand, "3H", "4S", "5D")), "shares.say.lowerA")) != "ownWork"


def test_it_reproaches_nobody_for_a_floor_lost_before_it_raised_that_tower() -> None:
    lost = SeenLine("shares.removed", {"seat": 1, "company": "A", "size": "L"}, None, Millis(AT - 500))
    for lines, reproaches in (
        ((lost, replace(RAISED, at=Millis(AT - 400))), False),
        ((RAISED, lost), True),
    ):
        said = {intent for intent, _ in list_words(replace(at_table(), lines=lines))}
        assert ("reproachLower" in said) == reproaches


def test_it_says_why_it_has_lowered_a_tower() -> None:
    def lowered(seat: int, company: str, at: int) -> SeenLine:
        return SeenLine("shares.removed", {"seat": seat, "company": company, "size": "L"}, None, Millis(at))

    def answers(*lines: SeenLine, company: str = "B", promises: tuple[Promise, ...] = ()) -> set[str]:
        asked = replace(at_table(), lines=lines, promises=promises)
        reproach = tell(asked, f"{PREFIX}reproachLower.1", bot=True, to=0, company=company)
        return {reply(reproach, stream) for stream in range(20)}

    assert answers(lowered(0, "B", AT)) == {"why"}
    assert answers(lowered(1, "A", AT - 5), lowered(0, "B", AT)) == {"why"}  # whose shares are a secret
    assert answers(RAISED, lowered(1, "A", AT - 5), lowered(0, "B", AT)) == {"why", "whyRevenge"}
    assert answers(RAISED, lowered(1, "A", AT + 5), lowered(0, "B", AT)) == {"why"}
    assert answers(lowered(0, "A", AT), company="A") == {"why", "whyLeads"}
    kept = replace(vow("lower", "kept", by=0), terms={"company": "B", "round": 4})
    for to, reasons in ((Seat(1), {"why"}), (Seat(2), {"why", "whyPromised"})):
        assert answers(lowered(0, "B", AT), promises=(replace(kept, to=(to,)),)) == reasons


def test_it_bears_a_grudge_against_whoever_broke_a_promise_or_took_three_floors() -> None:
    """Not over two floors, nor over floors of a tower that it has not raised."""
    asked = tell(at_table(), "shares.say.raiseE")

    def lowered(company: str, times: int) -> Observation:
        line = SeenLine("shares.removed", {"seat": 1, "company": company, "size": "L"}, None, Millis(AT - 1))
        return replace(asked, lines=(RAISED, *(line,) * times))

    scolded = (*SCOLDED, *asked.messages)
    broken = replace(asked, promises=(vow("raise", "broken"),), messages=scolded)
    for seen, bears in (
        (broken, True),
        (lowered("A", 3), True),
        (lowered("A", 2), False),
        (lowered("B", 3), False),
    ):
        answers = {reply(seen, stream) for stream in range(20)}
        assert answers == {"grudge"} if bears else "grudge" not in answers, (seen.lines, answers)


def test_it_says_which_tower_has_passed_another_in_the_last_round() -> None:
    """Anchor has three floors and Beacon two."""
    for grown, passed in ((2, {("A", "B")}), (1, set()), (0, set())):
        began, raised = (
            SeenLine("shares.round", {"round": 3, "rounds": 15}, None, AT),
            SeenLine("shares.added", {"seat": 1, "company": "A", "size": "L"}, None, AT),
        )
        seen = replace(at_table(), lines=(began, *(raised,) * grown, began))
        said = [(read_intent(one.key), tuple(one.args.values())) for one in speak_with(seen, Lock())]
        assert {towers for intent, towers in said if intent == "passed"} == passed
        assert ("close", ("A", "B")) in said


def test_it_agrees_to_raise_its_own_company_and_promises_it() -> None:
    decision = BOT.decide(tell(at_table(), "shares.say.raiseA"), CHARACTER, Dice(b"1"))
    assert decision is not None
    assert decision.remark is not None
    assert read_intent(decision.remark.key) == "yesRaise"
    assert decision.promise is not None
    assert (decision.promise.kind, decision.promise.to) == ("raise", (1,))
    assert decision.promise.terms == {"company": "A", "round": 4}


def test_it_refuses_or_haggles_over_a_company_of_others() -> None:
    for lines, expected in (((), {"noPrize"}), ((RAISED,), {"counter", "noPrize"})):
        asked = tell(replace(at_table(), lines=lines), "shares.say.raiseE")
        assert {reply(asked, stream) for stream in range(30)} == expected


def test_a_substitute_promises_and_threatens_nothing() -> None:
    for phrase in sorted({*STRICT} - REPLIES):
        for stream in range(5):
            asked = tell(at_table(), phrase)
            decision = BOT.decide(asked, unnamed("normal"), Dice(b"%d" % stream))
            assert decision is not None
            assert decision.promise is None
            assert decision.remark is None or read_intent(decision.remark.key) not in ("threat", "counter")


@pytest.mark.parametrize("phrase", ["raiseA", "lowerA", "leaveA", "whoHasHearts"])
def test_a_substitute_agrees_to_nothing_in_its_persons_name(phrase: str) -> None:
    """Nor does it tell what its person holds."""
    stand_in(tell(at_table(), f"shares.say.{phrase}"))


def test_a_substitute_gives_no_reasons_for_its_persons_deeds() -> None:
    deed = SeenLine("shares.removed", {"seat": 0, "company": "B", "size": "L"}, None, AT)
    promise = replace(vow("lower", "kept", by=0), to=(Seat(2),))
    lowered = replace(at_table(), lines=(deed,), promises=(promise,))
    stand_in(tell(lowered, f"{PREFIX}reproachLower.1", bot=True, to=0, company="B"))


def stand_in(asked: Observation) -> None:
    """A substitute answers only that it is one."""
    decisions = [BOT.decide(asked, unnamed("normal"), Dice(b"%d" % stream)) for stream in range(20)]
    remarks = [one.remark for one in decisions if one is not None and one.remark is not None]
    assert {read_intent(remark.key) for remark in remarks} == {"substitute"}


def vow(kind: str, judgement: Any = None, at: int = AT, by: int = 1) -> Promise:
    terms: dict[str, int | str] = {"company": "A", "round": 4}
    to = Seat(1 - by)
    return Promise("vow", Seat(by), (to,), kind, terms, Millis(at), 9, judgement=judgement)


def test_whoever_was_betrayed_says_so_before_anything_else() -> None:
    broken = replace(at_table(), promises=(vow("raise", "broken"),))
    thanked = tell(broken, "shares.say.wellPlayed")
    for seen in (broken, thanked):
        said = [speak(make_talk(seen, stream=stream), None) for stream in range(20)]
        assert {intent_of(one.remark.key) for one in said if one.remark} == {"reproachBroken"}
        assert all(one.remark for one in said)


def test_it_reminds_of_a_promise_instead_of_asking_for_it() -> None:
    raised = replace(at_table(), lines=(RAISED,))
    asks = {"askRaise", "askFloor", "askStart"}
    promised = replace(raised, promises=(vow("raise", at=1),), messages=SCOLDED)
    moved = EndTurn()
    said = {intent_of(remark.key) for remark in speak_with(promised, moved) if remark.args.get("to") == 1}
    assert "remind" in said
    assert not said & asks
    robbed = replace(promised, promises=(replace(vow("raise", at=1), hindered=True),))
    assert "remind" not in {intent_of(remark.key) for remark in speak_with(robbed, moved)}
    assert {intent_of(remark.key) for remark in speak_with(raised, moved)} & asks


def agree_to_a_floor(*lines: SeenLine, **given: Any) -> Observation:
    """Seat 1 has agreed to raise Anchor; then this happens, and the round ends."""
    agreed = tell(propose(at_table(**given), "askRaise.1", company="A"), "shares.say.agreed")
    own = Spoken(Seat(0), None, f"{PREFIX}counting.1", {"to": 1, "company": "A"}, AT, bot=True)
    ended = (*lines, replace(NEXT_ROUND, at=Millis(AT + 9_000)))
    return replace(agreed, messages=(*agreed.messages, own), lines=ended)


def act(key: str, seat: int = 1, **args: Any) -> SeenLine:
    return SeenLine(f"shares.{key}", {"seat": seat, **args}, None, Millis(AT + 5_000))


def test_a_yes_to_a_floor_is_remembered() -> None:
    late = agree_to_a_floor(act("played", card="3S"))
    running = replace(late, lines=late.lines[:-1])
    for seen, breaches in (
        (running, 0),
        (late, 1),
        (agree_to_a_floor(act("out")), 1),
        (agree_to_a_floor(act("added", company="A", size="L"), act("ended")), 0),
    ):
        assert len(make_talk(seen).memory.list_breaches()) == breaches
    said = [speak(make_talk(late, stream=stream), None).remark for stream in range(40)]
    assert {intent_of(remark.key) for remark in said if remark} == {"letDown"}


@pytest.mark.parametrize(
    ("lines", "given", "blames"),
    [
        ((act("swapped", 0, seats=[0, 1]), act("out")), {}, False),
        ((act("took", 0, other=1), act("played", card="3S")), {}, False),
        ((act("swapped", 0, seats=[0, 2]), act("out")), {}, True),
        ((act("swapped", 1, seats=[0, 1]), act("out")), {}, True),
        ((act("took", 0, other=2), act("out")), {}, True),
        ((act("stuck"),), {}, False),
        ((act("out"),), {"hands": ("4H", "", "4S", "5D")}, False),
        ((act("drawUp"), *[act("drew")] * 5), {}, False),
        ((act("drawUp"), *[act("drew")] * 4), {}, True),
        ((act("out"),), {"built": ("L" * 20, "M" * 20, "S" * 20)}, False),
        ((), {}, False),
        ((act("drawUp"), SeenLine("promise.lapsed", {"seat": 1}, None, AT), *[act("drew")] * 5), {}, False),
    ],
)
def test_whoever_could_not_keep_a_yes_is_not_blamed(
    lines: tuple[SeenLine, ...], given: Mapping[str, Any], blames: bool
) -> None:
    """Somebody took its cards, it had none or no turn, or no floor was left."""
    seen = agree_to_a_floor(*lines, **given)
    assert bool(make_talk(seen).memory.list_breaches()) == blames
    said = {read_intent(remark.key) for remark in speak_with(seen, EndTurn())}
    assert ("letDown" in said) == blames


@pytest.mark.parametrize(
    ("later", "full", "blames"),
    [
        ((act("removed", 2, company="B", size="S"),), False, False),
        ((act("added", 2, company="B", size="S"),), True, True),
        ((act("took", other=2), act("played", card="3S")), False, False),
        ((act("drew"), act("played", card="3S")), False, False),
        ((act("swapped", 2, seats=[1, 2]), act("played", card="3S")), False, False),
        ((act("played", card="3S"), act("took", other=2)), False, True),
    ],
)
def test_what_happens_after_the_round_does_not_decide_whether_a_yes_could_be_kept(
    later: tuple[SeenLine, ...], full: bool, blames: bool
) -> None:
    """Floors that have come back, or gone, since; cards that the seat has got since."""
    built = ("L" * 20, "M" * 20, "S" * (20 if full else 19))
    given = {"built": built} if later[0].key in ("shares.removed", "shares.added") else {}
    seen = agree_to_a_floor(act("out"), **given)
    seen = replace(seen, lines=(*seen.lines, *(replace(line, at=Millis(AT + 9_500)) for line in later)))
    assert bool(make_talk(seen).memory.list_breaches()) == blames


@pytest.mark.parametrize("kind", ["raise", "help", "leave"])
def test_only_a_promise_of_a_floor_stands_for_a_yes_to_one(kind: str) -> None:
    seen = agree_to_a_floor(act("out"))
    (agreement,) = make_talk(seen).memory.agreements
    promise = replace(vow(kind, "kept"), terms={"company": "A", "round": agreement.round})
    breaches = make_talk(replace(seen, promises=(promise,))).memory.list_breaches()
    assert bool(breaches) == (kind == "leave")


@pytest.mark.parametrize(
    ("line", "hands", "minds"),
    [
        (
            SeenLine("shares.swapped", {"seat": 1, "seats": [0, 1]}, None, AT),
            ("4H", "3H 5S", "4S", "5D"),
            True,
        ),
        (
            SeenLine("shares.swapped", {"seat": 1, "seats": [0, 1]}, None, AT),
            ("4H 5S", "3H", "4S", "5D"),
            False,
        ),
        (
            SeenLine("shares.swapped", {"seat": 1, "seats": [2, 1]}, None, AT),
            ("4H", "3H 5S", "4S", "5D"),
            False,
        ),
        (SeenLine("shares.took", {"seat": 1, "other": 0}, None, AT), ("4H", "3H", "4S", "5D"), True),
        (SeenLine("shares.took", {"seat": 1, "other": 2}, None, AT), ("4H", "3H", "4S", "5D"), False),
    ],
)
def test_it_minds_the_loss_of_its_cards(line: SeenLine, hands: tuple[str, ...], minds: bool) -> None:
    seen = replace(at_table(hands=hands), lines=(line,))
    said = [speak(make_talk(seen, stream=stream), None).remark for stream in range(30)]
    assert ({intent_of(remark.key) for remark in said if remark} == {"robbed"}) == minds


def test_a_breaker_of_promises_calls_nobody_traitor() -> None:
    called = tell(at_table(), "shares.say.traitor")
    assert {reply(called, stream) for stream in range(9)} == {"whoMeant"}
    broke = replace(called, promises=(vow("raise", "broken", 1),), messages=(*SCOLDED, *called.messages))
    assert {reply(broke, stream) for stream in range(9)} == {"lookWho"}


def test_a_promise_to_it_is_answered() -> None:
    promised = replace(at_table(), promises=(vow("raise"),))
    assert {reply(promised, stream) for stream in range(30)} == {"trust", "doubt"}
    again = replace(promised, promises=(vow("leave", "broken", 1), vow("raise")), messages=SCOLDED)
    assert {reply(again, stream) for stream in range(9)} == {"doubtAgain"}


def test_a_promise_that_was_kept_wins_back_its_trust() -> None:
    promises = (vow("leave", "broken", 1), vow("lower", "kept", 2), vow("raise"))
    trusting = replace(at_table(), promises=promises, messages=SCOLDED)
    assert {reply(trusting, stream) for stream in range(30)} == {"trust", "doubt"}


def test_the_promise_that_was_judged_last_decides_whether_it_trusts() -> None:
    """One for the next round may be made first, and judged last."""
    vows = [
        replace(vow("raise", judgement, number), id=judgement)
        for number, judgement in enumerate(("broken", "kept"))
    ]
    for order in (("kept", "broken"), ("broken", "kept")):
        lines = tuple(
            SeenLine(f"promise.{judgement}", {"seat": 1, "promise": judgement}, None, AT)
            for judgement in order
        )
        seen = replace(at_table(), promises=(*vows, vow("raise")), lines=lines, messages=SCOLDED)
        expected = {"doubtAgain"} if order[-1] == "broken" else {"trust", "doubt"}
        assert {reply(seen, stream) for stream in range(30)} == expected


def test_it_doubts_in_the_same_words_only_once() -> None:
    again = replace(at_table(), promises=(vow("leave", "broken", 1), vow("raise")), messages=SCOLDED)
    doubted = Spoken(Seat(0), None, f"{PREFIX}doubtAgain.1", {"to": 1}, Millis(AT - 1), bot=True)
    for said, answer in (((), "doubtAgain"), ((doubted,), "doubt")):
        seen = replace(again, messages=(*SCOLDED, *said))
        assert {reply(seen, stream) for stream in range(9)} == {answer}


@pytest.mark.parametrize("lies", [False, True])
def test_whoever_has_just_lied_does_not_boast_of_a_promise_kept(lies: bool) -> None:
    lie = replace(vow("leave", "broken", by=0), id="lie", to=(Seat(2),))
    seen = replace(at_table(), promises=(vow("raise", "kept", by=0), *((lie,) if lies else ())))
    said = [speak(make_talk(seen, stream=stream), None).remark for stream in range(40)]
    assert ("kept" in {intent_of(remark.key) for remark in said if remark}) != lies


@pytest.mark.parametrize(("company", "blames"), [("A", False), ("B", True)])
def test_it_is_glad_of_a_broken_promise_to_lower_its_own_tower(company: str, blames: bool) -> None:
    broken = replace(vow("lower", "broken"), to=(), terms={"company": company, "round": 4})
    seen = replace(at_table(), promises=(broken,), lines=(RAISED,))
    said = [speak(make_talk(seen, stream=stream), None).remark for stream in range(40)]
    assert ("reproachBroken" in {intent_of(remark.key) for remark in said if remark}) == blames


def test_it_asks_nobody_to_rebuild_what_it_has_pulled_down() -> None:
    """Ember is the tower that it has raised, and has no floor left."""
    raised = SeenLine("shares.added", {"seat": 0, "company": "E", "size": "L"}, None, Millis(1))
    for seat, asks in ((1, True), (0, False)):
        lowered = SeenLine("shares.removed", {"seat": seat, "company": "E", "size": "L"}, None, Millis(2))
        seen = replace(at_table(hands=("4C 5S", "3H", "4S", "5D")), lines=(raised, lowered))
        said = {read_intent(remark.key) for remark in speak_with(seen, EndTurn())}
        assert ("askStart" in said) == asks


@pytest.mark.parametrize(("phrase", "answers"), [("thanks", {"welcome"}), ("traitor", {"deny"})])
def test_whom_thanks_and_reproaches_are_meant_for_answers(phrase: str, answers: set[str]) -> None:
    """Thanks are for a promise just made to seat 1, a reproach for a card just taken from it."""
    for seat, expected in ((0, answers), (2, {None})):
        promise = replace(vow("raise", by=0), by=Seat(seat), to=(Seat(1),))
        took = SeenLine("shares.took", {"seat": seat, "other": 1}, None, AT)
        given = replace(at_table(), promises=(promise,)) if phrase == "thanks" else at_table()
        seen = tell(replace(given, lines=() if phrase == "thanks" else (took,)), f"shares.say.{phrase}")
        decisions = [BOT.decide(seen, CHARACTER, Dice(b"%d" % stream)) for stream in range(9)]
        said = {intent_of(one.remark.key) if one and one.remark else None for one in decisions}
        assert said == expected


def test_a_promise_to_spare_an_empty_tower_impresses_nobody() -> None:
    empty = replace(vow("leave"), terms={"company": "E", "round": 4})
    assert {reply(replace(at_table(), promises=(empty,)), stream) for stream in range(20)} == {"shrug"}


@pytest.mark.parametrize("hand", ["4H 5S", ""])
def test_it_threatens_only_with_cards_and_while_both_towers_stand(hand: str) -> None:
    """Mateo is bold; seat 1 has raised Beacon, and takes a floor off Anchor."""
    deeds = (("shares.added", "B"), ("shares.removed", "A"), ("shares.removed", "E"))
    others = tuple(
        SeenLine(key, {"seat": 1, "company": company, "size": "L"}, None, Millis(AT + 5_000))
        for key, company in deeds
    )
    lines = (RAISED, *others)
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


def make_talk(observation: Observation, character: Character = CHARACTER, stream: int = 0) -> Talk:
    dice = Dice(b"words %d" % stream)
    context = policy.make_context(read_table(observation), SKILL_LEVELS[character.level], dice)
    return Talk(observation, character, context, dice)


def speak_with(observation: Observation, move: SharesMove) -> Iterator[Remark]:
    """What it says with this move, whatever the dice."""
    for stream in range(60):
        remark = speak(make_talk(observation, stream=stream), move).remark
        if remark is not None:
            yield remark


@pytest.mark.parametrize("intent", sorted(INTENTS))
def test_every_text_is_used_once_and_then_none(intent: str) -> None:
    """Each in a voice that fits the character, or in none."""
    keys = [key for key in WORDINGS[intent] if read_voice(key) in (None, "p")]
    args: dict[str, Argument] = {
        name: "A" if name in ("company", "yours", "rival") else 2 for name in TEXTS.remarks[keys[0]]
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


@pytest.mark.parametrize(("group", "keys"), [("phrases", STRICT), ("remarks", tuple(OWN_REMARKS))])
def test_no_text_calls_a_company_its_speakers_own(group: str, keys: tuple[str, ...]) -> None:
    """Whoever says so tells which shares they have (SSA-29)."""
    for key in keys:
        text = TEXTS.catalogue[group][key]
        assert not re.search(r"(?i)\bmy (\{|Anchor|Beacon|Comet|Dynamo|Ember)", text), key


def test_about_half_of_what_is_said_names_nobody() -> None:
    named = sum("to" in names for names in OWN_REMARKS.values())
    assert named < 0.6 * len(OWN_REMARKS)


@GAMES
def test_hardly_any_answer_right_below_its_question_names_the_asker(count: int) -> None:
    """Most of what is said unasked does, or nobody would know who is meant."""
    named = [
        "to" in TEXTS.remarks[one.spoken.key]
        for table in games(count)
        for one in table.sayings
        if one.before
        and one.spoken.addressee in (one.before[-1].seat, one.before[-1].addressee)
        and intent_of(one.spoken.key) not in UNASKED
    ]
    assert len(named) > 50
    assert sum(named) < 0.3 * len(named)


# --- its shares are secret ---

WITHOUT_SHARES: Final = frozenset({"thankRaise", "reproachLower", "counter", "owed", "whyRevenge"})
"""What it says of its own accord about a tower, as if the tower were its own."""


def list_holders() -> list[Observation]:
    """The same table, seen by a seat with all its shares in one company, for each company."""
    hands, built = ("4H 5S", "3H", "4S", "5D"), ("LLL", "LL", "L", "L")
    return [
        observe(position(*hands, built=built, marks={**MARKS, 0: 4 * company}, turn=1, round=4), 0)
        for company in COMPANIES
    ]


def list_words(observation: Observation) -> set[tuple[str, str]]:
    """What it says about which tower, whatever the dice, without a move or as it locks a share."""
    said = set()
    for stream in range(40):
        for move in (None, Lock()):
            remark = speak(make_talk(observation, BY_KEY["mateo"], stream), move).remark
            if remark is not None and "company" in remark.args:
                said.add((read_intent(remark.key), str(remark.args["company"])))
    return said


@pytest.mark.parametrize("key", ["shares.added", "shares.removed"])
@pytest.mark.parametrize("company", COMPANIES)
def test_it_thanks_and_reproaches_for_the_tower_that_it_has_raised_whatever_its_shares(
    key: str, company: str
) -> None:
    """Rather than for the one that it has most shares in: from round 1 on, nobody would need a club."""
    deed = SeenLine(key, {"seat": 1, "company": company, "size": "L"}, None, AT)
    for raised in ((), (RAISED,)):
        words = [
            {said for said in list_words(replace(seen, lines=(*raised, deed))) if said[0] in WITHOUT_SHARES}
            for seen in list_holders()
        ]
        intent = "thankRaise" if key == "shares.added" else "reproachLower"
        expected = {(intent, company)} if raised and company == "A" else set()
        assert words == [expected] * len(COMPANIES)


def test_it_asks_favours_only_for_a_tower_that_it_has_raised_whatever_its_shares() -> None:
    favours = {"askRaise", "askFloor", "askStart", "askLeave", "deal"}
    for lines, companies in (((), set()), ((RAISED,), {"A"})):
        for seen in list_holders():
            words = list_words(replace(seen, lines=lines))
            assert {company for intent, company in words if intent in favours} == companies


def test_a_threat_does_not_tell_which_shares_it_has() -> None:
    deeds = (("shares.added", "B"), ("shares.removed", "A"))
    others = tuple(
        SeenLine(key, {"seat": 1, "company": company, "size": "L"}, None, AT) for key, company in deeds
    )
    threats = [
        "threat" in {intent for intent, _ in list_words(replace(seen, lines=(RAISED, *others)))}
        for seen in list_holders()
    ]
    assert sum(threats) > 1


def test_it_asks_to_lower_only_a_tower_that_it_has_lowered_whatever_its_shares() -> None:
    lowered = SeenLine("shares.removed", {"seat": 0, "company": "A", "size": "L"}, None, AT)
    raised_other = SeenLine("shares.added", {"seat": 0, "company": "B", "size": "L"}, None, AT)
    for lines, asks in (((raised_other,), False), ((raised_other, lowered), True)):
        for seen in list_holders():
            assert (("askLower", "A") in list_words(replace(seen, lines=lines))) == asks


def test_whoever_was_looked_at_answers_to_the_tale() -> None:
    looked = SeenLine("peek.began", {"seat": 1, "other": 0, "what": "tracker"}, None, AT)
    other = SeenLine("peek.began", {"seat": 1, "other": 2, "what": "tracker"}, None, AT)
    for phrase, usual in (("spiedB", "noted"), ("spiedHearts", "heard"), ("spiedNothing", "heard")):
        for lines, intent in (((looked,), "caught"), ((looked, other), usual), ((other, looked), "caught")):
            asked = tell(replace(at_table(), lines=lines), f"shares.say.{phrase}")
            assert {reply(asked, stream) for stream in range(9)} == {intent}
    line = Spoken(Seat(2), None, f"{PREFIX}noted.1", {"to": 1, "company": "B"}, AT, bot=True)
    asked = tell(replace(at_table(), lines=(looked,)), "shares.say.spiedB")
    assert reply(replace(asked, messages=(*asked.messages, line))) == "caught"


@pytest.mark.parametrize("phrase", ["raiseA", "lowerB", "leaveA"])
def test_it_promises_nothing_without_cards(phrase: str) -> None:
    empty = tell(at_table(hands=("", "3H", "4S", "5D")), f"shares.say.{phrase}")
    for character in CHARACTERS:
        assert reply(empty, character=character.key) == "noCards"


def test_it_does_not_mind_a_broken_promise_for_a_tower_that_it_has_lowered() -> None:
    lowered = SeenLine("shares.removed", {"seat": 0, "company": "A", "size": "L"}, None, Millis(AT - 1))
    broken = replace(at_table(), promises=(vow("raise", "broken"),))
    for lines, intent in (((), "reproachBroken"), ((lowered,), "unmoved")):
        said = [speak(make_talk(replace(broken, lines=lines), stream=stream), None) for stream in range(40)]
        assert {read_intent(one.remark.key) for one in said if one.remark is not None} == {intent}


def test_it_takes_a_floor_for_another_only_while_it_stands() -> None:
    vowed = replace(vow("raise", "broken"), terms={"company": "E", "round": 4})

    def deed(key: str, seat: int, at: int) -> SeenLine:
        return SeenLine(key, {"seat": seat, "company": "A", "size": "L"}, None, Millis(at))

    repaid = deed("shares.added", 1, AT + 1)
    for lines, intents in (
        ((RAISED, repaid), {"owed"}),
        ((RAISED, repaid, deed("shares.removed", 2, AT + 2)), {"reproachBroken"}),
        ((repaid,), {"reproachBroken"}),
    ):
        seen = replace(at_table(), promises=(vowed,), lines=lines)
        said = [speak(make_talk(seen, stream=stream), None) for stream in range(60)]
        found = {read_intent(one.remark.key) for one in said if one.remark is not None}
        assert found & {"owed", "reproachBroken"} == intents


def test_two_answer_a_promise_to_all() -> None:
    vowed = replace(vow("raise"), to=(Seat(0), Seat(2), Seat(3)))
    seen = replace(at_table(), promises=(vowed,))
    for count in range(4):
        lines = tuple(
            Spoken(Seat(2), None, f"{PREFIX}doubt.{number + 1}", {"to": 1}, AT, bot=True)
            for number in range(min(count, 3))
        )
        said = [speak(make_talk(replace(seen, messages=lines), stream=stream), None) for stream in range(20)]
        assert any(one.remark is not None for one in said) == (count < 2)


UNASKED: Final = frozenset(
    {"askRaise", "askFloor", "askStart", "askLower", "askLeave", "deal", "thankRaise", "thankKept"}
    | {
        "reproachLower",
        "reproachBroken",
        "reproachDeal",
        "letDown",
        "remind",
        "robbed",
        "unmoved",
        "owed",
        "threat",
        "sorry",
        "kept",
        "traded",
    }
)
"""What a bot says to a seat of its own accord: no line above says to whom."""


def test_what_is_said_to_somebody_unasked_names_them() -> None:
    assert [
        key for key, names in OWN_REMARKS.items() if intent_of(key) in UNASKED and "to" not in names
    ] == []


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


# --- in season ---


def ends(count: int, at: int) -> tuple[SeenLine, ...]:
    """The turn passes on this often, from seat 1."""
    keys = ("shares.played", "shares.ended", "shares.discarded", "shares.out")
    return tuple(
        SeenLine(keys[turn], {"seat": (1 + turn) % 4}, None, Millis(at + turn)) for turn in range(count + 1)
    )


def said_by(observation: Observation, move: SharesMove | None = None, character: str = "mateo") -> set[str]:
    speeches = [speak(make_talk(observation, BY_KEY[character], stream), move).remark for stream in range(60)]
    return {read_intent(remark.key) for remark in speeches if remark is not None}


def test_it_makes_no_promise_that_its_move_keeps_at_once() -> None:
    asked = tell(replace(at_table(), lines=(RAISED,)), "shares.say.raiseA")
    for move, promises in ((Add("A"), False), (Add("B"), True), (None, True)):
        speech = speak(make_talk(asked), move)
        assert speech.remark is not None
        assert read_intent(speech.remark.key) == "yesRaise"
        assert (speech.promise is not None) == promises


@pytest.mark.parametrize(
    ("key", "intent"), [("shares.removed", "reproachLower"), ("shares.added", "thankRaise")]
)
def test_it_says_nothing_about_what_was_done_turns_ago(key: str, intent: str) -> None:
    deed = SeenLine(key, {"seat": 1, "company": "A", "size": "L"}, None, AT)
    for turns in range(4):
        seen = replace(at_table(), lines=(RAISED, deed, *ends(turns, AT)))
        assert (intent in said_by(seen)) == (turns <= 1), turns


def test_it_says_nothing_about_a_promise_judged_turns_ago() -> None:
    for promise, intent in ((vow("raise", "broken"), "reproachBroken"), (vow("raise", "kept", by=0), "kept")):
        for turns in range(4):
            judged = SeenLine(
                f"promise.{promise.judgement}", {"seat": promise.by, "promise": "vow"}, None, AT
            )
            seen = replace(at_table(), promises=(promise,), lines=(judged, *ends(turns, AT)))
            is_told = turns <= 1 or intent == "reproachBroken"  # who was betrayed says so in any case
            assert said_by(seen) == ({intent} if is_told else set())


def test_it_thanks_nobody_as_it_goes_for_a_tower() -> None:
    kept = replace(at_table(), promises=(vow("raise", "kept"),))
    raised = replace(
        at_table(),
        lines=(RAISED, SeenLine("shares.added", {"seat": 1, "company": "A", "size": "L"}, None, AT)),
    )
    for seen, intent in ((kept, "thankKept"), (raised, "thankRaise")):
        assert intent in said_by(seen)
        assert intent in said_by(seen, Play("4H"))
        assert intent not in said_by(seen, Play("5S"))
        assert intent not in said_by(seen, Remove("B"))


def test_it_does_not_boast_of_a_promise_that_it_was_thanked_for() -> None:
    promise = vow("raise", "kept", by=0)
    thanks = Spoken(Seat(1), None, f"{PREFIX}thankKept.1", {"to": 0}, AT, bot=True)
    own = Spoken(Seat(0), None, f"{PREFIX}welcome.1", {"to": 1}, AT, bot=True)
    for messages, boasts in (((), True), ((thanks, own), False)):
        seen = replace(at_table(), promises=(promise,), messages=messages)
        assert ("kept" in said_by(seen)) == boasts


def test_it_reproaches_whoever_thanks_it_and_pulls_its_tower_down() -> None:
    thanks = f"{PREFIX}thankRaise.1"
    lowered = SeenLine("shares.removed", {"seat": 1, "company": "A", "size": "L"}, None, AT)
    for lines, intent in (((RAISED,), "welcome"), ((RAISED, lowered), "reproachLower")):
        said = said_by(tell(replace(at_table(), lines=lines), thanks, bot=True, to=0, company="B"))
        assert intent in said
        assert ("welcome" in said) == (intent == "welcome")


def test_it_is_asked_as_soon_as_a_floor_is_gone_or_a_promise_broken() -> None:
    assert {"shares.removed", "promise.broken"} == BOT.remarkable


def test_no_two_seats_remark_on_the_towers_in_one_round() -> None:
    began = SeenLine("shares.round", {"round": 4, "rounds": 15}, None, AT)
    speakers = [
        seat
        for seat in range(4)
        if {"close", "lead"} & said_by(replace(at_table(seat), lines=(began,)), Lock())
    ]
    assert speakers == [0]


def test_it_asks_nothing_of_whoever_it_has_swapped_hands_with() -> None:
    began = SeenLine("shares.round", {"round": 4, "rounds": 15}, None, Millis(AT - 1_000))
    for seats, asked in (([0, 1], {2, 3}), ([2, 3], {1, 2, 3})):
        swapped = SeenLine("shares.swapped", {"seat": 0, "seats": seats}, None, AT)
        seen = replace(at_table(), lines=(began, RAISED, swapped))
        said = [remark for remark in speak_with(seen, Lock()) if read_intent(remark.key) in PROPOSALS]
        assert {remark.args["to"] for remark in said} == asked
