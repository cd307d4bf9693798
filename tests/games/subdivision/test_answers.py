"""What Subdivision's bots answer to people and bots, by occasion; and that every remark has its occasion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

from games.api import (
    Argument,
    Character,
    Decision,
    Judgement,
    Millis,
    NewPromise,
    Observation,
    Promise,
    Remark,
    Seat,
    SeenLine,
    Spoken,
)
from games.dice import Dice
from games.kit.characters import BY_KEY, CHARACTERS, unnamed
from games.kit.promises import judge, refuse, view_public
from games.kit.remarks import find_fault, hear
from games.subdivision.bot.bot import BOT
from games.subdivision.bot.situation import PROPOSALS, intent_of
from games.subdivision.bot.voices import WORDINGS, leaves_out_name
from games.subdivision.rules.board import square_at
from games.subdivision.rules.game import SUBDIVISION as GAME
from games.subdivision.rules.promises import SubdivisionPromises
from games.subdivision.rules.values import Piece, Pips, Stash, SubdivisionOptions, SubdivisionState
from games.subdivision.texts import TEXTS
from games.testing import random_play
from tests.games.subdivision.facts import check_truth
from tests.games.subdivision.test_bot import position_of
from tests.games.subdivision.test_talk import play_games
from tests.games.talking_table import Saying

ROOMY: Final = """
    .. .. .. .. .. ..
    .. B3 .. .. .. ..
    .. .. .. .. .. ..
    .. .. .. R3 .. ..
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    """
"""Blue's 3 on b5 and Red's on d3. Red is the bot's seat, Blue a person's or another bot's."""
RED, BLUE = Seat(0), Seat(1)
STASH: Final = (3, 3, 3)


def roomy(left: Sequence[tuple[int, int, int]] = (STASH, STASH), turn: int = 1) -> SubdivisionState:
    """Blue is to move, so Red only answers."""
    return position_of(ROOMY, left, turn)


def crowded() -> SubdivisionState:
    """Red's move. Blue has crowded d3, Red is behind, and c4 is the best square for both."""
    return position_of(
        """
        .. .. .. .. .. ..
        .. B3 B2 .. .. ..
        .. B2 .. R2 .. ..
        .. .. B1 R3 B1 ..
        .. .. .. .. .. ..
        .. .. .. .. .. ..
        """,
        [STASH, STASH],
    )


def ready_to_crowd() -> SubdivisionState:
    """Red's move: a 1 near e2 costs Blue a point, and Red has only 1s."""
    return position_of(
        """
        .. .. .. .. .. ..
        .. B3 .. .. .. ..
        .. .. .. .. .. ..
        .. .. .. .. .. ..
        .. .. .. .. B3 ..
        .. .. .. .. B1 ..
        """,
        [(2, 0, 0), (0, 1, 0)],
    )


def ready_to_join() -> SubdivisionState:
    """Red's move: c3 joins three groups, and no other square joins any."""
    return position_of(
        """
        .. .. .. .. .. ..
        .. B2 .. .. B2 ..
        .. .. R2 .. .. ..
        .. R2 .. R2 .. ..
        .. .. .. .. .. ..
        .. .. .. .. .. ..
        """,
        [(0, 2, 0), (0, 2, 0)],
    )


def blue_moves(state: SubdivisionState) -> SubdivisionState:
    return replace(state, stage=replace(state.stage, turn=BLUE))


def red_moves(state: SubdivisionState) -> SubdivisionState:
    return replace(state, stage=replace(state.stage, turn=RED))


def three_seats(pieces: Mapping[str, tuple[int, Pips]], *, late: bool = False) -> SubdivisionState:
    """The turn of seat 2, with these pieces: seat and pips by square. Late, each has but one 1 left."""
    state = GAME.setup(3, SubdivisionOptions(), Millis(0), Dice(b"three")).state
    squares = list(state.board.squares)
    for name, (seat, pips) in pieces.items():
        square = square_at(name, state.board.size)
        assert square is not None
        squares[square] = Piece(Seat(seat), pips)
    board = replace(state.board, squares=tuple(squares))
    stash = Stash(left=((1, 0, 0),) * 3) if late else state.stash
    return replace(state, board=board, stash=stash, stage=replace(state.stage, turn=Seat(2)))


