"""Holds the size of gpuplanner/ to its ration: code lines and files, as `[tool.ration]` of pyproject.toml states them.

A code line has code on it: no blank, no comment, no docstring. Tests are counted apart and bounded by nothing. When a
change has made the package smaller, lower the ration to what is there; an issue that adds raises it by what it names.

Exit status: 0 within the ration; 1 over it.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NO_CODE = frozenset(
    (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Size(NamedTuple):
    """How large a folder of Python is."""

    code_lines: int
    files: int


def code_lines(text: str) -> int:
    """Lines of a module that have code on them."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            documented.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    coded: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            coded.update(range(token.start[0], token.end[0] + 1))
    return len(coded - documented)


def size_of(folder: Path) -> Size:
    """Of all modules below a folder."""
    modules = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    return Size(sum(map(code_lines, modules)), len(modules))


def over(ration: Mapping[str, int], size: Size) -> list[str]:
    """What is over the ration, each with what to do about it."""
    return [
        f"gpuplanner has {found:,} {name.replace('_', ' ')}, its ration is {ration[name]:,}: take out what is not "
        "needed, or raise [tool.ration] in pyproject.toml by what the issue names and say so in the commit"
        for name, found in size._asdict().items()
        if found > ration[name]
    ]


def main() -> int:
    """Print both sizes, and what is over."""
    ration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ration"]
    size, tests = size_of(ROOT / "gpuplanner"), size_of(ROOT / "tests")
    allowed = Size(**ration)
    print(
        f"gpuplanner: {size.code_lines:,} code lines of {allowed.code_lines:,}, {size.files} files of {allowed.files}"
    )
    print(f"tests: {tests.code_lines:,} code lines, {tests.files} files")
    too_much = over(ration, size)
    print(*too_much, sep="\n", end="\n" if too_much else "")
    return 1 if too_much else 0


if __name__ == "__main__":
    sys.exit(main())
