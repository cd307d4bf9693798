"""The composition root: builds a hub's objects with their dependencies, and runs it until told to stop."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from importlib.metadata import version
from types import FrameType
from typing import Final

import structlog
import uvicorn
import uvloop
from starlette.routing import BaseRoute, WebSocketRoute

from games import GAMES
from hub.clock import LoopClock
from hub.config import CannotStart, Config, Exit, signing_secret
from hub.descriptors import connection_total, raise_descriptor_limit
from hub.net.connection import Connection, ConnectionContext
from hub.net.connection_limits import ConnectionLimits, find_trusted_proxies
from hub.net.endpoint import Transport, websocket_endpoint
from hub.net.guard import Guard
from hub.net.handshake import handshake_protocol
from hub.net.http.admin import Admin, AdminContext
from hub.net.http.admin_auth import AdminAuth
from hub.net.http.api import Api, application
from hub.net.http.hosts import KnownHosts
from hub.net.http.limits import RequestLimits
from hub.net.http.protocol import http_protocol
from hub.net.http.static import Site
from hub.net.local_network import network_addresses
from hub.net.open_sockets import OpenSockets
from hub.net.person_sockets import PersonSockets
from hub.runtime.loop_lag import measure_loop_lag
from hub.runtime.policy import PolicyFollower
from hub.runtime.ports import Services
from hub.runtime.registry import HubRooms
from hub.runtime.room_limits import RoomLimits
from hub.store.audit import AuditLog
from hub.store.client import StoreUnavailable
from hub.store.embedded import Embedded
from hub.store.fitness import FitnessWatch
from hub.store.hubs import HubIdentity
from hub.store.lease import Lease, new_incarnation
from hub.store.pipe import CommitPipe, Hooks
from hub.store.policy import PolicyStore
from hub.store.reports import Reports
from hub.store.store import Store
from hub.store.url_lease import UrlLease
from hub.telemetry.metrics import Metrics
from hub.telemetry.tasks import Tasks
from hub.wire.limits import Budget, TalkLimits
from hub.wire.tickets import Signer
from hub.worker.bot_executor import ProcessExecutor

_log = structlog.get_logger("parley.app")

NEVER_DAYS: Final = 36_500
"""Days for what is kept for ever."""
GARBAGE: Final = (50_000, 20, 20)
"""How often to collect garbage (gc.set_threshold): commands leave none, and scanning many rooms is slow."""


_log = structlog.get_logger("parley.app")


class Server(uvicorn.Server):
    """A uvicorn server that reports when it is listening, and drains the rooms before it closes sockets."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], rooms: HubRooms) -> None:
        super().__init__(config)
        self._ready = ready
        self._rooms = rooms

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends `serve`; uvicorn would re-raise the signal afterwards, and nothing would be closed."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._rooms.drain()
        await super().shutdown(sockets)