RICH_BLUE: Final = three_seats({"b2": (2, 1), "e2": (0, 2), "f5": (1, 3), "f6": (1, 2)}, late=True)
LEVEL_OTHERS: Final = three_seats({"b2": (2, 2), "e2": (0, 1), "f5": (1, 2)}, late=True)
LEVEL_RED: Final = three_seats({"b2": (2, 1), "e2": (0, 2), "f5": (1, 2)}, late=True)
RICH_RED: Final = three_seats({"b2": (2, 1), "e2": (0, 3), "f5": (1, 2)}, late=True)
BESIDE: Final = three_seats({"b2": (1, 2), "b4": (1, 2), "e2": (0, 3), "e6": (2, 2)})
"""Blue could join two groups on b3."""
ON_B1: Final = position_of(
    """
    .. .. .. .. .. ..
    .. B3 .. .. .. ..
    .. .. .. .. .. ..
    .. .. .. R3 .. ..
    .. .. .. .. .. ..
    .. B2 .. .. .. ..
    """,
    [STASH, STASH],
)
"""Red's move. Blue has built on b1."""
TAKEN: Final = replace(ON_B1, board=replace(ON_B1.board, last=square_at("b1", 6)))
HURT_TWICE: Final = position_of(
    """
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    B1 .. .. .. B1 ..
    .. R3 B1 R3 .. ..
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    """,
    [STASH, STASH],
)
"""Red's move. Blue's 1 on c3 has cost both of Red's 3s a point."""
SPARED_NO_LONGER: Final = position_of(
    """
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    .. R3 B1 .. .. ..
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    """,
    [STASH, STASH],
)
"""Red's move. Blue has placed the first 1 near Red's 3, which costs it nothing."""
OWED_HALF: Final = roomy(turn=0)
HARMED: Final = position_of(
    """
    .. .. .. .. .. ..
    B2 B3 R1 .. .. ..
    B2 B2 R1 .. .. ..
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    .. .. .. .. .. ..
    """,
    [STASH, STASH],
    1,
)
"""Blue's move. Red's 1 on c4 has cost Blue's 3 a point."""
HARMED_BY_C4: Final = replace(HARMED, board=replace(HARMED.board, last=square_at("c4", 6)))
NARROW: Final = three_seats({"b2": (2, 3), "e2": (0, 2), "f5": (1, 2)})
"""Seat 2 is one point ahead."""
AHEAD: Final = three_seats({"b2": (2, 3), "b3": (2, 2), "e2": (0, 2), "f5": (1, 2)})
"""Seat 2 is three points ahead, though hardly anything is built."""
LEADING: Final = three_seats({"b2": (2, 3), "b3": (2, 3), "e2": (0, 2), "f5": (1, 2)}, late=True)
TRAILING: Final = three_seats({"b2": (2, 1), "e2": (0, 2), "f5": (1, 2), "f6": (1, 3)}, late=True)


def says(seat: int, name: str, **args: Any) -> Spoken:
    """A bot's remark with this intent, or this phrase of a person."""
    is_phrase = f"subdivision.say.{name}" in TEXTS.phrases
    key = f"subdivision.say.{name}" if is_phrase else WORDINGS[name][0]
    return Spoken(Seat(seat), None, key, args, Millis(0), bot=not is_phrase)


def promises(
    by: int,
    kind: str,
    judgement: Judgement | None = None,
    *,
    bot: bool = True,
    private: bool = False,
    to: int | None = None,
    everybody: bool = False,
    **terms: int | str,
) -> Promise:
    listeners = () if everybody else (Seat(1 - by if to is None else to),)
    made = NewPromise(kind, terms, listeners, private, bot=bot)
    made_promise = made.promise(f"{by} {kind} {sorted(terms.items())}", Seat(by), Millis(0), 0)
    return replace(made_promise, judgement=judgement)


def built(seat: int, pips: int, square: str, at: int = 0) -> SeenLine:
    args: dict[str, Argument] = {"seat": seat, "pips": pips, "square": square}
    return SeenLine("subdivision.placed", args, None, Millis(at))


LATER: Final = built(1, 2, "a6", 1)
"""Blue has built since."""
BROKEN_A2: Final = promises(0, "leave_square", "broken", square="a2", turns=2, left=7)
JUST_BROKEN: Final = SeenLine("promise.broken", {"seat": 0, "promise": BROKEN_A2.id}, None, Millis(0))


class Occasion(NamedTuple):
    """What Red sees, who plays Red, and what may be heard then."""

    expected: frozenset[str]
    state: SubdivisionState
    messages: tuple[Spoken, ...] = ()
    promises: tuple[Promise, ...] = ()
    characters: tuple[Character, ...] = CHARACTERS
    lines: tuple[SeenLine, ...] = ()


def occasion(expected: str, state: SubdivisionState, *seen: Spoken | Promise, only: str = "") -> Occasion:
    """An occasion for remarks with these intents; `only` names characters."""
    return Occasion(
        frozenset(expected.split()),
        state,
        tuple(part for part in seen if isinstance(part, Spoken)),
        tuple(part for part in seen if isinstance(part, Promise)),
        tuple(BY_KEY[key] for key in only.split()) or CHARACTERS,
    )


