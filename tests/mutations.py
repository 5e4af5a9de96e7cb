"""Random mutations of computing modules: which do the tests of their own room catch?

python -m tests.mutations --seed 1 --count 60
python -m tests.mutations --seed 1 --count 60 --only gpuplanner/files/tables

Each mutation changes one operator, bound, constant, condition or returned value in a copy of the project. The tests of
the module's room then run until one fails. The working tree stays as it is. A row for each mutation: place, change, the
test that caught it or SURVIVED, seconds. The last line is the share that was caught.

Exit status: 0 at least 90% were caught; 1 fewer; 2 usage, or a test fails without a mutation.
"""

import argparse
import ast
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
LEAST_CAUGHT: Final = 0.9
SURVIVED: Final = "SURVIVED"
OUT_OF_TIME: Final = "time limit"
RED: Final = "fails without a mutation"

COMPUTING: Final = (
    "gpuplanner/domain",
    "gpuplanner/files/activity",
    "gpuplanner/files/contracts",
    "gpuplanner/files/job_logs",
    "gpuplanner/files/lists",
    "gpuplanner/files/prices",
    "gpuplanner/files/tables",
    "gpuplanner/files/values",
)
"""Rooms that compute."""
ONLY_WORDS: Final = re.compile(r"(?:^|_)(?:words|sentences|labels|texts|message)\.py$|^__init__\.py$")
"""Names of modules that only word results."""
OF_ROOM: Final = ("test_golden_tables.py", "test_examples.py")
"""Tests of all of a room, which are tried early: they take seconds and catch most."""

