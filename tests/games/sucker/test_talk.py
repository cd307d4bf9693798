"""What So Long Sucker bots say to one another: true of the position, never twice, and answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice, pairwise, permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from games.api import Decision, Judgement, Millis, NewPromise, Observation, Promise, Seat, SeenLine, Spoken
from games.dice import Dice
from games.kit.characters import BY_KEY, CHARACTERS, unnamed
from games.kit.observations import part
from games.kit.promises import MAX_OPEN
from games.kit.wordings import Wordings, read_intent
from games.sucker.bot.bot import BOT, read_state
from games.sucker.bot.comments import comment, protest
from games.sucker.bot.deals import list_deals
from games.sucker.bot.hearing import INVITING_MS, REFLECTION_MS, find_proposal
from games.sucker.bot.memory import list_deeds, was_dear
from games.sucker.bot.offers import list_offers, may_take_turn
from games.sucker.bot.remarks import (
    AGREEING,
    COMPLAINTS,
    COUNTERS,
    FRIENDLY,
    MUTUAL,
    OFFERS,
    PROPOSALS,
    REFUSING,
)
from games.sucker.bot.situation import Situation
from games.sucker.bot.speaker import COOL, Speaker, list_shown
from games.sucker.bot.talk import speak_only, speak_with_move
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import GiveMove, Kill, Place, Stage, SuckerState
from games.sucker.rules.views import Mine, Piles
from games.sucker.texts import TEXTS
from tests.games.sucker.players import observe, whole_table
from tests.games.sucker.table import B, G, R, Table, Y, forced_on_b, rescue, set_up
from tests.games.sucker.talking import TalkingTable
from tests.games.talking_table import Saying

pytestmark = pytest.mark.usefixtures("brief_thought")

QUICK = [character for character in CHARACTERS if character.level != "hard"]
GAMES = pytest.mark.parametrize("count", [20, pytest.param(40, marks=pytest.mark.at_length)])
"""The number of games that the tests below look at."""
TO_PEOPLE = {
    *(
        "holdYou",
        "holdAgain",
        "expectPile",
        "expectSave",
        "expectTurn",
        "expectSpare",
        "expectPact",
        "expectTurns",
        "expectTruce",
        "yesTurn",
        "yesSpare",
        "reproachDeal",
        "grudgeDeal",
        "yesChip",
        "yesSide",
    ),
    *(
        "noSide",
        "tooBad",
        "tooLate",
        "welcome",
        "hearVow",
        "hearTrust",
        "retort",
        "wantTurn",
        "begTurn",
        "because",
        "forgive",
        "denial",
        "substitute",
    ),
}
"""What bots say only to people, or a substitute only in their place."""
RARE = frozenset(
    {
        "noCapture",
        "noLeader",
        "reproachRefuse",
        "counterPile",
        "noTeamStrong",
        "noChips",
        "noHands",
        "defy",
        "noAsk",
        "freed",
        "reproachStarve",
        "grudgeRefuse",
        "grudgeStarve",
        "yesAlready",
    }
)
"""What bots may not say to one another in 80 games, though they do in its moment (`IN_ITS_MOMENT`)."""
SELDOM = frozenset(
    {
        "askTurnWeak",
        "noTeam",
        "noSpare",
        "yesWeak",
        "noStrong",
        "thanksChip",
        "brokePile",
        "grudgeBroke",
    }
)
"""What bots say to one another once in 20 to 80 games."""
ANSWERS = AGREEING | REFUSING | COUNTERS


# --- what was said, and whether it was true ---


class Facts:
    """What somebody said, and what everybody could see then."""

    def __init__(self, said: Saying) -> None:
        self.state: SuckerState = said.state
        self.promises = said.promises
        self.me, self.at = int(said.spoken.seat), said.spoken.at
        self.args: Mapping[str, Any] = dict(said.spoken.args)
        self.to: Any = self.args.get("to")
        self.lines, self.heard = said.lines, said.before
        self.stage: Stage = self.state.stage

    def chips(self, seat: int) -> int:
        return sum(self.state.hands.chips[seat])

    def hold(self, seat: Any) -> int:
        """How many chips of the speaker's colour this seat holds."""
        return int(self.state.hands.chips[seat][self.me])

    @property
    def average(self) -> float:
        """How many chips the living seats have on average."""
        counts = [self.chips(seat) for seat, alive in enumerate(self.stage.alive) if alive]
        return sum(counts) / len(counts)

    @property
    def is_weak(self) -> bool:
        """Whether the other seat is much below the average, or nearly out."""
        return self.chips(self.to) <= max(2, self.average - 2)

    def has_most(self, seat: Any) -> bool:
        others = [other for other, alive in enumerate(self.stage.alive) if alive and other != seat]
        return all(self.chips(other) < self.chips(seat) for other in others)

    def has_chip(self, seat: Any, pile: Any) -> bool:
        return any(one.id == pile and seat in one.chips for one in self.state.piles)

    @property
    def is_capturing(self) -> bool:
        return self.stage.phase == "kill" and self.stage.mover == self.me

    def has_said(self, seat: Any, key: str) -> bool:
        return any(message.seat == seat and message.key == key for message in self.heard)

    def can_capture(self, seat: Any, pile: Any) -> bool:
        tops = {one.id: one.chips[-1] for one in self.state.piles}
        return bool(tops.get(pile) == seat and self.state.hands.chips[seat][seat] > 0)

    def could_lose(self, seat: Any, other: Any) -> bool:
        """Whether the other one can capture the pile that is spoken about, and a chip of the seat's."""
        return self.can_capture(other, self.args["pile"]) and self.has_chip(seat, self.args["pile"])

    @property
    def was_done_a_favour(self) -> bool:
        """Whether the other seat has kept a promise to the one that speaks, which was not kept anyway."""
        return any(
            (one.by, one.judgement) == (self.to, "kept")
            and (self.me in one.to or not one.to)
            and (one.kind != "pass_move" or self.told("gave", seat=self.to, other=self.me))
            and (one.kind != "spare_pile" or self._has_been_in(one.terms["pile"]))
            for one in self.promises
        )

    def _has_been_in(self, pile: Any) -> bool:
        """Whether the one that speaks has ever had a chip in this pile, and the other seat a chip on top."""
        colours = [
            line.args["colour"]
            for line in self.lines
            if line.key in ("sucker.opened", "sucker.placed") and line.args["pile"] == pile
        ]
        return {self.me, self.to} <= set(colours)

    def chooses(self, seat: Any, other: Any) -> bool:
        stage = self.stage
        return stage.phase == "choose" and stage.mover == seat and other in stage.next

    def told(self, key: str, **args: Any) -> bool:
        return any(
            line.key == f"sucker.{key}" and args.items() <= dict(line.args).items() for line in self.lines
        )

    def promised(self, by: Any, to: Any, judgement: str | None) -> bool:
        return any(
            one.by == by and (not one.to or to is None or to in one.to) and one.judgement == judgement
            for one in self.promises
        )

    def was_betrayed(self, kind: str, **terms: int) -> bool:
        """Whether the other seat has broken such a promise to the one that speaks."""
        return any(
            (one.by, one.kind, one.judgement) == (self.to, kind, "broken")
            and self.me in one.to
            and terms.items() <= dict(one.terms).items()
            for one in self.promises
        )

    @property
    def breaks_rescue(self) -> bool:
        """Whether the speaker owes the other seat a rescue, or has broken that word since it is in need."""
        needy = (line for line in self.lines if line.key == "sucker.needy")
        needs = [line.at for line in needy if line.args["seat"] == self.to]
        is_owed = any(
            (one.by, one.kind, one.judgement) == (self.me, "save", None) and self.to in one.to
            for one in self.promises
        )
        return is_owed or self.was_judged("save", "broken", needs[-1])

    def was_judged(self, kind: str, judgement: str, since: Millis) -> bool:
        """Whether, since then, the speaker has kept or broken such a promise to the other seat."""
        judged = {
            line.args["promise"]
            for line in self.lines
            if line.key == f"promise.{judgement}" and line.at >= since
        }
        return any(
            (one.by, one.kind) == (self.me, kind) and self.to in one.to and one.id in judged
            for one in self.promises
        )

    @property
    def stands_by_offer(self) -> bool:
        """Whether the speaker can still give the other seat the turn, has promised it, or has given it."""
        has_promised = any(
            one.kind == "pass_move" and (one.by, one.judgement) == (self.me, None) and self.to in one.to
            for one in self.promises
        )
        has_given = self.told("gave", seat=self.me, other=self.to)
        return has_promised or has_given or self.chooses(self.me, self.to)

    @property
    def was_refused(self) -> bool:
        """Whether the other seat has refused to save the one that speaks."""
        needy = None
        for line in self.lines:
            if line.key == "sucker.needy":
                needy = line.args["seat"]
            if line.key == "sucker.refused" and line.args["seat"] == self.to and needy == self.me:
                return True
        return False

    @property
    def was_starved(self) -> bool:
        pairs = pairwise(self.lines)
        return any(
            one.key == "sucker.gave"
            and (one.args["seat"], one.args["other"]) == (self.to, self.me)
            and after.key in ("sucker.needy", "sucker.fell")
            for one, after in pairs
        )


def is_alone_ahead(facts: Facts) -> bool:
    enemy = facts.args["enemy"]
    counts = [facts.chips(seat) for seat, alive in enumerate(facts.stage.alive) if alive and seat != enemy]
    is_ahead = facts.args["count"] == facts.chips(enemy) > max(counts)
    return bool(is_ahead and facts.chips(enemy) >= facts.average + 2 and enemy not in (facts.me, facts.to))


def needs_help(facts: Facts) -> bool:
    need = facts.state.need
    return need is not None and facts.stage.mover == facts.me and not need.refused[facts.to or 0]


def has_own_chip_at_stake(facts: Facts) -> bool:
    chips = {one.id: one.chips for one in facts.state.piles}
    stage = facts.stage
    return stage.phase == "kill" and stage.mover == facts.to and facts.me in chips[stage.pile or 0]


def is_weak(facts: Facts) -> bool:
    count = facts.chips(facts.me)
    is_low = count <= 3 or count <= facts.average - 2
    return facts.args["count"] == count < facts.chips(facts.to or 0) and is_low


def threatens(facts: Facts) -> bool:
    """Whether the other seat can capture a chip of the one that speaks."""
    return any(facts.me in pile.chips and facts.can_capture(facts.to, pile.id) for pile in facts.state.piles)