ASKED: Final = says(0, "askLeave", to=1, square="a1")
TRADED: Final = says(0, "swap", to=1, mine="a1", square="f6")
TRUCE: Final = says(0, "truce", to=1, mine="d3", square="b5")
WARNED: Final = says(0, "threat", to=1, square="a1", reply="c6")
THREE_OPEN: Final = tuple(
    promises(0, "leave_square", square=name, turns=1, left=8) for name in ("a1", "a2", "a3")
)
TALKED_ENOUGH: Final = tuple(
    says(0, "askLeave", to=1, square=f"{column}{row}") for column in "abcdef" for row in (1, 2, 3)
)
"""So much that Red proposes nothing more."""
TALKED_ENOUGH_ELSEWHERE: Final = tuple(
    says(0, "praise", to=1, square=f"{column}{row}") for column in "abcdef" for row in (1, 2, 3)
)
LIED: Final = promises(1, "leave_square", "broken", square="a2", turns=2, left=7)
DONE_HALF: Final = (
    TRADED,
    promises(1, "leave_square", bot=False, square="a1", turns=2, left=7),
    says(0, "ackLeave", to=1, square="a1"),
)
OCCASIONS: Final[Mapping[str, Occasion]] = {
    "a person agrees": occasion("thanksYes", roomy(), ASKED, says(1, "agreed")),
    "a person agrees to spare it": occasion(
        "thanksPeace", roomy(), says(0, "askSpare", to=1, square="d3"), says(1, "agreed")
    ),
    "a person agrees to a trade": occasion("askWord", roomy(), TRADED, says(1, "agreed")),
    "a person agrees to a truce": occasion("askWordTruce", roomy(), TRUCE, says(1, "agreed")),
    "a person does their half of a trade": occasion(
        "deliver",
        roomy(),
        TRADED,
        says(1, "agreed"),
        promises(1, "leave_square", bot=False, square="a1", turns=2, left=7),
        only="amara noor",
    ),
    "a person does their half of a truce": occasion(
        "deliverTruce",
        roomy(),
        TRUCE,
        says(1, "agreed"),
        promises(1, "avoid_crowding", bot=False, turns=2, left=7),
        only="amara noor",
    ),
    "a truce is agreed when it has no 1s left": occasion(
        "noOnes", roomy(((0, 3, 3), STASH)), TRUCE, says(1, "yesTruce", to=0, square="d3"), only="amara noor"
    ),
    "a bot agrees to a trade": occasion(
        "deliver", roomy(), TRADED, says(1, "yesSwap", to=0, square="a1"), only="amara noor"
    ),
    "a person asks for a square": occasion("yesLeave noPlain noWant counter", BESIDE, says(1, "leaveMe")),
    "a person asks for the square that was named": occasion(
        "noWant noPlain", roomy(), ASKED, says(1, "leaveMe")
    ),
    "a person calls on all against a bot": occasion("yesHitCall noHit", LEADING, says(1, "stopLeader")),
    "a person calls on all at the beginning": occasion("yesHitCall noHit", AHEAD, says(1, "stopLeader")),
    "a person calls on all against a point": occasion("early", NARROW, says(1, "stopLeader")),
    "a person calls on all when it has no 1s": occasion(
        "noHitOnes noHit", replace(LEADING, stash=Stash(left=((0, 1, 0),) * 3)), says(1, "stopLeader")
    ),
    "a person who leads calls on all": occasion("youLead", RICH_BLUE, says(1, "stopLeader")),
    "a person who is level with a bot calls on all": occasion(
        "youLevel", LEVEL_OTHERS, says(1, "stopLeader")
    ),
    "a person who is level with it calls on all": occasion("youAndMe", LEVEL_RED, says(1, "stopLeader")),
    "a person calls on the leader": occasion("noHitMe", RICH_RED, says(1, "stopLeader")),
    "a person calls on a friend of the leader": occasion(
        "noHitPeace",
        LEADING,
        promises(0, "avoid_crowding", to=2, turns=1, left=0),
        says(1, "stopLeader"),
    ),
    "a person was lied to": occasion(
        "sorryBroke shameless",
        roomy(),
        promises(0, "leave_square", "broken", square="a2", turns=2, left=7),
        says(1, "brokeWord"),
    ),
    "a person was not lied to": occasion("innocent", roomy(), ASKED, says(1, "brokeWord")),
    "somebody else has its word": occasion(
        "noGiven",
        LEADING,
        promises(0, "leave_square", to=2, square="d4", turns=1, left=0),
        says(1, "askLeave", to=0, square="d4"),
    ),
    "it has promised that already": occasion(
        "already",
        roomy(),
        promises(0, "leave_square", square="d5", turns=3, left=6),
        says(1, "askLeave", to=0, square="d5"),
    ),
    "a person took what was agreed": occasion(
        "brokeDeal", TAKEN, says(0, "askLeave", to=1, square="b1"), says(1, "agreed"), *TALKED_ENOUGH
    ),
    "a person crowds a 3 that they agreed to spare": occasion(
        "brokeSpare", SPARED_NO_LONGER, says(0, "askSpare", to=1, square="b3"), says(1, "agreed")
    )._replace(lines=(built(1, 1, "c3", 1),)),
    "a truce is agreed": occasion(
        "deliverTruce",
        roomy(),
        TRUCE,
        says(1, "yesTruce", to=0, square="d3"),
        only="amara noor",
    ),
    "a person agrees to help": occasion(
        "ackQuiet", roomy(), says(0, "hitLeader", to=1, enemy=1, points=1), says(1, "agreed")
    ),
    "a bot waits for its half of a trade": occasion(
        "admit askHalf",
        OWED_HALF,
        says(1, "swap", to=0, mine="a1", square="f6"),
        says(0, "yesSwap", to=1, square="a1"),
        promises(0, "leave_square", square="a1", turns=3, left=6),
        *TALKED_ENOUGH_ELSEWHERE,
    )._replace(lines=(LATER,)),
    "a bot waits for its half of a truce": occasion(
        "askHalfTruce",
        OWED_HALF,
        says(1, "truce", to=0, mine="b5", square="d3"),
        says(0, "yesTruce", to=1, square="b5"),
        promises(0, "avoid_crowding", turns=3, left=6),
    )._replace(lines=(LATER,)),
    "a person who offered peace has not promised it": occasion(
        "askHalfTruce",
        OWED_HALF,
        says(1, "peace"),
        says(0, "yesSpare", to=1, square="b5"),
        promises(0, "avoid_crowding", turns=3, left=6),
    )._replace(lines=(LATER,)),
    "a person has done their half and asks for its own": occasion(
        "deliver reneged", roomy(), *DONE_HALF, says(1, "leaveMe")
    ),
    "a person has done their half and agrees": occasion(
        "deliver reneged", roomy(), *DONE_HALF, says(1, "agreed")
    ),
    "a person minds its broken promise": occasion(
        "sorryBroke shameless",
        roomy(),
        BROKEN_A2,
        says(1, "ouch"),
    )._replace(lines=(JUST_BROKEN,)),
    "it crowds a 3 that it has promised to spare": occasion(
        "admitCrowding behind",
        replace(ready_to_crowd(), stash=Stash(left=((1, 1, 0), (0, 2, 0)))),
        promises(0, "avoid_crowding", turns=1, left=0),
        *TALKED_ENOUGH,
    ),
    "it is asked for its half": occasion(
        "deliver reneged", roomy(), TRADED, says(1, "askHalf", to=0, square="f6")
    ),
    "it is asked for its half of a truce": occasion(
        "deliverTruce reneged", roomy(), TRUCE, says(1, "askHalfTruce", to=0, square="b5")
    ),
    "a person asks for peace that spares it": occasion(
        "yesSpare noSpareYet",
        roomy(),
        promises(1, "avoid_crowding", turns=3, left=6),
        says(1, "askSpare", to=0, square="b5"),
    ),
    "it has complained before": occasion(
        "noGrudge",
        replace(HURT_TWICE, stage=replace(HURT_TWICE.stage, turn=BLUE)),
        says(0, "crowdedMe", to=1, square="d3"),
        says(1, "askLeave", to=0, square="f6"),
    )._replace(lines=(built(1, 1, "c3"),)),
    "a person agrees to nothing in particular": occasion(
        "agreedTo", roomy(), says(0, "noSpare", to=1, square="b5"), says(1, "agreed")
    ),
    "a person waits for it": occasion("hurried", roomy(turn=0), says(1, "hurry")),
    "a person waits for themselves": occasion(
        "afterYou",
        replace(roomy(), board=replace(roomy().board, last=square_at("d3", 6))),
        says(1, "hurry"),
    ),
    "a person minds what did no harm": occasion(
        "ouchWhat",
        replace(roomy(), board=replace(roomy().board, last=square_at("d3", 6))),
        says(1, "ouch"),
    ),
    "a person minds its 1": occasion("sorry", HARMED_BY_C4, says(1, "ouch"))._replace(
        lines=(built(0, 1, "c4"),),
    ),
    "a person who leads minds its 1": occasion(
        "sorryAhead", replace(HARMED_BY_C4, stash=Stash(left=((0, 1, 0), (0, 1, 0)))), says(1, "ouch")
    )._replace(lines=(built(0, 1, "c4"),)),
    "a person says where they will build": occasion(
        "heardPlan", roomy(), promises(1, "build_at", bot=False, everybody=True, square="a1", left=8)
    ),
    "a person has built where they said": occasion(
        "sawPlan",
        TAKEN,
        promises(1, "build_at", "kept", bot=False, everybody=True, square="b1", left=8),
        *TALKED_ENOUGH,
    ),
    "a person declines": occasion("pity", roomy(), ASKED, says(1, "noDeal")),
    "a person offers peace": occasion("yesSpare noSpare", roomy(), says(1, "peace")),
    "a person praises": occasion(
        "welcome",
        replace(roomy(), board=replace(roomy().board, last=square_at("d3", 6))),
        says(1, "niceMove"),
    ),
    "a person leaves a square": occasion(
        "ackLeave", roomy(), promises(1, "leave_square", bot=False, square="a1", turns=2, left=7)
    ),
    "a person will not crowd": occasion(
        "ackSpare spareBack", roomy(), promises(1, "avoid_crowding", bot=False, turns=2, left=7)
    ),
    "a person promises in private": occasion(
        "ackQuiet", roomy(), promises(1, "avoid_crowding", bot=False, private=True, turns=2, left=7)
    ),
    "it joins its groups": occasion("joined praise", ready_to_join(), *TALKED_ENOUGH),
    "somebody broke a promise": occasion("brokeLeave", roomy(turn=0), LIED),
    "a liar promises in private": occasion(
        "distrust",
        roomy(),
        LIED,
        promises(1, "avoid_crowding", bot=False, private=True, turns=2, left=7),
    ),
    "a person threatens": occasion(
        "yield shrug defy", roomy(), promises(1, "reply", bot=False, square="c4", reply="e3")
    ),
    "a bot defies a threat": occasion("insist", roomy(), WARNED, says(1, "defy", to=0, square="a1")),
    "it has promised enough": occasion(
        "noMany", roomy(), *THREE_OPEN, says(1, "askLeave", to=0, square="f6")
    ),
    "it has nothing left": occasion(
        "noneLeft", roomy(((0, 0, 0), STASH)), says(1, "askLeave", to=0, square="f6")
    ),
    "it has no 1s left": occasion(
        "noOnes", roomy(((0, 3, 3), STASH)), says(1, "askSpare", to=0, square="b5")
    ),
    "it was lied to": occasion(
        "noBroke",
        roomy(),
        LIED,
        says(1, "askLeave", to=0, square="f6"),
    ),
    "it lied": occasion(
        "sorryBroke shameless",
        roomy(),
        promises(0, "leave_square", "broken", square="a2", turns=2, left=7),
        says(1, "brokeLeave", to=0, square="a2"),
    ),
    "it is asked to crowd somebody ahead": occasion(
        "yesHit noHit", LEADING, says(1, "hitLeader", to=0, enemy=2, points=4)
    ),
    "it is asked to crowd somebody behind": occasion(
        "noHitAhead", TRAILING, says(1, "hitLeader", to=0, enemy=2, points=4)
    ),
    "it is asked by a bot ahead": occasion(
        "noAhead yesLeave counter noWant noPlain", TRAILING, says(1, "askLeave", to=0, square="d4")
    ),
    "it is asked for what it wants": occasion(
        "noWant noAhead counter yesLeave",
        blue_moves(ready_to_join()),
        says(1, "askLeave", to=0, square="c3"),
    ),
    "a square that it had asked for is taken": occasion(
        "tookIt", TAKEN, says(0, "askLeave", to=1, square="b1"), *TALKED_ENOUGH
    ),
    "a promise was kept": occasion(
        "thanksKept",
        roomy(turn=0),
        promises(1, "leave_square", "kept", square="a2", turns=2, left=7),
        *TALKED_ENOUGH,
        only="amara noor tavi",
    ),
    "a 1 crowds two of its 3s": occasion("crowdedBoth", HURT_TWICE)._replace(lines=(built(1, 1, "c3"),)),
    "somebody says oops after costing it a point": occasion(
        "forgive", blue_moves(HURT_TWICE), says(1, "oops")
    )._replace(lines=(built(1, 1, "c3"),)),
    "it crowds a 3": occasion("crowdedYou behind", ready_to_crowd(), *TALKED_ENOUGH),
    "it is threatened over what it wants": occasion(
        "defy shrug yield",
        blue_moves(ready_to_join()),
        says(1, "threat", to=0, square="c3", reply="a1"),
    ),
}


