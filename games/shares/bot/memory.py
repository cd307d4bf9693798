"""What a bot remembers of others: whom it owes something, and who has wronged it.

All of it is read again from each observation: the log lines, the promises and what was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from games.api import Judgement, Observation, Promise, Seat, SeenLine, Spoken, Temper
from games.kit.observations import part
from games.kit.promises import list_open
from games.shares.bot.sayings import FLOORS, TRUCES, find_proposal, read_intent
from games.shares.rules.pieces import COMPANIES, HAND
from games.shares.rules.values import Players, Stage, Towers

ROUND: Final = "shares.round"
RAISED: Final = "shares.added"
LOWERED: Final = "shares.removed"
BROKEN_WEIGHT: Final = 3.0
"""A broken promise weighs as much as this many floors."""
RAISING: Final = ("raise", "help")
"""The promises of a floor on a tower."""
PAID: Final = frozenset({"shares.played", "shares.discarded", "shares.market"})
"""Lines about an action that takes a card."""
TURN_ENDS: Final = frozenset({"shares.ended", "shares.out", "shares.drawUp"})
DRAWS: Final = frozenset({"shares.drew", "shares.drewOpen"})
GAINS: Final = DRAWS | {"shares.took"}
BEFORE: Final = -1
"""A table time before every other."""


class Deed(NamedTuple):
    """A floor added or removed by a seat."""

    seat: Seat
    company: str
    is_raise: bool
    round: int
    at: int


class Agreement(NamedTuple):
    """A person's yes to a proposal to leave a tower alone in a round, or to raise it."""

    by: Seat
    to: Seat
    company: str
    round: int
    at: int
    is_raise: bool
    could_keep: bool
    """Whether its seat has had a card for it; a yes to leave a tower alone takes none."""


