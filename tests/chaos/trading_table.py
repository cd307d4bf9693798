"""One table of Takeover, wherever it lives: what its people say, and what each must have been told of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from hub.actor import Actor
from tests.chaos.slow_market import Market, Offer
from tests.chaos.slow_wishes import meeting
from tests.chaos.traders import Command, Plan, Traders
from tests.harness.follower import Follower
from tests.harness.small_hub import Line, SmallHub

Way: TypeAlias = Literal["stays", "slow", "leaves", "stalls", "stalls and is left"]
"""What becomes of a table in a tick. It stays, the store is slow, its hub hands it over, or its hub stands
still past its lease while another takes the table: with its sockets still open, or not."""

Said: TypeAlias = tuple[int, int, int]
"""A command on its way: seat, number, table time."""


class TradingTable:
    """A table in play: its people's clients, wherever it lives, and a slow market that says what is true."""

    def __init__(
        self,
        room: str,
        followers: Sequence[Follower],
        lines: list[Line],
        options: Mapping[str, Any],
        seed: int,
    ) -> None:
        self.room = room
        self.followers = followers
        self.lines = lines
        self.fate = random.Random(seed)
        self.market = market_of(followers, options)
        self.traders = Traders(self.market, self.fate)
        self.met: Counter[str] = Counter()
        """What happened, and how often."""
        self.plan = Plan()
        self.way: Way = "stays"
        self._moved = False
        self._heard: list[list[dict[str, Any]]] = [[] for _ in followers]
        self._due: list[list[tuple[int, str | None, str | None]]] = [[] for _ in followers]
        """Verdicts that each seat must have been told in this tick: number, code, rule."""
        self._said: dict[tuple[int, int], Command] = {}
        self._applied: set[tuple[int, int]] = set()
        self._accepted: list[Offer] = []
        """In this tick."""
        self._read = [max(follower.lines) for follower in followers]
        self._shown = [self.market.shown(viewer) for viewer in range(len(followers))]
        self._spent: set[str] = set()

    @property
    def hub(self) -> SmallHub:
        """Where its clients are."""
        return self.lines[0].hub

    @property
    def actor(self) -> Actor:
        return self.hub.rooms._actors[self.room]

    @property
    def seats(self) -> int:
        return self.market.seats

    @property
    def events(self) -> int:
        """Commands and windows' ends so far."""
        return self.met["commands"] + self.market.expired

    # --- commands ---

    def begin(self, tick: int, span: int, way: Way) -> None:
        """A tick begins: what will be said in it, and what becomes of the table."""
        self.market.tick = tick
        self.way = way
        self.plan = self.traders.plan(self.actor.now(), span)
        self.met["commands"] += len(self.plan.early) + len(self.plan.late)

    def say(self, commands: Sequence[Command]) -> list[Said]:
        """These seats say this, one after the other."""
        said: list[Said] = []
        for command in commands:
            line, seat = self.lines[command.seat], command.seat
            n = line.send_command("do", ask=command.ask, move=command.move)
            self._said[seat, n] = command
            said.append((seat, n, self.actor.now()))
            if command.twice:
                line.say(line.follower.packed(n))
                said.append((seat, n, self.actor.now()))
        return said

    def decide(self, said: Sequence[Said], *, told: bool = True) -> None:
        """The slow market decides these too. `told`: whether their seats must have heard of it."""
        for seat, n, at in said:
            refused = None
            if (seat, n) in self._applied:
                self.market.pass_time(at)
                self.met["repeated"] += 1
            else:
                refused = self._decided(seat, self._said[seat, n], at)
                if refused is None:
                    self._applied.add((seat, n))
            if told:
                self._due[seat].append((n, *(refused or (None, None))))

    def _decided(self, seat: int, command: Command, at: int) -> tuple[str, str] | None:
        market, kind = self.market, str(command.move["move"])
        market.pass_time(at)
        offer = next((offer for offer in market.offers if offer.id == command.ask), None)
        hopeless = offer is not None and meeting(market.hands[seat], offer.wish) is None
        refused = market.do(seat, command.ask, command.move, at)
        if kind != "accept":
            self.met[f"{kind} refused" if refused else kind] += 1
        elif offer is None:
            gone = market.gone.get(command.ask)
            if gone is not None and gone.to == seat and gone.ended == market.tick:
                self.met.update(f"accept: {why} before" for why in gone.fate)
        elif refused is None:
            self.met["accept"] += 1
            self._accepted.append(offer)
        elif seat == offer.to and hopeless:
            self.met["accept: cannot meet the wish"] += 1
        return refused

    # --- from hub to hub ---

    async def come(self, hub: SmallHub) -> None:
        """All its people come to this hub."""
        self._moved = True
        for viewer, line in enumerate(self.lines):
            self._heard[viewer] += line.heard
            line.drop()
            line.hub.lines.remove(line)
        self.lines = [hub.line(follower) for follower in self.followers]
        for line in self.lines:
            line.say(line.follower.opened())
        for line in self.lines:
            await line.until(partial(getattr, line, "shown"))
            assert line.shown

    def ask_again(self) -> None:
        """Whatever has no verdict is sent again, everybody's in order, and decided."""
        left = [list(follower.pending) for follower in self.followers]
        while any(left):
            seat = self.fate.choice([seat for seat, waiting in enumerate(left) if waiting])
            n = left[seat].pop(0)
            self.met["sent again"] += 1
            self.lines[seat].say(self.followers[seat].packed(n))
            self.decide([(seat, n, self.actor.now())])

    # --- what everybody was told ---

    def check(self) -> None:
        """Every verdict, line and section is what the slow market says, and nobody was told anything else."""
        market = self.market
        market.pass_time(self.actor.now())
        self._verdicts()
        self._goods()
        new = [self._new_lines(viewer) for viewer in range(len(self.followers))]
        same_truth(new)
        for viewer, follower in enumerate(self.followers):
            told = [line[1:] for line in new[viewer]]
            assert told == market.lines[viewer], (viewer, told, market.lines[viewer])
            market.lines[viewer].clear()
            if market.over:
                continue
            self._learn(viewer, follower)
            shown = market.shown(viewer)
            assert seen(follower) == shown
            if not told and shown == self._shown[viewer] and not self._moved:
                assert not self._frames(viewer), "what does not concern a seat moves nothing there"
                self.met["third seats told nothing"] += any(new)
            self._shown[viewer] = shown
        self._conserved()
        for heard, line in zip(self._heard, self.lines, strict=True):
            heard.clear()
            line.heard.clear()
        self._moved = False

    def _goods(self) -> None:
        """No offer was accepted twice."""
        now = self.actor.now()
        for offer in self._accepted:
            assert self.market.accepted[offer.id] == 1
            self.met["accept: lapsed after"] += offer.end is not None and offer.end <= now
        self._accepted.clear()

    def _verdicts(self) -> None:
        """Each once, in order, and to nobody but who asked."""
        for seat, line in enumerate(self.lines):
            heard = [one for one in (*self._heard[seat], *line.heard) if one["t"] == "verdict"]
            told = [(one["n"], one.get("code"), one.get("rule")) for one in heard]
            assert told == self._due[seat], (seat, told, self._due[seat])
            assert not any(one.get("args") for one in heard)
            assert not self.followers[seat].pending
            self._due[seat].clear()

    def _new_lines(self, viewer: int) -> list[list[Any]]:
        follower, read = self.followers[viewer], self._read[viewer]
        top = read
        while top + 1 in follower.lines:
            top += 1
        self._read[viewer] = top
        return [follower.lines[number] for number in range(read + 1, top + 1)]

    def _learn(self, viewer: int, follower: Follower) -> None:
        """The ids of new offers: what is compared with the other side afterwards."""
        if viewer < self.seats:
            for deal, offer in zip(
                follower.sections["deals"]["deals"], self.market.known(viewer), strict=True
            ):
                offer.id = offer.id or deal["id"]
            ids = [offer.id for offer in self.market.offers if offer.id]
            assert len(set(ids)) == len(ids)
            assert not self.market.gone.keys() & set(ids)

    def _frames(self, viewer: int) -> list[dict[str, Any]]:
        """Frames of this tick that tell of more than who is connected."""
        return [
            one
            for one in self.lines[viewer].heard
            if one["t"] == "frame" and (one.get("lines") or one.get("sections", {}).keys() - {"presence"})
        ]

    def _conserved(self) -> None:
        """24 coins, each once, in hands or spent; what was spent never comes back."""
        if self.market.over:
            reckoning = self.followers[0].sections["reckoning"]
            hands = [one["name"] for hand in reckoning["hands"] for one in hand]
            assert reckoning["totals"] == self.market.scores()
            assert reckoning["spent"] == self.market.spent
            assert all(follower.status == "finished" for follower in self.followers)
        else:
            people = self.followers[: self.seats]
            hands = [one["name"] for each in people for one in each.sections["hand"]["coins"]]
            assert len(self.followers[0].sections["holdings"]["spent"]) == 24 - len(hands)
        assert len(set(hands)) == len(hands)
        assert not self._spent & set(hands)
        self._spent |= set(self.market.spent)
        assert len(self._spent) + len(hands) == 24


