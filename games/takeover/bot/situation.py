"""A position as a bot talks about it: after its own move, if it is about to make one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, cast

from games.api import Argument, Character, Dice, Millis, NewPromise, Observation, Remark, Seat
from games.kit.observations import part
from games.kit.promises import has_room, list_open, refuse
from games.kit.remarks import ANSWERED_WITHIN_MS, MIN_PAUSE_MS
from games.takeover.bot.bargaining import TradeEvaluator, count_value
from games.takeover.bot.evaluation import RatedMerger, compute_price, list_mergers
from games.takeover.bot.memory import Memory, remember
from games.takeover.bot.observation import EMPTY, NEAR, NUMBER, VALUE, Table, estimate_shares, sort_coins
from games.takeover.bot.reach import can_cover
from games.takeover.bot.voice import REQUESTS, find_deal, find_words, has_claimed, intent_of
from games.takeover.rules import mergers
from games.takeover.rules.promises import MERGED, SWAPPED, TRADED, TakeoverPromises
from games.takeover.rules.values import NAMES, Coin, Deals, Draft, Holdings, Merge, Name, Pass, Passes, Stage

RULES: Final = TakeoverPromises()
WANTED: Final = 0.3
"""A bot wants a merger that is at most this many points worse than its best one."""
WORTHWHILE: Final = 0.02
"""The least value of a merger that is better than passing."""
BREATH: Final = 6_000
"""What has happened within this time, in milliseconds, has just happened."""
LIKELY: Final = 0.2
"""A bot speaks of a company as perhaps another seat's with at least this probability."""
PROBABLE: Final = 0.35
"""It offers to spare a company for something in return with at least this probability."""
CERTAIN: Final = 0.95
"""It takes a company for another seat's only with at least this probability."""

Rate = Callable[[Table], list[RatedMerger]]
"""How a level rates the mergers of a table, without errors."""


def advance(table: Table, move: Merge | Pass) -> Table:
    """The table after the seat's own move."""
    if isinstance(move, Pass):
        return table._replace(wait=table.seats)
    covering, _, covered = move.pair.partition(">")
    tops = table.stacks.tops
    source, onto = (tops.index(number_of(name)) for name in (covering, covered))
    hand = tuple(
        Coin(coin.name, coin.stock and coin.name != covered)
        for coin in table.hand
        if coin.name not in (*move.pay, move.null)
    )
    purse = sort_coins(hand)
    pay = mergers.cheapest(tuple(NAMES[coin] for coin in purse.cash))
    stacks = table.stacks.merge(source, onto)
    after = table._replace(wait=table.seats, stacks=stacks, hand=hand, purse=purse, pay=pay)
    return after._replace(totals=_advance_totals(table, after, source, onto))


def _advance_totals(before: Table, after: Table, source: int, onto: int) -> list[float]:
    """The estimated totals after the seat's own merger."""
    tops, heights = before.stacks
    won, lost = heights[onto], heights[onto] - 1
    totals = [
        total + won * before.shares[tops[source]][seat] - lost * before.shares[tops[onto]][seat]
        for seat, total in enumerate(before.totals)
    ]
    totals[before.seat] = count_value(after, after.hand)
    return totals


def _choose_likely(
    tops: Sequence[int], shares: Sequence[Sequence[float]], seat: int, least: float
) -> Name | None:
    """The company that this seat most probably holds, with at least this probability."""
    likely = max(tops, key=lambda top: (shares[top][seat], VALUE[top]), default=None)
    return NAMES[likely] if likely is not None and shares[likely][seat] >= least else None


def number_of(name: str) -> int:
    """The number of the company or coin with this name."""
    return NUMBER[cast(Name, name)]


