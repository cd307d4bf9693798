"""The composition root: builds a hub's objects with their dependencies, and runs it until told to stop.

`_serve` builds the store, the rooms and the server, in this order, with one function for each.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import structlog
import uvicorn
import uvloop
from msgspec.structs import replace
from starlette.routing import BaseRoute, WebSocketRoute

from games import GAMES
from hub.certificate import HubCertificate, authority_route, keep_certificate, renew_certificate
from hub.clock import Clock, LoopClock
from hub.config import CannotStart, Config, Exit, count_replicas, trusts_everybody
from hub.descriptors import connection_total, raise_descriptor_limit
from hub.net.command_budget import CommandBudget
from hub.net.connection import Connection
from hub.net.connection_limits import ConnectionLimits, find_trusted_proxies
from hub.net.connection_state import ConnectionContext
from hub.net.endpoint import Transport, websocket_endpoint
from hub.net.guard import Guard
from hub.net.handshake import handshake_protocol
from hub.net.http.admin import Admin
from hub.net.http.admin_auth import AdminAuth
from hub.net.http.admin_context import AdminContext, ThisHub
from hub.net.http.api import Api, application
from hub.net.http.hosts import KnownHosts
from hub.net.http.limits import RequestLimits
from hub.net.http.person_auth import PersonAuth
from hub.net.http.protocol import http_protocol
from hub.net.http.push import PushParts
from hub.net.http.relay import RequestRelay
from hub.net.http.static import Site
from hub.net.http.transfers import TransfersApi
from hub.net.links.address import listen_for_links
from hub.net.links.credentials import Credentials
from hub.net.links.front import OwnerLinks
from hub.net.links.owner import LinkServer
from hub.net.local_network import network_addresses
from hub.net.open_sockets import OpenSockets
from hub.net.person_sockets import PersonSockets
from hub.net.push.encryption import PushWriter
from hub.net.push.sender import WORKERS, PushSender
from hub.net.push.transport import PushTransport
from hub.net.server import Server, ServerEnd, listen, network_urls
from hub.net.site_budgets import SiteBudgets
from hub.net.write_queue import TurnProbe
from hub.runtime.balance import Balance
from hub.runtime.garbage import collect_rarely, collect_when_idle
from hub.runtime.homes import Homes
from hub.runtime.loop_lag import measure_loop_lag
from hub.runtime.orphans import Orphans, count_cores
from hub.runtime.overload import Overload
from hub.runtime.placement import room_code
from hub.runtime.policy import PolicyFollower
from hub.runtime.ports import Services
from hub.runtime.registry import HubRooms
from hub.runtime.room_limits import RoomLimits
from hub.signing_secret import signing_secret
from hub.store.audit import AuditLog
from hub.store.client import StoreUnavailable
from hub.store.cluster_pipe import Pipe, make_pipe
from hub.store.embedded import Embedded, tables_folder
from hub.store.failover import FailoverWatch
from hub.store.file_rewrite import FileUpkeep
from hub.store.fitness import Fitness, FitnessWatch
from hub.store.hubs import HubIdentity
from hub.store.lease import BEAT_INTERVAL_SECONDS, Lease, new_incarnation
from hub.store.pipe import Hooks
from hub.store.policy import PolicyStore
from hub.store.replicas import MISSED_SECONDS, ReplicaQuorum, ReplicaWatch
from hub.store.reports import Reports
from hub.store.store import Store
from hub.store.subscriptions import Subscriptions
from hub.store.transfers import Transfers
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Budget, TalkLimits
from hub.wire.tickets import DAY, Signer
from hub.worker.bot_executor import ProcessExecutor

_log = structlog.get_logger("parley.app")

LABEL_LETTERS: Final = 8
"""The length of the label of a hub whose operator chose none."""
DEPART_SECONDS: Final = 3.0
"""How long a hub waits for the store to learn that its rooms are free. If it ends without an answer, they are
free once its lease has run out, which takes three seconds."""
DEPART_AT_ONCE_SECONDS: Final = 1.0
"""The same for a hub that is to end at once."""
NEVER_DAYS: Final = 36_500
"""The number of days that stands for never."""


class Process(NamedTuple):
    """The objects that all parts of the hub share. `address` is the URL on this machine."""

    config: Config
    address: str
    closing: AsyncExitStack
    """Closes the parts, the last one built first."""
    tasks: Tasks
    clock: Clock
    metrics: Metrics
    overload: Overload

    @property
    def url(self) -> str:
        """Where browsers reach this hub."""
        return self.config.public_url or self.address

    def keep(self, name: str, work: Coroutine[Any, Any, None], *, needed: bool = False) -> None:
        """Runs a task until the hub closes; if it fails and is `needed`, the hub ends."""
        self.closing.callback(self.tasks.start(name, work, needed=needed).cancel)


class StoreParts(NamedTuple):
    """The store, and this hub's leases in it.

    `problem` says why this hub should get no traffic, `caution` what a failover of the store would break.
    """

    store: Store
    pipe: Pipe
    lease: Lease
    identity: HubIdentity
    problem: Callable[[], str | None]
    caution: Callable[[], str | None]


class RoomParts(NamedTuple):
    """The rooms, the operators' policy, and the guard that applies it."""

    rooms: HubRooms
    signer: Signer
    reports: Reports
    audit: AuditLog
    policy_store: PolicyStore
    departures: PolicyStore
    transfers: Transfers
    subscriptions: Subscriptions
    policy: PolicyFollower
    guard: Guard
    push: PushParts | None
    """None if the hub calls nobody back."""
    homes: Homes


