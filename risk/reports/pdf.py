"""A report as PDF, printed by a browser installed on this machine."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from risk.errors import RiskError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
_SECONDS = 120


def print_pdf(page: str, path: Path) -> None:
    """Print a self-contained HTML page.

    The browser gets its own profile and no network: every host name is refused. Raises `RiskError`
    if there is no browser or it fails.
    """
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise RiskError(
            "no browser found to print the PDF",
            code="no-browser",
            hint=f"install one of {', '.join(BROWSERS)}, or print the --html report",
        )
    with tempfile.TemporaryDirectory() as name:
        source, made = Path(name) / "report.html", Path(name) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--no-sandbox",
            "--no-first-run",
            "--disable-background-networking",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={name}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={made}",
            source.as_uri(),
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)
        except (OSError, subprocess.SubprocessError):
            raise RiskError("the browser did not print the report", code="no-browser") from None
        if not made.is_file():
            raise RiskError("the browser did not print the report", code="no-browser")
        part = path.with_name(path.name + ".part")
        shutil.copyfile(made, part)
        part.replace(path)
