"""`parley doctor`: checks an installation from inside, with the settings that `parley serve` would use."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import ssl
import stat
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator, Mapping
from importlib.metadata import version
from typing import Final

from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from hub.certificate import authority_path
from hub.config import CannotStart, Config, Exit, trusts_everybody
from hub.descriptors import RESERVE, raise_descriptor_limit
from hub.finding import Finding, Result
from hub.fleet_checks import examine_fleet
from hub.net.http.static import WEB
from hub.signing_secret import secret_path
from hub.store.binary import find_binary
from hub.store.client import StoreUnavailable
from hub.store.data_folder import describe_unusable
from hub.store.embedded import find_running
from hub.store.fitness import Fitness
from hub.store.store import Store
from hub.wire.messages import SUBPROTOCOL
from hub.wire.tickets import Signer

SECONDS: Final = 5.0
"""How long to wait for any answer."""
FEW_DESCRIPTORS: Final = 4096
NO_SPACE: Final = 16 * 1024**2
"""With less, the bundled store cannot rewrite even a small file."""
LITTLE_SPACE: Final = 1024**3
LITTLE_SPACE_TEXT: Final = "1 GB"
SLOW_LOOP_SECONDS: Final = 0.1


def examine(config: Config) -> Iterator[Finding]:
    """Checks the machine, the data folder, the store, the hubs on it, the hub here and its public URL."""
    yield from _examine_machine()
    yield from _examine_data(config)
    answers = yield from _examine_store(config)
    if answers:
        yield from examine_fleet(config)
    yield from _examine_exposure(config)
    running = yield from _examine_hub(config)
    if running and config.public_url is not None:
        yield from _examine_public_url(config.public_url, config)


# --- the machine and the data folder ---


def _examine_machine() -> Iterator[Finding]:
    if (WEB / "index.html").exists():
        yield Finding("ok", f"Parley {version('parley')}, with its browser client.")
    else:
        yield Finding(
            "problem", "The browser client is missing: install the wheel, or run `make run` in a clone."
        )
    limit = raise_descriptor_limit()
    if limit < FEW_DESCRIPTORS:
        yield Finding(
            "warning",
            f"Only {limit} descriptors, enough for {limit - RESERVE} connections: raise the limit "
            "(ulimit -n, LimitNOFILE).",
        )
    else:
        yield Finding("ok", f"{limit} descriptors.")


def _examine_data(config: Config) -> Iterator[Finding]:
    folder = config.data
    if config.redis_url is not None and not config.https and not folder.exists():
        return  # a hub with a store of its own keeps nothing there
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir():
        yield Finding(
            "problem",
            f"{existing} is a file, not a folder: name the hub's folder with --data or PARLEY_DATA.",
        )
        return
    if existing is not folder:
        if os.access(existing, os.W_OK | os.X_OK):
            yield Finding("ok", f"The data folder {folder} does not exist yet: the hub creates it.")
        else:
            yield Finding(
                "problem",
                f"The data folder {folder} does not exist, and this user cannot create it: do so as root, "
                "for the hub's user.",
            )
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Finding(
            "problem", f"This user cannot write to {folder}: run `parley doctor` as the hub's user."
        )
        return
    free = shutil.disk_usage(folder).free
    if free < NO_SPACE:
        yield Finding(
            "problem",
            f"The disk that holds {folder} is full, so that nothing can be stored: make room on it.",
        )
    elif free < LITTLE_SPACE:
        yield Finding("warning", f"Less than {LITTLE_SPACE_TEXT} is free in {folder}: free some space.")
    else:
        yield Finding("ok", f"The data folder {folder} is writable.")
    secret = secret_path(folder)
    for path in (secret, folder / "store"):
        if problem := describe_unusable(path):
            yield Finding("problem", problem)
    if config.secret is None and secret.exists() and stat.S_IMODE(secret.stat().st_mode) & 0o077:
        yield Finding(
            "problem", f"Other users can read {secret}, and with it take any seat: run `chmod 600 {secret}`."
        )


# --- the store ---


def _examine_store(config: Config) -> Generator[Finding, None, bool]:
    """Returns whether a store answers."""
    try:
        url = config.redis_url or asyncio.run(find_running(config.data))
        if url is None:
            binary = asyncio.run(find_binary())
            yield Finding("ok", f"The bundled store is not running; the hub starts {binary}.")
            return False
        fitness = asyncio.run(_open_store(url, config))
    except CannotStart as problem:
        yield Finding("problem", problem.advice)
        return False
    if fitness.appendonly:
        yield Finding("ok", "The store answers, and its settings are suitable.")
    else:
        yield Finding(
            "warning",
            "The store answers, but it writes no append-only file, so that its restart loses tables: run "
            "`redis-cli config set appendonly yes` and `redis-cli config rewrite` there.",
        )
    if fitness.caution is not None:
        yield Finding("warning", fitness.caution)
    return True


async def _open_store(url: str, config: Config) -> Fitness:
    store = await Store.open(url, ack=config.ack, forget_days=config.forget_days)
    try:
        return await store.examine()
    except StoreUnavailable as error:
        raise CannotStart(f"The store does not answer any more: {error}.", Exit.STORE) from error
    finally:
        await store.close()


# --- the running hub ---


def _examine_exposure(config: Config) -> Iterator[Finding]:
    """Settings that let clients go around the proxy, or pass for others."""
    if trusts_everybody():
        yield Finding(
            "problem",
            "FORWARDED_ALLOW_IPS trusts everybody, so any client can choose the address it counts as, and "
            "avoid limits and bans: set it to the proxy's address.",
        )
    if config.listens_everywhere and config.public_url is not None and config.public_url.startswith("https:"):
        yield Finding(
            "warning",
            f"Port {config.port} is open on every address (PARLEY_HOST), unencrypted and beside the proxy: "
            "set PARLEY_HOST to the address that the proxy uses, such as 127.0.0.1, or close the port "
            "to others.",
        )


def _examine_hub(config: Config) -> Generator[Finding, None, bool]:
    """Returns whether a hub runs."""
    url = config.local_url
    trust = _trust(config)
    try:
        _get(f"{url}/healthz", trust=trust)
    except _NoAnswer as error:
        yield Finding(
            "warning", f"No hub answers at {url} ({error.reason}): start it, then run `parley doctor` again."
        )
        return False
    if _has_another_secret(url, config, trust):
        yield Finding("problem", f"{_stranger(url)}: end that hub, or correct PARLEY_HOST and PARLEY_PORT.")
        return True
    try:
        _get(f"{url}/readyz", trust=trust)
        yield Finding("ok", f"The hub at {url} is ready.")
    except _NoAnswer as error:
        yield Finding("problem", f"The hub at {url} is not ready: {error.reason}")
    token = config.metrics_token
    headers = {} if token is None else {"authorization": f"Bearer {token.get_secret_value()}"}
    try:
        yield from _examine_metrics(_read_metrics(_get(f"{url}/metrics", headers, trust)))
    except _NoAnswer as error:
        yield Finding("warning", f"The hub's metrics cannot be read: {error.reason}")
    return True


def _examine_metrics(metrics: Mapping[str, float]) -> Iterator[Finding]:
    """`metrics`: for each sample, the sum of its values over all labels."""
    if metrics.get("parley_untrusted_forwarding_total"):
        yield Finding(
            "problem",
            "Requests come through a proxy that the hub does not trust: all clients share one limit. "
            "Set FORWARDED_ALLOW_IPS to the proxy's address.",
        )
    if metrics.get("parley_tasks_failed_total"):
        yield Finding(
            "warning", "Background tasks have failed: find `task failed` in the log, and report it."
        )
    count = metrics.get("parley_loop_lag_seconds_count", 0)
    if count and metrics["parley_loop_lag_seconds_sum"] / count > SLOW_LOOP_SECONDS:
        yield Finding("warning", "The event loop is late: see SlowLoop in deploy/RUNBOOK.md.")
    if metrics.get("parley_limited_total"):
        yield Finding(
            "warning",
            f"Limits have refused {metrics['parley_limited_total']:.0f} requests since the start: see "
            "parley_limited_total in the metrics, by limit.",
        )


def _read_metrics(text: str) -> Mapping[str, float]:
    values: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            values[sample.name] = values.get(sample.name, 0.0) + sample.value
    return values


# --- from outside ---


def _has_another_secret(url: str, config: Config, trust: ssl.SSLContext | None = None) -> bool:
    """Whether the hub there signs records with another key than the hubs with these settings."""
    try:
        served = json.loads(_get(f"{url}/api/key", trust=trust))["key"]
        if config.secret is not None:
            secret = config.secret.get_secret_value().encode()
        elif config.redis_url is not None:
            return False  # PARLEY_SECRET is missing, which is said elsewhere
        else:
            secret = bytes.fromhex(secret_path(config.data).read_text())
    except FileNotFoundError:
        return True  # no hub has run with this data folder
    except (_NoAnswer, OSError, ValueError, KeyError, TypeError):
        return False
    key = Signer(secret, config.token_days).record_key().public_key().public_bytes_raw().hex()
    return bool(served != key)


def _stranger(url: str) -> str:
    return f"A Parley hub answers at {url}, but it is not on this store (it has another secret)"


def _examine_public_url(url: str, config: Config) -> Iterator[Finding]:
    try:
        _get(f"{url}/healthz")
    except _NoAnswer as error:
        yield Finding(
            "problem",
            f"{url} does not lead to a hub ({error.reason}): correct PARLEY_PUBLIC_URL or the proxy.",
        )
        return
    if _has_another_secret(url, config):
        yield Finding("problem", f"{_stranger(url)}: correct PARLEY_PUBLIC_URL or the proxy.")
        return
    try:
        with connect(
            f"ws{url.removeprefix('http')}/ws/doctor",
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            open_timeout=SECONDS,
        ):
            pass
    except (OSError, WebSocketException) as error:
        yield Finding(
            "problem",
            f"{url} passes no WebSockets ({_describe(error)}): make the proxy pass upgrades on /ws/.",
        )
        return
    yield Finding("ok", f"{url} leads to the hub, for sockets too.")
    if not url.startswith("https://"):
        yield Finding(
            "warning", f"{url} is not encrypted, so eavesdroppers can take people's seats: use https."
        )


class _NoAnswer(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _trust(config: Config) -> ssl.SSLContext | None:
    """What to trust at the hub's own address: the authority of its certificate, if it has made one."""
    path = authority_path(config.data)
    return ssl.create_default_context(cafile=path) if config.https and path.exists() else None


def _get(url: str, headers: Mapping[str, str] | None = None, trust: ssl.SSLContext | None = None) -> str:
    """The body of a successful response. Raises _NoAnswer."""
    try:
        request = urllib.request.Request(url, headers=dict(headers or {}))
        with urllib.request.urlopen(request, timeout=SECONDS, context=trust) as answer:
            body: str = answer.read(4_000_000).decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        raise _NoAnswer(_advice(error)) from error
    except (OSError, ValueError) as error:
        raise _NoAnswer(_describe(error)) from error
    return body


def _advice(error: urllib.error.HTTPError) -> str:
    """The hub's advice in an error, or else the HTTP status."""
    try:
        return str(json.loads(error.read(10_000))["advice"])
    except (OSError, ValueError, KeyError, TypeError):
        return f"HTTP {error.code}"


def _describe(error: BaseException) -> str:
    reason = getattr(error, "reason", error)
    return str(reason) or type(error).__name__


PRINT: Final[Mapping[Result, Callable[[str], str]]] = {
    "ok": lambda text: f"ok       {text}",
    "warning": lambda text: f"warning  {text}",
    "problem": lambda text: f"PROBLEM  {text}",
}