def both_live(facts: Facts) -> bool:
    return facts.stage.alive[facts.me] and facts.stage.alive[facts.to or 0]


TRUE: Mapping[str, Callable[[Facts], bool]] = {
    "offerTurn": lambda f: f.chooses(f.me, f.to) and f.could_lose(f.me, f.to),
    "offerTurnSave": lambda f: f.chooses(f.me, f.to),
    "offerTurnBack": lambda f: f.chooses(f.me, f.to) and f.chips(f.me) > 0,
    "offerTurnSpare": lambda f: f.chooses(f.me, f.to) and threatens(f),
    "invite": lambda f: f.stage.phase == "choose" and f.stage.mover == f.me and len(f.stage.next) > 1,
    "askTurn": lambda f: f.chooses(f.to, f.me) and f.could_lose(f.to, f.me),
    "askTurnBack": lambda f: f.chooses(f.to, f.me) and f.chips(f.me) > 0,
    "askTurnWeak": lambda f: f.chooses(f.to, f.me) and is_weak(f),
    "askChip": needs_help,
    "begPromise": lambda f: needs_help(f) and f.promised(f.to, f.me, None),
    "begOwn": lambda f: needs_help(f) and f.args.get("count", f.hold(f.to)) == f.hold(f.to) > 0,
    "begTurn": lambda f: needs_help(f) and f.promised(f.me, f.to, None),
    "askSpare": has_own_chip_at_stake,
    "pact": both_live,
    "pactTurn": lambda f: both_live(f) and f.chips(f.me) > 0 and f.chips(f.to) > 0,
    "pactSpare": both_live,
    "team": is_alone_ahead,
    "askPile": lambda f: f.could_lose(f.me, f.to),
    "firstPile": lambda f: f.is_capturing and f.has_chip(f.to, f.stage.pile),
    "threat": lambda f: f.stage.mover == f.to and f.could_lose(f.me, f.to),
    "counterSave": both_live,
    "counterPile": lambda f: f.could_lose(f.me, f.to),
    "yes": both_live,
    "yesDeal": both_live,
    "yesTurn": lambda f: f.promised(f.me, f.to, None),
    "yesSpare": lambda f: f.promised(f.me, f.to, None),
    "yesEasy": lambda f: all(one.chips[-1] != f.me for one in f.state.piles if one.id == f.args["pile"]),
    "yesChip": lambda f: f.promised(f.me, f.to, None),
    "yesSide": lambda f: f.promised(f.me, f.to, None),
    "yesAlready": lambda f: f.promised(f.me, f.to, None),
    "yesWeak": lambda f: f.args["count"] == f.chips(f.to) < f.chips(f.me) and f.is_weak,
    "yesKept": lambda f: f.promised(f.to, None, "kept") and not f.promised(f.to, None, "broken"),
    "yesPile": lambda f: any(one.id == f.args["pile"] for one in f.state.piles),
    "noStrong": lambda f: f.args["count"] == f.chips(f.to) >= f.average + 2,
    "noLeader": lambda f: f.has_most(f.to),
    "noSpoken": lambda f: f.promised(f.me, f.args["other"], None) and f.args["other"] not in (f.me, f.to),
    "noPact": lambda f: f.can_capture(f.to, f.args["pile"]),
    "noTeam": lambda f: f.can_capture(f.to, f.args["pile"]) and f.args["other"] not in (f.me, f.to),
    "noTeamStrong": lambda f: f.args["count"] == f.chips(f.to) >= f.average + 2,
    "noSide": lambda f: all(one.by != f.to for one in f.promises),
    "noRescue": lambda f: f.told("refused", seat=f.me),
    "noRescueLied": lambda f: f.told("refused", seat=f.me) and f.breaks_rescue,
    "noRescueAgain": lambda f: f.told("refused", seat=f.me) and f.told("transferred", seat=f.me, other=f.to),
    "noCapture": lambda f: f.can_capture(f.to, f.args["pile"]),
    "noBroke": lambda f: f.promised(f.to, None, "broken"),
    "noNeed": lambda f: f.can_capture(f.me, f.args["pile"]),
    "noChips": lambda f: f.args["count"] == f.chips(f.me) <= 3,
    "no": both_live,
    "noDeal": both_live,
    "noAsk": both_live,
    "substitute": both_live,
    "noHands": lambda f: any(one.id == f.args["pile"] for one in f.state.piles),
    "noSpare": both_live,
    "defy": lambda f: f.can_capture(f.me, f.args["pile"]),
    "thanksTurn": lambda f: f.told("gave", seat=f.to, other=f.me),
    "thanksChip": lambda f: f.told("transferred", seat=f.to, other=f.me),
    "thanksKept": lambda f: f.was_done_a_favour,
    "brokeTurn": lambda f: f.was_betrayed("pass_move"),
    "brokeSave": lambda f: f.was_betrayed("save"),
    "brokePile": lambda f: f.was_betrayed("spare_pile", pile=f.args["pile"]),
    "brokeSpare": lambda f: f.was_betrayed("spare_chips"),
    "reproachDeal": lambda f: f.has_said(f.to, "sucker.say.deal"),
    "reproachOut": lambda f: f.was_refused and f.told("fell", seat=f.me),
    "lastWords": lambda f: f.told("fell", seat=f.me),
    "bigCapture": lambda f: f.told("killed", seat=f.args["other"], count=f.args["count"]),
    "freed": lambda f: (
        f.promised(f.to, f.me, "broken")
        and f.promised(f.me, f.to, "broken")
        and f.told("gave", seat=f.me, other=f.args["other"])
    ),
    "brazen": lambda f: f.promised(f.me, f.to, "broken") and f.told("gave", seat=f.me, other=f.args["other"]),
    "reproachKill": lambda f: f.told("killed", seat=f.to, colour=f.me),
    "reproachRefuse": lambda f: f.was_refused,
    "reproachStarve": lambda f: f.was_starved,
    "grudgeBroke": lambda f: f.promised(f.to, f.me, "broken"),
    "grudgeDeal": lambda f: f.has_said(f.to, "sucker.say.deal"),
    "grudgeKill": lambda f: f.told("killed", seat=f.to, colour=f.me),
    "grudgeRefuse": lambda f: f.was_refused,
    "grudgeStarve": lambda f: f.was_starved,
    "sorryBroke": lambda f: f.promised(f.me, f.to, "broken"),
    "sorryKill": lambda f: f.told("killed", seat=f.me, colour=f.to),
    "soLong": lambda f: f.told("fell", seat=f.args["other"]),
    "boast": lambda f: (
        f.told("captured", seat=f.me, pile=f.args["pile"])
        or f.told("capturedByCard", seat=f.me, pile=f.args["pile"])
    ),
    "gift": lambda f: f.told("gave", seat=f.me, other=f.to),
    "asPromised": lambda f: f.was_judged("pass_move", "kept", f.at) and f.told("gave", seat=f.me, other=f.to),
    "starve": lambda f: f.state.need is not None and f.stage.mover == f.to,
    "rescued": lambda f: f.told("transferred", seat=f.me, other=f.to),
    "holdYou": lambda f: f.promised(f.to, f.me, None) or f.has_said(f.to, "sucker.say.deal"),
    "holdAgain": lambda f: f.promised(f.to, f.me, None) and f.promised(f.to, f.me, "broken"),
    "expectPile": lambda f: f.has_said(f.to, "sucker.say.deal") and f.stands_by_offer,
    "expectSave": lambda f: f.has_said(f.to, "sucker.say.deal") and f.stands_by_offer,
    "expectPact": lambda f: f.has_said(f.to, "sucker.say.deal"),
    "expectTurns": lambda f: f.has_said(f.to, "sucker.say.deal"),
    "expectTruce": lambda f: f.has_said(f.to, "sucker.say.deal"),
    "expectTurn": lambda f: f.has_said(f.to, "sucker.say.deal") and f.stands_by_offer,
    "expectSpare": lambda f: f.has_said(f.to, "sucker.say.deal") and f.stands_by_offer,
    "tooLate": lambda f: f.has_said(f.to, "sucker.say.deal"),
    "tooBad": lambda f: f.has_said(f.to, "sucker.say.noDeal"),
    "welcome": lambda f: f.has_said(f.to, "sucker.say.thanks"),
    "hearVow": both_live,
    "wantTurn": lambda f: f.stage.phase == "turn" and f.stage.mover == f.to and f.chips(f.me) > 0,
    "hearTrust": lambda f: f.has_said(f.to, "sucker.say.trustMe"),
    "retort": lambda f: f.has_said(f.to, "sucker.say.soLong"),
    "because": lambda f: f.has_said(f.to, "sucker.say.whyShouldI"),
    "forgive": lambda f: f.has_said(f.to, "sucker.say.sorry"),
    "denial": lambda f: f.has_said(f.to, "sucker.say.liar") and not f.promised(f.me, None, "broken"),
}
"""By intent, whether what is said is true of the position. Offers and agreements may be insincere: then they
are lies about what their speaker will do (`LIES`), and only what they say of the position is true."""
YES = {"yesTurn", "yesSpare", "yesPile", "yesEasy", "yesChip", "yesSide"}
LIES = {*OFFERS, "askTurn", "askTurnBack", "begTurn", *MUTUAL, "yes", "yesDeal", *YES}


@cache
def play(number: int) -> TalkingTable:
    """A game of four characters of the quick levels."""
    cast = [QUICK[(number + step * (1 + number % 2)) % len(QUICK)] for step in range(4)]
    cast = cast if len({one.key for one in cast}) == 4 else QUICK[:4]
    table = TalkingTable(cast, b"talk %d" % number)
    table.play()
    return table


def tables(count: int) -> list[TalkingTable]:
    return [play(number) for number in range(count)]


def list_exchanges(table: TalkingTable) -> Iterator[tuple[Spoken, Spoken]]:
    """Each proposal with its answer by the seat that it was made to."""
    messages = [said.spoken for said in table.sayings]
    for number, proposal in enumerate(messages):
        if read_intent(proposal.key) in PROPOSALS:
            answers = (
                answer
                for answer in messages[number + 1 :]
                if (answer.seat, answer.addressee) == (proposal.addressee, proposal.seat)
            )
            for answer in islice(answers, 1):
                if read_intent(answer.key) in ANSWERS:
                    yield proposal, answer