def serve(config: Config, ready: Callable[[str], None]) -> None:
    """Runs a hub until SIGTERM or SIGINT; calls `ready` with its address. Raises CannotStart."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(config, ready))


async def _serve(config: Config, ready: Callable[[str], None]) -> None:
    descriptors = raise_descriptor_limit()
    connections = connection_total(descriptors, config.connections)
    secret = signing_secret(config)
    listening = _listen(config)
    _log.info("descriptors", limit=descriptors, connections=connections)
    address = f"http://{_readable(config)}:{listening.getsockname()[1]}"
    metrics = Metrics()
    metrics.add_process(version("parley"))
    async with AsyncExitStack() as closing:
        closing.callback(listening.close)
        fatal: list[CannotStart] = []
        server: Server | None = None

        def on_failure(_name: str, error: BaseException) -> None:
            """Counts a failed task, and ends the hub if the error is fatal."""
            metrics.tasks_failed += 1
            if isinstance(error, CannotStart):
                fatal.append(error)
                if server is not None:
                    server.should_exit = True

        def stop() -> None:
            """Ends the hub, as SIGTERM does."""
            if server is not None:
                server.should_exit = True

        tasks = await closing.enter_async_context(Tasks(on_failure))
        clock = LoopClock()
        url = config.redis_url
        if url is None:
            embedded = Embedded(config.data, ack=config.ack, clock=clock, metrics=metrics)
            url = await embedded.start(tasks)
            closing.push_async_callback(embedded.stop)
        store = await Store.open(url, ack=config.ack, forget_days=config.forget_days)
        closing.push_async_callback(store.close)
        hooks = _hooks(metrics)
        pipe = CommitPipe(url, tasks, ack=config.ack, hooks=hooks, clock=clock)
        await pipe.connect()
        closing.push_async_callback(pipe.close)

        identity = HubIdentity(new_incarnation(), config.public_url or address)
        at_url = UrlLease(store, identity, clock)
        await at_url.take(alone=config.redis_url is None)  # the bundled store's folder has one hub

        async def beat(live: int) -> bool:
            alive = await store.beat(identity, live)
            await at_url.renew()
            return alive

        lease = Lease(identity.incarnation, identity.url, beat, clock)

        def on_fitness(fit: bool) -> None:
            metrics.store_fit = fit

        watch = FitnessWatch(store.unfitness, clock, on_fitness)
        await _first_beat(lease)
        closing.callback(tasks.start("store's settings", watch.keep()).cancel)
        heartbeat = tasks.start("heartbeat", lease.keep())
        closing.callback(heartbeat.cancel)
        closing.callback(tasks.start("loop lag", measure_loop_lag(clock, metrics.loop_lag_seconds)).cancel)

        def store_problem() -> str | None:
            """Why this hub should get no traffic, as one sentence."""
            unconfirmed = lease.problem if lease.is_lost() else None
            return pipe.problem or unconfirmed or watch.problem or at_url.problem

        bot_executor = ProcessExecutor(tasks)
        closing.push_async_callback(bot_executor.stop)
        signer = Signer(secret, config.token_days)
        talk_limits = TalkLimits(
            Budget(*config.talk_per_seat),
            Budget(*config.talk_of_seats),
            Budget(*config.talk_per_watcher),
            Budget(*config.talk_of_watchers),
        )
        policy_store = PolicyStore(store)
        policy = PolicyFollower(policy_store, clock, time.time)
        reports = Reports(store, config.forget_days or NEVER_DAYS)
        rooms = HubRooms(
            games=GAMES,
            store=store,
            lease=lease,
            identity=identity,
            signer=signer,
            tasks=tasks,
            services=lambda rooms: Services(
                clock=clock,
                live_clock=lease,
                commits=pipe,
                bot_executor=bot_executor,
                metrics=metrics,
                stopped=rooms.on_stopped,
                summary=rooms.summary,
                talk_limits=talk_limits,
            ),
            store_problem=store_problem,
            record_days=config.record_days,
            reports=reports,
            closures=lambda: policy.policy.closures,
            limits=RoomLimits(metrics.limited, rooms=config.rooms, per_person=config.person_rooms),
        )
        lease.lapsed = rooms.verify_ownership
        lease.on_freeze = rooms.on_freeze
        for keep in (rooms.upkeep.keep_rooms, rooms.upkeep.keep_lobby, rooms.upkeep.keep_watch):
            closing.callback(tasks.start(keep.__name__, keep()).cancel)
        guard = Guard(policy, time.time, metrics)
        policy.changed = (guard.enforce, rooms.close_tables)
        policy_task = tasks.start("policy", policy.keep())
        closing.callback(policy_task.cancel)
        site = Site()
        connection_context = ConnectionContext(
            finder=rooms,
            signer=signer,
            clock=clock,
            tasks=tasks,
            metrics=metrics,
            wall=time.time,
            people=PersonSockets(metrics, config.sockets_per_place, config.sockets_per_person),
            rate=config.rate,
            burst=config.rate * 2,
            watchers_per_table=config.watchers_per_table,
            guard=guard,
            build=site.build,
        )

        def connect(transport: Transport, room: str) -> Connection:
            return Connection(transport, connection_context, room)

        hosts = KnownHosts.of_this_machine(config.public_url)
        limits = ConnectionLimits(metrics, total=connections, per_network=config.network_connections)
        sockets = OpenSockets(clock, limits)
        metrics_token = config.metrics_token and config.metrics_token.get_secret_value()
        api = Api(
            rooms,
            GAMES,
            signer,
            metrics,
            public_url=config.public_url,
            metrics_token=metrics_token or None,
            hosts=hosts,
            network_urls=lambda: _network_urls(config, listening.getsockname()[1]),
            guard=guard,
            limits=RequestLimits(
                limited=metrics.limited,
                wrong_codes=config.wrong_codes,
                network_wrong_codes=config.network_wrong_codes,
            ),
        )
        admin_routes: list[BaseRoute] = []
        if config.admin_token is not None:
            admin = Admin(
                AdminContext(
                    auth=AdminAuth(
                        config.admin_token.get_secret_value(),
                        public_url=config.public_url,
                        count_refusal=lambda: metrics.limited.update(["admin tries"]),
                        wall=time.time,
                        clock=time.monotonic,
                    ),
                    tables=rooms.for_operators,
                    guests=guard.guests,
                    signer=signer,
                    policies=policy_store,
                    refresh=policy.refresh,
                    reports=reports,
                    audit=AuditLog(store),
                    drain=stop,
                    wall=time.time,
                    hub_url=config.public_url or address,
                    public_url=config.public_url,
                    token_days=config.token_days,
                    forget_days=config.forget_days,
                    page=site.index,
                )
            )
            admin_routes = admin.routes()
        routes = [
            WebSocketRoute(
                "/ws/{room}",
                websocket_endpoint(
                    connect,
                    (*config.origins, *([config.public_url] if config.public_url else ())),
                    hosts.is_known,
                ),
            ),
            *admin_routes,
            *site.routes(),
        ]
        uvicorn_config = uvicorn.Config(
            application(api, metrics, origins=config.origins, routes=routes, files=site.files()),
            ws=handshake_protocol(sockets),
            http=http_protocol(limits),
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=5,
        )
        limits.trusted = find_trusted_proxies(uvicorn_config)
        server = Server(
            uvicorn_config,
            lambda: ready(config.public_url or address),
            rooms,
        )
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        if not fatal:
            await server.serve(sockets=[listening])
        if fatal:
            raise fatal[0]
        try:
            await store.depart(identity)
        except StoreUnavailable as error:
            _log.warning("the store was not told that this hub is leaving", reason=str(error))


async def _first_beat(lease: Lease) -> None:
    """The first heartbeat. Raises CannotStart if the store does not confirm it."""
    try:
        await lease.beat()
    except StoreUnavailable as error:
        raise CannotStart(f"The first heartbeat was not stored: {error}.", Exit.STORE) from error


def _listen(config: Config) -> socket.socket:
    """The listening socket. Raises CannotStart if the address is in use or not this machine's."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise CannotStart(
            f"Cannot listen on {config.host} port {config.port} ({error.strerror or error}): stop the "
            "program that uses it, or choose another with --port or PARLEY_PORT (0: any free one).",
            Exit.PORT,
        ) from error
    return listening


def _network_urls(config: Config, port: int) -> list[str]:
    """The URLs at which other devices reach this hub; empty if only this machine can."""
    if config.public_url is not None:
        return [config.public_url]
    if not config.listens_everywhere:
        return []
    return [f"http://{address}:{port}" for address in network_addresses()]


def _readable(config: Config) -> str:
    if config.listens_everywhere:
        return "127.0.0.1"
    return f"[{config.host}]" if ":" in config.host else config.host


def _hooks(metrics: Metrics) -> Hooks:
    def health(healthy: bool) -> None:
        metrics.store_healthy = healthy

    def pipeline(_commits: int) -> None:
        metrics.pipelines += 1

    def count_resent(commits: int) -> None:
        metrics.commits_resent += commits

    return Hooks(health=health, pipeline=pipeline, latency=metrics.commit_seconds.add, resent=count_resent)
