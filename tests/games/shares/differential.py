"""Share and Share Alike played twice: by the rules, and by the reference version (reference.py).

Every command, legal or not, every time-out and every random result is given to both versions. After each
event, all the state that both have is compared. State that only one of them has is left out: clocks, who is
away, the log, and the ids of prompts and offers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from games.api import Millis, Outcome, Prompt, PromptId, Refusal, Seat
from games.kit import choices as kit_choices
from games.kit import offers as offering
from games.kit.moves import convert_move
from games.shares.rules import prompts, showing
from games.shares.rules.game import SHARES
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import CARDS, COMPANIES, OFFERS
from games.shares.rules.values import SharesState
from games.testing import random_play
from games.testing.positions import moves_of
from tests.games.shares import move_words as words
from tests.games.shares import reference, reference_table
from tests.games.shares.move_words import Raw
from tests.games.shares.reference_table import Game
from tests.games.shares.same_words import first_has, marked, second_has

T = TypeVar("T")
FIELDS: Final = {
    tag: [field.encode_name for field in msgspec.structs.fields(kind)]
    for tag, kind in moves_of(SHARES).items()
}
TIME: Final = ("extend", "lastCall")
"""Moves the second version does not have: they change only clocks."""
BEYOND: Final = ("TOO_MANY", "ALREADY_SHOWN", "NOTHING_MARKED")
"""Refusals of moves that the rulings allow but nobody needs: see `Twice.needless`."""


class Disagreement(AssertionError):
    """Raised when the two versions disagree."""


class Recorded:
    """Dice that record their results, by label."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.shown: list[tuple[str, Any]] = []

    def below(self, label: str, sides: int) -> int:
        result = self.chance.randrange(sides)
        self.shown.append((label, result))
        return result

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        result = tuple(self.chance.sample(items, len(items)))
        self.shown.append((label, result))
        return result

    def take(self, label: str) -> Any:
        """Removes and returns the first result for this label."""
        place = next(place for place, (name, _) in enumerate(self.shown) if name == label)
        return self.shown.pop(place)[1]


class Manner(NamedTuple):
    """How a game is played: how many of every 100 events are time-outs, and how many may be illegal moves."""

    idle: int
    wild: int