def test_every_remark_is_in_the_table_of_truth() -> None:
    assert Wordings(TEXTS).keys() == set(TRUE)
    assert set(TRUE) > LIES


def test_openings_are_not_all_alike() -> None:
    """In few of them, the first five chips lie on one pile."""
    cast = [character for character in CHARACTERS if character.level == "normal"]
    shapes = []
    for number in range(16):
        table = TalkingTable([*cast, cast[0]], b"open %d" % number)
        while len(piles := list_piles(table)) < 5:
            assert table.turn()
        shapes.append(tuple(piles[:5]))
    assert shapes.count((0,) * 5) <= 2
    assert len(set(shapes)) >= 10


def list_piles(table: TalkingTable) -> list[Any]:
    """The piles on which chips have been placed, in order."""
    return [line.args["pile"] for line in table.talk.log if line.key in ("sucker.opened", "sucker.placed")]


@GAMES
def test_in_every_game_three_proposals_are_answered(count: int) -> None:
    for table in tables(count):
        assert len(list(list_exchanges(table))) >= 3, table.seed


@pytest.mark.parametrize("games", [3, pytest.param(6, marks=pytest.mark.at_length)])
def test_simulated_games_have_as_many_exchanges(games: int) -> None:
    for number in range(games):
        row = whole_table(["easy", "normal", "normal", "easy"], f"bargain {number}", player=BOT)
        assert row.exchanges >= 3
        assert not row.repeated_lines
        assert not row.refused


@GAMES
def test_no_line_is_said_twice_in_a_game(count: int) -> None:
    for table in tables(count):
        lines = [(said.spoken.key, list_shown(said.spoken.key, said.spoken.args)) for said in table.sayings]
        assert len(lines) == len(set(lines))


@GAMES
def test_every_line_is_true_of_the_position(count: int) -> None:
    for table in tables(count):
        for said in table.sayings:
            facts = Facts(said)
            assert TRUE[read_intent(said.spoken.key)](facts), (table.seed, said.spoken)


@GAMES
def test_no_window_runs_out_for_talk(count: int) -> None:
    assert not any(table.expired for table in tables(count))


@pytest.mark.parametrize(
    ("count", "left_out"), [(20, RARE | SELDOM), pytest.param(80, RARE, marks=pytest.mark.at_length)]
)
def test_remarks_of_all_kinds_are_made(count: int, left_out: frozenset[str]) -> None:
    said = {one.spoken.key for table in tables(count) for one in table.sayings}
    keys = Wordings(TEXTS).list_keys(Wordings(TEXTS).keys() - TO_PEOPLE)
    assert {read_intent(key) for key in said} | left_out == {read_intent(key) for key in keys}
    usual = {key for key in keys if read_intent(key) not in left_out}
    assert len(usual - said) < len(usual) / 4


@GAMES
def test_promises_are_made_kept_and_broken(count: int) -> None:
    fates = {
        (promise.kind, promise.judgement)
        for table in tables(count)
        for promise in table.promises
        if promise.bot
    }
    assert {"kept", "broken", "lapsed"} == {judgement for _, judgement in fates}
    assert {"pass_move", "save", "spare_pile", "spare_chips"} == {kind for kind, _ in fates}


# --- people, and what is hidden ---

SAY = "sucker.say."


def say(observation: Observation, seat: int, key: str, **args: Any) -> Observation:
    """The observation after somebody has said something aloud."""
    spoken = Spoken(Seat(seat), None, key, args, Millis(2_000), bot=key in TEXTS.remarks)
    return replace(observation, messages=(*observation.messages, spoken))


def answer_of(observation: Observation, key: str = "noor") -> Decision[Any]:
    decision = BOT.decide(observation, BY_KEY[key], Dice(b"answer"))
    assert decision is not None
    return decision


def choosing() -> Table:
    """R chooses who is next: B or G."""
    table = set_up("3R", "2B", "2G", "2Y", piles=["Y"], mover=R, trail="Y")
    table.place(R, "R", 0)
    return table


def capturing() -> Table:
    """R kills a chip of B or Y."""
    table = set_up("3R", "2B", "2G", "2Y", piles=["BYR"], mover=R, trail="Y")
    table.place(R, "R", 0)
    return table


@pytest.mark.parametrize(
    ("make", "seat", "by", "phrase"),
    [
        (choosing, R, B, "giveMeTheMove"),
        (capturing, R, B, "spareMyChips"),
        (rescue, G, B, "rescueMe"),
        (choosing, G, B, "together"),
        (choosing, B, G, "giveMeAChip"),
        (capturing, G, Y, "spareMyChips"),
    ],
)
def test_a_bot_answers_what_a_person_proposes(
    make: Callable[[], Table], seat: int, by: int, phrase: str
) -> None:
    for key in BY_KEY:
        heard = say(observe(make().state, seat), by, SAY + phrase)
        decision = answer_of(heard, key)
        assert decision.remark is not None
        assert read_intent(decision.remark.key) in ANSWERS
        assert decision.remark.args["to"] == by


@pytest.mark.parametrize("wish", ["askTurn.1", "askTurnBack.2", "askTurnWeak.1"])
def test_a_bot_takes_the_turn_that_it_has_just_asked_for(wish: str) -> None:
    asked = say(observe(choosing().state, G), G, f"sucker.bot.{wish}", to=B, pile=0, count=2)
    heard = say(asked, R, "sucker.bot.offerTurnSave.2", to=G)
    for key in BY_KEY:
        for stream in range(6):
            decision = BOT.decide(heard, BY_KEY[key], Dice(b"asked %d" % stream))
            assert decision is not None
            assert decision.remark is not None
            assert read_intent(decision.remark.key) in AGREEING
            assert decision.remark.args["to"] == R


def test_the_move_says_the_same_as_the_answer() -> None:
    for table, seat, phrase in ((choosing(), R, "giveMeTheMove"), (capturing(), R, "spareMyChips")):
        for key in BY_KEY:
            decision = answer_of(say(observe(table.state, seat), B, SAY + phrase), key)
            assert decision.remark is not None
            agrees = read_intent(decision.remark.key) in AGREEING
            match decision.move:
                case GiveMove(to=to):
                    assert agrees == (to == B)
                case Kill(colour=colour):
                    assert agrees == (colour != B)
                case _:
                    raise AssertionError(decision)


ABOUT_DEALS = {"yesDeal", "noDeal", "noPact", "noTeam", "noTeamStrong"}
UNFIT: Mapping[str, set[str]] = {
    "keepAwayFromThisPile": ABOUT_DEALS
    | {"no", "noAsk", "noStrong", "noChips", "noSpare", "yesSpare", "yesTurn"},
    "spareMyChips": ABOUT_DEALS | {"noAsk", "noStrong", "noChips", "noHands", "yesPile", "yesTurn"},
    "giveMeTheMove": ABOUT_DEALS | {"noChips", "noHands", "noSpare", "yesPile", "yesSpare"},
    "giveMeAChip": ABOUT_DEALS | {"noHands", "noSpare", "yesTurn", "yesSpare"} - {"noPact"},
    "rescueMe": ABOUT_DEALS | {"noHands", "noSpare", "yesTurn", "yesSpare"},
    "together": ABOUT_DEALS | {"noHands", "noSpare", "yesTurn", "yesSpare"},
}
"""By phrase, what would not answer it."""


@pytest.mark.parametrize("phrase", UNFIT)
@pytest.mark.parametrize("streams", [2, pytest.param(6, marks=pytest.mark.at_length)])
def test_an_answer_fits_what_it_answers(phrase: str, streams: int) -> None:
    make, seat, by = {
        "keepAwayFromThisPile": (threatened, B, R),
        "spareMyChips": (capturing, G, Y),
        "giveMeTheMove": (choosing, R, B),
        "giveMeAChip": (choosing, B, G),
        "rescueMe": (rescue, G, B),
        "together": (choosing, G, B),
    }[phrase]
    line = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    heard = say(replace(observe(make().state, seat), lines=(line,)), by, SAY + phrase)
    promises = (
        Promise("p", Seat(by), (Seat(Y if by != Y else R),), "save", {}, Millis(500), 1, judgement="broken"),
    )
    answers = set()
    for key, number, known in product(BY_KEY, range(streams), ((), promises)):
        decision = BOT.decide(replace(heard, promises=known), BY_KEY[key], Dice(b"fit %d" % number))
        if decision is not None and decision.remark is not None and decision.remark.args.get("to") == by:
            answers.add(read_intent(decision.remark.key))
    assert answers
    assert answers & UNFIT[phrase] == set()


def placing(*hands: str, piles: list[str]) -> Table:
    """R has placed a chip on the first pile."""
    table = set_up(*hands, piles=piles, mover=R, trail="Y")
    table.place(R, "R", 0)
    return table


BOT_SAYS = "sucker.bot."
IN_ITS_MOMENT: Mapping[str, tuple[Table, str, Mapping[str, int]]] = {
    "noLeader": (placing("4R", "5B", "4G", "4Y", piles=["Y"]), SAY + "giveMeTheMove", {}),
    "noStrong": (placing("3R", "6B", "3G", "3Y", piles=["Y"]), SAY + "giveMeTheMove", {}),
    "noCapture": (placing("3R", "2B", "2G", "2Y", piles=["Y", "GRB"]), SAY + "giveMeTheMove", {}),
    "noAsk": (placing("3R", "2B", "2G", "2Y", piles=["Y"]), SAY + "giveMeTheMove", {}),
    "noChips": (placing("3R", "2B", "2G", "2Y", piles=["Y"]), SAY + "giveMeAChip", {}),
    "noSpare": (capturing(), SAY + "spareMyChips", {}),
    "noTeamStrong": (
        placing("2R", "7B", "9G", "2Y", piles=["Y"]),
        BOT_SAYS + "team.1",
        {"to": R, "enemy": G, "count": 9},
    ),
    "counterPile": (placing("3R", "2B", "2G", "2Y", piles=["Y", "RB"]), BOT_SAYS + "pact.1", {"to": R}),
    "noHands": (
        placing("3R", "2B", "2G", "2Y", piles=["Y", "B"]),
        BOT_SAYS + "threat.1",
        {"to": R, "pile": 1},
    ),
    "defy": (
        placing("3R", "2B", "2G", "2Y", piles=["Y", "GBR"]),
        BOT_SAYS + "threat.1",
        {"to": R, "pile": 1},
    ),
}
"""By what bots rarely say to one another, a table where R says it to B, with what B has said before.

Other tests make them say the rest of `RARE`: what they hold against others, and what they have promised.
"""


