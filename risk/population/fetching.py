"""Populations from the Census Bureau: downloaded, checked, saved.

This is the only code of the package that opens a connection, and only for `deid population fetch`.
Downloads go to a `.part` file and resume where they stopped. SHA-256 and totals are checked if they
are known. Mirrors may be given in place of the servers.
"""

from __future__ import annotations

import hashlib
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from risk.errors import RiskError
from risk.population.census import (
    CENSUS_RACES,
    CensusBlock,
    CensusCell,
    population_of,
    population_of_blocks,
    read_api,
    read_summary_file,
)
from risk.population.estimates import read_estimates
from risk.population.places import FIPS, STATE_NAMES
from risk.population.sources import CensusSource, race_of, source_of
from risk.population.table import Population

FILES = "https://www2.census.gov"
API = "https://api.census.gov/data"
_CHUNK_BYTES = 1 << 20
_TIMEOUT = 60


def fetch_population(
    name: str,
    folder: Path,
    *,
    states: Sequence[str] = (),
    counties: bool = False,
    key: str | None = None,
    file_server: str = FILES,
    api_server: str = API,
    say: Callable[[str], None] = lambda _: None,
) -> Population:
    """Fetch a source into `folder` and read it.

    `states` (postal abbreviations) limits summary files and API calls, `counties` asks the API for
    counties, `key` is the API key.

    Raises `RiskError`: exit code 2 for an unknown source or a missing key, 6 for a failed download
    or for a hash or total that does not match.
    """
    source = source_of(name)
    folder.mkdir(parents=True, exist_ok=True)
    if source.files:
        paths = [
            download(file_server + file, folder, sha256=source.sha256, say=say)
            for file in source.files
        ]
        return build_population(name, paths)
    wanted = [state.upper() for state in states] or sorted(set(FIPS.values()) - {"PR"})
    if unknown := sorted(set(wanted) - set(FIPS.values())):
        raise RiskError(
            f"unknown states: {', '.join(unknown)}",
            code="unknown-state",
            hint="use postal codes, for example DE",
        )
    if source.summary_file:
        blocks = _summary_files(source, folder, wanted, file_server, say)
    else:
        if not key:
            raise RiskError(
                "the data API requires a key",
                code="no-census-key",
                place=name,
                hint="request one at api.census.gov/data/key_signup.html; give it with --key",
            )
        blocks = _api_answers(source, folder, wanted, counties, key, api_server, say)
    return _check_total(_gathered(source, blocks), source)


def build_population(name: str, paths: Sequence[Path]) -> Population:
    """Read files that were fetched earlier, or copied by hand, as the named source."""
    source = source_of(name)
    if source.summary_file:
        return _check_total(_gathered(source, _summary_blocks(source, paths)), source)
    if source.api:
        blocks: list[CensusBlock] = []
        for path in paths:
            blocks += read_api(_read_json_table(path), race_of(source, path.name))
        return _check_total(_gathered(source, blocks), source)
    counted: list[tuple[CensusCell, float]] = []
    columns: tuple[str, ...] = ()
    for path in paths:
        found, layout = read_estimates(path)
        counted, columns = counted + found, layout.columns
    population = population_of(
        counted,
        columns,
        name=name,
        source=f"US Census Bureau: {source.title}",
        vintage=source.vintage,
        sha256=_file_digest(paths[0]) if len(paths) == 1 else None,
    )
    return _check_total(population, source)


