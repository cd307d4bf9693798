"""What a bot knows when it may speak: the board as it will be then, what was said, and who did what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from games.api import (
    Argument,
    Character,
    Dice,
    Millis,
    NewPromise,
    Observation,
    Promise,
    Remark,
    Seat,
    Spoken,
)
from games.kit.promises import contradicts_own, has_room, list_open
from games.kit.wordings import Meaning, UsedWords, read_intent
from games.subdivision.bot.features import (
    Features,
    Mask,
    Placements,
    Position,
    RatedPlacement,
    find_room,
    get_neighbours,
    list_names,
    list_squares,
)
from games.subdivision.bot.pledges import is_in_mood
from games.subdivision.bot.relations import Relations, concerns, read_relations
from games.subdivision.bot.voices import VOICES, find_tone, leaves_out_name, read_tone
from games.subdivision.rules.board import name_of
from games.subdivision.rules.promises import LEFT, MAX_TURNS, TURNS, SubdivisionPromises
from games.subdivision.rules.scoring import MAX_LOST
from games.subdivision.rules.values import Board

RULES: Final = SubdivisionPromises()
Rate: TypeAlias = Callable[[Placements], Sequence[RatedPlacement]]
"""What the bot thinks of placements that it could make next."""

PROMISE: Final = "promise."
PHRASE: Final = "subdivision.say."
PLACED: Final = "subdivision.placed"
MAX_SAID: Final = 24
"""The number of remarks that a seat makes in a game. It remembers more, and so never repeats itself."""
PROPOSALS: Final = frozenset(
    {"askLeave", "callIn", "swap", "askSpare", "truce", "hitLeader", "threat", "counter"}
)
"""The intents of remarks that ask somebody for an answer."""

REPLIES: Final = frozenset(
    (
        *("yesLeave", "yesSwap", "yesSpare", "yesTruce", "yesHit", "yesHitCall", "yield", "counter"),
        *("noWant", "noAhead", "noBroke", "noCrowded", "noGrudge", "noMany", "noneLeft", "builtThere"),
        *("noOnes", "noPlain", "noGiven", "noSpare", "noSpareYet", "already", "noHit", "noHitAhead"),
        *("noHitPeace", "noHitOnes", "noHitMe", "youLead", "youLevel", "youAndMe"),
        *("early", "defy", "shrug", "substitute"),
    )
)
"""The intents of remarks that answer such a proposal."""
CLAIMS: Final = {
    "askLeave": "square",
    "callIn": "square",
    "noWant": "square",
    "defy": "square",
    "threat": "square",
    "swap": "mine",
    "counter": "mine",
}
"""By intent, the argument that is a square which the speaker says it wants itself."""
WAIVERS: Final = {
    **dict.fromkeys(("yesLeave", "yesSwap", "deliver", "yield", "shrug", "swap", "counter"), "square"),
    "askWord": "square",
}
"""By intent, the argument that is a square which the speaker gives up, or would."""
ATTACKS: Final = frozenset({"yesHit", "yesHitCall", "hitLeader"})
AGREEMENTS: Final = frozenset({"yesSwap", "yesTruce", "agreed"})
"""The intents that conclude a trade, in which the other half is still to be promised."""
COMPLAINTS: Final = frozenset({"crowdedMe", "crowdedBoth"})
NAMED: Final = frozenset(
    (
        *PROPOSALS - {"counter"},
        *COMPLAINTS,
        *("crowdedAgain", "tookIt", "brokeLeave", "brokeWord", "brokeDeal", "brokeSpare"),
        *("thanksKept", "praise", "crowdedYou", "sawPlan", "askHalf", "askHalfTruce"),
    )
)
"""The intents that need a name between more than two.

They address somebody who has not just spoken, or blame a move: a person who has just spoken or moved would
take the blame for another's.
"""
MAX_USES: Final = 3
"""How often a sentence is heard at a table, each time about something else."""
ONCE: Final = frozenset(
    (
        *("askLeave", "callIn", "swap", "askSpare", "truce", "hitLeader", "threat"),
        *("crowdedMe", "crowdedBoth", "crowdedYou", "tookIt", "sorry", "sorryAhead", "welcome", "praise"),
        *("thanksYes", "thanksPeace", "thanksKept", "thanksSpared", "joined", "behind", "last"),
        *("crowdedAgain", "ouchWhat", "agreedTo", "hurried", "afterYou", "heardPlan", "sawPlan", "reneged"),
        "forgive",
    )
)
"""The intents whose sentences are heard once at a table: nobody waits for them."""


BUILT_SHARE: Final = 2
"""Nobody speaks of the lead until 1/n of the pyramids are built: before that, every big one changes it."""
TELLING: Final = 3
"""The fewest points by which somebody leads so that it decides what a bot does or says."""


def intent_of(key: str) -> str:
    """What a remark or a phrase is for."""
    return read_intent(key) or key.removeprefix(PHRASE)


class Agreed(NamedTuple):
    """What a person has agreed to without a promise."""

    seat: Seat
    square: str
    is_spared: bool
    """Whether they keep their 1s away from a 3 of the bot's there; else they leave it the square."""
    at: Millis