@pytest.mark.parametrize("intent", IN_ITS_MOMENT)
def test_what_is_rare_is_said_in_its_moment(intent: str) -> None:
    table, key, args = IN_ITS_MOMENT[intent]
    heard = say(observe(table.state, R), B, key, **args)
    decisions = (
        BOT.decide(heard, BY_KEY[character], Dice(b"rare %d" % stream))
        for stream, character in product(range(4), BY_KEY)
    )
    assert any(
        decision is not None
        and decision.remark is not None
        and (read_intent(decision.remark.key), decision.remark.args["to"]) == (intent, B)
        for decision in decisions
    )


def threatened() -> Table:
    """B could capture a pile in which R has a chip."""
    table = set_up("3R", "2B", "2G", "2Y", piles=["GB", "B"], mover=R, trail="Y")
    table.place(R, "R", 0)
    return table


def makes_up(line: SeenLine, facts: Facts) -> bool:
    """Whether the seat spoken to has saved the speaker, or kept a promise to it."""
    if line.args.get("seat") != facts.to:
        return False
    kept = {one.id for one in facts.promises if one.by == facts.to and facts.me in one.to}
    return (line.key == "promise.kept" and line.args["promise"] in kept) or (
        line.key == "sucker.transferred" and line.args["other"] == facts.me
    )


@GAMES
def test_nobody_is_friendly_right_after_a_complaint(count: int) -> None:
    seen = 0
    for table in tables(count):
        complained: dict[tuple[int, int], int] = {}
        for said in table.sayings:
            facts, intent = Facts(said), read_intent(said.spoken.key)
            pair = (facts.me, facts.to)
            if intent in COMPLAINTS and isinstance(facts.to, int):
                complained[pair] = len(said.lines)
            if intent in FRIENDLY and pair in complained:
                since = said.lines[complained[pair] :]
                placed = sum(line.key in ("sucker.opened", "sucker.placed") for line in since)
                assert placed >= COOL or any(makes_up(line, facts) for line in since), (
                    table.seed,
                    said.spoken,
                )
                seen += 1
    assert seen


def test_a_broken_deal_is_not_forgotten_at_once() -> None:
    heard = offering()
    promise = Promise("p", Seat(B), (Seat(R),), "save", {}, Millis(500), 1, judgement="broken")
    lines = (*heard.lines, SeenLine("promise.broken", {"seat": B, "promise": "p"}, None, Millis(1_500)))
    for key, character in BY_KEY.items():
        betrayed = Speaker(replace(heard, promises=(promise,), lines=lines), character, Dice(b"cool"))
        assert betrayed.is_cool_to(B), key
        assert not betrayed.is_cool_to(G)
        assert list(betrayed.say("gift", to=B)) == []
        later = (
            *lines,
            *(SeenLine("sucker.placed", {"seat": G, "colour": G, "pile": 0}, None, Millis(9_000)),) * 6,
        )
        assert not Speaker(replace(heard, promises=(promise,), lines=later), character, Dice(b"")).is_cool_to(
            B
        )


@pytest.mark.parametrize("wrong", ["broken", "complaint"])
def test_older_amends_do_not_make_a_bot_cool_for_longer(wrong: str) -> None:
    """B has kept a promise to R; two chips later it breaks another one, or R complains."""
    promises = tuple(
        Promise(judgement, Seat(B), (Seat(R),), "save", {}, Millis(500), 1, judgement=judgement)
        for judgement in ("kept", "broken")
    )
    placed = SeenLine("sucker.placed", {"seat": G, "colour": G, "pile": 0}, None, Millis(1_500))
    kept, broken = (
        SeenLine(f"promise.{one.id}", {"seat": B, "promise": one.id}, None, Millis(1_500)) for one in promises
    )
    seen, earlier = offering(), [kept, placed, placed]
    if wrong == "complaint":
        seen = say(seen, R, "sucker.bot.grudgeKill.1", to=B)
    else:
        earlier.append(broken)
    for since in range(COOL + 4):
        later = tuple(replace(placed, at=Millis(3_000 + number)) for number in range(since))
        heard = replace(seen, promises=promises, lines=(*seen.lines, *earlier, *later))
        for key, character in BY_KEY.items():
            speaker = Speaker(heard, character, Dice(b"cool"))
            assert speaker.is_cool_to(B) == (since < COOL), (key, since)
            assert not speaker.is_cool_to(G)


@pytest.mark.parametrize("is_later", [True, False])
def test_amends_make_up_for_a_complaint_only_if_they_come_after_it(is_later: bool) -> None:
    """No chip is placed between the promise that B keeps and the complaint of R."""
    promise = Promise("p", Seat(B), (Seat(R),), "save", {}, Millis(500), 1, judgement="kept")
    complaining = say(offering(), R, "sucker.bot.grudgeKill.1", to=B)
    at = complaining.messages[-1].at - 1
    kept = SeenLine("promise.kept", {"seat": B, "promise": "p"}, None, Millis(at + 2 if is_later else at))
    heard = replace(complaining, promises=(promise,), lines=(*complaining.lines, kept))
    for key, character in BY_KEY.items():
        assert Speaker(heard, character, Dice(b"cool")).is_cool_to(B) == (not is_later), key


def test_a_person_asks_for_the_turn_before_it_is_to_be_had() -> None:
    table = set_up("3R", "2B", "2G", "2Y", piles=["Y"], mover=R, trail="Y")
    decision = answer_of(say(observe(table.state, R), B, SAY + "giveMeTheMove"))
    assert decision.remark is not None
    assert read_intent(decision.remark.key) in AGREEING
    assert decision.promise is not None
    assert (decision.promise.kind, decision.promise.to) == ("pass_move", (B,))


def test_a_pile_that_a_person_wants_to_keep_is_spared_by_those_who_can_take_it() -> None:
    table = set_up("3R", "2B", "2G", "2Y", piles=["G"], mover=R, trail="Y")
    table.place(R, "R", 0)
    observation = observe(table.state, B)
    line = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    heard = say(replace(observation, lines=(line,)), R, SAY + "keepAwayFromThisPile")
    decision = answer_of(heard)
    assert decision.promise is not None
    assert (decision.promise.kind, decision.promise.terms) == ("spare_pile", {"pile": 0})


def test_a_person_who_promises_something_is_held_to_it() -> None:
    promise = Promise("p", Seat(B), (Seat(G),), "save", {}, Millis(1_500), 3)
    decision = answer_of(replace(observe(choosing().state, G), promises=(promise,)))
    assert decision.remark is not None
    assert (read_intent(decision.remark.key), decision.remark.args) == ("holdYou", {"to": B})


OFFER = "sucker.bot.offerTurn.1"


def offering(phrase: str | None = None, **promise: Any) -> Observation:
    """R chooses who is next, has offered B the turn for pile 7, and perhaps heard an answer."""
    observation = observe(choosing().state, R)
    placed = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    heard = say(replace(observation, lines=(placed,)), R, OFFER, to=B, pile=0)
    if promise:
        heard = say(heard, B, f"promise.{promise['kind']}", to=R)
    return heard if phrase is None else say(heard, B, SAY + phrase)


def test_a_person_has_time_to_answer_an_offer() -> None:
    waiting = answer_of(offering())
    assert isinstance(waiting.move, GiveMove)
    assert waiting.after is not None
    assert waiting.after >= 12_000
    bot = say(offering(), B, "sucker.bot.no.1", to=G)
    assert (answer_of(bot).after or 0) < 12_000
    assert answer_of(offering("noDeal")).after is None


@pytest.mark.parametrize("heard", [offering("deal"), offering(kind="spare_pile")], ids=["word", "promise"])
def test_an_offer_that_a_person_accepts_becomes_a_promise(heard: Observation) -> None:
    for key in BY_KEY:
        decision = answer_of(heard, key)
        assert decision.promise is not None
        assert (decision.promise.kind, decision.promise.to) == ("pass_move", (B,))
        assert decision.move is None
        promise = decision.promise.promise("p", Seat(R), Millis(2_500), 4)
        moving = answer_of(replace(heard, promises=(promise,)), key)
        assert isinstance(moving.move, GiveMove)
        assert moving.after is None
    assert answer_of(heard, "noor").promise is not None


def test_a_bot_says_what_it_expects_of_a_deal_in_words() -> None:
    decision = answer_of(offering("deal"))
    assert decision.remark is not None
    assert (read_intent(decision.remark.key), decision.remark.args) == ("expectPile", {"to": B, "pile": 0})
    other = say(say(offering(), Y, OFFER, to=B, pile=0), B, SAY + "deal")
    assert answer_of(other).promise is None


EXPECTED = {"expectPile", "expectSave", "expectTurn", "expectSpare"}


@pytest.mark.parametrize("offer", sorted(OFFERS))
@pytest.mark.parametrize(("to", "promised"), [(B, False), (B, True), (G, False), (G, True)])
def test_a_bot_names_no_turn_that_it_has_given_to_another(offer: str, to: int, promised: bool) -> None:
    """B agrees to R's offer; then R gives B or G the turn."""
    table = choosing()
    table.give(R, to)
    given = SeenLine("sucker.gave", {"seat": R, "other": to}, None, Millis(3_000))
    judgement: Judgement = "kept" if to == B else "broken"
    promise = Promise("p", Seat(R), (Seat(B),), "pass_move", {}, Millis(2_500), 4, judgement=judgement)
    heard = offering("deal")
    asked, agreed = heard.messages
    seen = replace(
        observe(table.state, R),
        lines=(*heard.lines, given),
        messages=(replace(asked, key=f"sucker.bot.{offer}.1"), agreed),
        promises=(promise,) if promised else (),
    )
    for key, stream in product(BY_KEY, range(4)):
        decision = BOT.decide(seen, BY_KEY[key], Dice(b"%d" % stream))
        said = None if decision is None or decision.remark is None else decision.remark
        intent = None if said is None else read_intent(said.key)
        assert (intent in EXPECTED) == (to == B), (key, said)
    for intent in EXPECTED:
        spoken = Spoken(Seat(R), Seat(B), f"sucker.bot.{intent}.1", {"to": B}, Millis(4_000), bot=True)
        saying = Saying(
            spoken, seen, Decision(), BY_KEY["noor"], table.state, seen.promises, seen.lines, seen.messages
        )
        assert TRUE[intent](Facts(saying)) == (to == B)