def list_sayings(seen: Occasion, streams: int = 24) -> Iterator[Saying]:
    """What Red says with different dice, and the state that it says it in."""
    observation = replace(
        random_play.observation(GAME, seen.state, RED, len(seen.state.stash.left)),
        messages=seen.messages,
        promises=seen.promises,
        lines=seen.lines,
    )
    for character in seen.characters:
        for stream in range(streams):
            decision = BOT.decide(observation, character, Dice(b"%d" % stream))
            if decision is not None and decision.remark is not None:
                yield _make_saying(seen, observation, character, decision, decision.remark)


@cache
def list_answers(name: str, streams: int) -> tuple[Saying, ...]:
    """What Red says at one of the occasions above."""
    return tuple(list_sayings(OCCASIONS[name], streams))


def _make_saying(
    seen: Occasion,
    observation: Observation,
    character: Character,
    decision: Decision[Any],
    remark: Remark,
) -> Saying:
    state, made, lines = seen.state, seen.promises, list(seen.lines)
    if decision.promise is not None:
        promise = replace(decision.promise, bot=True).promise("new", RED, Millis(0), 0)
        view = view_public(GAME, state)
        assert refuse(SubdivisionPromises(), made, view, promise, len(state.stash.left)) is None
        made = (*made, SubdivisionPromises().complete(promise, view))
    if decision.answer is not None:
        step = GAME.apply(state, RED, *decision.answer, Millis(0), Dice(b"move"))
        made, _ = judge(GAME, made, state, step, over=step.state.stage.turn is None)
        state = step.state
        lines += [SeenLine(line.key, line.args, None, Millis(0)) for line in step.lines]
    assert find_fault(TEXTS, GAME.talk_policy(seen.state, RED), RED, len(state.stash.left), remark) is None
    spoken = hear(remark, RED, Millis(0))
    return Saying(spoken, observation, decision, character, state, made, tuple(lines), seen.messages)


