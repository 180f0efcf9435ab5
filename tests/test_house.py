"""The structure of the packages: folders import along fixed arrows, enter each other only by their
top level, and each third-party package is imported in one place per folder.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ARROWS = {
    "safe_harbor": set(),
    "recognizers": {"safe_harbor"},
    "risk": set(),
    "deid": {"safe_harbor", "recognizers", "risk"},
}
# Packages that every file of a folder may import. Every other package is imported by one file or
# one subfolder only.
EVERYWHERE = {
    "safe_harbor": set(),
    "recognizers": {"re2", "numpy"},
    "risk": {"numpy", "pandas", "scipy"},
    # Two subfolders serve pages: the review, and the Presidio interface.
    "deid": {"typer", "starlette", "numpy", "pyarrow"},
}
MODULES = [path for folder in ARROWS for path in sorted((ROOT / folder).rglob("*.py"))]


def imports(path: Path) -> Iterator[tuple[str, ast.AST]]:
    """Every absolute module name that a file imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.relative_to(ROOT)} imports relatively"
            yield node.module or "", node


def folder_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_folders_import_along_the_arrows_and_only_the_top_level(path: Path) -> None:
    own = folder_of(path)
    for name, _ in imports(path):
        first, *rest = name.split(".")
        if first not in ARROWS or first == own:
            continue
        assert first in ARROWS[own], f"{own} must not import {first}"
        assert not rest, f"{own} enters {first} by {name} and not by its front door"


OPENING_CALLS = {"files", "Path", "open", "joinpath", "import_module", "find_spec", "get_data"}