def test_a_bot_names_no_turn_that_it_is_giving_to_another() -> None:
    """B has agreed to R's offer, and R, who has made too many promises to make another, moves."""
    heard = offering("deal")
    others = tuple(
        Promise(f"p{pile}", Seat(R), (Seat(G),), "spare_pile", {"pile": pile}, Millis(0), 1)
        for pile in range(MAX_OPEN)
    )
    moves = set()
    for key, stream in product(BY_KEY, range(6)):
        decision = BOT.decide(replace(heard, promises=others), BY_KEY[key], Dice(b"%d" % stream))
        assert decision is not None
        if decision.remark is not None and read_intent(decision.remark.key) in EXPECTED:
            assert decision.move in (None, GiveMove(B)), decision
        moves.add(decision.move)
    assert GiveMove(G) in moves


def test_a_deal_in_words_that_is_not_kept_is_remembered() -> None:
    args = {"seat": B, "pile": 0}
    lines = (
        SeenLine("sucker.gave", {"seat": R, "other": B}, None, Millis(3_000)),
        SeenLine("sucker.placed", {**args, "colour": B}, None, Millis(4_000)),
        SeenLine("sucker.captured", args, None, Millis(4_000)),
    )
    heard = offering("deal")
    broken = replace(heard, lines=(*heard.lines, *lines))
    kept = replace(heard, lines=(*heard.lines, *lines[:2]))
    acts = [[deed.act for deed in list_deeds(one, list_deals(one))] for one in (broken, kept)]
    assert acts == [["reneged"], []]


@pytest.mark.parametrize(("other", "acts"), [(B, ["reneged"]), (G, ["gave"])])
def test_a_turn_that_was_agreed_to_in_words_and_given_to_another_is_protested(
    other: int, acts: list[str]
) -> None:
    asked = say(observe(choosing().state, G), G, "sucker.bot.askTurnBack.1", to=R)
    heard = say(asked, R, SAY + "deal")
    gave = SeenLine("sucker.gave", {"seat": R, "other": other}, None, Millis(3_000))
    seen = replace(heard, lines=(*heard.lines, gave))
    assert [deed.act for deed in list_deeds(seen, list_deals(seen))] == acts
    table = choosing()
    table.give(R, other)
    after = Situation(Seat(G), read_state(observe(table.state, G)), ())
    for character in BY_KEY.values():
        said = [read_intent(one.remark.key) for one in protest(Speaker(seen, character, Dice(b"")), after)]
        assert said == (["reproachDeal"] if "reneged" in acts else [])


def test_a_pile_that_was_to_be_left_alone_by_a_deal_in_words_counts() -> None:
    asked = say(observe(choosing().state, R), R, "sucker.bot.askPile.1", to=B, pile=0)
    heard = say(asked, B, SAY + "deal")
    args = {"seat": B, "pile": 0}
    lines = (
        SeenLine("sucker.placed", {**args, "colour": B}, None, Millis(4_000)),
        SeenLine("sucker.captured", args, None, Millis(4_000)),
    )
    acts = [
        [deed.act for deed in list_deeds(one, list_deals(one))]
        for one in (replace(heard, lines=(*heard.lines, *lines)), replace(heard, lines=lines[:1]))
    ]
    assert acts == [["reneged"], []]


def test_a_bot_says_at_once_that_it_wants_a_turn_that_will_be_given_away() -> None:
    """R has still to place a chip."""
    table = set_up("3R", "2B", "2G", "2Y", piles=["Y"], mover=R, trail="Y")
    heard = say(observe(table.state, G), R, SAY + "iGiveYouTheMove")
    for key in BY_KEY:
        decision = answer_of(heard, key)
        assert decision.remark is not None
        assert read_intent(decision.remark.key) == "wantTurn"


@pytest.mark.parametrize("phrase", ["giveMeAChip", "together"])
def test_a_bot_does_not_refuse_what_it_has_promised_to_the_same_person(phrase: str) -> None:
    table = placing("3R", "5B", "5G", "5Y", piles=["Y"])
    complained = say(observe(table.state, G), G, "sucker.bot.brokeTurn.1", to=B)
    heard = say(complained, B, SAY + phrase)
    promises = (
        Promise("g", Seat(G), (Seat(B),), "save", {}, Millis(500), 1),
        Promise("b", Seat(B), (Seat(G),), "pass_move", {}, Millis(500), 1, judgement="broken"),
    )
    broken = SeenLine("promise.broken", {"seat": B, "promise": "b"}, None, Millis(1_500))
    for key in BY_KEY:
        decision = answer_of(replace(heard, promises=promises, lines=(*heard.lines, broken)), key)
        assert decision.remark is not None
        assert read_intent(decision.remark.key) == "yesAlready"


@pytest.mark.parametrize("phrase", ["giveMeAChip", "together"])
def test_a_bot_with_few_chips_and_no_prisoner_promises_no_rescue(phrase: str) -> None:
    heard = say(observe(placing("3R", "5B", "2G", "5Y", piles=["Y"]).state, G), B, SAY + phrase)
    for key in BY_KEY:
        decision = answer_of(heard, key)
        assert decision.remark is not None
        assert read_intent(decision.remark.key) == "noChips"
        assert decision.promise is None


@pytest.mark.parametrize("promised", [False, True])
def test_a_bot_in_need_begs(promised: bool) -> None:
    promise = Promise("p", Seat(G), (Seat(B),), "save", {}, Millis(0), 1)
    seen = observe(rescue().state, B)
    for key in BY_KEY:
        decision = answer_of(replace(seen, promises=(promise,)) if promised else seen, key)
        assert decision.remark is not None
        assert decision.remark.args["to"] in (G, Y)
        assert read_intent(decision.remark.key) in ({"begPromise"} if promised else {"askChip", "begOwn"})


@pytest.mark.parametrize("is_bot", [False, True])
def test_a_bot_in_need_promises_its_turn_to_the_last_person_who_can_save_it(is_bot: bool) -> None:
    table = forced_on_b()
    seen = observe(table.state, B)
    heard = say(seen, G, "sucker.bot.no.1", to=Y) if is_bot else say(seen, G, SAY + "trustMe")
    for key in BY_KEY:
        decision = answer_of(heard, key)
        assert decision.remark is not None
        assert (read_intent(decision.remark.key) == "begTurn") is not is_bot
        expected = None if is_bot else NewPromise("pass_move", {}, (Seat(G),), bot=True)
        assert decision.promise == expected


@pytest.mark.parametrize("blind", [False, True])
def test_of_two_the_one_in_need_begs_only_if_the_other_may_be_its_ally(blind: bool) -> None:
    table = set_up("2R 1B", "", "", "", piles=["Y"], mover=R, trail="B", out="GY", blindAlly=blind)
    table.place(R, "R", 0)
    assert (table.state.stage.phase, table.state.stage.mover) == ("rescue", B)
    for key in BY_KEY:
        decision = BOT.decide(observe(table.state, B), BY_KEY[key], Dice(b"0"))
        assert (decision is not None and decision.remark is not None) is blind, key


@pytest.mark.parametrize(
    ("phrase", "intent"),
    [
        ("noDeal", "tooBad"),
        ("whyShouldI", "because"),
        ("thanks", "welcome"),
        ("sorry", "forgive"),
        ("liar", "denial"),
        ("iSpareYourChips", "hearVow"),
        ("trustMe", "hearTrust"),
    ],
)
def test_a_bot_replies_to_what_a_person_says_to_it(phrase: str, intent: str) -> None:
    seen = say(say(observe(choosing().state, G), G, "sucker.bot.pactTurn.1", to=B), B, SAY + phrase)
    for key in BY_KEY:
        decision = answer_of(seen, key)
        assert decision.remark is not None
        assert (read_intent(decision.remark.key), decision.remark.args["to"]) == (intent, B)
        heard = say(seen, Y, decision.remark.key, to=B)
        again = BOT.decide(heard, BY_KEY[key], Dice(b"answer"))
        assert again is None or again.remark is None or read_intent(again.remark.key) != intent


def test_a_proposal_is_answered_once() -> None:
    heard = say(observe(choosing().state, G), B, SAY + "together")
    decision = answer_of(heard)
    assert decision.remark is not None
    later = say(heard, G, decision.remark.key, **decision.remark.args)
    assert BOT.decide(later, BY_KEY["noor"], Dice(b"later")) is None


@pytest.mark.parametrize("phrase", ["together", "spareMyChips", "giveMeTheMove"])
def test_a_substitute_promises_nothing_and_only_says_that_it_is_one(phrase: str) -> None:
    """R30: nor does it offer anything, or agree by what it says with its move."""
    intents: set[str] = set()
    taking = set_up("3R", "2B", "2G", "2Y", piles=["BYR"], mover=R, trail="Y")
    for table, seat in ((choosing(), G), (choosing(), R), (set_up("3R", "2B", "2G", "2Y"), R), (taking, R)):
        for stream in range(30):
            heard = say(observe(table.state, seat), B, SAY + phrase)
            decision = BOT.decide(heard, unnamed("normal"), Dice(b"%d" % stream))
            if decision is not None:
                assert decision.promise is None
                intents |= set() if decision.remark is None else {read_intent(decision.remark.key)}
    assert intents == {"substitute"}


def test_a_substitute_offers_nothing_with_its_move() -> None:
    for stream in range(60):
        decision = BOT.decide(observe(choosing().state, R), unnamed("normal"), Dice(b"%d" % stream))
        assert decision is not None
        assert decision.remark is None or read_intent(decision.remark.key) not in PROPOSALS


def test_a_seat_is_offered_a_pact_as_often_whether_or_not_a_team_is_proposed() -> None:
    """B leads, but is not rich, so nobody is asked to join against it; that leaves pacts as they are."""
    seen = observe(set_up("2R", "3B", "2G", "2Y", piles=["Y"], mover=R, trail="Y").state, G)
    counts = Counter[Any]()
    for stream in range(400):
        speaker = Speaker(seen, BY_KEY["noor"], Dice(b"%d" % stream))
        for offer in list_offers(speaker, find_situation(seen)):
            assert read_intent(offer.remark.key) != "team"
            if read_intent(offer.remark.key) == "pact":
                counts[offer.remark.args["to"]] += 1
    assert counts[Y] > 0.8 * counts[B] > 0