@pytest.mark.parametrize("name", OCCASIONS)
@pytest.mark.parametrize(
    "streams", [pytest.param(12, id="some"), pytest.param(24, id="all", marks=pytest.mark.at_length)]
)
def test_it_answers_what_people_and_bots_say_and_promise(name: str, streams: int) -> None:
    sayings = list_answers(name, streams)
    intents = {intent_of(saying.spoken.key) for saying in sayings}
    assert intents
    assert intents <= OCCASIONS[name].expected
    for saying in sayings:
        check_truth(saying)


def test_it_reproaches_nobody_for_a_1_of_an_earlier_turn() -> None:
    """Red has spoken since, or could not: now the reproach would seem to be about Blue's last move."""
    lines = (built(1, 1, "c3"), built(0, 2, "f6"), built(1, 2, "a6"))
    sayings = list_sayings(Occasion(frozenset(), HURT_TWICE, lines=lines))
    assert not {intent_of(saying.spoken.key) for saying in sayings} & {"crowdedMe", "crowdedBoth"}


def test_it_reproaches_nobody_who_agreed_long_ago_or_built_something_else() -> None:
    seen = OCCASIONS["a person crowds a 3 that they agreed to spare"]
    for earlier in (
        tuple(built(1, 2, name, 1) for name in ("a6", "b6", "c6")),  # three turns, as in a promise
        tuple(built(1, 2, name, 1) for name in ("a2",)),
    ):
        lines = (*earlier, *seen.lines) if len(earlier) == 3 else earlier
        assert "brokeSpare" not in list_intents(seen._replace(lines=lines))


