"""What a bot says, answers and promises (R30): chosen from the catalogue's remarks, never twice in a game.

A remark is an answer to what was said to the seat, a word about what somebody has done, or a proposal of its
own that goes with its move. Temper decides how often, to whom and how a bot speaks; what it says about the
table is true. It reads what people say in phrases and promise in parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from games.api import Argument, Character, Dice, NewPromise, Observation, Promise, Remark, Seat, Spoken
from games.kit.observations import optional, part
from games.kit.promises import may_add
from games.kit.remarks import ANSWERED_WITHIN_MS
from games.shares.bot.evaluation import INDICES
from games.shares.bot.memory import (
    BEFORE,
    BROKEN_WEIGHT,
    RAISING,
    ROUND,
    Memory,
    read_seats,
    remember,
    takes_cards,
)
from games.shares.bot.policy import CLOSE, BotContext, can_spare
from games.shares.bot.sayings import (
    PHRASE,
    PROPOSALS,
    REMARKS,
    TRUCES,
    WORDINGS,
    Args,
    find_proposal,
    identify,
    read_company,
    read_intent,
    read_voice,
)
from games.shares.rules.moves import (
    Add,
    Discard,
    DrawUp,
    EndTurn,
    FromDeck,
    FromDiscard,
    Lock,
    OpenMarket,
    Play,
    Remove,
    SharesMove,
    Swap,
    Take,
)
from games.shares.rules.pieces import COMPANIES, PRIZES, Card, suit_of, uses
from games.shares.rules.promises import SharesPromises
from games.shares.rules.values import Mark, Scene, Stage, Towers, Trades

RULES: Final = SharesPromises()
ANSWERS: Final = (
    "settled",
    "youFirst",
    "counting",
    "yesRaise",
    "yesLower",
    "yesLeave",
    "noCards",
    "noHearts",
    "noSpades",
    "already",
    "twice",
    "cannot",
    "did",
    "busy",
    "grudge",
    "tallEnough",
    "saving",
    "noTurn",
    "noPrize",
    "noLower",
    "likesFirst",
    "nothingThere",
    "noLeave",
    "tooLate",
    "counter",
    "ownWork",
    "substitute",
)
"""Remarks that answer a proposal."""
PERSONAL: Final = frozenset(
    {
        *("askRaise", "askFloor", "askStart", "raise", "counter", "askLower", "lower"),
        *("askLeave", "leave", "deal", "agreed", "whoHasHearts", "reproachLower"),
    }
)
"""What a substitute does not answer in its person's name: requests, and questions about hand and deeds."""
CERTAIN: Final = 100
GRATEFUL: Final = 80
"""How often, at least, it thanks for a promise to it alone that was kept, as a percentage."""
TALL: Final = PRIZES[1]
"""A company with at least this prize is worth stopping."""
MAX_REPLIES: Final = 2
"""How many bots answer a promise that was made to several seats."""
QUIET_ROUNDS: Final = 2
"""If a table has had less than one proposal per this number of rounds, somebody speaks up."""
REFUSALS: Final = frozenset(
    {"noCards", "noHearts", "noSpades", "noPrize", "noLower", "likesFirst", "noLeave", "noTurn"}
    | {"cannot", "did", "grudge", "tallEnough", "saving", "nothingThere", "ownWork"}
)
"""Answers that refuse a proposal."""
THANKS: Final = frozenset({"thankKept", "thankRaise"})
COMMENTS: Final = frozenset({"lead", "close", "level", "passed", "fell", "grew", "last"})
"""What it says about the towers, or about the round, to everybody."""
FAR: Final = 3
"""A tower that is ahead by at least this many floors is worth a word."""
FALL: Final = 2
GROWTH: Final = 3
"""A tower that has lost, or gained, at least this many floors in a round is worth a word."""
FREE_TALK: Final = f"{PHRASE}iHoldA"
"""A phrase that is offered only where bots may talk about shares, too (SSA-30)."""


PEEKED: Final = "peek.began"
TURN_ACTS: Final = frozenset(
    {"shares.played", "shares.discarded", "shares.drawUp", "shares.market"}
    | {"shares.ended", "shares.out", "shares.stuck"}
)
"""Lines that tell whose turn it is, by their `seat`."""
LOSSES: Final = frozenset({"shares.removed", "shares.took", "shares.swapped"})
PLAIN: Final = 85
"""How often an answer right below what it answers leaves out the name, as a percentage."""
ECHO: Final = 6
"""Nobody says of its own accord what somebody else has said within this many remarks."""
BOLD: Final = 65
POLITE: Final = 90
"""From this boldness, or else this honesty, a character has a voice of its own; the others are chatty."""
OPEN_QUESTIONS: Final = ("raise", "lower", "leave", "whoHasHearts")
"""Phrases to everybody that two bots may answer, differently; one answers any other."""


class Request(NamedTuple):
    """Something that it may be asked for."""

    kinds: tuple[str, ...]
    """The promises to do it."""
    yes: str
    """The remark that agrees to it."""
    suit: str | None
    """What it takes; None to leave a tower alone."""


RAISE: Final = Request(RAISING, "yesRaise", "H")
LOWER: Final = Request(("lower",), "yesLower", "S")
LEAVE: Final = Request(("leave",), "yesLeave", None)


class Speech(NamedTuple):
    remark: Remark | None = None
    promise: NewPromise | None = None


SILENCE: Final = Speech()


