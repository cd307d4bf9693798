"""The part of `parley doctor` about the hubs on one store: their links, clocks and versions.

It reads how each hub has registered, and opens a link to each, as a hub on this machine would.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Final

from websockets.exceptions import InvalidHandshake

from hub.config import CannotStart, Config
from hub.finding import Finding
from hub.net.links.credentials import Credentials
from hub.net.links.dialing import AnotherHub, AnotherVersion, dial
from hub.net.links.messages import LINK_SUBPROTOCOL
from hub.signing_secret import signing_secret
from hub.store.client import StoreUnavailable
from hub.store.hubs import RegisteredHub
from hub.store.store import Store
from hub.wire.tickets import SKEW

CLOCKS_APART_SECONDS: Final = 5.0
"""Well below what hubs tolerate, and far above the difference of clocks that are set from the network."""
SET_CLOCKS: Final = "set them from the network (timedatectl set-ntp true)."
DOCTOR: Final = "doctor"
"""The name in the certificate of its links."""


def examine_fleet(config: Config) -> list[Finding]:
    """Checks the hubs on a store that hubs may share; nothing with the bundled store, which has one hub."""
    if config.redis_url is None:
        return []
    try:
        credentials = Credentials(signing_secret(config), DOCTOR)
        return asyncio.run(_examine(config.redis_url, config, credentials))
    except CannotStart as problem:
        return [Finding("problem", problem.advice)]
    except StoreUnavailable as error:
        return [Finding("problem", f"The hubs on the store could not be read: {error}.")]


async def _examine(redis_url: str, config: Config, credentials: Credentials) -> list[Finding]:
    store = await Store.open(redis_url, ack=config.ack, forget_days=config.forget_days)
    try:
        hubs = sorted(await store.list_registered(), key=lambda hub: hub.label)
        alive = [] if hubs else await store.hubs()
        start = time.time()
        store_clock = await store.read_clock()
        ahead_ms = round(((start + time.time()) / 2 - store_clock) * 1000)
    finally:
        await store.close()
    if alive:
        urls = ", ".join(hub.url for hub in alive)
        advice = f"Every hub on the store is draining, or has only just started ({urls}): restart one."
        return [Finding("warning", advice)]
    if not hubs:
        return [Finding("warning", "No hub has registered on the store: start one.")]
    links = await asyncio.gather(*(examine_link(hub, credentials) for hub in hubs))
    problems = [finding for finding in links if finding is not None]
    if not problems:
        names = ", ".join(f"{hub.label} at {hub.identity.url}" for hub in hubs)
        problems = [Finding("ok", f"Every hub on the store can be reached over a link: {names}.")]
    return [
        *problems,
        *examine_labels(hubs),
        examine_clocks(hubs, ahead_ms),
        *examine_versions(hubs, version("parley")),
    ]


# --- links ---


async def examine_link(
    hub: RegisteredHub, credentials: Credentials, version: str = LINK_SUBPROTOCOL
) -> Finding | None:
    """Opens a link to this hub, and ends it; returns what is wrong with it. `version`: its subprotocol."""
    url = hub.identity.url
    try:
        await (await dial(hub.identity, credentials, version)).close()
    except ssl.SSLError:
        advice = (
            f"{url}, the address of hub {hub.label}, answers, but not with a certificate of these hubs: it "
            "has another PARLEY_SECRET, or it is no Parley hub: check PARLEY_HUB_URL."
        )
    except AnotherHub:
        advice = (
            f"Another hub answers at {url}, the address of hub {hub.label}: give each a PARLEY_HUB_URL of "
            "its own, or none."
        )
    except AnotherVersion as error:
        advice = f"No link to hub {hub.label} at {url} can be opened: {error}."
    except (OSError, InvalidHandshake) as error:
        advice = (
            f"Hub {hub.label} cannot be reached at {url} ({str(error) or type(error).__name__}): let hubs "
            "connect to one another's PARLEY_HUB_URL, and set it where others cannot use a hub's own address."
        )
    else:
        return None
    return Finding("problem", advice)


# --- labels ---


def examine_labels(hubs: Sequence[RegisteredHub]) -> Iterator[Finding]:
    """A proxy would send the sockets of the one to the other."""
    for label, same in _group((hub.label, hub.identity.url) for hub in hubs).items():
        if len(same) > 1:
            count = "Two" if len(same) == 2 else str(len(same))
            advice = f"{count} hubs have the label {label}: give each its own PARLEY_HUB_LABEL."
            yield Finding("warning", advice)


# --- clocks ---


def examine_clocks(hubs: Sequence[RegisteredHub], ahead_ms: int) -> Finding:
    """`ahead_ms`: how far this machine's clock is ahead of the store's."""
    known = {f"hub {hub.label}": hub.clock_ahead_ms for hub in hubs if hub.clock_ahead_ms is not None}
    signing = {"this machine": ahead_ms, **known}
    apart = _find_difference(signing)
    if apart > SKEW:
        return Finding(
            "problem",
            f"The clocks of {_find_extremes(signing)} differ by {apart:.0f} seconds, and hubs refuse tickets "
            f"from more than {SKEW} seconds ahead: {SET_CLOCKS}",
        )
    clocks = {"the store": 0, **signing}
    apart = _find_difference(clocks)
    if apart > CLOCKS_APART_SECONDS:
        return Finding(
            "warning",
            f"The clocks of {_find_extremes(clocks)} differ by {apart:.0f} seconds: {SET_CLOCKS}",
        )
    return Finding("ok", f"The clocks of the hubs, the store and this machine agree to {apart:.1f} seconds.")


def _find_difference(clocks: Mapping[str, int]) -> float:
    return (max(clocks.values()) - min(clocks.values())) / 1000


def _find_extremes(clocks: Mapping[str, int]) -> str:
    ranked = sorted(clocks, key=clocks.__getitem__)
    return f"{ranked[-1]} and {ranked[0]}"


# --- versions ---


def examine_versions(hubs: Sequence[RegisteredHub], installed: str) -> Iterator[Finding]:
    """Compares the hubs with one another, and with the version that is installed on this machine."""
    versions = _group((hub.description.version or "unknown", hub.label) for hub in hubs)
    formats = _group((str(hub.description.schema), hub.label) for hub in hubs)
    games = sorted({game for hub in hubs for game in hub.description.games})
    rules = {
        game: _group((str(hub.description.games.get(game, "none")), hub.label) for hub in hubs)
        for game in games
    }
    differing = {game: groups for game, groups in rules.items() if len(groups) > 1}
    if len(versions) > 1:
        yield Finding(
            "warning", f"The hubs run different versions of Parley ({_list(versions)}): finish the upgrade."
        )
    elif installed not in versions:
        (running,) = versions
        yield Finding(
            "warning",
            f"Parley {installed} is installed on this machine, and the hubs run {running}: restart them.",
        )
    if len(formats) > 1:
        yield Finding(
            "warning",
            f"The hubs store tables in different formats ({_list(formats)}): only hubs with a table's format "
            "can open it.",
        )
    for game, groups in differing.items():
        yield Finding(
            "warning",
            f"The hubs have different rules of {game} ({_list(groups)}): its tables go to hubs with their "
            "rules as long as there are any, so finish the upgrade or undo it.",
        )
    if len(versions) == len(formats) == 1 and installed in versions and not differing:
        count = "One hub runs" if len(hubs) == 1 else f"All {len(hubs)} hubs run"
        yield Finding("ok", f"{count} Parley {installed}, with the same rules.")


def _group(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names of hubs by what they have."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for value, name in pairs:
        groups[value].append(name)
    return dict(groups)


def _list(groups: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{value}: {', '.join(labels)}" for value, labels in sorted(groups.items()))