class Memory(NamedTuple):
    """What one seat knows about the dealings of all seats."""

    seat: Seat
    round: int
    deeds: tuple[Deed, ...]
    """Oldest first."""
    promises: tuple[Promise, ...]
    spoke_at: int
    """When this seat last said something."""
    agreements: tuple[Agreement, ...] = ()
    spared: tuple[str, ...] = ()
    """Towers that it must not lower: it has offered a truce for them in this round, or threatened them
    without being provoked since; none that it has promised to lower."""
    verdicts: tuple[str, ...] = ()
    """The ids of promises that were kept or broken, the latest last."""
    first_round: int = 0
    """The first round of which it knows all deeds."""

    def list_new(self, *, is_raise: bool, company: str) -> list[Deed]:
        """What others have done to a tower in this round or the last since this seat last spoke, latest
        first."""
        return [
            deed
            for deed in reversed(self.deeds)
            if (deed.is_raise, deed.company) == (is_raise, company)
            and deed.seat != self.seat
            and deed.at > self.spoke_at
            and deed.round >= self.round - 1
        ]

    def list_changes(self, round_number: int) -> dict[str, int] | None:
        """By company, how many floors its tower gained or lost in a round; None if it is too long ago."""
        if round_number < max(1, self.first_round):
            return None
        changes: dict[str, int] = dict.fromkeys(COMPANIES, 0)
        for deed in self.deeds:
            if deed.round == round_number:
                changes[deed.company] += 1 if deed.is_raise else -1
        return changes

    def has_raised_before(self, deed: Deed) -> bool:
        """Whether this seat had already added a floor to that tower when a deed was done."""
        earlier = self.deeds[: self.deeds.index(deed)]
        wanted = self.seat, deed.company, True
        return any((one.seat, one.company, one.is_raise) == wanted for one in earlier)

    def find_tower_of(self, seat: int) -> str | None:
        """The tower that a seat has raised most often, and last."""
        raised = Counter(deed.company for deed in reversed(self.deeds) if deed.is_raise and deed.seat == seat)
        return max(raised, key=raised.__getitem__, default=None)

    def has_lowered(self, company: str) -> bool:
        """Whether this seat has taken a floor off a tower, and put none on it since."""
        deeds = [deed.is_raise for deed in self.deeds if (deed.seat, deed.company) == (self.seat, company)]
        return deeds[-1:] == [False]

    def list_helpers(self, seat: int) -> set[int]:
        """The seats that have raised this seat's tower, or made or kept a promise to it, lately."""
        return self._list_doers(seat, is_raise=True, judgements=("kept", None))

    def list_culprits(self, seat: int) -> set[int]:
        """The seats that have lowered this seat's tower, or broken a promise to it, lately."""
        return self._list_doers(seat, is_raise=False, judgements=("broken",))

    def _list_doers(self, seat: int, *, is_raise: bool, judgements: Sequence[Judgement | None]) -> set[int]:
        tower, since = self.find_tower_of(seat), self.round - 1
        doers: set[int] = {
            deed.seat
            for deed in self.deeds
            if (deed.company, deed.is_raise) == (tower, is_raise) and deed.round >= since
        }
        doers.update(
            promise.by
            for promise in self.promises
            if promise.judgement in judgements
            and (not promise.to or seat in promise.to)
            and int(promise.terms["round"]) >= since
        )
        return doers - {seat}

    def list_breaches(self) -> list[Agreement]:
        """Others' agreements with this seat, of this round or the last, that they did not keep."""
        return [
            agreement
            for agreement in self.agreements
            if agreement.to == self.seat
            and agreement.round >= self.round - 1
            and self._is_breached(agreement)
        ]

    def _is_breached(self, agreement: Agreement) -> bool:
        """Whether a tower was lowered, or not raised by the end of the round, in spite of an agreement."""
        is_done = any(
            (deed.seat, deed.company, deed.is_raise, deed.round)
            == (agreement.by, agreement.company, agreement.is_raise, agreement.round)
            and deed.at > agreement.at
            for deed in self.deeds
        )
        if not agreement.is_raise:
            return is_done
        is_promised = any(
            (one.by, one.terms.get("company"), one.terms["round"])
            == (agreement.by, agreement.company, agreement.round)
            and one.kind in RAISING
            for one in self.promises
        )
        is_over = agreement.round < self.round
        return agreement.could_keep and is_over and not is_done and not is_promised

    def list_own_open(self) -> list[Promise]:
        """The promises of this seat for this round that are open."""
        open_promises = list_open(self.promises, self.seat)
        return [promise for promise in open_promises if promise.terms["round"] == self.round]

    def concerns_me(self, promise: Promise) -> bool:
        """Whether another seat made this promise to this one, among others."""
        return promise.by != self.seat and (not promise.to or self.seat in promise.to)

    def has_broken(self, seat: int) -> bool:
        """Whether a seat has broken a promise to this one, or to all."""
        return any(
            promise.by == seat and promise.judgement == "broken" and not promise.excused
            for promise in self.promises
            if self.concerns_me(promise)
        )

    def doubts(self, seat: int) -> bool:
        """Whether a seat has broken the last promise to this one, or to all, that was judged."""
        order = {id: number for number, id in enumerate(self.verdicts)}
        judged = [
            (order.get(promise.id, BEFORE), number, promise.judgement)
            for number, promise in enumerate(self.promises)
            if promise.by == seat
            and promise.judgement in ("kept", "broken")
            and not promise.excused
            and self.concerns_me(promise)
        ]
        return bool(judged) and max(judged)[-1] == "broken"

    def has_promised(self, seat: int, kinds: Sequence[str], company: str) -> bool:
        """Whether a seat's promise of this kind to this one, or to all, binds it in this round."""
        return any(
            (promise.by, promise.judgement, promise.terms.get("company"), promise.terms["round"])
            == (seat, None, company, self.round)
            and promise.kind in kinds
            and not promise.hindered
            for promise in self.promises
            if self.concerns_me(promise)
        )

    def rate_seats(self, seats: int, tower: str | None, temper: Temper, rounds: int) -> list[float]:
        """How well this seat likes each seat: thanks fade with `warmth`, wrongs are forgotten by `grudge`."""
        since = self.round - rounds * temper.grudge / 100
        liking = [0.0] * seats
        for deed in self.deeds:
            if deed.seat != self.seat and deed.company == tower:
                if deed.is_raise:
                    liking[deed.seat] += temper.warmth / 100
                elif deed.round >= since:
                    liking[deed.seat] -= 1.0
        for promise in self.promises:
            if self.concerns_me(promise) and not promise.excused:
                if promise.judgement == "kept":
                    liking[promise.by] += temper.warmth / 100
                elif promise.judgement == "broken" and int(promise.terms["round"]) >= since:
                    liking[promise.by] -= BROKEN_WEIGHT
        for agreement in self.list_breaches():
            liking[agreement.by] -= BROKEN_WEIGHT
        return liking


def remember(observation: Observation) -> Memory:
    """Reads the deeds of all seats and this seat's own last word from an observation."""
    stage = part(observation, "stage", Stage)
    deeds: list[Deed] = []
    round_number = stage.round
    for line in reversed(observation.lines):
        if line.key == ROUND:
            round_number -= 1
        elif line.key in (RAISED, LOWERED):
            seat, company = Seat(_read_number(line.args["seat"])), str(line.args["company"])
            deeds.append(Deed(seat, company, line.key == RAISED, round_number, line.at))
    spoke_at = next(
        (said.at for said in reversed(observation.messages) if said.seat == observation.seat), BEFORE
    )
    memory = Memory(
        observation.seat,
        stage.round,
        tuple(reversed(deeds)),
        observation.promises,
        spoke_at,
        tuple(_list_agreements(observation, stage.round)),
        verdicts=tuple(
            str(line.args.get("promise"))
            for line in observation.lines
            if line.key in ("promise.kept", "promise.broken")
        ),
        first_round=round_number + 1,
    )
    promised = {promise.terms["company"] for promise in memory.list_own_open() if promise.kind == "lower"}
    spared = (*_list_truce_towers(observation), *_list_threatened_towers(observation, deeds))
    return memory._replace(spared=tuple(company for company in spared if company not in promised))


