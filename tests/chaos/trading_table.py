"""One table of Takeover: the commands its people send, and checks of everything they are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.chaos.reference_market import Market, Offer
from tests.chaos.reference_wishes import meeting
from tests.chaos.soak_table import Command, Plan, Refused, SoakTable
from tests.chaos.traders import Traders
from tests.harness.follower import Follower
from tests.harness.small_hub import ClientLine


class TradingTable(SoakTable):
    """A table of traders, checked against a reference market. With two seats, a watcher is added."""

    def __init__(
        self,
        room: str,
        followers: Sequence[Follower],
        lines: list[ClientLine],
        options: Mapping[str, Any],
        seed: int,
    ) -> None:
        super().__init__(room, followers, lines, seed)
        self.market = market_of(followers, options)
        self.traders = Traders(self.market, self.fate)
        self._accepted: list[Offer] = []
        """Offers accepted in this tick."""
        self._shown = [self.market.shown(viewer) for viewer in range(len(followers))]
        self._spent: set[str] = set()

    @property
    def seats(self) -> int:
        return self.market.seats

    # --- the reference market ---

    @property
    def most_offers(self) -> int:
        return self.market.each

    @property
    def over(self) -> bool:
        return self.market.over

    @property
    def expired(self) -> int:
        return self.market.expired

    def pass_time(self, at: int) -> None:
        self.market.pass_time(at)

    def extend_for_absent(self, at: int) -> None:
        self.market.extend_for_absent(at)

    def next_end(self) -> int | None:
        return self.market.next_end()

    def ends(self) -> list[int]:
        return [offer.end for offer in self.market.offers if offer.end is not None]

    def planned(self, tick: int, at: int, span: int) -> Plan:
        self.market.tick = tick
        return self.traders.plan(at, span)

    def decided(self, seat: int, command: Command, at: int) -> Refused | None:
        market, kind = self.market, str(command.move["move"])
        offer = next((offer for offer in market.offers if offer.id == command.prompt), None)
        hopeless = offer is not None and meeting(market.hands[seat], offer.wish) is None
        refused = market.do(seat, command.prompt, command.move, at)
        if kind != "accept":
            self.met[f"{kind} refused" if refused else kind] += 1
        elif offer is None:
            gone = market.gone.get(command.prompt)
            if gone is not None and gone.to == seat and gone.ended == market.tick:
                self.met.update(f"accept: {why} before" for why in gone.fate)
        elif refused is None:
            self.met["accept"] += 1
            self._accepted.append(offer)
        elif seat == offer.to and hopeless:
            self.met["accept: cannot fulfil the wish"] += 1
        return refused

    # --- checks ---

    def compare(self, new: Sequence[Sequence[list[Any]]]) -> None:
        market = self.market
        self._goods()
        same_truth(new)
        for viewer, follower in enumerate(self.followers):
            lines = [line[1:] for line in new[viewer]]
            assert lines == market.lines[viewer], (viewer, lines, market.lines[viewer])
            market.lines[viewer].clear()
            if market.over:
                continue
            self._learn(viewer, follower)
            shown = market.shown(viewer)
            assert seen(follower) == shown
            if not lines and shown == self._shown[viewer] and not self.moved:
                assert not self.frames(viewer), "a seat is sent nothing that does not concern it"
                self.met["other seats sent nothing"] += any(new)
            self._shown[viewer] = shown
        self._conserved()

    def _goods(self) -> None:
        """Check that no offer was accepted twice."""
        at = self.actor.table_time()
        for offer in self._accepted:
            assert self.market.accepted[offer.id] == 1
            self.met["accept: lapsed after"] += offer.end is not None and offer.end <= at
        self._accepted.clear()

    def _learn(self, viewer: int, follower: Follower) -> None:
        """Learn the ids of new offers, which are compared with the other side's afterwards."""
        if viewer < self.seats:
            for deal, offer in zip(
                follower.sections["deals"]["deals"], self.market.known(viewer), strict=True
            ):
                offer.id = offer.id or deal["id"]
            ids = [offer.id for offer in self.market.offers if offer.id]
            assert len(set(ids)) == len(ids)
            assert not self.market.gone.keys() & set(ids)

    def _conserved(self) -> None:
        """Check that all 24 coins are in hands or spent, each once, and that spent coins never come back."""
        if self.market.over:
            reckoning = self.followers[0].sections["reckoning"]
            hands = [one["name"] for hand in reckoning["hands"] for one in hand]
            assert reckoning["totals"] == self.market.scores()
            assert reckoning["spent"] == self.market.spent
            assert all(follower.status == "finished" for follower in self.followers)
        else:
            people = self.followers[: self.seats]
            hands = [one["name"] for person in people for one in person.sections["hand"]["coins"]]
            assert len(self.followers[0].sections["holdings"]["spent"]) == 24 - len(hands)
        assert len(set(hands)) == len(hands)
        assert not self._spent & set(hands)
        self._spent |= set(self.market.spent)
        assert len(self._spent) + len(hands) == 24


PRIVATE: Final = ("takeover.offered", "takeover.countered", "offer.gone", "offer.declined", "offer.lapsed")


def same_truth(new: Sequence[Sequence[Sequence[Any]]]) -> None:
    """Check that an offer's two seats read the same lines about it, and that nobody else reads any."""
    for viewer, lines in enumerate(new):
        for other, theirs in enumerate(new):
            private_lines = [
                line[1:] for line in lines if line[1] in PRIVATE and _between(line, viewer, other)
            ]
            assert private_lines == [
                line[1:] for line in theirs if line[1] in PRIVATE and _between(line, viewer, other)
            ]
        assert all(viewer in (line[2]["seat"], line[2]["other"]) for line in lines if line[1] in PRIVATE)


def _between(line: Sequence[Any], one: int, other: int) -> bool:
    return {line[2]["seat"], line[2]["other"]} == {one, other}


def market_of(followers: Sequence[Follower], options: Mapping[str, Any]) -> Market:
    """The reference market as play begins, built from what each client sees at that point."""
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
    """A client's view of coins and offers, in the form of `Market.shown`."""
    sections = follower.sections
    stage, holdings, passes = sections["stage"], sections["holdings"], sections["passes"]
    values = {
        "stage": [stage["phase"], stage["number"], stage["turn"]],
        "holdings": [holdings["counts"], holdings["faces"], holdings["coins"], holdings["spent"]],
        "trades": sections["trades"]["trades"],
        "passes": [passes["passed"], passes["lapses"]],
        "prompts": [
            [prompt["id"], prompt["seats"]]
            for prompt in sections["prompts"]["prompts"]
            if prompt["kind"] not in ("extend", "lastCall")
        ],
        "windows": [
            [window["id"], window["concerns"], window["span"], window["end"]]
            for window in sections["windows"]["windows"]
            if window["kind"] == "offer"
        ],
    }
    if follower.seat is not None:
        deals = sections["deals"]["deals"]
        values["hand"] = _hand(follower)
        values["deals"] = [[one["id"], one["by"], one["to"], one["give"], one["wish"]] for one in deals]
    return values
