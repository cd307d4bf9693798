"""Opens a link to another hub, and makes sure that it is the one that was meant."""

from __future__ import annotations

from http import HTTPStatus

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from hub.net.links import messages as l
from hub.net.links.credentials import Credentials, read_incarnation
from hub.net.links.link import ANSWER_SECONDS, CONNECTION_OPTIONS
from hub.store.hubs import HubIdentity


class AnotherHub(InvalidHandshake):
    """The hub at this address is not the one that the store names there."""


class AnotherVersion(InvalidHandshake):
    """The hub speaks another version of the links' protocol."""


async def dial(
    hub: HubIdentity, credentials: Credentials, version: str = l.LINK_SUBPROTOCOL
) -> ClientConnection:
    """The connection of a new link. Raises OSError or InvalidHandshake, also as one of the above.

    `version`: the subprotocol of the link.
    """
    try:
        connection = await connect(
            hub.url,
            ssl=credentials.for_dialing,
            server_hostname="",
            proxy=None,
            subprotocols=[Subprotocol(version)],
            compression=None,
            max_size=None,  # the other end is a hub
            open_timeout=ANSWER_SECONDS,
            **CONNECTION_OPTIONS,
        )
    except InvalidStatus as error:
        if error.response.status_code != HTTPStatus.UPGRADE_REQUIRED:
            raise
        theirs = (error.response.body or b"").decode("ascii", "replace")
        raise AnotherVersion(
            f"it speaks {theirs} and this hub {version}: bring both to the same version of Parley"
        ) from error
    incarnation = read_incarnation(connection.transport.get_extra_info("ssl_object"))
    if incarnation != hub.incarnation:
        await connection.close()
        raise AnotherHub(f"another hub answers there: {incarnation}")
    return connection