def _list_agreements(observation: Observation, this_round: int) -> Iterator[Agreement]:
    """What people have agreed to when they said so."""
    for said in observation.messages:
        if said.bot or read_intent(said.key) != "agreed":
            continue
        proposal = find_proposal(observation.messages, said)
        intent = None if proposal is None else read_intent(proposal.key)
        if proposal is not None and intent in (*TRUCES, *FLOORS):
            rounds = [line.at for line in observation.lines if line.key == ROUND]
            if any(proposal.at < at <= said.at for at in rounds):
                continue  # it was meant for an earlier round
            later = sum(at > said.at for at in rounds)
            company = str(proposal.args["company"])
            is_raise = intent in FLOORS
            could_keep = not is_raise or _could_raise(observation, said)
            yield Agreement(
                said.seat, proposal.seat, company, this_round - later, said.at, is_raise, could_keep
            )


def _could_raise(observation: Observation, yes: Spoken) -> bool:
    """Whether a seat could still add a floor in the round in which it said yes.

    It needs a turn with a card, which nobody else took from it, and a floor that was left as the round ended.
    What it does later tells whether it had a card, until it gets others.
    """
    since = [line for line in observation.lines if line.at >= yes.at]
    end = next((number for number, line in enumerate(since) if line.key == ROUND), len(since))
    is_robbed = any(takes_cards(line, yes.seat) for line in since[:end])
    has_turn = any(line.key in TURN_ENDS | PAID for line in since[:end] if line.args.get("seat") == yes.seat)
    later = [line.key for line in since[end:]]
    left = sum(part(observation, "towers", Towers).supply) - later.count(LOWERED) + later.count(RAISED)
    if is_robbed or not has_turn or not left:
        return False
    for number, line in enumerate(since):
        if number > end and _gets_cards(line, yes.seat):
            return False
        if line.args.get("seat") != yes.seat:
            continue
        if line.key in PAID:
            return True
        if line.key == "shares.drawUp":
            return _count_drawn(since[number + 1 :], yes.seat) < HAND
    return part(observation, "players", Players).cards[yes.seat] > 0


def _gets_cards(line: SeenLine, seat: int) -> bool:
    """Whether a seat gets cards: one, or another hand."""
    if line.key == "shares.swapped":
        return seat in read_seats(line.args["seats"])
    return line.key in GAINS and line.args["seat"] == seat


def _count_drawn(lines: Sequence[SeenLine], seat: int) -> int:
    """How many cards a seat draws before it does anything else."""
    acts = (line for line in lines if line.args.get("seat") == seat and line.key.startswith("shares."))
    return len([*takewhile(lambda line: line.key in DRAWS, acts)])


def takes_cards(line: SeenLine, seat: int) -> bool:
    """Whether somebody else takes a card from this seat, or swaps its hand."""
    args = line.args
    if line.key == "shares.took":
        return args["other"] == seat
    return line.key == "shares.swapped" and args["seat"] != seat and seat in read_seats(args["seats"])


def read_seats(value: object) -> set[int]:
    return {seat for seat in value if isinstance(seat, int)} if isinstance(value, list | tuple) else set()


def _list_truce_towers(observation: Observation) -> Iterator[str]:
    """Towers that the seat has offered to leave alone in this round."""
    began = max((line.at for line in observation.lines if line.key == ROUND), default=BEFORE)
    for said in observation.messages:
        if said.seat == observation.seat and said.at >= began and read_intent(said.key) == "deal":
            yield str(said.args["yours"])


def _list_threatened_towers(observation: Observation, deeds: Sequence[Deed]) -> Iterator[str]:
    """Towers that the seat has threatened lately, and whose builders have left its own alone since."""
    last_rounds = [line.at for line in observation.lines if line.key == ROUND][-2:]
    since = last_rounds[0] if last_rounds else BEFORE
    for said in observation.messages:
        if said.seat != observation.seat or said.at < since or read_intent(said.key) != "threat":
            continue
        is_provoked = any(
            (deed.seat, deed.company, deed.is_raise) == (said.addressee, said.args["company"], False)
            and deed.at > said.at
            for deed in deeds
        )
        if not is_provoked:
            yield str(said.args["yours"])


def _read_number(value: object) -> int:
    return value if isinstance(value, int) else BEFORE


def rate_towers(
    memory: Memory, suit: str, liking: Sequence[float], kept: Sequence[Promise]
) -> tuple[float, ...]:
    """By company, how much the seat would like to change its tower, apart from what it gains.

    It likes to keep these promises, to raise the towers of those who have helped it, and to lower those of
    the others. One is as much as a promise.
    """
    wishes = dict.fromkeys(COMPANIES, 0.0)
    for seat, liked in enumerate(liking):
        tower = memory.find_tower_of(seat) if liked else None
        for company in COMPANIES:
            if company == tower:
                wishes[company] += max(-0.4, min(0.4, liked / 5)) * (1 if suit == "H" else -1)
    if suit == "S":
        for each in COMPANIES:
            wishes[each] -= 2.0 * (each in memory.spared)
    wanted = RAISING if suit == "H" else ("lower",)
    for promise in kept:
        for company in COMPANIES:
            if company == promise.terms.get("company"):
                wishes[company] += (promise.kind in wanted) - 2 * (suit == "S" and promise.kind == "leave")
    return tuple(wishes[company] for company in COMPANIES)
