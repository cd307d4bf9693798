"""Prints the path of the store server that a hub starts: ``python -m tests.harness.store_binary``."""

from __future__ import annotations

import asyncio

from hub.store.binary import find_binary

if __name__ == "__main__":
    print(asyncio.run(find_binary()))