PRIVATE: Final = ("takeover.offered", "takeover.countered", "offer.gone", "offer.declined", "offer.lapsed")


def same_truth(new: Sequence[Sequence[Sequence[Any]]]) -> None:
    """The two seats of an offer read the same of it, line by line, and nobody else reads anything."""
    for viewer, lines in enumerate(new):
        for other, theirs in enumerate(new):
            mine = [line[1:] for line in lines if line[1] in PRIVATE and _between(line, viewer, other)]
            assert mine == [
                line[1:] for line in theirs if line[1] in PRIVATE and _between(line, viewer, other)
            ]
        assert all(viewer in (line[2]["seat"], line[2]["other"]) for line in lines if line[1] in PRIVATE)


def _between(line: Sequence[Any], one: int, other: int) -> bool:
    return {line[2]["seat"], line[2]["other"]} == {one, other}


def market_of(followers: Sequence[Follower], options: Mapping[str, Any]) -> Market:
    """The slow market as play begins, from what everybody sees then."""
    board = followers[0].sections["board"]["stacks"]
    stacks = {(i % 6, i // 6): list(stack["tiles"]) for i, stack in enumerate(board) if stack}
    seats = len([follower for follower in followers if follower.seat is not None])
    hands = [_hand(follower) for follower in followers[:seats]]
    last = followers[0].lines[max(followers[0].lines)]
    assert last[1] == "takeover.play"
    return Market(seats, options, stacks, hands, last[2]["seat"], last[3])


def _hand(follower: Follower) -> list[list[Any]]:
    return [[coin["name"], coin["stock"]] for coin in follower.sections["hand"]["coins"]]


def seen(follower: Follower) -> dict[str, Any]:
    """What a client sees of coins and offers, as `Market.shown` has it."""
    sections = follower.sections
    stage, holdings, passes = sections["stage"], sections["holdings"], sections["passes"]
    found = {
        "stage": [stage["phase"], stage["number"], stage["turn"]],
        "holdings": [holdings["counts"], holdings["faces"], holdings["coins"], holdings["spent"]],
        "trades": sections["trades"]["trades"],
        "passes": [passes["passed"], passes["lapses"]],
        "asks": [
            [ask["id"], ask["seats"]]
            for ask in sections["asks"]["asks"]
            if ask["kind"] not in ("extend", "lastCall")
        ],
        "windows": [
            [window["id"], window["concerns"], window["span"], window["end"]]
            for window in sections["windows"]["windows"]
            if window["kind"] == "offer"
        ],
    }
    if follower.seat is not None:
        deals = sections["deals"]["deals"]
        found["hand"] = _hand(follower)
        found["deals"] = [[one["id"], one["by"], one["to"], one["give"], one["wish"]] for one in deals]
    return found
