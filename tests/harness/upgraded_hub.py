"""The real hub, but it says that it serves another build of the client than it does, as after an upgrade:
`python -m tests.harness.upgraded_hub serve ...`.
"""

from __future__ import annotations

from typing import Any

import hub.app
from hub.cli import main
from hub.net.http.static import Site


class NewerSite(Site):
    """A site whose build is not that of its pages."""

    @property
    def build(self) -> str:
        return "parley-newer"


if __name__ == "__main__":
    app: Any = hub.app
    app.Site = NewerSite
    main()