# --- Mutations of one module ---------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """One change of a module: the bytes from `start` to `end` become `after`."""

    path: str
    """The module, from the root of the project."""
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str

    @property
    def place(self) -> str:
        """The module and line, as in a traceback."""
        return f"{self.path}:{self.line}"

    @property
    def change(self) -> str:
        """The change in one line."""
        return " ".join(f"{self.before} → {self.after}".split())

    def applied(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.after.encode() + source[self.end :]


OPPOSITES: Final = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
"""How each comparison is written, and what it becomes: first the other bound, then the opposite."""
ARITHMETIC: Final = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
WITHOUT_MEANING: Final = frozenset(("strict", "frozen", "slots", "eq", "kw_only", "maxsize", "repr"))
"""Keywords whose values guard or describe a call and do not change a result of correct code."""
IS_TYPE: Final = frozenset(("TypeVar", "NewType", "cast", "Literal"))


def mutations(path: str, source: bytes) -> list[Mutation]:
    """Return all mutations of a module, in the order of its text. path: from the root of the project."""
    return _Places(path, source).all()


class _Places(ast.NodeVisitor):
    """Collect the mutations of a module; texts, annotations and decorators have none."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path = path
        self._source = source
        self._line_starts = [0]
        for line in source.splitlines(keepends=True):
            self._line_starts.append(self._line_starts[-1] + len(line))
        self._mutations: list[Mutation] = []

    def all(self) -> list[Mutation]:
        self.visit(ast.parse(self._source))
        return sorted(self._mutations, key=lambda mutation: (mutation.start, mutation.end, mutation.after))

    # --- Spans of the text

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._line_starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._line_starts[node.end_lineno - 1] + node.end_col_offset

    def _add(self, kind: str, start: int, end: int, after: str) -> None:
        self._mutations.append(
            Mutation(
                path=self._path,
                line=self._source.count(b"\n", 0, start) + 1,
                kind=kind,
                start=start,
                end=end,
                before=self._source[start:end].decode(),
                after=after,
            )
        )

    def _add_operator(self, kind: str, left: ast.expr, right: ast.expr, written: str, after: str) -> None:
        """Add a change of the operator between two operands. written: a pattern of the operator."""
        gap = self._source[self._end(left) : self._start(right)].decode()
        gap = re.sub(r"#[^\n]*", lambda comment: " " * len(comment.group().encode()), gap)
        if match := re.search(rf"(?<!\w){written}(?!\w)" if written[0].isalpha() else written, gap):
            start = self._end(left) + len(gap[: match.start()].encode())
            self._add(kind, start, start + len(match.group()), after)

    def _negate(self, kind: str, test: ast.expr) -> None:
        """Add the negation of a condition; a comparison and a `not` have mutations of their own."""
        if isinstance(test, ast.Compare) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            return
        text = self._source[self._start(test) : self._end(test)].decode()
        self._add(kind, self._start(test), self._end(test), f"(not ({text}))")

    # --- What changes

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            written, opposites = OPPOSITES[type(op)]
            for place, after in enumerate(opposites):
                kind = "bound" if place == 0 and len(opposites) > 1 else "comparison"
                self._add_operator(kind, left, right, written, after)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        is_text = any(isinstance(side, ast.JoinedStr) or _is_string(side) for side in (node.left, node.right))
        if type(node.op) in ARITHMETIC and not is_text:
            written, after = ARITHMETIC[type(node.op)]
            self._add_operator("operator", node.left, node.right, re.escape(written), after)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in ARITHMETIC and not _is_string(node.value):
            written, after = ARITHMETIC[type(node.op)]
            self._add_operator("operator", node.target, node.value, re.escape(written) + "=", after + "=")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        written, after = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._add_operator("boolean", left, right, written, after)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add("boolean", self._start(node), self._start(node) + len("not"), "")
        elif isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            self._add("operator", self._start(node), self._start(node) + len("-"), "+")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for statement in node.orelse:
                self.visit(statement)
            return
        self._negate("condition", node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negate("condition", node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate("condition", node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate("condition", test)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._add("constant", self._start(node), self._end(node), repr(not value))
        elif isinstance(value, int):
            self._add("constant", self._start(node), self._end(node), repr(value + 1))
        elif isinstance(value, float):
            self._add("constant", self._start(node), self._end(node), repr(value * 2 if value else 1.0))

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        start, end = self._start(node.value), self._end(node.value)
        if not (isinstance(node.value, ast.Constant) and node.value.value in (None, False, 0, "")):
            self._add("return", start, end, "None")
        self.generic_visit(node)

    # --- What is left out

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name == "__repr__":
            return
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for statement in node.body:
            self.visit(statement)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in IS_TYPE:
            return
        self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            if keyword.arg not in WITHOUT_MEANING:
                self.visit(keyword.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not _is_type(node.value):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave texts out."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave messages of errors out."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave out what only mypy reads."""


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_type(node: ast.expr) -> bool:
    """Return whether an assigned value may be a type: `Row = dict[str, str] | None`."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitOr) and (_is_type(node.left) or _is_type(node.right))
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in _GENERIC


_GENERIC: Final = frozenset(
    (
        "Callable",
        "Iterable",
        "Iterator",
        "Mapping",
        "Sequence",
        "dict",
        "frozenset",
        "list",
        "set",
        "tuple",
        "type",
    )
)


# --- A draw --------------------------------------------------------------------------------------


def computing_modules(root: Path = ROOT, only: str = "") -> list[str]:
    """Return the modules that a draw takes from, sorted. only: a folder or module, from the root."""
    return sorted(
        path
        for room in COMPUTING
        for module in (root / room).rglob("*.py")
        if not ONLY_WORDS.search(module.name)
        and (path := module.relative_to(root).as_posix()).startswith(only)
    )


def draw(seed: int, count: int, *, root: Path = ROOT, only: str = "") -> list[Mutation]:
    """Return random mutations, each with its own place, every place as likely as any other."""
    places: dict[tuple[str, int, str], list[Mutation]] = {}
    for path in computing_modules(root, only):
        for mutation in mutations(path, (root / path).read_bytes()):
            places.setdefault((path, mutation.start, mutation.before), []).append(mutation)
    chance = random.Random(seed)
    drawn = chance.sample(list(places.values()), min(count, len(places)))
    return [chance.choice(changes) for changes in drawn]


# --- Tests of a room -----------------------------------------------------------------------------


def room_tests(path: str, root: Path = ROOT) -> tuple[list[str], list[str]]:
    """Return the test files of a module's room: those that are likely to catch a mutation, and the others.

    The room's tests are the folder that mirrors the module's folder, with its subfolders. For modules directly in
    `domain` or `files` they are the files directly in the mirrored folder.
    """
    module = Path(path)
    folder = root / "tests" / module.parent.relative_to("gpuplanner")
    is_room = module.parent.as_posix() not in ("gpuplanner/domain", "gpuplanner/files")
    files = sorted(folder.rglob("test_*.py") if is_room else folder.glob("test_*.py"))
    reads = re.compile(
        rf"\b{re.escape(module.parent.as_posix().replace('/', '.'))}(?:\.| import .*\b){module.stem}\b"
    )

    def likelihood(file: Path) -> int:
        if file.stem.startswith(f"test_{module.stem}"):
            return 3
        if file.name in OF_ROOM:
            return 2
        return 1 if reads.search(file.read_text(encoding="utf-8")) else 0

    ranks = {file.relative_to(root).as_posix(): likelihood(file) for file in files}
    likely = sorted((file for file, rank in ranks.items() if rank), key=lambda file: -ranks[file])
    return likely, [file for file, rank in ranks.items() if not rank]


_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


class Tree:
    """A copy of the project in which modules are changed and tests are run."""

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        """Copy the project, without its history and environments. Compiled modules are copied, they stay valid."""
        self.root = folder / "project"
        hidden = shutil.ignore_patterns(".*", "dist", "build", "node_modules")
        shutil.copytree(root, self.root, ignore=hidden, symlinks=True)
        self._writes = 0

    def caught_by(self, mutation: Mutation, limit_s: float) -> str:
        """Return the test that fails with a mutation; SURVIVED if none does.

        A test that fails without the mutation, too, is marked RED.
        """
        module = self.root / mutation.path
        source, stat = module.read_bytes(), module.stat()
        self._writes += 1
        module.write_bytes(mutation.applied(source))
        os.utime(module, (self._writes, self._writes))  # a compiled module is told by its size and second
        try:
            test = self._failing(mutation.path, limit_s)
        finally:
            module.write_bytes(source)
            os.utime(module, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        if test and test != OUT_OF_TIME and self._fails_alone(test, limit_s):
            return f"{test} {RED}"
        return test or SURVIVED

    def _failing(self, path: str, limit_s: float) -> str:
        """Return the first failing test of a module's room; an empty text if all pass."""
        for files in room_tests(path, self.root):
            if files and (test := self._first_failure(files, limit_s)):
                return test
        return ""

    def _first_failure(self, files: Sequence[str], limit_s: float) -> str:
        run = self._run(files, limit_s)
        if run is None:
            return OUT_OF_TIME
        if run.returncode in (0, 5):  # passed; all tests of the files are long
            return ""
        match = _FAILED.search(run.stdout)
        return match.group(1) if match else f"pytest, exit status {run.returncode}"

    def _fails_alone(self, test: str, limit_s: float) -> bool:
        """Return whether a test fails now; one whose name came with a mutation is no test now."""
        run = self._run([test], limit_s)
        return run is not None and run.returncode == 1

    def _run(self, tests: Sequence[str], limit_s: float) -> subprocess.CompletedProcess[str] | None:
        """Run tests until one fails; None if they take too long."""
        options = ("-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider")
        environment = {**os.environ, "PYTHONPATH": str(self.root), "QT_QPA_PLATFORM": "offscreen"}
        try:
            return subprocess.run(
                [sys.executable, "-m", "pytest", *options, *tests],
                cwd=self.root,
                env=environment,
                capture_output=True,
                text=True,
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None


# --- All of a draw, in several processes ---------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A mutation, the test that caught it or SURVIVED, and the seconds that its tests took."""

    mutation: Mutation
    caught_by: str
    seconds: float

    @property
    def is_caught(self) -> bool:
        """Whether a test failed because of the mutation."""
        return self.caught_by != SURVIVED and not self.caught_by.endswith(RED)

    def row(self) -> str:
        """Return the row that is printed."""
        return f"{self.mutation.place}\t{self.mutation.change}\t{self.caught_by}\t{self.seconds:.1f} s"


def tried(
    drawn: Sequence[Mutation], trees: Sequence[Tree], limit_s: float, tell: Callable[[Trial], None]
) -> Iterator[Trial]:
    """Yield a trial for each mutation, in the order of the draw. tell: called when a trial ends."""
    free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for tree in trees:
        free.put(tree)

    def try_it(mutation: Mutation) -> Trial:
        tree = free.get()
        start_s = time.monotonic()
        try:
            caught_by = tree.caught_by(mutation, limit_s)
        finally:
            free.put(tree)
        trial = Trial(mutation=mutation, caught_by=caught_by, seconds=time.monotonic() - start_s)
        tell(trial)
        return trial

    with ThreadPoolExecutor(len(trees)) as pool:
        yield from pool.map(try_it, drawn)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, try and print. Exit status: see the module."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument(
        "--only", default="", metavar="PATH", help="a folder or module, from the project's root"
    )
    parser.add_argument("--jobs", type=int, default=2, help="copies of the project that run tests")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds that a run of tests may take")
    parser.add_argument("--list", action="store_true", help="print the mutations and run nothing")
    words = parser.parse_args(arguments)
    drawn = draw(words.seed, words.count, only=words.only)
    if not drawn:
        parser.error(f"--only: no computing module begins with {words.only}")
    if words.list:
        sys.stdout.writelines(f"{mutation.place}\t{mutation.change}\n" for mutation in drawn)
        return 0
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        trees = [Tree(Path(folder) / str(number)) for number in range(words.jobs)]

        def tell(trial: Trial) -> None:
            sys.stdout.write(trial.row() + "\n")
            sys.stdout.flush()

        trials = list(tried(drawn, trees, words.limit, tell))
    caught = sum(trial.is_caught for trial in trials)
    sys.stdout.write(f"{caught} of {len(trials)} caught: {caught / len(trials):.1%}\n")
    if any(trial.caught_by.endswith(RED) for trial in trials):
        return 2
    return 0 if caught >= LEAST_CAUGHT * len(trials) else 1


if __name__ == "__main__":
    sys.exit(main())