class LinkParts(NamedTuple):
    """What relays sockets and requests between hubs; a hub with the bundled store has none."""

    front: OwnerLinks
    credentials: Credentials
    listening: socket.socket
    label: str

    @classmethod
    def build(
        cls, process: Process, stored: StoreParts, secret: bytes, listening: socket.socket
    ) -> LinkParts:
        credentials = Credentials(secret, stored.identity.incarnation)
        front = OwnerLinks(credentials, process.tasks, process.metrics, process.clock)
        label = process.config.hub_label or stored.identity.incarnation[:LABEL_LETTERS]
        return cls(front, credentials, listening, label)


Ready: TypeAlias = Callable[[str, Sequence[str]], None]
"""Called once the hub listens, with its address and with those that other devices on the network use."""


def serve(config: Config, ready: Ready) -> None:
    """Runs a hub until SIGTERM or SIGINT. Raises CannotStart."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(config, ready))


async def _serve(config: Config, ready: Ready) -> None:
    descriptors = raise_descriptor_limit()
    connections = connection_total(descriptors, config.connections)
    secret = signing_secret(config)
    listening = listen(config)
    if trusts_everybody():
        _log.warning("every client may choose the address it counts as", setting="FORWARDED_ALLOW_IPS")
    _log.info("descriptors", limit=descriptors, connections=connections)
    port = listening.getsockname()[1]
    metrics = Metrics()
    metrics.add_process(version("parley"))
    end = ServerEnd(metrics)
    async with AsyncExitStack() as closing:
        closing.callback(listening.close)
        tasks = await closing.enter_async_context(Tasks(end.on_failure))
        process = Process(config, config.url_at(port), closing, tasks, LoopClock(), metrics, Overload())
        links, link_url = None, process.address
        if config.redis_url is not None:
            links, link_url = listen_for_links(config.hub_url, config.redis_url)
            closing.callback(links.close)
        stored = await _open_store(process, link_url)
        opened = _open_rooms(process, stored, secret)
        linked = None
        if links is not None:  # with the bundled store, there is no other hub
            linked = LinkParts.build(process, stored, secret, links)
            _join_fleet(process, stored, opened, linked)
        uvicorn_config = await _build_application(process, opened, linked, connections, port)

        def on_ready() -> None:
            _log.info(
                "hub started",
                hub=stored.identity.incarnation,
                label=None if linked is None else linked.label,
                port=port,
                link=None if linked is None else link_url,
            )
            ready(process.url, network_urls(config, port))

        async def send_away() -> None:
            if linked is not None:
                await linked.front.leave()

        end.server = Server(uvicorn_config, on_ready, opened.rooms.drain, send_away)
        collect_rarely()
        if end.failure is None:
            await end.server.serve(sockets=[listening])
        opened.rooms.cut_off()  # what is left after a second signal
        if end.failure is not None:
            raise end.failure
        try:
            async with asyncio.timeout(DEPART_AT_ONCE_SECONDS if end.server.force_exit else DEPART_SECONDS):
                await stored.store.depart(stored.identity)
        except (StoreUnavailable, TimeoutError) as error:
            reason = str(error) or "no answer in time"
            _log.warning("the store was not told that this hub is leaving", reason=reason)


async def _open_store(process: Process, link_url: str) -> StoreParts:
    """Connects to the store, or starts the bundled one, and sends the first heartbeat. Raises CannotStart."""
    config = process.config
    if config.redis_url is not None:
        return await _connect_store(process, config.redis_url, link_url)
    embedded = Embedded(config.data, ack=config.ack, clock=process.clock, metrics=process.metrics)
    redis_url = await embedded.start(process.tasks)
    process.closing.push_async_callback(embedded.stop)
    try:
        return await _connect_store(process, redis_url, link_url)
    except CannotStart as problem:  # the data folder is at fault: its disk is full, for one
        raise CannotStart(problem.advice, Exit.DATA) from problem


async def _bury_earlier_runs(store: Store) -> None:
    """Marks every hub in the store as gone, so that their rooms are free at once. Raises CannotStart."""
    try:
        for earlier in await store.hubs():
            await store.depart(earlier)
    except StoreUnavailable as error:
        raise CannotStart(f"The rooms of an earlier run were not freed: {error}.", Exit.STORE) from error


async def _connect_store(process: Process, redis_url: str, link_url: str) -> StoreParts:
    config, closing, tasks = process.config, process.closing, process.tasks
    clock, metrics = process.clock, process.metrics
    quorum = ReplicaQuorum(count_replicas(config.ack))
    store = await Store.open(redis_url, ack=config.ack, forget_days=config.forget_days, quorum=quorum)
    closing.push_async_callback(store.close)
    pipe = make_pipe(redis_url, tasks, ack=config.ack, hooks=_hooks(metrics), clock=clock, quorum=quorum)
    await pipe.connect()
    closing.push_async_callback(pipe.close)
    if quorum.least:
        replicas = ReplicaWatch(quorum, store.read_roles, store.is_primary, clock)
        try:
            await replicas.begin(await store.list_replicas())
        except StoreUnavailable as error:
            raise CannotStart(f"The store's replicas are not known: {error}.", Exit.STORE) from error
        process.keep("store's replicas", replicas.keep(), needed=True)

    identity = HubIdentity(new_incarnation(), link_url)
    if config.redis_url is None:  # the lock on its folder proves that every earlier run is dead
        await _bury_earlier_runs(store)
    lease = Lease(identity.incarnation, partial(store.beat, identity), clock)

    def on_fitness(fitness: Fitness) -> None:
        metrics.store_fit = fitness.problem is None
        metrics.store_used_bytes, metrics.store_max_bytes = fitness.used_bytes, fitness.max_bytes

    watch = FitnessWatch(store.examine, clock, on_fitness)
    await _first_beat(lease, clock, 2 * MISSED_SECONDS if quorum.least else 0.0)
    await watch.look()
    process.keep("store's settings", watch.keep())
    if store.sentinels is not None:
        failovers = FailoverWatch(store.sentinels, (store.follow, pipe.follow), clock)
        process.keep("store's primary", failovers.keep())
    process.keep("heartbeat", lease.keep(), needed=True)
    if config.redis_url is None:
        process.keep("store's file", FileUpkeep(store, tables_folder(config.data), clock).keep())
    process.keep("garbage", collect_when_idle(clock, metrics))

    def problem() -> str | None:
        unconfirmed = lease.problem if lease.is_lost() else None
        return pipe.problem or unconfirmed or watch.problem

    return StoreParts(store, pipe, lease, identity, problem, lambda: watch.caution)


def _open_rooms(process: Process, stored: StoreParts, secret: bytes) -> RoomParts:
    config, clock, metrics = process.config, process.clock, process.metrics
    bot_executor = ProcessExecutor(process.tasks)
    process.closing.push_async_callback(bot_executor.stop)
    signer = Signer(secret, config.token_days)
    subscriptions = Subscriptions(stored.store)
    writer = PushWriter(signer.push_key(), _push_contact(config))
    sender = PushSender(subscriptions, PushTransport(), writer, metrics)
    talk_limits = TalkLimits(
        Budget(*config.talk_per_seat),
        Budget(*config.talk_of_seats),
        Budget(*config.talk_per_watcher),
        Budget(*config.talk_of_watchers),
    )
    policy_store = PolicyStore(stored.store)
    departures = PolicyStore(stored.store, "departures")
    policy = PolicyFollower((policy_store, departures), clock, time.time)
    reports = Reports(stored.store, config.forget_days or NEVER_DAYS)
    homes = Homes(stored.identity.incarnation, count_cores(), alone=config.redis_url is None)
    rooms = HubRooms(
        games=GAMES,
        store=stored.store,
        lease=stored.lease,
        identity=stored.identity,
        signer=signer,
        tasks=process.tasks,
        services=lambda rooms: Services(
            clock=clock,
            live_clock=stored.lease,
            commits=stored.pipe,
            bot_executor=bot_executor,
            metrics=metrics,
            stopped=rooms.on_stopped,
            summary=rooms.summary,
            started=rooms.on_started,
            talk_limits=talk_limits,
            summon=sender.summon if config.push else _summon_nobody,
            overload=process.overload,
        ),
        store_problem=stored.problem,
        store_caution=stored.caution,
        record_days=config.record_days,
        reports=reports,
        closures=lambda: policy.policy.closures,
        limits=RoomLimits(
            metrics.limited,
            rooms=config.rooms,
            per_person=config.person_rooms,
            overload=process.overload,
        ),
        homes=homes,
    )
    stored.lease.lapsed = rooms.verify_ownership
    stored.lease.taken = rooms.verify_taken
    stored.lease.on_freeze = rooms.on_freeze
    for keep in (rooms.upkeep.keep_rooms, rooms.upkeep.keep_lobby):
        process.keep(keep.__name__, keep())
    guard = Guard(policy, time.time, metrics)
    policy.changed = (guard.enforce, rooms.close_tables)
    process.keep("policy", policy.keep())
    audit = AuditLog(stored.store)
    transfers = Transfers(stored.store, lambda: room_code(secrets.token_bytes(8), open=False))
    if config.push:
        for _ in range(WORKERS):
            process.keep("push", sender.keep())
    push = PushParts(subscriptions, writer.public_key) if config.push else None
    return RoomParts(
        rooms,
        signer,
        reports,
        audit,
        policy_store,
        departures,
        transfers,
        subscriptions,
        policy,
        guard,
        push,
        homes,
    )


def _join_fleet(process: Process, stored: StoreParts, opened: RoomParts, linked: LinkParts) -> None:
    """Registers this hub, and divides the rooms among the hubs on the store."""
    tasks, clock, metrics = process.tasks, process.clock, process.metrics
    rooms, homes, incarnation = opened.rooms, opened.homes, stored.identity.incarnation
    rules = {key: registration.game for key, registration in GAMES.items()}
    orphans = Orphans(
        rooms,
        stored.store,
        incarnation,
        rules,
        tasks,
        clock,
        metrics,
        homes,
        version=version("parley"),
        label=linked.label,
    )
    process.keep("registration", orphans.keep())
    balance = Balance(rooms, homes, stored.store, incarnation, tasks, clock)
    balance.reach = linked.front.reach
    stored.lease.handed_over = balance.take
    process.keep("balance", balance.keep())


def _push_contact(config: Config) -> str:
    """The email address for operators of push services; they want one, even if nobody reads it."""
    host = None if config.public_url is None else urlsplit(config.public_url).hostname
    return config.push_contact or f"operator@{host or 'localhost'}"


def _summon_nobody(_person: str, _code: str, _name: str) -> None:
    pass


async def _build_application(
    process: Process,
    opened: RoomParts,
    linked: LinkParts | None,
    connections: int,
    port: int,
) -> uvicorn.Config:
    """Sockets, the API, the operators' API if it has a token, and the site, behind limits on connections; and
    the same for clients whose requests and sockets other hubs relay."""
    config, metrics = process.config, process.metrics
    site = Site(public_url=config.public_url)
    hosts = KnownHosts.of_this_machine(config.public_url)
    limits = ConnectionLimits(metrics, total=connections, per_network=config.network_connections)
    sockets = OpenSockets(process.clock, limits)
    probe = TurnProbe(sockets.writes.crowd, process.clock)
    process.keep("loop lag", measure_loop_lag(process.clock, metrics, process.overload, probe.measure))
    metrics_token = config.metrics_token and config.metrics_token.get_secret_value()
    api = Api(
        opened.rooms,
        GAMES,
        opened.signer,
        metrics,
        public_url=config.public_url,
        metrics_token=metrics_token or None,
        hosts=hosts,
        network_urls=lambda: network_urls(config, port),
        guard=opened.guard,
        push=opened.push,
        label=None if linked is None else linked.label,
        overload=process.overload,
        limits=RequestLimits(
            limited=metrics.limited,
            wrong_codes=config.wrong_codes,
            network_wrong_codes=config.network_wrong_codes,
        ),
    )
    certificate = _open_certificate(config)
    context = _make_context(process, opened, linked, site)
    routes = [
        *_socket_routes(config, context, hosts),
        *_transfer_routes(process, opened, api.limits),
        *_admin_routes(process, opened, site, linked),
        *([authority_route(certificate.authority)] if certificate else []),
        *site.routes(),
    ]
    relay = RequestRelay(process.clock, partial(opened.rooms.find, take_free=True))
    app = relay.app = application(
        api, metrics, origins=config.origins, routes=routes, files=site.files(), relay=relay
    )
    if linked is not None:
        relay.front = linked.front
        _serve_links(process, linked, context, relay)
    uvicorn_config = uvicorn.Config(
        app,
        ws=handshake_protocol(sockets),
        http=http_protocol(limits),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        ssl_certfile=certificate.file if certificate else None,
    )
    limits.trusted = find_trusted_proxies(uvicorn_config)
    if certificate is not None:
        uvicorn_config.load()
        assert uvicorn_config.ssl is not None
        renewal = renew_certificate(config.data, uvicorn_config.ssl, process.clock)
        process.keep("certificate", renewal)
    return uvicorn_config


def _open_certificate(config: Config) -> HubCertificate | None:
    """The hub's own certificate, if it is to serve https. Raises CannotStart."""
    if not config.https:
        return None
    return keep_certificate(config.data, network_addresses(), datetime.now(UTC))