def test_blame_names_whom_it_means_between_more_than_two() -> None:
    """Right after a person's move, or below their words, it would be theirs."""
    state = three_seats({"c4": (0, 3), "c5": (2, 1), "d4": (1, 1), "f6": (2, 2)})
    state = red_moves(replace(state, board=replace(state.board, last=square_at("d4", state.board.size))))
    agreed = says(1, "thanks")
    hurt = Occasion(frozenset(), state, (agreed,), lines=(built(1, 1, "d4"),))
    blame = [saying for saying in list_sayings(hurt) if intent_of(saying.spoken.key) == "crowdedMe"]
    assert blame
    for saying in blame:
        assert saying.spoken.addressee == 1
        assert not leaves_out_name(saying.spoken.key)


def list_intents(seen: Occasion, streams: int = 24) -> set[str]:
    return {intent_of(saying.spoken.key) for saying in list_sayings(seen, streams)}


def taken(name: str) -> SubdivisionState:
    """Blue has just built on this square; Blue is to move."""
    state, square = roomy(), square_at(name, 6)
    squares = tuple(Piece(BLUE, 2) if at == square else piece for at, piece in enumerate(state.board.squares))
    return replace(state, board=replace(state.board, squares=squares, last=square))


def test_it_answers_no_request_for_a_square_that_somebody_else_has_taken() -> None:
    for name, args in (("askLeave", {}), ("threat", {"reply": "c6"})):
        assert not list_intents(
            Occasion(frozenset(), taken("f6"), (says(1, name, to=0, square="f6", **args),))
        )


def test_it_answers_no_threat_that_nobody_can_carry_out_any_more() -> None:
    threat = says(1, "threat", to=0, square="c6", reply="f6")
    assert list_intents(Occasion(frozenset(), blue_moves(ready_to_join()), (threat,)))
    assert not list_intents(Occasion(frozenset(), taken("f6"), (threat,)))


def test_a_yes_alone_gets_no_promise_whatever_has_happened_since() -> None:
    """A person has to promise its half first, and that promise must be open."""
    broken = (
        promises(1, "leave_square", "broken", bot=False, square="a1", turns=2, left=7),
        promises(1, "avoid_crowding", "broken", bot=False, turns=2, left=7),
    )
    for request in (ASKED, TRADED, TRUCE):
        for state in (roomy(), taken("a1"), taken("f6"), taken("b5")):
            for made in ((), broken):
                seen = Occasion(frozenset(), state, (request, says(1, "agreed")), made)
                assert not any(saying.decision.promise for saying in list_sayings(seen, 4))
    half = promises(1, "avoid_crowding", bot=False, turns=2, left=7)
    mended = Occasion(frozenset(), roomy(), (TRUCE, says(1, "agreed")), (half,))
    assert any(saying.decision.promise for saying in list_sayings(mended, 4))


def test_thanks_get_no_answer_to_anything_older() -> None:
    asked = says(1, "peace")
    assert list_intents(Occasion(frozenset(), roomy(), (asked,)))
    assert not list_intents(Occasion(frozenset(), roomy(), (asked, says(1, "thanks"))))