class Twice:
    """One game, played by both versions."""

    def __init__(self, seats: int, options: SharesOptions, seed: int, manner: Manner) -> None:
        self.seats, self.options, self.manner = seats, options, manner
        self.fate = random.Random(seed)
        self.dice = Recorded(random.Random(f"dice {seed}"))
        self.at = Millis(0)
        self.state: SharesState = SHARES.setup(seats, options, self.at, self.dice).state
        self.dice.shown.clear()
        taken = reference_table.Options(
            talk=options.talk,
            open_market=options.open_market,
            lowball=options.lowball,
            company_metric=options.company_metric,
            company_tie=options.company_tie,
            rounding=options.rounding,
            lowball_card=options.lowball_card,
            chance3_source=options.chance3_source,
            chance4_draw=options.chance4_draw,
            rounds=int(options.rounds),
        )
        self.game = reference_table.start(
            taken, [list(hand) for hand in self.state.hands], list(self.state.deck)
        )
        self.prompts: tuple[Prompt, ...] = ()
        self.over = False
        self.steps: list[str] = []
        self.met: set[str] = set()
        self.built: Any = None
        self.compare()

    # --- commands ---

    def verdict(self, seat: Seat, prompt: PromptId, raw: Raw) -> tuple[Refusal | None, Game | str] | None:
        """Returns each version's verdict on a move, without making it; None if it is not a move at all.

        A move under the wrong prompt is refused without asking the second version, which has no prompts.
        """
        try:
            move = convert_move(raw, SHARES.Move)
        except msgspec.ValidationError:
            return None
        packed = msgspec.msgpack.encode(self.state)
        refused: Refusal | None = Refusal("STALE_PROMPT", "GEN-4")
        if any(one.id == prompt and seat in one.seats for one in self.prompts):
            refused = SHARES.check(self.state, seat, prompt, move, self.at)
        if msgspec.msgpack.encode(self.state) != packed:
            raise self.fault("a check changed the state")
        return refused, self.second(seat, prompt, raw)

    def agreed(self, seat: Seat, prompt: PromptId, raw: Raw) -> Game | None:
        """The second version's state after a move; None if both refuse it or it is not a move."""
        found = self.verdict(seat, prompt, raw)
        if found is None:
            return None
        refused, after = found
        if refused is not None and isinstance(after, Game) and self.needless(seat, refused, raw):
            self.met.add(refused.code)
            return None
        if (refused is None) != isinstance(after, Game):
            said = "allows" if isinstance(after, Game) else f"refuses it under {after}"
            raise self.fault(f"{seat} {prompt} {raw}: {refused}; the second version {said}")
        if isinstance(after, Game):
            return after
        self.met.add(f"refused: {raw['move']}")
        return None

    def needless(self, seat: Seat, refused: Refusal, raw: Raw) -> bool:
        """Whether the move made one offer too many, or showed a tracker with nothing new."""
        match refused.code:
            case "TOO_MANY":
                return market_full(self.state, seat)
            case "NOTHING_MARKED":
                return not self.game.marks[seat]
            case "ALREADY_SHOWN":
                to = raw.get("to", [other for other in range(self.seats) if other != seat])
                now = tuple(self.game.marks[seat]), tuple(self.game.delta[seat])
                known = [self.last_shown(seat, other) == now for other in to]
                return all(known) if raw["move"] == "showAll" else any(known)
            case _:
                return False

    def second(self, seat: Seat, prompt: PromptId, raw: Raw) -> Game | str:
        """The second version's state after this move, or the rule that forbids it."""
        kind = prompt.partition(":")[0]
        main = self.prompts[0].id
        tag = str(raw["move"])
        if tag in TIME:
            return reference_table.fresh(self.game) if kind == tag and self.listed(seat, prompt) else "GEN-4"
        own = {"show": showing.PROMPT, "showAll": showing.PROMPT}.get(tag, main)
        offer = offering.find(self.state.offers, prompt)
        if offer is not None and tag in ("accept", "counter", "decline", "cancel"):
            own = PromptId(offer.id)
        if prompt != own:
            return "GEN-4"
        try:
            return reference.feed_all(self.game, list(words.events(self.state, self.game, seat, prompt, raw)))
        except words.Untold:
            return "GEN-4"

    def listed(self, seat: Seat, prompt: PromptId) -> bool:
        return any(one.id == prompt and seat in one.seats for one in self.prompts)

    # --- events ---

    def do(self, seat: Seat, prompt: PromptId, raw: Raw) -> bool:
        """Makes the move in both versions if both allow it, and returns whether they did."""
        after = self.agreed(seat, prompt, raw)
        if after is None:
            return False
        move = convert_move(raw, SHARES.Move)
        self.steps.append(f"{seat} {prompt} {dict(raw)}")
        self.met.add(f"{self.game.phase}: {raw['move']}")
        self.state = SHARES.apply(self.state, seat, prompt, move, self.at, self.dice).state
        self.game = after
        self.settle()
        return True

    def expire(self) -> bool:
        """Lets time pass until the next window ends, and returns whether there was one."""
        due = random_play.first_due(SHARES.windows(self.state))
        if due is None:
            return False
        window, self.at = due
        self.steps.append(f"{window.id} ends")
        alone = Seat(min(window.concerns)) if window.kind == "away" else None
        self.met.add(f"{self.game.phase}: time" + (" of one" if alone is not None else ""))
        before = self.state
        self.state = SHARES.expire(before, window.id, self.at, self.dice).state
        found = self.missed(before, alone)
        if isinstance(found, str):
            raise self.fault(f"the second version refuses the end of {window.id}: {found}")
        self.game = found
        self.settle()
        return True

    def missed(self, before: SharesState, alone: Seat | None) -> Game | str:
        """The second version's state after this time-out, or the rule that forbids it."""
        game = self.game
        if game.phase == "select":
            open_to = reference_table.waiting(game) if alone is None else [int(alone)]
            drawn: list[reference.Event] = [
                ("select", (seat, self.dice.take("mark"))) for seat in open_to if game.drafts[seat] is None
            ]
            if alone is None:
                return reference.expire(game, drawn)
            return reference.feed_all(game, [*drawn, ("lock", (int(alone),))])
        if game.phase == "lowball" and alone is not None:
            return reference.feed(game, "no_card", int(alone))
        return reference.expire(game, list(self.drawn(before)))

    def drawn(self, before: SharesState) -> Iterator[reference.Event]:
        """The events that the rules chose at random because a seat did not choose."""
        seat = before.scene.seat
        others = [other for other in range(self.seats) if other != seat]
        match before.scene.kind:
            case "chance1":
                other = [other for other in others if before.hands[other]][self.dice.take("target")]
                yield "target", (seat, other)
                yield "take", (seat, before.hands[other][self.dice.take("take")])
            case "take":
                assert before.peek is not None
                yield "take", (seat, before.hands[before.peek.other][self.dice.take("take")])
            case "chance2":
                yield "swap", (seat, *self.dice.take("pair")[:2])
            case "chance6":
                yield "target", (seat, others[self.dice.take("target")])
            case _:
                pass

    def settle(self) -> None:
        """Feeds the random results to the second version, and then compares the two."""
        while self.game.phase in ("start", "roll"):
            name, label, more = ("begin", "start", 0) if self.game.phase == "start" else ("roll", "die", 1)
            try:
                value = self.dice.take(label) + more
            except StopIteration:
                raise self.fault(f"no {label} was rolled, but the second version is waiting for it") from None
            found = reference.feed(self.game, name, value)
            if isinstance(found, str):
                raise self.fault(f"{name} {value}: {found}")
            self.game = found
        left = [shown for shown in self.dice.shown if shown[0] != "offer"]
        if left:
            raise self.fault(f"random results that were not used: {left}")
        self.dice.shown.clear()
        self.compare()

    # --- comparisons ---

    def fault(self, what: str) -> Disagreement:
        last = "\n  ".join(self.steps[-6:])
        return Disagreement(f"{what}\n{self.seats} seats, {self.options}, after\n  {last}")

    def compare(self) -> None:
        found = SHARES.prompts(self.state)
        self.over = isinstance(found, Outcome)
        self.prompts = () if isinstance(found, Outcome) else found
        self.same(first_has(self.state), second_has(self.game))
        if self.state.towers != self.built:  # prizes depend only on the towers
            self.built = self.state.towers
            standing = SHARES.public(self.state)["towers"].data.companies  # type: ignore[attr-defined]
            self.same([one.prize for one in standing], reference_table.score(self.game).prizes)
        if self.options.talk == "wholeTruth" and not self.over:
            self.compare_shown()
        if self.over:
            self.compare_scores()

    def same(self, one: Any, other: Any) -> None:
        if one != other:
            if isinstance(one, dict):
                differing = [key for key in one if one[key] != other[key]]
                one, other = ({key: had[key] for key in differing} for had in (one, other))
            raise self.fault(f"{one}; in the second version {other}")

    def last_shown(self, seat: int, viewer: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The tracker that a seat last showed this viewer, in the second version."""
        found = [one for one in self.game.shown if one.seat == seat and viewer in one.to]
        return (found[-1].marks, found[-1].delta) if found else None

    def compare_shown(self) -> None:
        for seat in range(self.seats):
            for viewer in range(self.seats):
                if viewer != seat:
                    shown = self.state.seen[viewer][seat] or self.state.shows.shown[seat]
                    tracker = None if shown is None else shown.tracker
                    known = None if tracker is None else (tuple(marked(tracker.marks)), tracker.traded)
                    self.same(known, self.last_shown(seat, viewer))

    def compare_scores(self) -> None:
        """Compares prizes, claims, values and scores as exact fractions, and the winners (1d)."""
        found, end = self.state.reckoning, reference_table.score(self.game)
        assert found is not None
        outcome = SHARES.prompts(self.state)
        assert isinstance(outcome, Outcome)
        exact = [None if value is None else (value.numerator, value.denominator) for value in end.values]
        self.same([company.prize for company in found.companies], end.prizes)
        self.same([company.claimed for company in found.companies], end.claimed)
        self.same([company.value for company in found.companies], exact)
        self.same(
            [(score, outcome.over) for score in outcome.scores],
            [(score * outcome.over, outcome.over) for score in end.scores],
        )
        self.same([int(seat) for seat in outcome.winners], end.winners)

    # --- playing ---

    def play(self, limit: int = 6_000) -> None:
        """Plays to the end, occasionally trying illegal moves in both versions. Raises Disagreement."""
        for _ in range(limit):
            if self.over:
                return
            due = random_play.first_due(SHARES.windows(self.state))
            latest = self.at + 3_000 if due is None else min(self.at + 3_000, due[1] - 1)
            drawn = self.fate.randrange(100)
            if drawn < self.manner.idle and self.expire():
                continue
            self.at = Millis(max(self.at, self.fate.randint(self.at, max(self.at, latest))))
            if drawn < self.manner.idle + self.manner.wild:
                self.wild()
            if self.fate.random() < 0.02:
                self.all_legal()
            self.move()
        raise self.fault("the game did not end")

    def move(self) -> None:
        """Makes a legal move, usually one that advances the game, by a seat the game is waiting for."""
        if self.game.phase == "market" and self.fate.random() < 0.5:
            self.deal()
            return
        main, done = self.prompts[0], prompts.done(self.state)
        awaited = sorted(seat for seat in main.seats if not done[seat])
        seat = Seat(self.fate.choice(awaited if self.fate.random() < 0.9 else range(self.seats)))
        if self.fate.random() < 0.2:
            found = SHARES.sample(self.state, seat, Recorded(self.fate))
            raw = None if found is None else msgspec.to_builtins(found[1])
            prompt = None if found is None else found[0]
        else:
            prompt = main.id
            mine = SHARES.choices(self.state, seat).get(prompt, ())
            raw = (
                None
                if not mine
                else kit_choices.fill(mine[self.fate.randrange(len(mine))], self.seats, Recorded(self.fate))
            )
        if prompt is not None and raw is not None and not self.do(seat, prompt, raw):
            raise self.fault(f"{seat} was offered a move that is refused: {prompt} {raw}")

    def deal(self) -> None:
        """Makes an offer of a few shares, allowed or not, or answers one."""
        if self.state.offers.open and self.fate.random() < 0.6:
            offer = self.fate.choice(self.state.offers.open)
            tag = self.fate.choice(("accept", "accept", "accept", "decline", "cancel", "counter"))
            terms = self.terms() if tag == "counter" else {}
            self.do(Seat(self.fate.randrange(self.seats)), PromptId(offer.id), {"move": tag, **terms})
            return
        by, to = self.fate.sample(range(self.seats), 2)
        raw = {"move": "propose", "to": to, **self.terms()}
        self.do(Seat(by), self.prompts[0].id, raw)

    def terms(self) -> Raw:
        give, wish = (
            [self.fate.choice(COMPANIES) for _ in range(self.fate.choice((0, 1, 1, 2)))] for _ in range(2)
        )
        return {"give": give, "wish": wish}

    def wild(self) -> None:
        """Compares the verdicts on moves of any kind by any seat, some of them almost legal."""
        seat = Seat(self.fate.randrange(self.seats))
        prompt = self.fate.choice((self.prompts[0], self.fate.choice(self.prompts))).id
        mine = SHARES.choices(self.state, seat).get(prompt, ())
        fitting = sorted({one.move for one in mine} or FIELDS)
        tag = self.fate.choice(fitting if self.fate.random() < 0.6 else sorted(FIELDS))
        tries = list(kit_choices.attempts({tag: FIELDS[tag]}, mine, self.seats, Recorded(self.fate)))
        tries = [
            *self.fate.sample(tries, min(3, len(tries))),
            *(self.random_move(seat, tag) for _ in range(2)),
        ]
        for raw in tries:
            self.agreed(seat, prompt, raw)

    def random_move(self, seat: Seat, tag: str) -> Raw:
        """A move with random cards, companies and seats."""
        chance = self.fate
        hand = self.state.hands[seat] or CARDS
        lots = self.terms()
        fields: Raw = {
            "card": chance.choice(chance.choice((CARDS, hand))),
            "cards": chance.choices(chance.choice((CARDS, hand)), k=chance.randrange(4)),
            "company": chance.choice(COMPANIES),
            "tower": chance.choice(COMPANIES),
            "seat": chance.randrange(6),
            "seats": chance.choices(range(6), k=chance.choice((1, 2, 2, 2))),
            "to": chance.choices(range(6), k=chance.randrange(4)) if tag == "show" else chance.randrange(6),
            "what": chance.choice(("hand", "tracker")),
            "by": chance.randint(-2, 2),
            "place": chance.randrange(8),
            **lots,
        }
        return {"move": tag, **{name: fields[name] for name in FIELDS[tag] if name in fields}}

    def all_legal(self) -> None:
        """Checks that the rules allow everything that the second version allows now."""
        for name, arguments in reference.legal(self.game):
            seat, prompt, raw = words.told(self.state, self.game, name, arguments)
            if self.agreed(seat, prompt, raw) is None:
                raise self.fault(f"not a move, or refused by both: {seat} {prompt} {raw}")


def market_full(state: SharesState, seat: Seat) -> bool:
    """Whether the seat has the maximum number of offers open to some other seat."""
    return any(
        other != seat and offering.count_offers(state.offers.open, seat, Seat(other)) >= OFFERS
        for other in range(len(state.hands))
    )