def with_open_promises(observation: Observation, seat: int, to: int, count: int) -> Observation:
    promises = tuple(
        Promise(f"p{pile}", Seat(seat), (Seat(to),), "spare_pile", {"pile": pile}, Millis(0), 1)
        for pile in range(count)
    )
    return replace(observation, promises=promises)


def test_a_seat_with_no_room_for_a_promise_proposes_no_deal() -> None:
    """It could not promise its own part once the other had agreed."""
    seen = observe(set_up("2R", "3B", "2G", "2Y", piles=["YG"], mover=R, trail="Y").state, G)
    chooser = observe(choosing().state, R)
    intents: dict[int, set[str]] = {}
    for count in (MAX_OPEN - 1, MAX_OPEN):
        one, other = with_open_promises(seen, G, R, count), with_open_promises(chooser, R, Y, count)
        intents[count] = {
            read_intent(offer.remark.key)
            for key, stream, heard in product(BY_KEY, range(10), (one, other))
            for offer in list_offers(Speaker(heard, BY_KEY[key], Dice(b"%d" % stream)), find_situation(heard))
        }
    deals = OFFERS | MUTUAL.keys()
    assert intents[MAX_OPEN - 1] & OFFERS
    assert intents[MAX_OPEN - 1] & MUTUAL.keys()
    assert not intents[MAX_OPEN] & deals


@pytest.mark.parametrize("intent", ["pact", "pactSpare"])
def test_a_seat_with_no_room_for_a_promise_agrees_to_no_deal(intent: str) -> None:
    agreed: dict[int, bool] = {}
    for count in (MAX_OPEN - 1, MAX_OPEN):
        heard = say(
            with_open_promises(observe(choosing().state, G), G, R, count), B, f"sucker.bot.{intent}.1", to=G
        )
        decisions = [
            BOT.decide(heard, BY_KEY[key], Dice(b"%d" % stream)) for key, stream in product(BY_KEY, range(6))
        ]
        agreed[count] = any(
            one is not None and one.remark is not None and read_intent(one.remark.key) in AGREEING
            for one in decisions
        )
    assert agreed == {MAX_OPEN - 1: True, MAX_OPEN: False}


def test_a_broken_promise_costs_the_turn_among_equals() -> None:
    """The grudge decides between two seats that are equally harmless."""
    table = choosing()
    broken = Promise("p", Seat(B), (Seat(R),), "save", {}, Millis(0), 1, judgement="broken")
    line = SeenLine("promise.broken", {"seat": B, "promise": "p"}, None, Millis(0))
    wronged = replace(observe(table.state, R), promises=(broken,), lines=(line,))
    counts = [0, 0]
    for stream in range(60):
        for number, observation in enumerate((observe(table.state, R), wronged)):
            decision = BOT.decide(observation, BY_KEY["mateo"], Dice(b"%d" % stream))
            assert decision is not None
            counts[number] += decision.move == GiveMove(B)
    assert counts[1] < counts[0] / 2


@pytest.mark.parametrize(("key", "least", "most"), [("noor", 19, 20), ("yuki", 4, 17)])
def test_a_promise_is_kept_by_honesty(key: str, least: int, most: int) -> None:
    """Among moves that are equally good otherwise."""
    table = choosing()
    promise = Promise("p", Seat(R), (Seat(G),), "pass_move", {}, Millis(0), 1)
    placed = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    bound = replace(observe(table.state, R), promises=(promise,), lines=(placed,))
    kept = 0
    for stream in range(20):
        decision = BOT.decide(bound, BY_KEY[key], Dice(b"%d" % stream))
        assert decision is not None
        kept += decision.move == GiveMove(G)
    assert least <= kept <= most


def test_a_choice_that_has_just_been_promised_is_kept() -> None:
    """Whatever the temper, and whatever else it could gain."""
    table = choosing()
    promise = Promise("p", Seat(R), (Seat(G),), "pass_move", {}, Millis(1_500), 4)
    placed = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    bound = replace(observe(table.state, R), promises=(promise,), lines=(placed,))
    for key, stream in product(BY_KEY, range(6)):
        decision = BOT.decide(bound, BY_KEY[key], Dice(b"%d" % stream))
        assert decision is not None
        assert decision.move == GiveMove(G), key


@GAMES
def test_no_promised_choice_is_broken_at_once_or_promised_to_two(count: int) -> None:
    for table in tables(count):
        made = [one for one in table.promises if one.kind == "pass_move"]
        judged = {line.args["promise"]: line.at for line in table.lines if line.key.startswith("promise.")}
        placed = [line.at for line in table.lines if line.key in ("sucker.placed", "sucker.opened")]
        for one in made:
            end = judged[one.id]
            if one.judgement == "broken":
                assert any(one.at < at <= end for at in placed), (table.seed, one)
            rivals = [other for other in made if other.by == one.by and one.at < other.at < end]
            assert not rivals, (table.seed, one, rivals)


@GAMES
def test_a_promised_choice_for_which_another_seat_was_refused_is_kept(count: int) -> None:
    seen = 0
    for table in tables(count):
        for said in table.sayings:
            if read_intent(said.spoken.key) == "noSpoken":
                facts = Facts(said)
                assert not isinstance(said.decision.move, GiveMove), (table.seed, said.spoken)
                bound = {
                    one.id
                    for one in said.promises
                    if (one.kind, one.by, one.judgement) == ("pass_move", facts.me, None)
                }
                fates = [one.judgement for one in table.promises if one.id in bound]
                assert fates, (table.seed, said.spoken)
                assert "broken" not in fates, (table.seed, said.spoken)
                seen += 1
    assert seen


@pytest.mark.parametrize("chips", ["", "1G"])
def test_a_seat_asks_for_the_turn_only_with_a_chip_to_place(chips: str) -> None:
    """Without one, whoever chooses it puts it out."""
    table = set_up("3R", "2B", chips, "2Y", piles=["Y"], mover=R, trail="Y")
    table.place(R, "R", 0)
    seen = observe(table.state, G)
    situation = find_situation(seen)
    placing = situation._replace(state=situation.state._replace(phase="turn"))
    asked, proposed = set(), set()
    for key, stream in product(BY_KEY, range(6)):
        decision = BOT.decide(say(seen, R, "sucker.bot.invite.1"), BY_KEY[key], Dice(b"ask %d" % stream))
        if decision is not None and decision.remark is not None:
            asked.add(read_intent(decision.remark.key))
        speaker = Speaker(seen, BY_KEY[key], Dice(b"%d" % stream))
        proposed |= {read_intent(offer.remark.key) for offer in list_offers(speaker, placing)}
    assert bool(asked & {"askTurn", "askTurnBack", "askTurnWeak"}) == bool(chips)
    assert ("pactTurn" in proposed) == bool(chips)


def test_with_two_left_nobody_offers_a_turn_for_another_turn_or_for_help() -> None:
    """There is nobody else to choose, and a refusal wins."""
    offered = set()
    table = set_up("3R 1G", "3B", "", "", piles=["RB"], mover=R, out="YG", trail="B")
    table.place(R, "G")
    assert table.phase_and_mover == ("choose", R)
    seen = observe(table.state, R)
    for key, stream in product(BY_KEY, range(6)):
        speaker = Speaker(seen, BY_KEY[key], Dice(b"%d" % stream))
        intents = {read_intent(offer.remark.key) for offer in list_offers(speaker, find_situation(seen))}
        assert intents <= {"offerTurn", "offerTurnSpare"}
        offered |= intents
    assert offered


@pytest.mark.parametrize(("pile", "has_stake"), [("B", False), ("GB", False), ("RB", True), ("RGB", True)])
def test_a_chooser_asks_to_spare_only_a_pile_with_a_chip_of_its_own(pile: str, has_stake: bool) -> None:
    table = set_up("3R", "2B", "2G", "2Y", piles=["Y", pile], mover=R, trail="Y")
    table.place(R, "R", 0)
    seen = observe(table.state, R)
    offered = set()
    for key, stream in product(BY_KEY, range(6)):
        speaker = Speaker(seen, BY_KEY[key], Dice(b"%d" % stream))
        offered |= {
            read_intent(offer.remark.key)
            for offer in list_offers(speaker, find_situation(seen))
            if offer.remark.args.get("to") == B
        }
    assert offered >= ({"offerTurn", "offerTurnSpare"} if has_stake else {"offerTurnSave", "offerTurnBack"})
    assert has_stake or not offered & {"offerTurn", "offerTurnSpare"}


@pytest.mark.parametrize(("pile", "has_stake"), [("G", False), ("BG", False), ("RG", True)])
def test_a_seat_offers_to_spare_only_a_pile_with_a_chip_of_the_chooser(pile: str, has_stake: bool) -> None:
    table = set_up("3R", "2B", "2G", "2Y", piles=["Y", pile], mover=R, trail="Y")
    table.place(R, "R", 0)
    heard = say(observe(table.state, G), R, "sucker.bot.invite.1")
    asked = set()
    for key, stream in product(BY_KEY, range(6)):
        decision = BOT.decide(heard, BY_KEY[key], Dice(b"ask %d" % stream))
        if decision is not None and decision.remark is not None:
            asked.add(read_intent(decision.remark.key))
    assert ("askTurn" in asked, "askTurnBack" in asked) == (has_stake, not has_stake)


@pytest.mark.parametrize(
    ("kind", "colours", "expected"),
    [
        ("spare_pile", (B,), False),
        ("spare_pile", (G, B), False),
        ("spare_pile", (R, B), True),
        ("spare_pile", (B, R), False),
        ("pass_move", ("gave",), True),
        ("pass_move", ("only",), False),
        ("save", (), True),
    ],
)
def test_a_promise_is_praised_only_if_it_cost_something(
    kind: str, colours: tuple[Any, ...], expected: bool
) -> None:
    """B has kept a promise to R, about pile 0, whose chips are these, or about a choice."""
    terms = {"pile": 0} if kind == "spare_pile" else {}
    promise = Promise("p", Seat(B), (Seat(R),), kind, terms, Millis(500), 1, judgement="kept")
    lines = [SeenLine("sucker.placed", {"seat": B, "colour": B, "pile": 3}, None, Millis(1_500))]
    if kind == "spare_pile":
        keys = ["sucker.opened", *["sucker.placed"] * 3]
        lines[:0] = [
            SeenLine(key, {"seat": one, "colour": one, "pile": 0}, None, Millis(1_000))
            for key, one in zip(keys, colours, strict=False)
        ]
    lines += [
        SeenLine(f"sucker.{one}", {"seat": B, "other": R}, None, Millis(1_600))
        for one in colours
        if isinstance(one, str)
    ]
    lines.append(SeenLine("promise.kept", {"seat": B, "promise": "p"}, None, Millis(2_000)))
    seen = replace(observe(choosing().state, R), promises=(promise,), lines=tuple(lines))
    assert was_dear(seen, promise) == expected
    for character in BY_KEY.values():
        speaker = Speaker(seen, character, Dice(b"kept"))
        assert speaker.is_reliable(B) == expected
        praise = {read_intent(one.remark.key) for one in comment(speaker, find_situation(seen))}
        assert expected or "thanksKept" not in praise