def test_it_answers_nothing_that_is_stale() -> None:
    """A proposal waits until its seat has moved twice, a complaint until it has moved once."""
    moves = tuple(replace(built(1, 2, name), at=Millis(place)) for place, name in enumerate(("b5", "a6"), 1))
    asked = Occasion(frozenset(), roomy(), (says(1, "askLeave", to=0, square="f6"),))
    assert list_intents(asked)
    assert list_intents(asked._replace(lines=moves[:1]))
    assert not list_intents(asked._replace(lines=moves))
    complaint = Occasion(frozenset(), roomy(), (says(1, "crowdedMe", to=0, square="b5"),))
    assert list_intents(complaint)
    assert not list_intents(complaint._replace(lines=moves[:1]))


TOWARDS_THE_END: Final = replace(
    three_seats(
        {
            "b2": (2, 3),
            "b3": (2, 2),
            "b4": (2, 2),
            "e2": (0, 2),
            "e6": (0, 2),
            "f5": (1, 2),
            "g5": (1, 2),
        }
    ),
    stash=Stash(left=((2, 0, 0),) * 3),
)
"""Seat 2 leads Red by four points, who is to move and has only 1s left, like everybody."""
BEHIND: Final = Occasion(frozenset(), red_moves(TOWARDS_THE_END))


def test_it_speaks_of_who_leads_only_once_half_is_built() -> None:
    early = replace(BEHIND.state, stash=Stash(left=((5, 0, 0),) * 3))
    of_the_lead = {"hitLeader", "behind"}
    assert of_the_lead <= list_intents(BEHIND, 60)
    assert not of_the_lead & list_intents(BEHIND._replace(state=early), 60)


def test_it_talks_of_squares_wherever_there_are_free_ones() -> None:
    state = crowded()
    corner = tuple(
        piece or (Piece(BLUE, 2) if at == 0 else None) for at, piece in enumerate(state.board.squares)
    )
    assert "swap" in list_intents(
        Occasion(frozenset(), replace(state, board=replace(state.board, squares=corner)))
    )


GIFT: Final = three_seats({"b2": (1, 2), "e2": (0, 2), "e3": (0, 2), "f6": (2, 2)})
GAVE: Final = says(0, "yesLeave", to=1, square="b2")
LEFT: Final = promises(0, "leave_square", "kept", to=1, square="b2", turns=3, left=12)
OWED: Final = Occasion(frozenset(), red_moves(GIFT), (GAVE,), (LEFT,))


def test_it_calls_in_a_favour_once() -> None:
    """It is a square for one that it left to somebody for nothing, not in a trade."""
    sayings = [saying for saying in list_sayings(OWED) if intent_of(saying.spoken.key) == "callIn"]
    assert sayings
    for saying in sayings:
        assert (saying.spoken.args["to"], saying.spoken.args["given"]) == (1, "b2")
        check_truth(saying)
    called = says(0, "callIn", to=1, given="b2", square="e4")
    assert "callIn" not in list_intents(OWED._replace(messages=(GAVE, called)))
    traded = says(0, "yesSwap", to=1, square="b2")
    assert "callIn" not in list_intents(OWED._replace(messages=(traded,)))


def test_it_thanks_somebody_who_keeps_their_word_once() -> None:
    kept = OCCASIONS["a promise was kept"]
    assert "thanksKept" in list_intents(kept)
    thanked = says(0, "thanksKept", to=1, square="a3")
    assert "thanksKept" not in list_intents(kept._replace(messages=(*kept.messages, thanked)))


def test_it_says_that_it_has_built_everything_only_while_others_build() -> None:
    for left, said in (((0, 2, 0), True), ((0, 1, 0), False)):
        state = position_of(ROOMY, [(0, 1, 0), left], 0)
        assert ("last" in list_intents(Occasion(frozenset(), state), 60)) is said


RIVALS: Final = Occasion(frozenset(), crowded())


def test_with_two_seats_it_proposes_once_and_offers_something() -> None:
    first = [intent_of(saying.spoken.key) for saying in list_sayings(RIVALS)]
    assert {"swap", "truce", "threat"} & set(first)
    assert not {"askLeave", "askSpare", "hitLeader"} & set(first)
    again = list_sayings(RIVALS._replace(messages=(TRUCE,)))
    assert not {intent_of(saying.spoken.key) for saying in again} & (PROPOSALS - {"counter"})


def test_with_two_seats_it_offers_no_truce_before_a_3_of_its_own_has_had_its_free_1() -> None:
    sayings = list_sayings(Occasion(frozenset(), roomy(turn=0)))
    assert "truce" not in {intent_of(saying.spoken.key) for saying in sayings}


def test_it_says_where_it_stands_only_after_some_pyramids() -> None:
    sayings = list_sayings(Occasion(frozenset(), roomy(turn=0), TALKED_ENOUGH))
    assert not {"ahead", "behind"} & {intent_of(saying.spoken.key) for saying in sayings}