class Situation:
    """The position in which a remark would be made, and everything that it may be about.

    On the bot's own turn, `position` is the one after its move, since a remark follows the move; `moved`
    says whether it is.
    """

    def __init__(
        self,
        observation: Observation,
        character: Character,
        board: Board,
        position: Position,
        rate: Rate,
        dice: Dice,
        moved: bool = False,
    ) -> None:
        self.observation, self.character, self.board = observation, character, board
        self.position, self.dice, self.moved = position, dice, moved
        self.seat, self.seats, self.temper = observation.seat, observation.seats, character.temper
        self.others = tuple(Seat(seat) for seat in range(observation.seats) if seat != observation.seat)
        self._rate = rate

    @property
    def is_duel(self) -> bool:
        """Whether only two seats play."""
        return self.seats == 2

    # --- the board ---

    @cached_property
    def features(self) -> Features:
        return Features(self.position)

    def name(self, square: int) -> str:
        return name_of(square, self.board.size)

    def read_square(self, name: Argument) -> int:
        """The square with this name, as another bot has said it. Raises KeyError if there is none."""
        return list_names(self.board.size)[str(name)]

    def is_free(self, square: int) -> bool:
        return bool(self.position.empty >> square & 1)

    def lead_of(self, seat: int) -> int:
        """How many points the seat is ahead of the bot; negative if it is behind."""
        return int(self.position.totals[seat] - self.position.totals[self.seat])

    def count_left(self, seat: int) -> int:
        return sum(self.position.left[seat])

    @property
    def is_under_way(self) -> bool:
        """Whether enough is built to speak of who leads."""
        placed = sum(built.bit_count() for built in self.position.built)
        return BUILT_SHARE * placed >= placed + sum(self.count_left(seat) for seat in range(self.seats))

    def is_telling(self, lead: int) -> bool:
        """Whether this lead is worth a word."""
        return lead >= TELLING and self.is_under_way

    def has_just_built(self, square: int) -> bool:
        """Whether the bot has built there with its present move, or nobody has moved since it did."""
        if not self.position.built[self.seat] >> square & 1:
            return False
        return self.board.squares[square] is None or self.board.last == square

    def list_placements(self, seat: int) -> Placements:
        """What the seat could place now."""
        room, left = find_room(self.position, seat), self.position.left[seat]
        squares = (room.ones, self.position.empty, room.threes)
        return [
            (pips, mask)
            for pips, (mask, count) in enumerate(zip(squares, left, strict=True), 1)
            if count and mask
        ]

    def find_sites(self, seat: int) -> Mask:
        """The squares on which the seat could build now."""
        sites = 0
        for _, squares in self.list_placements(seat):
            sites |= squares
        return sites

    def find_exposed(self, seat: int) -> int | None:
        """The 3 of a seat with the most room for 1s around it, if there is any room."""
        near, empty = get_neighbours(self.board.size).near, self.position.empty
        threes = list_squares(self.position.threes[seat])
        best = max(threes, key=lambda square: (near[square] & empty).bit_count(), default=None)
        return best if best is not None and near[best] & empty else None

    @property
    def has_moved_last(self) -> bool:
        """Whether the last pyramid before its own move is the bot's."""
        last = self.board.last
        piece = None if last is None else self.board.squares[last]
        return piece is not None and piece.seat == self.seat

    def list_harmed(self, seat: Seat) -> tuple[int, ...]:
        """The 3s of a seat that the bot's 1 has just cost a point, if nobody has moved since."""
        last = self.board.last
        if last is None or not self.has_moved_last or not self.position.ones[self.seat] >> last & 1:
            return ()
        near = get_neighbours(self.board.size).near[last]
        threes = list_squares(self.position.threes[seat] & near)
        return tuple(three for three in threes if 2 <= self.features.count_ones_near(three) <= MAX_LOST + 1)

    @cached_property
    def rated(self) -> Sequence[RatedPlacement]:
        """The bot's next placements, if it were its turn."""
        return self._rate(self.list_placements(self.seat))

    @cached_property
    def wishes(self) -> tuple[int, ...]:
        """The squares on which it could build, the best first."""
        best: dict[int, float] = {}
        for points, _, square in self.rated:
            best[square] = max(points, best.get(square, points))
        return tuple(sorted(best, key=lambda square: (-best[square], square)))

    def price(self, ones: Mask, others: Mask) -> float:
        """What it would cost to place no 1 on some squares, and no other pyramid on others."""
        if not self.rated:
            return 0.0
        best = max(placement.points for placement in self.rated)
        rest = [p.points for p in self.rated if not (ones if p.pips == 1 else others) >> p.square & 1]
        return best - max(rest) if rest else 99.0

    def price_square(self, square: int) -> float:
        return self.price(1 << square, 1 << square)

    def price_sparing(self, seat: int) -> float:
        near = get_neighbours(self.board.size).near
        around = 0
        for three in list_squares(self.position.threes[seat]):
            around |= near[three]
        return self.price(around, 0)

    # --- the others ---

    @cached_property
    def dislikes(self) -> tuple[float, ...]:
        """By seat, what the bot holds against it or has agreed to do to it, less what it owes it.

        A seat that has gone back on its half of a trade has broken no promise, but is not forgiven either.
        """
        relations = self.relations
        dislikes = [
            wrong - favour * self.temper.warmth / 50
            for wrong, favour in zip(relations.wrongs, relations.favours, strict=True)
        ]
        for said in self.said:
            if intent_of(said.key) in ATTACKS:
                enemy = said.args["enemy"]
                assert isinstance(enemy, int)
                dislikes[enemy] += 1
        for said in self.remarks:
            if intent_of(said.key) == "reneged" and said.addressee == self.seat:
                dislikes[said.seat] += 1
        return tuple(dislikes)

    @cached_property
    def relations(self) -> Relations:
        return read_relations(self.observation, self.board, self.temper)

    def list_promises(self, by: int, judgement: str) -> list[str]:
        """The ids of promises to the bot with this judgement."""
        return [
            promise.id
            for promise in self.observation.promises
            if promise.by == by and promise.judgement == judgement and concerns(promise, self.seat)
        ]

    def has_broken_word_to(self, seat: Seat) -> bool:
        """Whether it has broken a promise that this seat relied on."""
        return any(
            promise.by == self.seat and promise.judgement == "broken" and concerns(promise, seat)
            for promise in self.observation.promises
        )

    def has_just_broken_word_to(self, seat: Seat) -> bool:
        """Whether it has broken a promise to this seat within a round."""
        ages = self.relations.ages
        return any(
            promise.by == self.seat
            and promise.judgement == "broken"
            and seat in promise.to
            and ages.get(promise.id, self.seats) < self.seats
            for promise in self.observation.promises
        )

    def is_promised(self, by: Seat, name: str) -> bool:
        """Whether a seat has promised the bot this square."""
        return any(
            promise.kind == "leave_square"
            and promise.terms["square"] == name
            and concerns(promise, self.seat)
            for promise in self.list_pledges(by)
        )

    def list_pledges(self, by: int) -> tuple[Promise, ...]:
        """A seat's promises that still hold, after the bot's move if it has moved."""
        left = self.count_left(by)
        return tuple(
            promise
            for promise in list_open(self.observation.promises, Seat(by))
            if int(promise.terms.get(LEFT, -1)) < left
        )

    # --- what was said ---

    @cached_property
    def said(self) -> tuple[Spoken, ...]:
        """Its own remarks."""
        return tuple(said for said in self.remarks if said.seat == self.seat)

    @cached_property
    def remarks(self) -> tuple[Spoken, ...]:
        """What everybody has said; promises, which are heard as well, are read where they are judged."""
        return tuple(said for said in self.observation.messages if not said.key.startswith(PROMISE))

    def is_fresh(self, said: Spoken) -> bool:
        """Whether this still needs an answer: a proposal, or the yes to it, for longer than other words.

        It counts how often whoever said it has placed a pyramid since.
        """
        placed = sum(
            line.key == PLACED and line.args["seat"] == said.seat and line.at > said.at
            for line in self.observation.lines
        )
        return placed < (2 if intent_of(said.key) in PROPOSALS | AGREEMENTS else 1)

    def has_told(self, intents: frozenset[str], to: int, **args: Argument) -> bool:
        """Whether it has told this seat something for one of these intents, with these arguments."""
        return any(
            intent_of(said.key) in intents
            and said.args.get("to") == to
            and all(said.args.get(name) == value for name, value in args.items())
            for said in self.said
        )

    def has_claimed(self, name: str) -> bool:
        """Whether it has said that it wants this square."""
        return self._names(CLAIMS, name)

    def has_waived(self, name: str) -> bool:
        """Whether it has said that somebody else may have this square, or can."""
        return self._names(WAIVERS, name) or bool(self.list_owners(name))

    def _names(self, intents: Mapping[str, str], name: str) -> bool:
        return any(said.args.get(intents.get(intent_of(said.key), "")) == name for said in self.said)

    def attacks(self, seat: int) -> bool:
        """Whether it has agreed to crowd this seat, or asked others to."""
        return any(intent_of(said.key) in ATTACKS and said.args["enemy"] == seat for said in self.said)

    def list_owners(self, name: str) -> tuple[Seat, ...]:
        """The seats to which it has promised this square, as long as it has to stay off."""
        return tuple(
            seat
            for promise in self.list_pledges(self.seat)
            if promise.kind == "leave_square" and promise.terms["square"] == name
            for seat in promise.to
        )

    def spares(self, by: int, seat: int) -> bool:
        """Whether a seat has promised another not to crowd it, and the promise still holds."""
        return any(
            promise.kind == "avoid_crowding" and seat in promise.to for promise in self.list_pledges(by)
        )

    def has_told_no(self, enemy: int) -> bool:
        """Whether it has said that it has nothing against this seat, and nothing has happened since."""
        quarrel = self.list_promises(enemy, "broken") or self.relations.list_costly(enemy)
        said_so = any(intent_of(said.key) == "noHit" and said.args["enemy"] == enemy for said in self.said)
        return said_so and not quarrel

    def list_agreed(self) -> list[Agreed]:
        """What it has asked of people for nothing, and to which they have said "Agreed." at once."""
        agreed: list[Agreed] = []
        asked: dict[int, Spoken] = {}
        for said in self.remarks:
            if said.seat == self.seat and isinstance(said.addressee, int):
                asked.pop(said.addressee, None)
                if intent_of(said.key) in ("askLeave", "callIn", "askSpare"):
                    asked[said.addressee] = said
            elif intent_of(said.key) == "agreed" and not said.bot and said.seat in asked:
                request = asked.pop(said.seat)
                is_spared = intent_of(request.key) == "askSpare"
                agreed.append(Agreed(said.seat, str(request.args["square"]), is_spared, said.at))
        return agreed

    def is_in_mood(self, percent: int, *about: object) -> bool:
        """Like `happens`, but with the same answer for the same occasion, however often it is asked."""
        return is_in_mood(percent, self.character.key, self.seat, *about)

    def happens(self, percent: int) -> bool:
        return self.dice.below("talk", 100) < percent

    @property
    def may_speak(self) -> bool:
        heard = self.observation.may_speak and self.observation.talk_policy.mode != "closed"
        return heard and len(self.said) < MAX_SAID

    def word(self, intent: str, **args: Argument) -> Remark | None:
        """A remark that nobody at the table has made, in its own tone if possible; None if none is left.

        It does without a name where it is clear who is meant.
        """
        if not self.may_speak:
            return None
        tone, is_clear = find_tone(self.character), self._is_clear(intent, args.get("to"))
        used = UsedWords(self.remarks)

        def rank(key: str) -> int:
            return 2 * (not read_tone(key)) + (is_clear and not leaves_out_name(key))

        remark = used.choose(VOICES[tone, is_clear], [Meaning(intent, args)], self.dice, rank)
        if remark is None and not is_clear and intent not in NAMED:
            remark = used.choose(VOICES[tone, True], [Meaning(intent, args)], self.dice, rank)
        most = 1 if intent in ONCE else MAX_USES
        if remark is None or sum(said.key == remark.key for said in self.remarks) >= most:
            return None
        return remark

    def _is_clear(self, intent: str, to: Argument | None) -> bool:
        """Whether nobody else can be meant: two play, or the seat has spoken last."""
        if self.is_duel:
            return True
        if intent in NAMED:
            return False
        messages = self.observation.messages
        return bool(messages) and messages[-1].seat == to and messages[-1].addressee in (None, self.seat)

    # --- promising ---

    @cached_property
    def may_promise(self) -> bool:
        """Whether its seat may make another promise, and has a pyramid left to keep it with."""
        has_left = self.count_left(self.seat) > 0 and not self.character.is_substitute
        return has_left and has_room(self.observation.promises, self.seat, self.seats)

    @property
    def promised_turns(self) -> int:
        """The term `turns` of its promises, which last as long as any may; its own move counts as a turn."""
        return min(MAX_TURNS, self.count_left(self.seat) + self.moved)

    def promise(self, kind: str, to: Seat, **terms: int | str) -> NewPromise | None:
        """A promise, unless a like one or one that it contradicts is open, or there is no room for it."""
        promises = self.observation.promises
        like = any(
            (promise.kind, promise.to) == (kind, (to,))
            and all(promise.terms.get(name) == value for name, value in terms.items() if name != TURNS)
            for promise in list_open(promises, self.seat)
        )
        if like or not has_room(promises, self.seat, self.seats):
            return None
        new = NewPromise(kind, terms, (to,), bot=True)
        return None if contradicts_own(RULES, promises, self.observation.sections, self.seat, new) else new