def test_a_promise_after_a_broken_one_is_not_taken_as_if_it_were_the_first() -> None:
    promises = (
        Promise("p", Seat(B), (Seat(G),), "save", {}, Millis(0), 3, judgement="broken"),
        Promise("q", Seat(B), (Seat(G),), "save", {}, Millis(1_900), 3),
    )
    lines = (
        SeenLine("promise.broken", {"seat": B, "promise": "p"}, None, Millis(500)),
        SeenLine("sucker.placed", {"seat": G, "colour": G, "pile": 0}, None, Millis(1_000)),
    )
    seen = replace(observe(choosing().state, G), promises=promises, lines=lines)
    for key in BY_KEY:
        decision = answer_of(seen, key)
        assert decision.remark is not None
        assert (read_intent(decision.remark.key), decision.remark.args) == ("holdAgain", {"to": B})


def test_a_seat_waits_less_long_for_anybody_than_for_a_person_whom_it_has_asked() -> None:
    placed = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    heard = say(replace(observe(choosing().state, R), lines=(placed,)), R, "sucker.bot.invite.1")
    assert answer_of(heard).after == INVITING_MS
    asking = answer_of(offering())
    assert (asking.after or 0) > INVITING_MS


def test_who_is_asked_for_help_takes_a_moment_after_the_plea() -> None:
    heard = say(observe(rescue().state, G), B, "sucker.bot.askChip.1", to=G)
    decision = answer_of(heard)
    assert decision.move is not None
    assert decision.after == REFLECTION_MS


def test_a_request_is_not_answered_below_something_else() -> None:
    """What a person says later takes its place."""
    asked = say(observe(choosing().state, G), B, SAY + "spareMyChips")
    situation = find_situation(asked)
    assert find_proposal(asked, situation) is not None
    assert find_proposal(say(asked, B, SAY + "soLong"), situation) is None
    assert find_proposal(say(asked, Y, SAY + "soLong"), situation) is not None


@GAMES
def test_nobody_is_offered_anything_by_a_move_that_kills_their_chip(count: int) -> None:
    """Nor by one that captures it."""
    seen = 0
    for table in tables(count):
        for said in table.sayings:
            facts, move = Facts(said), said.decision.move
            victims: set[Any] = set()
            if isinstance(move, Kill):
                victims = {move.colour}
            elif isinstance(move, Place) and facts.is_capturing:
                chips = {pile.id: pile.chips for pile in facts.state.piles}
                victims = set(chips[facts.stage.pile or 0])
            if victims - {facts.me}:
                seen += 1
                is_offer = read_intent(said.spoken.key) in PROPOSALS
                assert not is_offer or facts.to not in victims, (table.seed, said.spoken)
    assert seen


def test_a_seat_that_has_broken_a_promise_is_not_praised_for_another() -> None:
    kept = Promise("p", Seat(B), (Seat(Y),), "save", {}, Millis(500), 1, judgement="kept")
    promises = (kept, Promise("q", Seat(B), (Seat(G),), "save", {}, Millis(500), 1, judgement="broken"))
    seen = observe(choosing().state, R)
    for known, expected in ((promises[:1], True), (promises, False)):
        speaker = Speaker(replace(seen, promises=known), BY_KEY["noor"], Dice(b"kept"))
        assert speaker.is_reliable(B) == expected


def test_a_seat_with_a_promised_choice_says_to_whom() -> None:
    promise = Promise("p", Seat(G), (Seat(Y),), "pass_move", {}, Millis(1_000), 4)
    heard = say(observe(choosing().state, G), B, "sucker.bot.pactTurn.1", to=G)
    decision = answer_of(replace(heard, promises=(promise,)))
    assert decision.promise is None
    assert decision.remark is not None
    assert read_intent(decision.remark.key) == "noSpoken"
    assert decision.remark.args["other"] == Y


def test_a_seat_that_captures_puts_off_its_answer_to_whoever_is_in_the_pile() -> None:
    """Rather than agree gladly and kill the other seat's chip with the next move."""
    table = set_up("3R", "2B", "2G", "2Y", piles=["BYR"], mover=R, trail="Y")
    said = set()
    for stream in range(20):
        heard = say(observe(table.state, R), B, "sucker.bot.pactTurn.1", to=R)
        decision = BOT.decide(heard, BY_KEY["noor"], Dice(b"%d" % stream))
        assert decision is not None
        if decision.move == Place(R, 0, None) and decision.remark is not None:
            said.add(read_intent(decision.remark.key))
    assert said == {"firstPile"}
    later = say(observe(capturing().state, R), B, "sucker.bot.pactTurn.1", to=R)
    killing = answer_of(say(later, R, "sucker.bot.firstPile.1", to=B))
    assert isinstance(killing.move, Kill)
    assert killing.remark is None or read_intent(killing.remark.key) not in ANSWERS


def test_nothing_hidden_changes_what_a_bot_says() -> None:
    """GEN-3: other rows and cards of the others change neither its words nor its silence."""
    spoken = 0
    for table in tables(6):
        for said in table.sayings[::3]:
            if said.state.stage.mover is None:
                continue
            for seat in range(4):
                other = SUCKER.resample(said.state, Seat(seat), Dice(b"other"))
                first, second = (
                    BOT.decide(observe_talk(said, state, seat), table.characters[seat], Dice(b"same"))
                    for state in (said.state, other)
                )
                assert first == second
                spoken += first is not None and first.remark is not None
    assert spoken > 20


def observe_talk(said: Saying, state: SuckerState, seat: int) -> Observation:
    """What a seat sees in a state, having heard what was said until then."""
    lines = tuple(line for line in said.lines if line.to is None)
    messages = (*said.before, said.spoken)
    return replace(observe(state, seat), lines=lines, messages=messages, promises=said.promises)


# --- what bots say does not tell whom their cards bind them to (SLS-2) ---


def _list_allegiances(mine: Mine, seats: int) -> Iterator[Mine]:
    """The seat's cards in every order: with everybody as its enemy, and with everybody as its ally."""
    for row in permutations(mine.row):
        yield replace(mine, row=row, enemy=Seat(row[0]), ally=Seat(row[-1]))


@pytest.mark.parametrize(
    "number", [*range(6), *(pytest.param(number, marks=pytest.mark.at_length) for number in range(6, 12))]
)
def test_no_answer_depends_on_the_secret_row(number: int) -> None:
    """SLS-2, G4: the same position and dice, and every phrase of each other seat."""
    cast = QUICK[number % 4 :][:4] + QUICK[: max(0, number % 4 + 4 - len(QUICK))]
    table = TalkingTable(cast, b"row %d" % number)
    table.play_until(8 + 4 * (number % 6))
    answered = 0
    for seat in table.seats:
        seen = replace(table.observe(seat), may_speak=True)
        if seen.sections["stage"].phase in ("review", "end"):  # type: ignore[attr-defined]
            continue
        mine = part(seen, "mine", Mine)
        situation = find_situation(seen)
        for phrase, by in product(SUCKER.texts.phrases, table.seats):
            if by == seat:
                continue
            heard = replace(seen, messages=(*seen.messages, Spoken(by, None, phrase, {}, table.at)))
            said = set()
            for other in _list_allegiances(mine, len(cast)):
                view = replace(heard, sections={**heard.sections, "mine": other})
                speech = speak_only(Speaker(view, cast[seat], Dice(phrase.encode())), situation)
                said.add(repr(speech))
            assert len(said) == 1, (phrase, seat, by)
            answered += "None" not in said
    assert answered


def test_the_whole_bot_says_the_same_with_another_row() -> None:
    """SLS-2: where it does not move, its decision is the same; where it does, it is the move that speaks."""
    compared = 0
    for number in range(8):
        cast = QUICK[:4]
        table = TalkingTable(cast, b"decide %d" % number)
        table.play_until(20 + 9 * number)
        for seat in table.seats:
            seen = replace(table.observe(seat), may_speak=True)
            if seen.choices or seen.sections["stage"].phase in ("review", "end"):  # type: ignore[attr-defined]
                continue
            mine = part(seen, "mine", Mine)
            for phrase in SUCKER.texts.phrases:
                by = Seat((seat + 1) % 4)
                heard = replace(seen, messages=(*seen.messages, Spoken(by, None, phrase, {}, table.at)))
                decisions = {
                    repr(
                        BOT.decide(
                            replace(heard, sections={**heard.sections, "mine": other}), cast[seat], Dice(b"d")
                        )
                    )
                    for other in _list_allegiances(mine, 4)
                }
                assert len(decisions) == 1
                compared += decisions != {"None"}
    assert compared


def find_situation(seen: Observation) -> Situation:
    piles = tuple(pile.id for pile in part(seen, "piles", Piles).piles)
    return Situation(seen.seat, read_state(seen), piles)


# --- what is sold, promised already, or refused ---


def demanding(*promises: Promise) -> Observation:
    """R has offered B the turn for R's next one, and B wants to be saved for taking it."""
    placed = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    heard = replace(observe(choosing().state, R), lines=(placed,), promises=promises)
    heard = say(heard, R, "sucker.bot.offerTurnBack.1", to=B)
    return say(heard, B, "sucker.bot.counterSave.2", to=R)


@pytest.mark.parametrize("may_speak", [True, False])
def test_whoever_demands_a_rescue_for_the_turn_on_offer_gets_both(*, may_speak: bool) -> None:
    seen = replace(demanding(), may_speak=may_speak)
    for key, stream in product(BY_KEY, range(6)):
        decision = BOT.decide(seen, BY_KEY[key], Dice(b"%d" % stream))
        assert decision is not None
        assert decision.promise is not None
        assert (decision.promise.kind, decision.promise.to) == ("save", (B,))
        assert (decision.remark is not None) == may_speak
        promise = decision.promise.promise("p", Seat(R), Millis(2_500), 4)
        told = say(replace(seen, promises=(promise,)), R, "promise.save", to=B)
        moving = BOT.decide(told, BY_KEY[key], Dice(b"%d" % stream))
        assert moving is not None
        assert moving.move == GiveMove(B), key