def test_with_two_seats_it_leaves_out_the_name_first() -> None:
    for name in ("it crowds a 3", "a 1 crowds two of its 3s", "it is threatened over what it wants"):
        for saying in list_answers(name, 12):
            nameless = [key for key in WORDINGS[intent_of(saying.spoken.key)] if leaves_out_name(key)]
            assert (
                not nameless or saying.spoken.key in nameless or "to" not in TEXTS.remarks[saying.spoken.key]
            )


def test_it_says_nothing_of_the_score_with_the_last_pyramid() -> None:
    board = position_of(
        """
        B2 B2 R2 R2 B2 B2
        B2 B3 B2 B2 R2 R2
        R2 B2 R2 R2 B2 B2
        R2 R2 B2 B2 R2 R2
        B2 B2 B2 R2 B3 B2
        B2 B2 R2 R2 B2 ..
        """,
        [(0, 1, 0), (0, 0, 0)],
    )
    assert list(list_sayings(Occasion(frozenset(), board), 100)) == []


def test_a_substitute_promises_nothing_and_threatens_nobody() -> None:
    asked = Occasion(frozenset(), roomy(turn=0), (says(1, "askLeave", to=0, square="f6"),))
    sayings = list(list_sayings(asked._replace(characters=(unnamed("hard"),))))
    assert {intent_of(saying.spoken.key) for saying in sayings} == {"substitute"}
    quiet = list(list_sayings(Occasion(frozenset(), crowded(), characters=(unnamed("easy"),)), 200))
    assert not {intent_of(saying.spoken.key) for saying in quiet} & {"threat", "swap", "truce"}
    assert all(not saying.promises for saying in (*sayings, *quiet))


BROKEN_WORD: Final = occasion(
    "brokeWord", roomy(turn=0), promises(1, "avoid_crowding", "broken", turns=2, left=7), only="zofia noor"
)
OWN_BROKEN_WORD: Final = occasion(
    "admit joined askLeave swap",
    ready_to_join(),
    promises(0, "leave_square", square="c3", turns=2, left=0),
    only="amara tavi zofia",
)


def test_it_holds_a_broken_promise_against_others_and_admits_its_own() -> None:
    for seen, intent in ((BROKEN_WORD, "brokeWord"), (OWN_BROKEN_WORD, "admit")):
        sayings = list(list_sayings(seen))
        assert intent in {intent_of(saying.spoken.key) for saying in sayings}
        for saying in sayings:
            check_truth(saying)


def test_it_thanks_once_for_a_half_that_it_has_answered_with_its_own() -> None:
    theirs = promises(1, "leave_square", bot=False, square="a1", turns=2, left=7)
    mine = promises(0, "leave_square", square="f6", turns=3, left=6)
    settled = occasion("", roomy(), TRADED, theirs, mine, says(0, "deliver", to=1, square="f6"))
    assert list(list_sayings(settled)) == []


def test_a_promise_to_another_bot_gets_no_thanks() -> None:
    mine = promises(1, "avoid_crowding", bot=False, to=0, turns=2, left=7)
    others = promises(1, "avoid_crowding", bot=False, to=2, turns=2, left=7)
    seen = occasion("", BESIDE, others, mine, says(0, "ackSpare", to=1))
    assert list(list_sayings(seen)) == []


def test_in_a_table_of_three_ouch_is_answered_by_whoever_did_harm() -> None:
    harmless = replace(BESIDE, board=replace(BESIDE.board, last=square_at("e2", BESIDE.board.size)))
    assert list(list_sayings(occasion("", harmless, says(1, "ouch")))) == []


def test_two_bots_do_not_ask_the_same_seat_at_once() -> None:
    free = replace(BESIDE, stage=replace(BESIDE.stage, turn=RED))
    asked = occasion("", free, says(2, "askLeave", to=1, square="a1"))
    for seen, expected in ((occasion("", free), {1, 2}), (asked, {2})):
        proposals = [s.spoken for s in list_sayings(seen) if intent_of(s.spoken.key) in PROPOSALS]
        assert {said.addressee for said in proposals} == expected


@pytest.mark.parametrize("count", [4, pytest.param(20, marks=pytest.mark.at_length)])
def test_something_is_said_with_every_intent(count: int) -> None:
    sayings = [saying for game in play_games(count) for saying in game]
    substitute = Occasion(
        frozenset(), roomy(turn=0), (says(1, "askLeave", to=0, square="f6"),), characters=(unnamed("easy"),)
    )
    last = Occasion(frozenset(), position_of(ROOMY, [(0, 1, 0), (0, 2, 0)], 0))
    for name in OCCASIONS:
        sayings += list_answers(name, 12)
    for seen in (BROKEN_WORD, OWN_BROKEN_WORD, RIVALS, BEHIND, OWED, substitute, last):
        sayings += list_sayings(seen)
    assert WORDINGS.keys() - {intent_of(saying.spoken.key) for saying in sayings} == set()