def download(
    url: str,
    folder: Path,
    *,
    sha256: str | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Download a file, resuming from the `.part` of an earlier try.

    A complete file is not downloaded again.
    """
    path = folder / url.rsplit("/", 1)[-1]
    if path.is_file() and (sha256 is None or _file_digest(path) == sha256):
        return path
    part = path.with_suffix(path.suffix + ".part")
    have = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    say(f"fetching {path.name}" + (f" from byte {have}" if have else ""))
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            mode = "ab" if have and answer.status == 206 else "wb"
            length = answer.headers.get("Content-Length")
            written = 0
            with part.open(mode) as stream:
                while block := answer.read(_CHUNK_BYTES):
                    written += stream.write(block)
        if length is not None and written < int(length):
            raise _failed("the connection broke off; run the command again to resume", path.name)
    except urllib.error.HTTPError as error:
        if error.code != 416:
            raise _failed(f"the server answered {error.code}", path.name) from None
    except (urllib.error.URLError, OSError, TimeoutError):
        raise _failed(
            "the server could not be reached; run the command again to resume", path.name
        ) from None
    if sha256 is not None and _file_digest(part) != sha256:
        part.unlink()
        raise _failed("the SHA-256 of the file is not the recorded one", path.name)
    part.replace(path)
    return path


def _summary_files(
    source: CensusSource, folder: Path, states: list[str], server: str, say: Callable[[str], None]
) -> list[CensusBlock]:
    blocks: list[CensusBlock] = []
    for state in states:
        low, name = state.lower(), STATE_NAMES[state].replace(" ", "_")
        base = f"{server}{source.summary_file}/{urllib.parse.quote(name)}"
        header = download(f"{base}/{low}geo_uf1.zip", folder, say=say)
        segments = {}
        for offset, race in enumerate(CENSUS_RACES):
            number = f"{source.first_segment + offset:05d}"
            segments[race] = download(f"{base}/{low}{number}_uf1.zip", folder, say=say)
        blocks += read_summary_file(segments, header)
    return blocks


def _summary_blocks(source: CensusSource, paths: Sequence[Path]) -> list[CensusBlock]:
    """Return the blocks of the segment and header files.

    The files are recognized by their names: `de00016_uf1.zip`, `degeo_uf1.zip`.
    """
    blocks: list[CensusBlock] = []
    headers = [path for path in paths if path.name[2:5] == "geo"]
    if not headers:
        raise RiskError(
            "the files include no geographic header",
            code="no-geographic-header",
            hint="name the `..geo_uf1.zip` of each state with its segments",
        )
    for header in headers:
        segments = {}
        for offset, race in enumerate(CENSUS_RACES):
            wanted = f"{header.name[:2]}{source.first_segment + offset:05d}"
            own = [path for path in paths if path.name.startswith(wanted)]
            if not own:
                raise RiskError(
                    f"the file of segment {wanted} is missing",
                    code="missing-segment",
                    hint="give the geographic header together with all seven segments",
                )
            segments[race] = own[0]
        blocks += read_summary_file(segments, header)
    return blocks


def _api_answers(
    source: CensusSource,
    folder: Path,
    states: list[str],
    counties: bool,
    key: str,
    server: str,
    say: Callable[[str], None],
) -> list[CensusBlock]:
    """Make one call per table and state.

    Each answer is saved, so that an interrupted run can resume. The key appears in no file name and
    no message.
    """
    codes = {postal: fips for fips, postal in FIPS.items()}
    blocks: list[CensusBlock] = []
    for table, race in zip(source.tables, CENSUS_RACES, strict=True):
        for state in states:
            path = folder / f"{source.name}-{table}-{state}{'-counties' if counties else ''}.json"
            if not path.is_file():
                place = f"county:*&in=state:{codes[state]}" if counties else f"state:{codes[state]}"
                url = f"{server}/{source.api}?get=group({table})&for={place}&key={key}"
                say(f"requesting {table} of {state}")
                _call(url, path)
            blocks += read_api(_read_json_table(path), race)
    return blocks


def _call(url: str, path: Path) -> None:
    part = path.with_suffix(".part")
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:
            body = answer.read() if answer.status != 204 else b"[]"
    except urllib.error.HTTPError as error:
        hint = (
            "the key is refused"
            if error.code in (401, 403)
            else "the table may not have this level of geography"
        )
        raise _failed(f"the data API answered {error.code}; {hint}", path.stem) from None
    except (urllib.error.URLError, OSError, TimeoutError):
        raise _failed(
            "the data API could not be reached; run the command again to resume", path.stem
        ) from None
    part.write_bytes(body)
    _read_json_table(part)
    part.replace(path)


def _read_json_table(path: Path) -> list[list[str]]:
    try:
        content = json.loads(path.read_bytes())
    except ValueError:
        path.unlink()
        raise _failed("the answer of the data API is not JSON; check the key", path.stem) from None
    if not isinstance(content, list):
        raise _failed("the answer of the data API is not a table", path.stem)
    return content


def _gathered(source: CensusSource, blocks: list[CensusBlock]) -> Population:
    title = f"US Census Bureau: {source.title}"
    return population_of_blocks(blocks, name=source.name, source=title, vintage=source.vintage)


def _check_total(population: Population, source: CensusSource) -> Population:
    if not population.total:
        raise _failed("the files count no people", source.name)
    if source.total is not None and round(population.total) != source.total:
        raise _failed(
            f"the counts sum to {population.total:,.0f}, not to the recorded {source.total:,}",
            source.name,
        )
    return population


def _file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _failed(message: str, place: str) -> RiskError:
    return RiskError(
        message,
        code="fetch-failed",
        place=place,
        hint="without a network, copy the files here and run `deid population build`",
        exit_code=6,
    )