def _make_context(
    process: Process, opened: RoomParts, linked: LinkParts | None, site: Site
) -> ConnectionContext:
    config = process.config
    return ConnectionContext(
        finder=opened.rooms,
        signer=opened.signer,
        clock=process.clock,
        tasks=process.tasks,
        metrics=process.metrics,
        wall=time.time,
        people=PersonSockets(process.metrics, config.sockets_per_place, config.sockets_per_person),
        sites=SiteBudgets(config.site_rate, config.site_rate * 2),
        commands=CommandBudget(process.clock),
        rate=config.rate,
        burst=config.rate * 2,
        watchers_per_table=config.watchers_per_table,
        guard=opened.guard,
        build=site.build,
        relay=None if linked is None else linked.front,
    )


def _socket_routes(config: Config, context: ConnectionContext, hosts: KnownHosts) -> list[BaseRoute]:
    """The addresses of sockets, with the label of a hub or without: any hub serves both."""

    def connect(transport: Transport, room: str) -> Connection:
        return Connection(transport, context, room)

    origins = (*config.origins, *([config.public_url] if config.public_url else ()))
    endpoint = websocket_endpoint(connect, origins, hosts.is_known)
    return [WebSocketRoute("/ws/{room}", endpoint), WebSocketRoute("/ws/{label}/{room}", endpoint)]