class Talk:
    """One seat's chance to say something."""

    def __init__(
        self, observation: Observation, character: Character, context: BotContext, dice: Dice
    ) -> None:
        self.observation = observation
        self.character = character
        self.context = context
        self.dice = dice
        self.table = context.table
        self.companies = part(observation, "towers", Towers).companies
        self.rounds = part(observation, "stage", Stage).rounds
        self.move: SharesMove | None = None
        """What the seat is about to do, if it is known yet."""

    @cached_property
    def memory(self) -> Memory:
        return remember(self.observation)

    @cached_property
    def liking(self) -> list[float]:
        """How well this seat likes each seat."""
        temper = self.character.temper
        return self.memory.rate_seats(self.observation.seats, self.front, temper, self.rounds)

    @cached_property
    def front(self) -> str | None:
        """The tower that it speaks for: the one it has raised most, as everybody has seen; None at first.

        It thanks, reproaches, threatens and asks favours over this tower alone, whatever its shares. What it
        refuses and grants depends on them only as what it plays does.
        """
        return self.memory.find_tower_of(self.observation.seat)

    @cached_property
    def _said(self) -> set[tuple[str, str]]:
        return {identify(said.key, said.args) for said in self.observation.messages}

    @cached_property
    def _lately(self) -> set[str]:
        """The keys of what was said last, whoever was spoken to."""
        return {said.key for said in self.observation.messages[-2 * ECHO :]}

    # --- words ---

    def say(self, intent: str, **args: Argument) -> Remark | None:
        """A way to say this that nobody at the table has used yet, in its own voice if possible; None if
        there is none."""
        fresh = [
            Remark(key, args)
            for key in WORDINGS[intent]
            if read_voice(key) in (None, self._voice)
            and identify(key, args) not in self._said
            and key not in self._lately
        ]
        used = {said.key for said in self.observation.messages}
        fresh = [remark for remark in fresh if remark.key not in used] or fresh
        plain = [remark for remark in fresh if "to" not in REMARKS.get(remark.key, ())]
        if plain and self._is_under(args.get("to")) and self.happens(PLAIN):
            fresh = plain
        voiced = [remark for remark in fresh if read_voice(remark.key) is not None]
        candidates = voiced if voiced and self.happens(70) else fresh
        return candidates[self.dice.below("words", len(candidates))] if candidates else None

    def _is_under(self, seat: Argument | None) -> bool:
        """Whether the last word was by this seat, or to it: an answer right below it needs no name."""
        messages = self.observation.messages
        return seat is not None and bool(messages) and seat in (messages[-1].seat, messages[-1].addressee)

    @property
    def _voice(self) -> str:
        """Bold, polite or chatty."""
        temper = self.character.temper
        return "b" if temper.boldness >= BOLD else "p" if temper.honesty >= POLITE else "c"

    def _has_echo(self, intent: str) -> bool:
        """Whether another bot has just said something like this."""
        alike = THANKS if intent in THANKS else {intent}
        return any(
            said.bot and said.seat != self.observation.seat and read_intent(said.key) in alike
            for said in self.observation.messages[-ECHO:]
        )

    def happens(self, percent: int) -> bool:
        return self.dice.below("temper", 100) < percent

    def prize_of(self, company: str) -> int:
        return self.companies[_index(company)].prize

    def _stands(self, company: str) -> bool:
        """Whether this tower has floors, which somebody could take off."""
        return bool(self.companies[_index(company)].floors)

    def _can_threaten(self, company: str, tower: str | None) -> bool:
        """Whether both towers have floors to lose, and everybody sees that this seat has cards.

        It threatens nothing that it would do in any case or has promised to leave, nor with a spade that
        may take floors of several towers; and not on its own turn, so that there is time to answer.
        """
        return (
            company == self.front
            and tower not in (None, company)
            and not self._has_word((*LOWER.kinds, *LEAVE.kinds), str(tower))
            and bool(self.table.hand)
            and part(self.observation, "stage", Stage).active != self.observation.seat
            and self.memory.round < self.rounds  # in the last round it would not spare the other tower
            and all(self._stands(each) for each in (company, str(tower)))
            and self.gain("S", str(tower)) < 0
            and all(uses(card) == 1 for card in self.table.hand if suit_of(card) == "S")
        )

    @property
    def can_act(self) -> bool:
        table = self.table
        return table.kind == "select" or (not table.out[table.seat] and table.actions[table.seat] > 0)

    def has(self, suit: str) -> bool:
        return any(suit_of(card) == suit for card in self.table.hand)

    def gain(self, suit: str, company: str) -> float:
        """How many points one floor more or less gains, compared with the best tower for it."""
        valuation = self.context.valuation
        gains = []
        for each in INDICES:
            plan = valuation.extend_plan(suit, (0.0, (), self.table.sizes), each)
            gains.append(-float("inf") if plan is None else plan[0])
        return gains[_index(company)] - max(0.0, *gains)

    # --- promises ---

    def promise(self, kind: str, to: int, company: str) -> NewPromise | None:
        """A promise to one seat for this round; None if the bot may not make it, can no longer keep it, or
        keeps it with the very move that it comes with."""
        if self._keeps_at_once(kind, company):
            return None
        new = NewPromise(kind, {"company": company, "round": self.memory.round}, (Seat(to),), bot=True)
        seen = self.observation
        is_allowed = may_add(RULES, self.memory.promises, seen.sections, seen.seat, new, seen.seats)
        return new if is_allowed and self.can_act and not self.character.is_substitute else None

    def _keeps_at_once(self, kind: str, company: str) -> bool:
        match self.move:
            case Add(tower=tower):
                return kind in RAISE.kinds and tower == company
            case Remove(tower=tower):
                return kind in LOWER.kinds and tower == company
            case _:
                return False

    # --- answers ---

    def answer(self) -> Speech:
        """An answer to the last thing that was said or promised to this seat since it last spoke."""
        spoken = self._find_question()
        if spoken is not None:
            speech = self._answer(spoken)
            if speech.remark is not None and not self._repeats_answer(spoken, speech.remark):
                return speech
        promise = self._find_promise()
        if promise is None:
            return SILENCE
        half = self._return_promise(promise)
        if half is not None:
            return half
        if len(promise.to) != 1 and self._count_replies(promise) >= MAX_REPLIES:
            return SILENCE
        is_new = not self._count_said("doubtAgain", promise.by)
        if self.memory.doubts(promise.by):
            return Speech(self.say("doubtAgain" if is_new else "doubt", to=promise.by))
        tower = promise.terms.get("company")
        if promise.kind == "leave" and isinstance(tower, str) and not self._stands(tower):
            return Speech(self.say("shrug", to=promise.by))  # nothing could have been taken off it
        warm = self.happens(max(self.character.temper.warmth, 20))
        return Speech(self.say("trust" if warm else "doubt", to=promise.by))

    def _count_replies(self, promise: Promise) -> int:
        """How many others have answered a promise."""
        replies = ("trust", "doubt", "doubtAgain", "shrug", "settled")
        return sum(
            said.at >= promise.at and said.addressee == promise.by and read_intent(said.key) in replies
            for said in self.observation.messages
        )

    def _find_question(self) -> Spoken | None:
        """The last thing that somebody has said to this seat, or that a person has said to everybody and not
        enough bots have answered."""
        messages, lines = self.observation.messages, self.observation.lines
        public = next((line.at for line in reversed(lines) if line.to is None), 0)
        latest = max(messages[-1].at if messages else 0, public)
        for said in reversed(messages):
            if said.at < latest - ANSWERED_WITHIN_MS:
                return None
            if said.seat == self.observation.seat:
                if read_intent(said.key) == "busy":
                    continue  # it has put somebody off, and answers as soon as it can
                return None
            if said.addressee == self.observation.seat:
                return said
            if said.addressee is None and not said.bot:
                intent = read_intent(said.key)
                most = 2 if intent in OPEN_QUESTIONS or self._is_given_away(said.seat, intent) else 1
                return said if len(self._list_answers(said)) < most else None
        return None

    def _list_answers(self, question: Spoken) -> list[Spoken]:
        """What other bots have answered to this."""
        messages = self.observation.messages
        after = messages[messages.index(question) + 1 :]
        return [
            said
            for said in after
            if said.bot
            and said.addressee == question.seat
            and said.seat != self.observation.seat
            and not said.key.startswith("promise.")
        ]

    def _repeats_answer(self, question: Spoken, remark: Remark) -> bool:
        """Whether another bot has given the same answer to what was said to everybody."""
        if question.addressee is not None:
            return False
        intents = {read_intent(said.key) for said in self._list_answers(question)}
        return read_intent(remark.key) in intents

    def _find_promise(self) -> Promise | None:
        """The last promise to this seat since it last spoke; to bots' words only their hearers answer."""
        for promise in reversed(self.memory.promises):
            if promise.at <= self.memory.spoke_at or promise.by == self.observation.seat:
                continue
            if promise.judgement is None and self.observation.seat in promise.to:
                return promise
            if promise.judgement is None and not promise.to and self.happens(self.character.temper.chatter):
                return promise
        return None

    def _answer(self, said: Spoken) -> Speech:
        intent, to = read_intent(said.key), said.seat
        company = said.args.get("company") or read_company(said.key)
        yours = said.args.get("yours")
        if self.character.is_substitute and intent in PERSONAL:
            return Speech(self.say("substitute", to=to))
        if self._is_given_away(to, intent):
            return Speech(self.say("caught", to=to))
        match intent:
            case "askRaise" | "askFloor" | "askStart" | "raise" if isinstance(company, str):
                return self._answer_raise(to, company)
            case "counter" if isinstance(yours, str):
                return self._answer_raise(to, yours, haggle=False)
            case "askLower" | "lower" if isinstance(company, str):
                return self._answer_lower(to, company)
            case "askLeave" | "leave" if isinstance(company, str):
                return self._answer_leave(to, company)
            case "deal" if isinstance(company, str):
                return self._answer_leave(to, company)
            case "yesLeave" if isinstance(company, str) and (half := self._return_favour(to, company)):
                return Speech(self.say("thankYes", to=to), half)
            case "yesRaise" | "yesLower" | "yesLeave" if self.memory.doubts(to):
                return Speech(self.say("doubtAgain", to=to))
            case "yesRaise" | "yesLower" | "yesLeave" if self.happens(self.character.temper.warmth):
                return Speech(self.say("thankYes", to=to))
            case "iHelp":
                asked = self._find_proposal(said)
                is_own = asked is not None and asked.seat == self.observation.seat
                return Speech(self.say("thankYes", to=to)) if is_own else SILENCE
            case "agreed":
                return self._seal(said)
            case "no":
                return self._hear_no(said)
            case "thanks" | "traitor":
                return self._answer_judgement(to, intent)
            case "hurry":
                return self._answer_hurry(to)
            case "reproachLower" if isinstance(company, str):
                return self._answer_why(to, company)
            case "threat" if isinstance(company, str):
                return Speech(self.say("defy", to=to, company=company))
            case _ if intent in REFUSALS or intent == "lackHearts":
                return self._answer_no(to, intent, company)
            case "whoHasHearts":
                return self._answer_hearts(to)
            case "spied" | "iHold" | "iTake" if isinstance(company, str):
                return Speech(self.say("noted", to=to, company=company))
            case "thankRaise" | "thankKept" if self._has_suffered(to):
                return SILENCE  # whoever thanks has pulled down its tower
            case "thankRaise" | "thankKept" if said.bot and not self.happens(self.character.temper.warmth):
                return SILENCE
            case _:
                reply = REPLIES.get(intent)
                return SILENCE if reply is None else Speech(self.say(reply, to=to))

    def _speaks_for(self, company: str) -> bool:
        """Whether everybody has seen it raise this tower most, and not pull it down since."""
        return company == self.front and not self.memory.has_lowered(company)

    def _has_suffered(self, seat: int) -> bool:
        """Whether this seat has taken a floor off its tower since it last spoke."""
        front = self.front
        lowered = [] if front is None else self.memory.list_new(is_raise=False, company=front)
        return any(deed.seat == seat for deed in lowered)

    def _may_lower(self, company: Argument | None) -> bool:
        """Whether it is about to lower a tower, perhaps this one, or would gain most by lowering this one."""
        if isinstance(self.move, Remove) or (isinstance(self.move, Play) and suit_of(self.move.card) == "S"):
            return True
        return self.has("S") and isinstance(company, str) and self.gain("S", company) > -CLOSE

    def _is_past(self, at: int) -> bool:
        """Whether the turn has passed on more than once since: then it is too late for a word about it.

        A turn with which the last action is spent ends without a line.
        """
        acts = self._turn_acts
        seats = [seat for when, seat in acts if when > at]
        before = [seat for when, seat in acts if when <= at][-1:] or seats[:1]
        return sum(one != other for one, other in pairwise([*before, *seats])) > 1

    @cached_property
    def _turn_acts(self) -> Sequence[tuple[int, Argument]]:
        """The acts of seats on their turns, oldest first: the time and the seat of each."""
        return [(line.at, line.args["seat"]) for line in self.observation.lines if line.key in TURN_ACTS]

    def _find_judgement(self, promise: Promise) -> int:
        """When a promise was kept or broken; the time of the last public line if the log does not say."""
        key = f"promise.{promise.judgement}"
        for line in reversed(self.observation.lines):
            if line.key == key and line.args.get("promise") == promise.id:
                return line.at
        return max((line.at for line in self.observation.lines if line.to is None), default=BEFORE)

    def _is_given_away(self, seat: int, intent: str) -> bool:
        """Whether somebody tells what was seen in a look, and it was this seat who was looked at."""
        if not intent.startswith("spied"):
            return False
        looks = (line for line in reversed(self.observation.lines) if line.key == PEEKED)
        last = next((line for line in looks if line.args["seat"] == seat), None)
        return last is not None and last.args["other"] == self.observation.seat

    def _find_proposal(self, answer: Spoken) -> Spoken | None:
        """The last proposal to the seat that gives this answer."""
        return find_proposal(self.observation.messages, answer)

    def _seal(self, answer: Spoken) -> Speech:
        """What follows when somebody agrees to the last proposal, if it was this seat's."""
        proposal, to = self._find_proposal(answer), answer.seat
        if proposal is None or proposal.seat != self.observation.seat:
            return SILENCE
        company, yours = proposal.args.get("company"), proposal.args.get("yours")
        if not isinstance(company, str):
            return SILENCE
        match read_intent(proposal.key):
            case "deal" if isinstance(yours, str):
                if self._has_word(LOWER.kinds, yours):
                    return Speech(self._refuse_leave(to, yours))
                if not self._stands(company):
                    return Speech(self.say("nothingThere", to=to, company=company))
                if (objection := self._object(proposal, to, company)) is not None:
                    return objection
                remark = self.say("settled", to=to, company=company, yours=yours)
                return Speech(remark, None if remark is None else self.promise("leave", to, yours))
            case "counter" if isinstance(yours, str):
                if (objection := self._object(proposal, to, yours)) is not None:
                    return objection
                remark = self.say("youFirst", to=to, company=company, yours=yours)
                return Speech(remark, None if remark is None else self.promise("raise", to, company))
            case _:
                return Speech(self.say("counting", to=to, company=company))

    def _object(self, proposal: Spoken, to: Seat, company: str) -> Speech | None:
        """What it says to a yes that comes too late: in another round, once that seat can do nothing more for
        the tower that it was about, or after that seat has broken its word or lowered this tower."""
        if proposal.at < self._began or not (self.table.kind == "select" or self.table.can_act(to)):
            return Speech(self.say("tooLate", to=to))
        broken = {
            line.args["promise"]
            for line in self.observation.lines
            if line.key == "promise.broken" and line.args["seat"] == to and line.at > proposal.at
        }
        if any(one.id in broken and self.memory.concerns_me(one) for one in self.memory.promises):
            return Speech(self.say("doubtAgain", to=to))
        has_lowered = any(
            (deed.seat, deed.company, deed.is_raise) == (to, company, False) and deed.at > proposal.at
            for deed in self.memory.deeds
        )
        return Speech(self.say("reproachLower", to=to, company=company)) if has_lowered else None

    def _hear_no(self, answer: Spoken) -> Speech:
        """What it says when somebody refuses its proposal."""
        proposal = self._find_proposal(answer)
        if proposal is None or proposal.seat != self.observation.seat:
            return SILENCE
        leaves = read_intent(proposal.key) in TRUCES
        intent = "noLeave" if leaves else "noPrize"
        return self._answer_no(answer.seat, intent, proposal.args.get("company"), is_plain=True)

    def _answer_judgement(self, to: Seat, intent: str) -> Speech:
        """Thanks, or a reproach, to everybody: whoever deserves it answers, or else anybody."""
        if intent == "thanks":
            helpers = self.memory.list_helpers(to)
            if helpers and self.observation.seat not in helpers:
                return SILENCE
            return Speech(self.say("welcome" if helpers else "forWhat", to=to))
        culprits = self.memory.list_culprits(to) | self._list_robbers(to)
        if culprits and self.observation.seat not in culprits:
            return SILENCE
        if culprits:
            return Speech(self.say("deny", to=to))
        return Speech(self.say("lookWho" if self.memory.has_broken(to) else "whoMeant", to=to))

    def _list_robbers(self, seat: Seat) -> set[int]:
        """Who has taken a card of this seat's in this round, or its hand."""
        lines = [line for line in self.observation.lines if line.at >= self._began]
        robbers = (line.args["seat"] for line in lines if takes_cards(line, seat))
        return {robber for robber in robbers if isinstance(robber, int)}

    def _answer_hurry(self, to: Seat) -> Speech:
        scene = part(self.observation, "scene", Scene)
        if scene.seat is None:
            mark = optional(self.observation, "mark", Mark)
            return Speech(self.say("ready" if mark is not None and mark.locked else "soon", to=to))
        if scene.seat == to:
            return Speech(self.say("yourMove", to=to))
        if scene.seat == self.observation.seat:
            return Speech(self.say("soon", to=to))
        return Speech(self.say("notMyTurn", to=to, other=scene.seat))

    def _answer_raise(self, to: Seat, company: str, *, haggle: bool = True) -> Speech:
        if not self.can_act:
            return Speech(self.say("noTurn", to=to))
        if (known := self._answer_known(RAISE, to, company)) is not None:
            return known
        if not self.table.hand:
            return self._lack("noCards", to)
        if not self.has("H"):
            return self._lack("noHearts", to, company=company)
        if self._would("H", to, company):
            return self._agree("yesRaise", "raise", to, company)
        if self._bears_grudge(to):
            return Speech(self.say("grudge", to=to))
        cause = self.front
        wants = haggle and cause != company and self.happens(30 + self.character.temper.boldness // 2)
        if wants and cause is not None and not self._has_refused(cause):
            return Speech(self.say("counter", to=to, company=company, yours=cause))
        return Speech(self._refuse_raise(to, company))

    def _refuse_raise(self, to: Seat, company: str) -> Remark | None:
        """A reason that is true of the table, or of its hand, for not raising this tower."""
        if self._has_done(company, is_raise=True) and not self._ends_round:
            return self.say("did", to=to, company=company)
        if not can_spare(self.context, "H"):
            return self.say("saving", to=to, company=company)
        standing = self.companies[_index(company)]
        if (standing.place, standing.tied) == (1, 1):
            return self.say("tallEnough", to=to, company=company)
        return self.say("noPrize", to=to, company=company, prize=standing.prize)

    def _answer_known(self, request: Request, to: Seat, company: str) -> Speech | None:
        """What it says if it has agreed to this before in this round; None if it has not."""
        suit = request.suit
        has_word = self._has_word(request.kinds, company)
        assured = self._list_assured(request.yes, company)
        if not has_word and not assured:
            return None
        if suit is None and self._has_done(company, is_raise=False):
            return None  # it has broken its word
        if suit is not None and not has_word and self._has_done(company, is_raise=suit == "H"):
            return Speech(self.say("did", to=to, company=company))
        if suit is not None and not self.has(suit):
            return Speech(self.say("cannot", to=to, company=company))
        twice = self.say("twice", to=to, company=company) if to in assured else None
        return Speech(twice or self.say("already", to=to, company=company))

    def _has_word(self, kinds: Sequence[str], company: str) -> bool:
        """Whether it has promised one of these for this round, and may still keep it."""
        open_promises = self.memory.list_own_open()
        return any(one.kind in kinds and one.terms.get("company") == company for one in open_promises)

    def _list_assured(self, intent: str, company: str) -> set[Seat | None]:
        """The seats to which it has said yes to this in this round."""
        return {
            said.addressee
            for said in self._own_words
            if said.at >= self._began
            and read_intent(said.key) == intent
            and said.args.get("company") == company
        }

    def _has_refused(self, company: str) -> bool:
        """Whether it has ever said that its cards do nothing for this tower."""
        return any(
            read_intent(said.key) in ("noPrize", "saving") and said.args.get("company") == company
            for said in self._own_words
        )

    @cached_property
    def _own_words(self) -> list[Spoken]:
        return [said for said in self.observation.messages if said.seat == self.observation.seat]

    @cached_property
    def _began(self) -> int:
        """When this round began."""
        return max((line.at for line in self.observation.lines if line.key == ROUND), default=BEFORE)

    def _has_done(self, company: str, *, is_raise: bool) -> bool:
        """Whether it has raised or lowered this tower in this round."""
        return any(
            (deed.seat, deed.company, deed.is_raise, deed.round)
            == (self.observation.seat, company, is_raise, self.memory.round)
            for deed in self.memory.deeds
        )

    @property
    def _ends_round(self) -> bool:
        """Whether its move sits out as the last seat that can act: its words are read in the next round."""
        return isinstance(self.move, EndTurn) and not self.table.spent and self.table.is_last

    def _bears_grudge(self, to: Seat) -> bool:
        return self.liking[to] <= -BROKEN_WEIGHT

    @property
    def _is_busy(self) -> bool:
        """Whether it is carrying out a card or drawing, so that its hand is about to change."""
        scene = part(self.observation, "scene", Scene)
        draws = isinstance(self.move, DrawUp | FromDeck | FromDiscard | Take | Swap)
        return draws or (scene.seat == self.observation.seat and scene.kind not in ("turn", "select"))

    def _put_off(self, to: Seat) -> Speech:
        """What it says in the middle of a card: a word to a person, once, and nothing to a bot."""
        heard = next(said for said in reversed(self.observation.messages) if said.seat == to)
        has_said = bool(self._own_words) and read_intent(self._own_words[-1].key) == "busy"
        return SILENCE if heard.bot or has_said else Speech(self.say("busy", to=to))

    def _lack(self, intent: str, to: Seat, **args: Argument) -> Speech:
        if self._is_busy:
            return self._put_off(to)
        return Speech(self.say(intent, to=to, **args))

    def _answer_hearts(self, to: Seat) -> Speech:
        """Whether it will hold a heart once it has made its move."""
        if self._is_busy:
            return self._put_off(to)
        leaving: tuple[Card, ...] = ()
        if isinstance(self.move, Play):
            leaving = (self.move.card,)
        elif isinstance(self.move, Discard):
            leaving = tuple(self.move.cards)
        holds = any(suit_of(card) == "H" for card in self.table.hand if card not in leaving)
        return Speech(self.say("haveHearts" if holds else "lackHearts", to=to))

    def _answer_why(self, to: Seat, company: str) -> Speech:
        """Why it has taken a floor off this tower: a reason that everybody can check, or else any."""
        own_deeds = [
            deed.at
            for deed in self.memory.deeds
            if (deed.seat, deed.company, deed.is_raise) == (self.observation.seat, company, False)
        ]
        last = max(own_deeds, default=BEFORE)
        kept = any(
            promise.by == self.observation.seat
            and (promise.kind, promise.judgement, promise.terms.get("company")) == ("lower", "kept", company)
            and to not in promise.to
            for promise in self.memory.promises
        )
        front = self.front
        wronged = front not in (None, company) and any(
            (deed.seat, deed.company, deed.is_raise) == (to, front, False) and deed.at < last
            for deed in self.memory.deeds
        )
        prize = self.prize_of(company)
        reasons: list[tuple[bool, str, Args]] = [
            (kept, "whyPromised", {"company": company}),
            (wronged, "whyRevenge", {"company": company, "yours": str(front)}),
            (self.companies[_index(company)].place == 1, "whyLeads", {"company": company, "prize": prize}),
        ]
        for is_true, intent, args in reasons:
            if is_true and self.happens(75):
                remark = self.say(intent, to=to, **args)
                if remark is not None:
                    return Speech(remark)
        return Speech(self.say("why", to=to, company=company))

    def _would(self, suit: str, to: Seat, company: str) -> bool:
        """Whether it can do this for a seat at little cost, and would."""
        is_cheap = can_spare(self.context, suit) and self.gain(suit, company) > -CLOSE
        return is_cheap and not self._bears_grudge(to)

    def _answer_lower(self, to: Seat, company: str) -> Speech:
        if not self._stands(company):
            return Speech(self.say("nothingThere", to=to, company=company))
        if not self.can_act:
            return Speech(self.say("noTurn", to=to))
        if (known := self._answer_known(LOWER, to, company)) is not None:
            return known
        agrees = self.has("S") and self._would("S", to, company) and not self._has_word(LEAVE.kinds, company)
        if not agrees and self._speaks_for(company):
            return Speech(self.say("ownWork", to=to, company=company))
        if not self.table.hand:
            return self._lack("noCards", to)
        if not self.has("S"):
            return self._lack("noSpades", to, company=company)
        if agrees:
            return self._agree("yesLower", "lower", to, company)
        if self._bears_grudge(to):
            return Speech(self.say("grudge", to=to))
        if self._has_done(company, is_raise=False) and not self._ends_round:
            return Speech(self.say("did", to=to, company=company))
        standing = self.companies[_index(company)]
        intent = "likesFirst" if standing.place == 1 else "noLower"
        return Speech(self.say(intent, to=to, company=company, prize=standing.prize))

    def _answer_leave(self, to: Seat, company: str) -> Speech:
        """To leave a tower alone costs nothing unless it is the best one to lower."""
        if not self.can_act:
            return Speech(self.say("noTurn", to=to))
        if (known := self._answer_known(LEAVE, to, company)) is not None:
            return known
        if not self.table.hand:
            return self._lack("noCards", to)  # a promise would cost nothing
        if self._bears_grudge(to):
            return Speech(self.say("grudge", to=to))
        is_on = part(self.observation, "scene", Scene).seat == self.observation.seat
        dishonest = not is_on and not self.happens(self.character.temper.honesty)  # nor broken at once
        is_cheap = not self.has("S") or self.gain("S", company) < -CLOSE
        if (is_cheap or dishonest) and not self._has_word(LOWER.kinds, company):
            return self._agree("yesLeave", "leave", to, company)
        return Speech(self._refuse_leave(to, company))

    def _refuse_leave(self, to: Seat, company: str) -> Remark | None:
        return self.say("noLeave", to=to, company=company, prize=self.prize_of(company))

    def _agree(self, intent: str, kind: str, to: Seat, company: str) -> Speech:
        remark = self.say(intent, to=to, company=company)
        return Speech(remark, None if remark is None else self.promise(kind, to, company))

    def _return_favour(self, to: Seat, company: str) -> NewPromise | None:
        """The other half of a deal that has been accepted."""
        for said in reversed(self.observation.messages):
            if said.seat == self.observation.seat:
                yours = said.args.get("yours")
                is_deal = read_intent(said.key) == "deal" and said.addressee == to
                accepted = is_deal and said.args.get("company") == company and isinstance(yours, str)
                return self.promise("leave", to, str(yours)) if accepted else None
        return None

    def _return_promise(self, promise: Promise) -> Speech | None:
        """Its half of a deal, once somebody has promised what it has proposed."""
        company = promise.terms.get("company")
        for said in reversed(self.observation.messages):
            is_deal = said.seat == self.observation.seat and read_intent(said.key) == "deal"
            if is_deal and said.addressee == promise.by:
                yours = said.args.get("yours")
                if (
                    promise.kind != "leave"
                    or said.args.get("company") != company
                    or not isinstance(yours, str)
                ):
                    return None
                half = self.promise("leave", promise.by, yours)
                if half is None:
                    return None
                return Speech(self.say("settled", to=promise.by, company=str(company), yours=yours), half)
        return None

    def _answer_no(
        self, to: Seat, intent: str, company: Argument | None, *, is_plain: bool = False
    ) -> Speech:
        tower = self.memory.find_tower_of(to)
        insists = intent == "noLeave" and self.happens(self.character.temper.boldness)
        is_bold = insists and not self.character.is_substitute
        if is_bold and isinstance(company, str) and self._can_threaten(company, tower):
            return Speech(self.say("threat", to=to, company=company, yours=tower))
        if not is_plain and (self._is_interrupted(to) or not self.happens(self.character.temper.chatter)):
            return SILENCE
        return Speech(self.say("pity" if intent in PITIED else "shrug", to=to))

    def _is_interrupted(self, seat: int) -> bool:
        """Whether somebody has lost a card or a floor, or spoken, since this seat did: a word without a name
        would seem to be about that."""
        said = next((one for one in reversed(self.observation.messages) if one.seat == seat), None)
        if said is None or said is not self.observation.messages[-1]:
            return True
        return any(line.key in LOSSES and line.at > said.at for line in self.observation.lines)

    # --- words about what others have done ---

    def accuse(self) -> Speech:
        """A reproach to whoever broke a promise to this seat alone: it comes before everything else."""
        for promise, (intent, _, args) in self._list_judged():
            if intent == "reproachBroken" and self._is_betrayal(promise):
                return Speech(self.say(intent, **args))
        return SILENCE

    def react(self) -> Speech:
        """Thanks, reproaches and threats for what has happened since this seat last spoke."""
        for intent, percent, args in self._list_reactions():
            if self.happens(percent) and not self._has_echo(intent):
                remark = self.say(intent, **args)
                if remark is not None:
                    return Speech(remark)
        return SILENCE

    def _count_said(self, intent: str, to: object) -> int:
        """How often this seat has said something like this to another one."""
        return sum(
            said.seat == self.observation.seat and said.addressee == to and read_intent(said.key) == intent
            for said in self.observation.messages
        )

    def _has_reproached(self, seat: int) -> bool:
        """Whether it has reproached this seat in this round."""
        return any(
            said.at >= self._began and said.addressee == seat and read_intent(said.key) == "reproachLower"
            for said in self._own_words
        )

    def _list_reactions(self) -> Iterator[tuple[str, int, Args]]:
        """What it may say, how likely it says so, and the arguments: each promise and trade counts once."""
        temper, memory = self.character.temper, self.memory
        yield from (reaction for _, reaction in self._list_judged())
        robber = self._find_robber()
        if robber is not None and not self._count_said("robbed", robber):
            yield "robbed", max(temper.boldness, temper.grudge), {"to": robber}
        for agreement in memory.list_breaches():
            intent = "letDown" if agreement.is_raise else "reproachDeal"
            if not self._count_said(intent, agreement.by):
                likely = max(temper.grudge, temper.boldness)
                yield intent, likely, {"to": agreement.by, "company": agreement.company}
        trades = optional(self.observation, "trades", Trades)
        for trade in () if trades is None else trades.trades[-1:]:
            pair = {trade.seat, trade.other} - {memory.seat}
            if trade.round == memory.round and len(pair) == 1:
                (other,) = pair
                if not self._count_said("traded", other):
                    yield "traded", temper.warmth, {"to": other}
        front = self.front
        if front is None:
            return
        for deed in memory.list_new(is_raise=False, company=front)[:1]:
            if self._is_past(deed.at) or not memory.has_raised_before(deed):
                continue
            tower = memory.find_tower_of(deed.seat)
            if tower is not None and self._can_threaten(front, tower) and not self.character.is_substitute:
                bold: Args = {"to": deed.seat, "company": front, "yours": tower}
                yield "threat", temper.boldness, bold
            reproach: Args = {"to": deed.seat, "company": front}
            if self._has_reproached(deed.seat):
                continue
            yield "reproachLower", (temper.grudge + temper.chatter) // 2, reproach
        for deed in memory.list_new(is_raise=True, company=front)[:1]:
            if self._is_past(deed.at) or self._has_suffered(deed.seat) or self._may_lower(None):
                continue
            yield "thankRaise", temper.warmth // 2, {"to": deed.seat, "company": front}

    def _list_judged(self) -> Sequence[tuple[Promise, tuple[str, int, Args]]]:
        """What it may say about promises that were kept or broken, the latest first."""
        counts: Counter[tuple[str, int]] = Counter()
        due: list[tuple[Promise, tuple[str, int, Args]]] = []
        for promise in self.memory.promises:
            reaction = self._react_to(promise)
            if reaction is not None:
                intent, _, args = reaction
                key = intent, int(str(args["to"]))
                counts[key] += 1
                is_recent = int(promise.terms["round"]) >= self.memory.round - 1
                if counts[key] > self._count_said(*key) and is_recent:
                    due.append((promise, reaction))
        return due[::-1]

    def _find_robber(self) -> int | None:
        """Who has just taken a card from this seat, or swapped its hand for a smaller one; None if nobody."""
        me, sizes = self.observation.seat, self.table.hand_sizes
        for line in reversed(self.observation.lines):
            if line.at <= self.memory.spoke_at or self._is_past(line.at):
                return None
            robber = line.args.get("seat")
            if not isinstance(robber, int) or robber == me:
                continue
            if line.key == "shares.took" and line.args["other"] == me:
                return robber
            pair = read_seats(line.args["seats"]) if line.key == "shares.swapped" else set()
            if me in pair and any(sizes[seat] > sizes[me] for seat in pair):
                return robber
        return None

    def _has_been_scolded(self, seat: int, at: int) -> bool:
        """Whether somebody else has reproached a seat for a broken promise since."""
        return any(
            said.at >= at
            and said.seat != self.observation.seat
            and said.addressee == seat
            and read_intent(said.key) == "reproachBroken"
            for said in self.observation.messages
        )

    def _is_betrayal(self, promise: Promise) -> bool:
        """Whether a promise to this seat alone was broken."""
        return promise.judgement == "broken" and promise.to == (self.memory.seat,)

    def _react_to(self, promise: Promise) -> tuple[str, int, Args] | None:
        """What it may say about a promise that was kept or broken."""
        temper, judgement = self.character.temper, promise.judgement
        company = promise.terms.get("company")
        if promise.excused or judgement not in ("kept", "broken"):
            return None
        is_betrayal = self._is_betrayal(promise)
        judged_at = self._find_judgement(promise)
        if self._is_past(judged_at) and not is_betrayal:
            return None
        if self.memory.concerns_me(promise):
            front = self.front
            if promise.kind == "lower" and company == front:
                return None  # its own tower: it is glad of a floor that stays, and reproaches one that goes
            if judgement == "broken":
                if self._has_worked_against(promise):
                    if self._has_been_scolded(promise.by, judged_at):
                        return None
                    return "unmoved", temper.chatter, {"to": promise.by, "company": str(company)}
                if front is not None and self._is_repaid(promise, front):
                    owed: Args = {"to": promise.by, "company": str(company), "yours": front}
                    return "owed", max(temper.grudge, temper.warmth), owed
                likely = CERTAIN if is_betrayal else max(temper.grudge, temper.boldness)
                return "reproachBroken", likely, {"to": promise.by}
            if promise.kind not in ("leave", "spare") and not self._may_lower(company):
                likely = max(temper.warmth, GRATEFUL if len(promise.to) == 1 else 0)
                return "thankKept", likely, {"to": promise.by}
        elif promise.by == self.memory.seat and promise.to and company is not None:
            args: Args = {"to": promise.to[0], "company": company}
            if judgement == "broken":
                return "sorry", temper.warmth, args
            if promise.kind in ("raise", "lower") and not self._is_thanked(promise) and not self._has_lied:
                return "kept", (temper.honesty + temper.chatter) // 2, args
        return None

    @property
    def _has_lied(self) -> bool:
        """Whether it has broken a promise for this round or the last."""
        return any(
            promise.by == self.memory.seat
            and promise.judgement == "broken"
            and int(promise.terms["round"]) >= self.memory.round - 1
            for promise in self.memory.promises
        )

    def _is_thanked(self, promise: Promise) -> bool:
        """Whether somebody has thanked this seat since it made a promise."""
        return any(
            said.addressee == promise.by
            and said.at >= promise.at
            and read_intent(said.key) in ("thankKept", "thankRaise")
            for said in self.observation.messages
        )

    def _has_worked_against(self, promise: Promise) -> bool:
        """Whether it has itself lowered the tower that was to be raised or left alone, lately."""
        return promise.kind in ("raise", "help", "leave") and any(
            deed.seat == self.observation.seat
            and deed.company == promise.terms.get("company")
            and not deed.is_raise
            and deed.round >= int(promise.terms["round"]) - 1
            for deed in self.memory.deeds
        )

    def _is_repaid(self, promise: Promise, front: str) -> bool:
        """Whether a floor on its front, which still stands, has made up for a promise to raise another."""
        if promise.kind != "raise" or promise.terms.get("company") in (None, front):
            return False
        raised = [
            deed.at
            for deed in self.memory.deeds
            if (deed.seat, deed.company, deed.is_raise) == (promise.by, front, True) and deed.at >= promise.at
        ]
        lowered = any(
            (deed.company, deed.is_raise) == (front, False) and deed.at > max(raised, default=BEFORE)
            for deed in self.memory.deeds
        )
        return bool(raised) and not lowered

    # --- proposals ---

    def propose(self, move: SharesMove) -> Speech:
        """A proposal, or another word of its own, that goes with a move."""
        if isinstance(move, OpenMarket):
            return Speech(self._open_market())
        if not isinstance(move, Lock | Add | Remove | EndTurn) or not self._speaks_up():
            return self._comment(move)
        to = self._choose_partner()
        if to is not None:
            for intent, args in self._list_proposals(move, to):
                remark = self.say(intent, to=to, **args)
                if remark is not None:
                    return Speech(remark, self._pledge(intent, to))
        return self._comment(move)

    def _pledge(self, intent: str, to: int) -> NewPromise | None:
        """What it promises with a request: to raise the tower as well."""
        cause = self.front
        is_pledged = intent == "askRaise" and cause is not None and self.happens(60)
        return self.promise("raise", to, str(cause)) if is_pledged else None

    def _can_join(self, company: str) -> bool:
        """Whether it can raise this tower, too."""
        return self.can_act and can_spare(self.context, "H") and self.gain("H", company) > -CLOSE

    def _open_market(self) -> Remark | None:
        """What it says as it opens the market: where bots may talk of shares, perhaps which ones it seeks."""
        is_free = FREE_TALK in self.observation.talk_policy.phrases
        parts = self.context.valuation.parts
        sought = COMPANIES[max(INDICES, key=parts.__getitem__)]
        seeks = is_free and not self._has_refused(sought) and self.happens(50)
        return self.say("seek", company=sought) if seeks else self.say("market")

    def _comment(self, move: SharesMove) -> Speech:
        if (self.observation.seat + self.memory.round) % self.observation.seats:
            return SILENCE  # all lock at once, and would say the same
        if not isinstance(move, Lock) or not self.happens(self.character.temper.chatter):
            return SILENCE
        if any(self._has_echo(intent) for intent in COMMENTS):
            return SILENCE
        if self.memory.round == self.rounds and self.table.kind == "select":
            return Speech(self.say("last"))
        comments = [*self.dice.shuffle("changes", [*self._list_changes()])]
        standing = [*self._list_standings()]
        for intent, args in [*standing, *comments] if self.happens(30) else [*comments, *standing]:
            remark = self.say(intent, **args)
            if remark is not None:
                return Speech(remark)
        return SILENCE

    def _list_standings(self) -> Iterator[tuple[str, Args]]:
        """Who leads, and by how much."""
        order = sorted(INDICES, key=lambda index: self.companies[index].place)
        first, second = (self.companies[index] for index in order[:2])
        names = {"company": COMPANIES[order[0]], "rival": COMPANIES[order[1]]}
        if first.tied == 2:
            yield "level", names
        elif first.tied == 1 and not self.table.pips:
            ahead = first.size - second.size
            if ahead == 1 and second.size and second.tied == 1:
                yield "close", names
            elif ahead >= FAR:
                yield "lead", {"company": names["company"]}

    def _list_changes(self) -> Iterator[tuple[str, Args]]:
        """What the last round has changed."""
        changes = self.memory.list_changes(self.memory.round - 1)
        if changes is None:
            return
        for company in COMPANIES:
            if changes[company] <= -FALL:
                yield "fell", {"company": company, "count": -changes[company]}
            elif changes[company] >= GROWTH:
                yield "grew", {"company": company, "count": changes[company]}
        before = [len(self.companies[index].floors) - changes[COMPANIES[index]] for index in INDICES]
        led = [index for index in INDICES if before[index] == max(before)]
        leads = [index for index in INDICES if self.companies[index].place == 1]
        if not self.table.pips and len(led) == len(leads) == 1 and led != leads:
            yield "passed", {"company": COMPANIES[leads[0]], "rival": COMPANIES[led[0]]}

    def _speaks_up(self) -> bool:
        """Chatter decides; at a quiet table somebody speaks up in any case."""
        if self.memory.round == 1 and self.table.kind == "select":
            return False
        proposals = sum(read_intent(said.key) in PROPOSALS for said in self.observation.messages)
        is_quiet = proposals * QUIET_ROUNDS < self.memory.round
        return self.happens(50 if is_quiet else self.character.temper.chatter // 6)

    def _choose_partner(self) -> int | None:
        """The seat it likes best of those with cards that can still act in this round; any of several."""
        table = self.table
        able = [
            seat
            for seat in table.others
            if table.hand_sizes[seat]
            and (table.kind == "select" or table.can_act(seat))
            and not self._has_swapped(seat)
        ]
        if not able:
            return None
        order = self.dice.shuffle("partner", able)
        return max(order, key=lambda seat: round(2 * self.liking[seat]))

    def _has_swapped(self, seat: int) -> bool:
        """Whether it has swapped hands with a seat in this round, and so knows what this one can do."""
        return any(
            line.key == "shares.swapped"
            and line.at >= self._began
            and {seat, self.observation.seat} <= read_seats(line.args["seats"])
            for line in self.observation.lines
        )

    def _list_proposals(self, move: SharesMove, to: int) -> list[tuple[str, dict[str, Argument]]]:
        """What it may propose to this seat, in any order; a proposal must be worth something to it.

        Only what is true once the move is made: prizes may change with a floor. It asks to leave a tower
        alone before it can lower any other, so that there is time to answer.
        """
        theirs, cause = self.memory.find_tower_of(to), self.front
        leader = max(INDICES, key=lambda index: self.companies[index].size)
        first = COMPANIES[leader]
        floors: dict[str, object] = {company: self.companies[_index(company)].floors for company in COMPANIES}
        leaves = isinstance(move, EndTurn) and not self.table.spent
        proposals: list[tuple[str, dict[str, Argument]]] = []
        is_over = isinstance(move, Lock | EndTurn)
        is_tall = self.companies[leader].prize >= TALL
        if is_over and is_tall and first not in (cause, theirs) and self.memory.has_lowered(first):
            proposals.append(("askLower", {"company": first, "prize": self.prize_of(first)}))
        if cause is not None:
            args: dict[str, Argument] = {"company": cause}
            spares = self.memory.has_promised(to, LEAVE.kinds, cause)
            if is_over and floors[cause] and not spares:
                offers = theirs not in (None, cause) and floors[str(theirs)]
                if offers and not self._has_word(LOWER.kinds, str(theirs)) and not leaves:
                    proposals.append(("deal", {**args, "yours": str(theirs)}))
                if theirs != cause:  # whoever builds it needs no telling
                    proposals.append(("askLeave", args))
            if self.memory.has_promised(to, RAISE.kinds, cause):
                proposals.append(("remind", args))
            elif self._has_refused(cause) or self.memory.has_lowered(cause):
                pass  # its cards do nothing for this tower, as it has said, or it has pulled it down itself
            elif self._can_join(cause) and not leaves:
                proposals.append(("askRaise", args))
            elif floors[cause] and not isinstance(move, Remove):
                proposals.append(("askFloor", args))
            elif not floors[cause] and not isinstance(move, Add | Remove):
                proposals.append(("askStart", args))
        return [*self.dice.shuffle("proposals", proposals)]


PITIED: Final = ("noCards", "noHearts", "noSpades", "lackHearts", "noTurn", "cannot")
"""Refusals of those who cannot do what they were asked for."""
REPLIES: Final[Mapping[str, str]] = {
    "wellPlayed": "modest",
    "spiedHearts": "heard",
    "spiedSpades": "heard",
    "spiedNothing": "heard",
    "thankRaise": "welcome",
    "thankKept": "welcome",
}
"""Short answers to what needs no thought."""


def _index(company: str) -> int:
    return next(index for index in INDICES if COMPANIES[index] == company)


def speak(talk: Talk, move: SharesMove | None) -> Speech:
    """What the seat says and promises with this move, or without one."""
    observation = talk.observation
    if not observation.may_speak or observation.talk_policy.mode == "closed":
        return SILENCE
    talk.move = move
    speakers: list[Callable[[], Speech]] = [talk.accuse, talk.answer, talk.react]
    if move is not None:
        chosen = move
        speakers.append(lambda: talk.propose(chosen))
    for speaker in speakers:
        speech = speaker()
        if speech.remark is not None or speech.promise is not None:
            return speech
    return SILENCE


def choose_kept(promises: Sequence[Promise], character: Character) -> list[Promise]:
    """The promises that a character means to keep where it costs little; the others it forgets."""
    return [
        promise
        for promise in promises
        if int.from_bytes(promise.id.encode()[:8], "big") % 100 < character.temper.honesty
    ]
