"""tools/setup.py lets uv, pip and npm trust the system's certificates, unless the user has set otherwise."""

from __future__ import annotations

import http.server
import os
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.harness.certificates import self_signed
from tests.tools.programs import write_program
from tools import setup


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    path = tmp_path / "bundle.crt"
    path.touch()
    return str(path)


def test_linux_settings_name_the_bundle(bundle: str) -> None:
    assert setup.certificate_settings({}, "linux", ["/nonexistent/ca.crt", bundle]) == {
        "UV_SYSTEM_CERTS": "1",
        "UV_NATIVE_TLS": "1",
        "NODE_USE_SYSTEM_CA": "1",
        "NODE_EXTRA_CA_CERTS": bundle,
        "REQUESTS_CA_BUNDLE": bundle,
    }


def test_macos_settings_name_no_bundle() -> None:
    assert setup.certificate_settings({}, "darwin", []) == {
        "UV_SYSTEM_CERTS": "1",
        "UV_NATIVE_TLS": "1",
        "NODE_USE_SYSTEM_CA": "1",
    }


def test_without_system_certificates_programs_use_their_own() -> None:
    assert setup.certificate_settings({}, "linux", ["/nonexistent/ca.crt"]) == {}


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_bundle_set_by_the_user_takes_precedence(bundle: str, platform: str) -> None:
    settings = setup.certificate_settings({"SSL_CERT_FILE": "/company.crt"}, platform, [bundle])
    assert settings["NODE_EXTRA_CA_CERTS"] == settings["REQUESTS_CA_BUNDLE"] == "/company.crt"


@pytest.mark.parametrize(
    ("older", "newer"), [("UV_NATIVE_TLS", "UV_SYSTEM_CERTS"), ("CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE")]
)
def test_a_setting_under_its_other_name_is_respected(bundle: str, older: str, newer: str) -> None:
    assert setup.certificate_settings({older: "chosen"}, "linux", [bundle])[newer] == "chosen"


NAMES = (
    "UV_SYSTEM_CERTS",
    "UV_NATIVE_TLS",
    "NODE_USE_SYSTEM_CA",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
)


@pytest.mark.parametrize("name", NAMES)
def test_each_step_gets_the_settings_but_keeps_those_of_the_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bundle: str, name: str
) -> None:
    for setting in (*NAMES, "CURL_CA_BUNDLE"):
        monkeypatch.delenv(setting, raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", bundle)
    printer = write_program(tmp_path / "program", f'echo "${name}" >seen')
    setup.step([str(printer)], tmp_path, "")
    assert (tmp_path / "seen").read_text().strip() == setup.certificate_settings(os.environ)[name]
    monkeypatch.setenv(name, "chosen")
    setup.step([str(printer)], tmp_path, "")
    assert (tmp_path / "seen").read_text() == "chosen\n"


# --- a registry that only the system's certificates vouch for ---


class Registry(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def registry(certificate: Path) -> Iterator[str]:
    """Runs a server that answers every request, and yields its address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry) as httpd:
        httpd.socket = context.wrap_socket(httpd.socket, server_side=True)
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        try:
            yield f"https://localhost:{httpd.server_port}/"
        finally:
            httpd.shutdown()
            thread.join()


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not on this machine")
def test_npm_reaches_a_registry_that_only_the_system_trusts(tmp_path: Path) -> None:
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    bare |= {f"npm_config_{kind}config": str(tmp_path / kind) for kind in ("global", "user")}

    def ping(url: str, settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
        command = ["npm", "ping", "--registry", url, "--fetch-retries", "0"]
        return subprocess.run(command, env=bare | settings, cwd=tmp_path, capture_output=True, text=True)

    certificate = self_signed(tmp_path)
    with registry(certificate) as url:
        refused = ping(url, {})
        assert refused.returncode != 0
        assert "certificate" in refused.stderr
        reached = ping(url, setup.certificate_settings({}, bundles=[str(certificate)]))
        assert reached.returncode == 0, reached.stderr