def _serve_links(
    process: Process, linked: LinkParts, context: ConnectionContext, relay: RequestRelay
) -> None:
    """Serves the clients of other hubs; their sockets are not relayed any further."""
    relayed = replace(context, relay=None)

    def connect(transport: Transport, room: str) -> Connection:
        return Connection(transport, relayed, room)

    server = LinkServer(linked.credentials, connect, relay.serve, process.tasks, process.metrics)
    server.start(linked.listening)
    process.closing.push_async_callback(server.close)


def _transfer_routes(process: Process, opened: RoomParts, limits: RequestLimits) -> list[BaseRoute]:
    transfers = TransfersApi(
        opened.transfers,
        opened.departures,
        opened.subscriptions,
        opened.policy.refresh,
        PersonAuth(opened.signer, opened.guard, process.metrics, time.time),
        opened.guard,
        opened.signer,
        limits,
        token_seconds=process.config.token_days * DAY,
    )
    return transfers.routes()


def _admin_routes(
    process: Process, opened: RoomParts, site: Site, linked: LinkParts | None
) -> list[BaseRoute]:
    """The operators' API; none without PARLEY_ADMIN_TOKEN."""
    config, metrics = process.config, process.metrics
    if config.admin_token is None:
        return []
    context = AdminContext(
        auth=AdminAuth(
            config.admin_token.get_secret_value(),
            public_url=config.public_url,
            limited=metrics.limited,
            wall=time.time,
            clock=time.monotonic,
            is_ended=lambda id: id in opened.policy.policy.ended_sessions,
        ),
        tables=opened.rooms.for_operators,
        sockets=opened.guard.sockets,
        signer=opened.signer,
        policies=opened.policy_store,
        refresh=opened.policy.refresh,
        reports=opened.reports,
        audit=opened.audit,
        hub=ThisHub(
            process.address if linked is None else f"hub {linked.label} at {process.address}",
            opened.rooms.is_draining,
            opened.rooms.drain,
            opened.homes.count_others,
        ),
        wall=time.time,
        public_url=config.public_url,
        token_days=config.token_days,
        forget_days=config.forget_days or NEVER_DAYS,
        page=site.index,
    )
    return Admin(context).routes()


async def _first_beat(lease: Lease, clock: Clock, patience: float) -> None:
    """The first heartbeat. Raises CannotStart if the store does not confirm it.

    It is repeated for `patience` seconds: a replica that hangs is required for a while.
    """
    end = clock.time() + patience
    while True:
        try:
            await lease.beat()
        except StoreUnavailable as error:
            if clock.time() >= end:
                raise CannotStart(f"The first heartbeat was not stored: {error}.", Exit.STORE) from error
            await clock.sleep(BEAT_INTERVAL_SECONDS)
        else:
            return


def _hooks(metrics: Metrics) -> Hooks:
    def health(healthy: bool) -> None:
        metrics.store_healthy = healthy

    def pipeline(_commits: int) -> None:
        metrics.pipelines += 1

    def count_resent(commits: int) -> None:
        metrics.commits_resent += commits

    return Hooks(health=health, pipeline=pipeline, latency=metrics.commit_seconds.add, resent=count_resent)
