"""Real reverse proxies with the examples of deploy/proxies, and hubs behind them."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.harness.processes import HubProcess, Process, StoreProcess, free_port

PROXIES = Path(__file__).resolve().parents[2] / "deploy" / "proxies"
OWN_HUB = "127.0.0.1:8420"
TOKEN = "a token for metrics"


class Proxy(NamedTuple):
    program: str
    example: str
    listens: str
    """How the example says where it listens."""
    left_out: str = ""
    """What marks the lines of the example that are left out."""


EXAMPLES = (
    Proxy("nginx", "nginx.conf", "listen 80;"),
    Proxy("haproxy", "haproxy.cfg", "bind :80"),
    Proxy("caddy", "Caddyfile", "play.example.org {"),
)


def configure(proxy: Proxy, folder: Path, port: int, hub_port: int) -> list[str]:
    """Writes the example with other ports; returns the command that runs it in the foreground."""
    text = (PROXIES / proxy.example).read_text()
    assert proxy.listens in text
    assert OWN_HUB in text
    if proxy.left_out:
        text = "\n".join(line for line in text.split("\n") if proxy.left_out not in line)
    text = text.replace(OWN_HUB, f"127.0.0.1:{hub_port}")
    text = text.replace("/var/log/nginx", str(folder))
    path = folder / proxy.example
    if proxy.program == "nginx":
        site = folder / "site.conf"
        site.write_text(text.replace(proxy.listens, f"listen 127.0.0.1:{port};"))
        path.write_text(
            f"daemon off; pid {folder}/pid; error_log stderr notice;\n"
            "events { worker_connections 10000; }\n"
            f"http {{ include {site}; client_body_temp_path {folder}/body; }}\n"
        )
        return ["nginx", "-c", str(path), "-e", "stderr"]
    if proxy.program == "haproxy":
        path.write_text(text.replace(proxy.listens, f"bind 127.0.0.1:{port}"))
        return ["haproxy", "-db", "-f", str(path)]
    path.write_text("{\n\tadmin off\n}\n" + text.replace(proxy.listens, f"http://127.0.0.1:{port} {{"))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(path)]


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError("the proxy does not listen")


HUB_EXAMPLES = (
    Proxy("haproxy", "haproxy-hubs.cfg", "bind :80"),
    Proxy("nginx", "nginx-hubs.conf", "listen 80;"),
)

ROUND_ROBIN = HUB_EXAMPLES[0]._replace(left_out="use-server")
"""Sockets go anywhere, too."""


@contextmanager
def serve_two_behind(
    proxy: Proxy, folder: Path, port: int, store_program: Path
) -> Iterator[list[HubProcess]]:
    """Two hubs, labelled a and b, on one store, and their one address: their proxy has this port."""
    ports = [free_port(), free_port()]
    url = f"http://127.0.0.1:{port}"
    with (
        tempfile.TemporaryDirectory(prefix="parley-") as store_folder,
        StoreProcess(store_program, Path(store_folder)) as store,
    ):
        settings = {"redis_url": store.url, "secret": "s" * 32, "public_url": url, "metrics_token": TOKEN}
        hubs = [
            HubProcess(folder / label, port=ports[number], hub_label=label, **settings)
            for number, label in enumerate("ab")
        ]
        command = configure(proxy, folder, port, ports[0])
        for file in (folder / proxy.example, folder / "site.conf"):
            if file.exists():
                file.write_text(file.read_text().replace("127.0.0.1:8421", f"127.0.0.1:{ports[1]}"))
        with hubs[0], hubs[1]:
            running = Process(command, ready="never printed")
            running.launch()
            try:
                wait_for(port)
                yield hubs
            finally:
                running.kill()
