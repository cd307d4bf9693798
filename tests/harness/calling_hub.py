"""The real hub, but it calls people back at once, and every push service is the test's own:
`python -m tests.harness.calling_hub PORT CERTIFICATE serve ...`.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
from typing import Any

import hub.app
from hub.cli import main
from hub.net.push.transport import PushTransport
from hub.runtime import summons


class LocalTransport(PushTransport):
    """Takes every name for a public one, and connects to the test's service."""

    port = 0

    async def _open(
        self, address: str, port: int, host: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await super()._open("127.0.0.1", self.port, host)


async def resolve(_host: str, _port: int) -> list[str]:
    return ["8.8.8.8"]


if __name__ == "__main__":
    LocalTransport.port = int(sys.argv.pop(1))
    tls = ssl.create_default_context(cafile=sys.argv.pop(1))
    tls.check_hostname = False
    app: Any = hub.app
    app.PushTransport = lambda: LocalTransport(tls=tls, resolve=resolve)
    timing: Any = summons
    timing.AWAY_MS = 0
    main()