def test_a_demand_for_a_turn_that_is_gone_gets_nothing() -> None:
    table = choosing()
    table.give(R, G)
    given = SeenLine("sucker.gave", {"seat": R, "other": G}, None, Millis(3_000))
    heard = demanding()
    seen = replace(observe(table.state, R), lines=(*heard.lines, given), messages=heard.messages)
    for key, stream in product(BY_KEY, range(6)):
        decision = BOT.decide(seen, BY_KEY[key], Dice(b"%d" % stream))
        assert decision is None or decision.promise is None, key


@pytest.mark.parametrize("kind", ["pass_move", "save", "spare_chips", "spare_pile"])
def test_nobody_pays_for_what_is_promised_already(kind: str) -> None:
    """B's chip lies on a pile with one of R's, or on none."""
    intents = {
        "pass_move": "offerTurnBack",
        "save": "offerTurnSave",
        "spare_chips": "offerTurnSpare",
        "spare_pile": "offerTurn",
    }
    pile = "RB" if kind.startswith("spare") else "GY"
    table = set_up("3R", "2B", "2G", "2Y", piles=["Y", pile], mover=R, trail="Y")
    table.place(R, "R", 0)
    seen = observe(table.state, R)
    terms = {"pile": 1} if kind == "spare_pile" else {}
    promise = Promise("p", Seat(B), (Seat(R),), kind, terms, Millis(0), 1)
    for promises, is_offered in (((), True), ((promise,), False)):
        offered = set()
        for key, stream in product(BY_KEY, range(6)):
            speaker = Speaker(replace(seen, promises=promises), BY_KEY[key], Dice(b"%d" % stream))
            for offer in list_offers(speaker, find_situation(seen)):
                if offer.remark.args.get("to") == B:
                    offered.add(read_intent(offer.remark.key))
        assert (intents[kind] in offered) == is_offered, offered


@pytest.mark.parametrize("is_promised", [False, True])
def test_nobody_asks_for_a_turn_that_is_promised_to_it(*, is_promised: bool) -> None:
    promise = Promise("p", Seat(R), (Seat(G),), "pass_move", {}, Millis(0), 1)
    seen = replace(observe(choosing().state, G), promises=(promise,) if is_promised else ())
    asked = set()
    for key, stream in product(BY_KEY, range(6)):
        heard = say(seen, R, "sucker.bot.invite.1")
        decision = BOT.decide(heard, BY_KEY[key], Dice(b"%d" % stream))
        if decision is not None and decision.remark is not None:
            asked.add(read_intent(decision.remark.key))
    assert bool(asked & {"askTurn", "askTurnBack", "askTurnWeak"}) == (not is_promised)


def test_a_promise_that_is_open_is_not_made_again() -> None:
    promise = Promise("p", Seat(G), (Seat(B),), "save", {}, Millis(500), 1)
    said: Counter[str] = Counter()
    for phrase, key, stream in product(("together", "giveMeAChip"), BY_KEY, range(6)):
        heard = say(replace(observe(choosing().state, G), promises=(promise,)), B, SAY + phrase)
        decision = BOT.decide(heard, BY_KEY[key], Dice(b"%d" % stream))
        assert decision is not None
        assert decision.promise is None
        assert decision.remark is not None
        said[read_intent(decision.remark.key)] += 1
    assert said["yesAlready"]
    assert not said.keys() & {"yesSide", "yesChip"}


def test_a_person_who_gives_the_turn_away_is_asked_for_it() -> None:
    heard = say(observe(choosing().state, G), R, SAY + "iGiveYouTheMove")
    for key in BY_KEY:
        decision = answer_of(heard, key)
        assert decision.remark is not None
        assert read_intent(decision.remark.key) in {"askTurn", "askTurnBack", "askTurnWeak"}


def test_a_bot_that_chooses_who_is_next_does_not_ask_itself_for_the_turn() -> None:
    """R has placed a prisoner, and may choose B or itself."""
    table = set_up("2R 1G", "2B", "2G", "2Y", piles=["Y"], mover=R, trail="Y")
    table.place(R, "G", 0)
    assert may_take_turn(find_situation(observe(table.state, B)))
    assert not may_take_turn(find_situation(observe(table.state, R)))


def test_one_bot_answers_a_promise_to_everybody() -> None:
    promise = Promise("p", Seat(B), (), "spare_pile", {"pile": 0}, Millis(1_500), 3)
    seen = replace(observe(choosing().state, G), promises=(promise,))
    decision = answer_of(seen)
    assert decision.remark is not None
    assert read_intent(decision.remark.key) == "holdYou"
    heard = say(seen, Y, decision.remark.key, to=B)
    again = BOT.decide(heard, BY_KEY["noor"], Dice(b"answer"))
    assert again is None or again.remark is None


@pytest.mark.parametrize(("saved", "intent"), [(False, "noRescue"), (True, "noRescueAgain")])
def test_whoever_had_to_refuse_in_silence_speaks_once_the_other_is_out(*, saved: bool, intent: str) -> None:
    before = (
        SeenLine("sucker.needy", {"seat": B}, None, Millis(100)),
        SeenLine("sucker.transferred", {"seat": G, "other": B, "colour": B, "count": 1}, None, Millis(200)),
        SeenLine("sucker.rescued", {"seat": B}, None, Millis(200)),
    )
    lines = (
        *(before if saved else ()),
        SeenLine("sucker.needy", {"seat": B}, None, Millis(1_000)),
        SeenLine("sucker.refused", {"seat": G}, None, Millis(1_500)),
        SeenLine("sucker.fell", {"seat": B}, None, Millis(2_000)),
    )
    table = set_up("2R", "", "2G", "2Y", piles=["Y"], mover=R, trail="Y", out="B")
    seen = replace(observe(table.state, G), lines=lines)
    for key, character in BY_KEY.items():
        speeches = list(comment(Speaker(seen, character, Dice(b"")), find_situation(seen)))
        assert read_intent(speeches[0].remark.key) == intent, key
        told = say(seen, G, "sucker.bot.noRescue.1", to=B)
        later = list(comment(Speaker(told, character, Dice(b"")), find_situation(seen)))
        assert all(not read_intent(one.remark.key).startswith("noRescue") for one in later)


@pytest.mark.parametrize(("broken_at", "intent"), [(200, "noRescue"), (2_000, "noRescueLied")])
def test_whoever_refuses_goes_back_on_what_it_promised_for_this_time(broken_at: int, intent: str) -> None:
    """G broke a promise to save B when another saved B, or breaks it now."""
    lines = (
        SeenLine("sucker.needy", {"seat": B}, None, Millis(100)),
        SeenLine("sucker.refused", {"seat": G}, None, Millis(150)),
        SeenLine("sucker.rescued", {"seat": B}, None, Millis(200)),
        SeenLine("sucker.needy", {"seat": B}, None, Millis(1_000)),
        SeenLine("sucker.refused", {"seat": G}, None, Millis(1_500)),
        SeenLine("sucker.fell", {"seat": B}, None, Millis(2_000)),
        SeenLine("promise.broken", {"seat": G, "promise": "p"}, None, Millis(broken_at)),
    )
    promise = Promise("p", Seat(G), (Seat(B),), "save", {}, Millis(50), 1, judgement="broken")
    table = set_up("2R", "", "2G", "2Y", piles=["Y"], mover=R, trail="Y", out="B")
    ordered = tuple(sorted(lines, key=lambda line: line.at))
    seen = replace(observe(table.state, G), lines=ordered, promises=(promise,))
    for key, character in BY_KEY.items():
        speeches = list(comment(Speaker(seen, character, Dice(b"")), find_situation(seen)))
        assert read_intent(speeches[0].remark.key) == intent, key
    spoken = Spoken(Seat(G), None, "sucker.bot.noRescueLied.1", {"to": B}, Millis(2_000), bot=True)
    facts = Facts(Saying(spoken, seen, Decision(), BY_KEY["noor"], table.state, (promise,), ordered, ()))
    assert TRUE["noRescueLied"](facts) == (intent == "noRescueLied")


def test_whoever_is_in_need_does_not_gloat() -> None:
    fell = SeenLine("sucker.fell", {"seat": Y}, None, Millis(2_000))
    for state, gloats in ((rescue().state, False), (choosing().state, True)):
        seen = replace(observe(state, B), lines=(fell,))
        said = {
            read_intent(one.remark.key)
            for character in BY_KEY.values()
            for one in comment(Speaker(seen, character, Dice(b"")), find_situation(seen))
        }
        assert ("soLong" in said) == gloats


def test_nobody_warns_of_a_seat_and_gives_it_the_turn() -> None:
    captured = SeenLine("sucker.killed", {"seat": B, "colour": G, "count": 17}, None, Millis(500))
    said = set()
    for to, key, stream in product((B, G), BY_KEY, range(6)):
        promise = Promise("p", Seat(R), (Seat(to),), "save", {}, Millis(0), 1)
        seen = replace(observe(choosing().state, R), lines=(captured,), promises=(promise,))
        before = find_situation(seen)
        after = before._replace(state=before.state._replace(phase="turn", mover=to))
        speech = speak_with_move(
            Speaker(seen, BY_KEY[key], Dice(b"%d" % stream)), before, after, GiveMove(to)
        )
        said.add((to, "" if speech is None else read_intent(speech.remark.key)))
    assert (G, "bigCapture") in said
    assert (B, "bigCapture") not in said


def test_whoever_keeps_a_promised_choice_says_so() -> None:
    promise = Promise("p", Seat(R), (Seat(G),), "pass_move", {}, Millis(1_500), 1)
    placed = SeenLine("sucker.placed", {"seat": R, "colour": R, "pile": 0}, None, Millis(1_000))
    seen = replace(observe(choosing().state, R), promises=(promise,), lines=(placed,))
    for key in BY_KEY:
        decision = answer_of(seen, key)
        assert decision.move == GiveMove(G)
        assert decision.remark is not None
        assert read_intent(decision.remark.key) == "asPromised"