def paths(path: Path) -> Iterator[str]:
    """Every string of a file, outside docstrings, that is a path into another top folder:
    `files("recognizers")`, `ROOT / "risk"`, `"deid/formats/x.csv"`, `import_module("risk.limits")`.
    """
    tree = ast.parse(path.read_text("utf-8"))
    plain = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    others = "|".join(set(ARROWS) - {folder_of(path)})
    opened = {id(part) for node in ast.walk(tree) for part in operands(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        named = (
            rf"(?:{others})(?:[./][\w./-]*)?" if id(node) in opened else rf"(?:{others})/[\w.-].*"
        )
        if id(node) not in plain and re.fullmatch(rf"(?:[\w.-]+/)*{named}", node.value):
            yield node.value


def operands(node: ast.AST) -> Iterator[ast.expr]:
    """The arguments of calls that open or import something, and the operands of `/` in a path."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield from (node.left, node.right)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
        if (name if isinstance(name, str) else getattr(name, "id", "")) in OPENING_CALLS:
            yield from node.args


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_file_of_another_folder_is_opened_by_its_path(path: Path) -> None:
    """A folder gets data of another folder through its public functions, or has its own list."""
    assert list(paths(path)) == []


def test_paths_into_other_folders_are_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "deid" / "module.py"
    module.parent.mkdir()
    module.write_text(
        '"""recognizers/words is only told of here."""\n'
        'files("recognizers") / "words"\nROOT / "risk" / "t.csv"\nopen("../safe_harbor/x.csv")\n'
        'import_module("recognizers.words")\nprint("recognizers find", "risk", "/recognizers")\n'
        'WORDS = HERE.parents[2] / "recognizers/words/x.csv"\nNAME = "recognizers/words/y.csv"\n'
    )
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    told = ["recognizers", "risk", "../safe_harbor/x.csv", "recognizers.words"]
    told += ["recognizers/words/x.csv", "recognizers/words/y.csv"]
    assert sorted(paths(module)) == sorted(told)


@pytest.mark.parametrize("folder", ARROWS)
def test_no_file_imports_the_top_level_of_its_own_folder(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.py")):
        for name, node in imports(path):
            if name == folder and isinstance(node, ast.ImportFrom):
                modules = {p.stem for p in (ROOT / folder).iterdir()}
                asked = {alias.name for alias in node.names}
                assert asked <= modules, f"{path.relative_to(ROOT)} imports its own front door"


@pytest.mark.parametrize("folder", ARROWS)
def test_a_third_party_package_is_imported_in_one_place_per_folder(folder: str) -> None:
    doors: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / folder).rglob("*.py")):
        for name, _ in imports(path):
            first = name.split(".")[0]
            if first in ARROWS or first in sys.stdlib_module_names or first in EVERYWHERE[folder]:
                continue
            room = path.relative_to(ROOT / folder)
            doors[first].add(room.parts[0] if len(room.parts) > 1 else room.name)
    many = {package: sorted(rooms) for package, rooms in doors.items() if len(rooms) > 1}
    assert not many, f"more than one door in {folder}: {many}"


def test_no_import_cycle() -> None:
    graph = {module_name(path): set(internal(path)) for path in MODULES}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail[trail.index(name) :], name))
        if name in done or name not in graph:
            return
        for target in graph[name]:
            visit(target, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())


def test_the_review_does_not_import_presidio() -> None:
    """Without Presidio, which it does not need, `deid review` starts in half the time."""
    script = "import sys, deid.review.web.app; assert 'presidio_analyzer' not in sys.modules"
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    ("command", "late"),
    [
        (["find"], ["openpyxl", "pypdf", "pypdfium2", "duckdb", "jinja2", "sqlalchemy"]),
        (["find"], ["deid.jobs.orchestration"]),
        (["scrub", "-o", "OUT"], ["openpyxl", "pypdfium2", "duckdb", "sqlalchemy", "pandas"]),
    ],
)
def test_a_note_imports_no_reader_of_other_formats(
    command: list[str], late: list[str], tmp_path: Path
) -> None:
    """The imports of databases alone take a quarter of the time of `deid scrub` on one note."""
    (tmp_path / "note.txt").write_text("Seen by Dr. Okafor.", "utf-8")
    script = f"""
import sys
from contextlib import suppress
from deid.cli import main
sys.argv = ["deid", *{command!r}, "note.txt"]
with suppress(SystemExit):
    main()
assert not [name for name in {late!r} if name in sys.modules]
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def internal(path: Path) -> Iterator[str]:
    """Modules of this project that a module imports when it is loaded."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in top_level(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            known = {n for n in names if (ROOT / Path(*n.split("."))).with_suffix(".py").exists()}
            yield from known
            if len(known) < len(names) and node.module != module_name(path):
                yield node.module


def top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in tree.body:
        guarded = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if not guarded:
            yield node


DECISION = ROOT / "docs" / "decisions" / "0041-rooms.md"


def rooms_of_decision() -> dict[str, dict[str, set[str]]]:
    """The subfolders that each subfolder may import, from the two tables of the decision."""
    text = DECISION.read_text("utf-8")
    tables = text.split("| room | question it answers | may import |")[1:]
    row = re.compile(r"^\| `(\w+)/`[^|]*\| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
    rooms = [
        {name: set(re.findall(r"`(\w+)`", allowed)) for name, allowed in row.findall(table)}
        for table in tables
    ]
    return dict(zip(("deid", "recognizers"), rooms, strict=True))


ROOMS = rooms_of_decision()
EACH_ROOM = [(folder, room) for folder, rooms in ROOMS.items() for room in sorted(rooms)]
# `plugins.py` serves texts, transforms and formats.
LOOSE_FILES = {"deid": 9, "recognizers": 10}
FILES_A_FOLDER = 16
# These folders have one file per transform or per command.
WIDER = {"deid/transforms", "deid/cli"}
# How many names may be defined at the top of more than one module: public and private ones.
HOMONYMS = {"public": 0, "private": 4}
# Names that every module of a register defines, and names that two packages export because they are
# the name of the command.
SHARED = {"FORMAT", "TRANSFORM", "app", "find", "main", "measure", "profile", "run"}


def room_of(module: str) -> str:
    """The subfolder that contains a module; "" for a file directly in its folder."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and (ROOT / parts[0] / parts[1]).is_dir() else ""


@pytest.mark.parametrize(("folder", "room"), EACH_ROOM)
def test_subfolders_import_along_the_arrows(folder: str, room: str) -> None:
    for path in sorted((ROOT / folder / room).rglob("*.py")):
        for name, node in imports(path):
            if name.split(".")[0] != folder:
                continue
            aliases = [f"{folder}.{a.name}" for a in getattr(node, "names", [])]
            for other in map(room_of, aliases if name == folder else [name]):
                allowed = {"", room} | ROOMS[folder][room]
                assert other in allowed, f"{path.relative_to(ROOT)}: {other}"


@pytest.mark.parametrize("folder", ROOMS)
def test_every_subfolder_has_its_arrows_and_a_docstring(folder: str) -> None:
    rooms = {p.parent.name for p in (ROOT / folder).glob("*/__init__.py")}
    assert rooms == set(ROOMS[folder])
    for path in (ROOT / folder).rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text("utf-8"))), path.relative_to(ROOT)