class Situation:
    """What one character sees and remembers, and what it could say or promise.

    `number` is the number of its next turn as players count turns, after the move that it is about to make.
    """

    def __init__(
        self,
        observation: Observation,
        character: Character,
        table: Table,
        rate: Rate,
        *,
        move: Merge | Pass | None,
        dice: Dice,
    ) -> None:
        self.observation = observation
        self.character = character
        self.table = table
        self.dice = dice
        self.seat = observation.seat
        wait = table.wait if move is None else observation.seats
        self.number = part(observation, "stage", Stage).number + wait + 1
        self._move = move
        self._rate = rate

    @cached_property
    def memory(self) -> Memory:
        return remember(self.observation, self.character)

    @cached_property
    def evaluator(self) -> TradeEvaluator:
        return TradeEvaluator(self.table, simple=self.character.level == "easy")

    @cached_property
    def rated(self) -> list[RatedMerger]:
        """Every merger that the seat can pay for, the best first."""
        return sorted(self._rate(self.table), reverse=True)

    @property
    def best(self) -> RatedMerger | None:
        """The best merger; None if none is worthwhile."""
        return self.rated[0] if self.rated and self.rated[0].points > WORTHWHILE else None

    # the board

    def stands(self, coin: str) -> bool:
        return number_of(coin) in self.table.stacks.tops

    def owns(self, coin: str) -> bool:
        return number_of(coin) in self.table.purse.stocks

    def may_own(self, coin: str) -> bool:
        """Whether the seat could have this company's stock, for all that the others know."""
        holdings = part(self.observation, "holdings", Holdings)
        if holdings.coins is not None:
            return self.owns(coin)
        if holdings.faces is not None and coin[0] not in holdings.faces[self.seat]:
            return False
        picks = part(self.observation, "draft", Draft).picks
        return any(
            line.key in (TRADED, SWAPPED) and self.seat in (line.args["seat"], line.args["other"])
            for line in self.observation.lines
        ) or any(
            (pick.seat, pick.value) == (self.seat, VALUE[number_of(coin)]) and pick.coin in (None, coin)
            for pick in picks
        )

    def height(self, coin: str) -> int:
        return self.table.stacks.heights[self.table.stacks.tops.index(number_of(coin))]

    def cover_points(self, coin: str) -> float | None:
        """What covering this company is worth to the seat; None if it cannot, or does not consider it."""
        square = self.table.stacks.tops.index(number_of(coin))
        return max((merger.points for merger in self.rated if merger.onto == square), default=None)

    def wants_to_cover(self, coin: str) -> bool:
        points = self.cover_points(coin)
        return points is not None and points > WORTHWHILE and points >= self.rated[0].points - WANTED

    def immediate_gain(self, coin: str) -> int | None:
        """The most that covering this company adds to the seat's own total at once; None if it cannot."""
        square = self.table.stacks.tops.index(number_of(coin))
        mergers = list_mergers(self.table, (0.0,) * len(NAMES), 0.0)
        return max((int(merger.points) for merger in mergers if merger.onto == square), default=None)

    def can_cover(self, coin: str) -> bool:
        return self.immediate_gain(coin) is not None

    def can_be_covered_by(self, seat: int, coin: str) -> bool:
        """Whether another seat could cover this company, for all that this seat knows."""
        return can_cover(self.observation, self.table, seat, number_of(coin))

    def list_endangered(self) -> list[Name]:
        """The seat's own companies that somebody could cover with profit, the most profitable first."""
        tops, heights = self.table.stacks
        endangered = []
        for square, top in enumerate(tops):
            if top in self.table.purse.stocks:
                beside = (tops[near] for near in NEAR[square] if tops[near] != EMPTY)
                profits = [heights[square] - compute_price(other, top) for other in beside]
                if profits and max(profits) > 0:
                    endangered.append((heights[square], max(profits), VALUE[top], top))
        return [NAMES[top] for *_, top in sorted(endangered, reverse=True)]

    def guess_company(self, seat: int, least: float) -> Name | None:
        """The company whose stock this seat most probably holds; None if there is no such guess."""
        named = self._find_named(seat)
        if named is not None and not self.owns(named):
            return named
        tops = [top for top in self.table.stacks.tops if top != EMPTY and not self.owns(NAMES[top])]
        return _choose_likely(tops, self.table.shares, seat, least)

    def guess_openly(self, seat: int, least: float = LIKELY) -> Name | None:
        """What everybody may take for this seat's company, although it may be this bot's own.

        For answers, which must not tell what it has. What the seat has shown interest in comes first.
        """
        named = self._find_named(seat)
        if named is not None:
            return named
        tops = [top for top in self.table.stacks.tops if top != EMPTY]
        shown = [top for top in tops if self.shows_interest(seat, NAMES[top])]
        return _choose_likely(shown or [top for top in tops if VALUE[top]], self._open_shares, seat, least)

    def _find_named(self, seat: int) -> Name | None:
        """The company with which this seat has promised to end the game."""
        for promise in list_open(self.observation.promises, Seat(seat)):
            coin = promise.terms.get("coin")
            if promise.kind == "hold" and self.stands(str(coin)):
                return cast(Name, coin)
        return None

    @cached_property
    def _open_shares(self) -> Sequence[Sequence[float]]:
        """By company and seat, the chance that the seat holds its stock, whatever this seat itself holds."""
        draft, holdings = part(self.observation, "draft", Draft), part(self.observation, "holdings", Holdings)
        return estimate_shares(self.seat, self.table.stacks, (), draft, holdings)

    def shows_interest(self, seat: int, coin: str) -> bool:
        """Whether a seat has said that it wants this company to stay on top, or has let it grow itself."""
        return has_claimed(self.observation, seat, coin) or any(
            line.key in MERGED and (line.args["seat"], line.args["source"]) == (seat, coin)
            for line in self.observation.lines
        )

    def has_picked_null(self, seat: int) -> bool:
        """Whether everybody has seen this seat take a 0 coin."""
        picks = part(self.observation, "draft", Draft).picks
        return any((pick.seat, pick.value) == (seat, 0) for pick in picks)

    def has_passed(self) -> bool:
        """Whether the seat has passed since the last merger, or does so now."""
        if self._move is not None:
            return isinstance(self._move, Pass)
        return part(self.observation, "passes", Passes).passed[self.seat]

    def is_merging(self) -> bool:
        """Whether the seat is about to merge."""
        return isinstance(self._move, Merge)

    def covers(self, coin: str) -> bool:
        """Whether the seat is about to cover this company, or has just done so."""
        if isinstance(self._move, Merge) and self._move.pair.endswith(f">{coin}"):
            return True
        return any(
            line.key in MERGED
            and (line.args["seat"], line.args["onto"]) == (self.seat, coin)
            and self.is_fresh(line.at, ANSWERED_WITHIN_MS)
            for line in self.observation.lines
        )

    def is_merged_since(self, at: int) -> bool:
        """Whether somebody has merged since then."""
        return any(line.key in MERGED and line.at >= at for line in self.observation.lines)

    def has_offered_for(self, to: int, coin: str) -> bool:
        """Whether an offer of the seat to another one for this stock is open."""
        if "deals" not in self.observation.sections:
            return False
        deals = part(self.observation, "deals", Deals).deals
        return any((deal.by, deal.to) == (self.seat, to) and coin in deal.wish for deal in deals)

    def cash(self) -> int:
        return sum(VALUE[coin] for coin in self.table.purse.cash)

    # the others

    def list_others(self) -> list[int]:
        """The other seats in the order in which they play next.

        Those who cannot answer at once come later, and those who broke their word last.
        """
        seats = self.table.seats
        start = self.seat + 1 if self.table.wait == seats else self.seat - self.table.wait
        order = [(start + ahead) % seats for ahead in range(seats)]
        others = [seat for seat in order if seat != self.seat]
        return sorted(others, key=lambda seat: (seat in self.memory.broke, self.count_pauses(seat)))

    def count_pauses(self, seat: int) -> int:
        """How many pauses between its remarks another seat makes before it can answer a new request.

        One if it has just spoken, and one for each request that it has to answer first.
        """
        asked: dict[int, bool] = {}
        has_spoken = False
        for message in self.observation.messages:
            if message.seat == seat:
                has_spoken = self.is_fresh(message.at, MIN_PAUSE_MS)
                if message.addressee is not None:
                    asked.pop(message.addressee, None)
            elif message.addressee == seat and intent_of(message.key) in REQUESTS:
                asked[message.seat] = self.is_fresh(message.at, ANSWERED_WITHIN_MS)
        return has_spoken + sum(asked.values())

    def has_just_heard_request(self) -> bool:
        return any(
            self.is_fresh(message.at) and intent_of(message.key) in REQUESTS
            for message in self.observation.messages
        )

    def is_fresh(self, at: int, within: int = BREATH) -> bool:
        """Whether this has just happened or been said."""
        return at > self._latest - within

    @cached_property
    def _latest(self) -> int:
        """The time of the last thing that everybody has read, or that it has heard."""
        observation = self.observation
        read = (line.at for line in observation.lines if line.to is None)
        heard = (message.at for message in observation.messages[-1:])
        return max((*read, *heard), default=0)

    def is_distrusted(self, seat: int) -> bool:
        """Whether it has broken a promise, or a deal with this seat that it had only said yes to."""
        return seat in self.memory.broke or any(
            wrong.by == seat
            and wrong.coin is not None
            and find_deal(self.observation, seat, wrong.coin, wrong.at) is not None
            for wrong in self.memory.wrongs
        )

    # words and promises

    def happens(self, label: str, percent: int) -> bool:
        return self.dice.below(label, 100) < percent

    def is_honest(self) -> bool:
        """Whether it wants to be honest this time."""
        return self.happens("honest", self.character.temper.honesty)

    def say(self, intent: str, **args: Argument) -> Remark | None:
        return find_words(self.observation, intent, args, self.character, self.dice)

    def make_promise(self, kind: str, to: Sequence[int], **terms: int | str) -> NewPromise | None:
        """The promise with these terms, if the seat may make it."""
        if self.character.is_substitute:
            return None
        seats = tuple(sorted(map(Seat, to)))
        new = NewPromise(kind, terms, seats, bot=True)
        promise = new.promise("", self.seat, Millis(0), 0)
        observation = self.observation
        sections = observation.sections
        refusal = refuse(RULES, observation.promises, sections, promise, observation.seats, private=sections)
        return new if refusal is None else None

    def can_promise(self) -> bool:
        """Whether it has neither too many promises open nor made too many."""
        return has_room(self.observation.promises, self.observation.seat, self.observation.seats)

    def has_promised(self, kind: str, to: Sequence[int], **terms: int | str) -> bool:
        """Whether a promise that it has made with these terms is still open."""
        return any(
            (promise.kind, promise.to, promise.terms) == (kind, tuple(to), terms)
            for promise in list_open(self.observation.promises, self.observation.seat)
        )