def test_the_files_named_for_twelve_tasks_exist() -> None:
    """The decision lists twelve tasks, each with the right file to open first."""
    text = DECISION.read_text("utf-8")
    opened = re.findall(r"^\| [^|]+ \| `([\w/]+\.py)` \| yes", text, re.MULTILINE)
    assert len(opened) == 12
    assert [name for name in opened if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("folder", ROOMS)
def test_the_arrows_have_no_cycle(folder: str) -> None:
    rooms, done = ROOMS[folder], set[str]()
    while len(done) < len(rooms):
        free = {room for room in set(rooms) - done if rooms[room] <= done}
        assert free, f"a cycle among {sorted(set(rooms) - done)}"
        done |= free


def test_folders_are_small() -> None:
    for folder, most in LOOSE_FILES.items():
        assert len(list((ROOT / folder).glob("*.py"))) <= most
    for folder in {path.parent for path in MODULES}:
        name = folder.relative_to(ROOT).as_posix()
        files = [p for p in folder.glob("*.py") if p.name != "__init__.py"]
        assert name in WIDER or len(files) <= FILES_A_FOLDER, f"{name}: {len(files)} files"


def test_the_number_of_names_with_several_meanings_does_not_grow() -> None:
    """One name has one meaning: the number of names defined in several modules may only fall."""
    homes: dict[str, set[Path]] = defaultdict(set)
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            for name in defined(node):
                homes[name].add(path)
    many = (
        {name for name, paths in homes.items() if len(paths) > 1}
        - SHARED
        - {"__all__", "__getattr__"}
    )
    private = {name for name in many if name.startswith("_")}
    assert len(many - private) <= HOMONYMS["public"], sorted(many - private)
    assert len(private) <= HOMONYMS["private"], sorted(private)


def defined(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets += [node.target] if isinstance(node, ast.AnnAssign) else []
    return [t.id for t in targets if isinstance(t, ast.Name)]


SUPPORT = {
    "deid/transforms": {
        "register",
        "contract",
        "arguments",
        "presidio_operators",
        "plugin_transform",
    },
    "deid/cli": {"register", "arguments", "option_groups", "examples"},
}


@pytest.mark.parametrize(
    ("register", "entries"), [("deid/transforms", "TRANSFORMS"), ("deid/cli", "COMMANDS")]
)
def test_a_register_lists_every_module_of_its_folder(register: str, entries: str) -> None:
    listed = entries_of(register, entries)
    files = {p.stem for p in (ROOT / register).glob("*.py")} - SUPPORT[register] - {"__init__"}
    # A second file of a command starts with its name: `scrub_arguments` belongs to `scrub`.
    second = {stem for stem in files - listed if any(stem.startswith(f"{own}_") for own in listed)}
    assert listed == files - second


def test_the_register_of_formats_lists_every_module_with_a_format() -> None:
    folder = ROOT / "deid" / "formats"
    having = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if any("FORMAT" in defined(node) for node in ast.parse(path.read_text("utf-8")).body)
    }
    assert entries_of("deid/formats", "FORMATS") == having


def entries_of(register: str, entries: str) -> set[str]:
    """The modules that a register lists."""
    tree = ast.parse((ROOT / register / "register.py").read_text("utf-8"))
    for node in tree.body:
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == entries and node.value is not None:
            items = ast.literal_eval(node.value)
            return {item if isinstance(item, str) else item[1] for item in items}
    raise AssertionError(f"{register} has no {entries}")


def test_no_module_has_the_name_of_a_function_it_defines() -> None:
    clashes = []
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        names = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
        # The packages export such names from their top level; the files must not define them.
        if path.stem in names:
            clashes.append(str(path.relative_to(ROOT)))
    allowed = {"safe_harbor/identifiers.py"}
    assert set(clashes) <= allowed


@pytest.mark.parametrize("folder", ARROWS)
def test_no_exported_name_is_also_a_module(folder: str) -> None:
    """The module would replace the exported name as soon as anything imports it."""
    rooms = {p.stem for p in (ROOT / folder).iterdir() if p.suffix == ".py" or p.is_dir()}
    assert not rooms & set(importlib.import_module(folder).__all__)


def test_forbidden_words() -> None:
    """Words that are never used about our output, and words about how or where it was made."""
    machines = ("/" + "work/", "/" + "root/", "pypi" + ".org", "python" + "hosted")
    words = ("hipaa" + " compliant", *machines)
    texts = [p for g in ("*.py", "*.md", "*.toml", "*.yaml", "*.html") for p in ROOT.rglob(g)]
    for path in texts:
        parts = path.relative_to(ROOT).parts
        if parts[0] == "build" or any(part.startswith(".") for part in parts):
            continue
        text = path.read_text("utf-8", errors="ignore").casefold()
        for word in words:
            assert word not in text, f"{path.relative_to(ROOT)} holds a forbidden word"
