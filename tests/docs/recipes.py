"""Recipes of CONTRIBUTING, read from the page and typed into a copy of the tree."""

import ast
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "CONTRIBUTING.md"

EDIT: Final = re.compile(
    r"(?sm)^(?:New|In) `(?P<path>[^`\n]+)`"
    r"(?:, (?:under (?P<quote>``?)(?P<under>[^\n]+)(?P=quote)|`(?P<replaced>[^`\n]+)` becomes|at the end))?:\n\n"
    r"```\w+\n(?P<text>.*?)^```$"
)
"""An edit of a recipe: a whole file, a text under a line, in the place of a text, or at the end of a file."""

LINKED: Final = ("tests/golden/files",)
"""Folders that recipes only read, and that are too large to copy."""
COPIED: Final = ("docs", "gpuplanner", "packaging", "resources", "tests", "translations")


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One edit of a recipe: the file, and the new text with its place."""

    path: str
    is_new: bool
    under: str | None
    replaced: str | None
    text: str

    def apply(self, tree: Path) -> None:
        """Type the text into a copy of the tree. Errors: ValueError if its place is not there, or there twice."""
        file = tree / self.path
        if self.is_new:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.text, "utf-8")
            return
        before = file.read_text("utf-8")
        self.check_place(before)
        if self.under is not None:
            lines = before.splitlines(keepends=True)
            place = before.splitlines().index(self.under)
            after = "".join((*lines[: place + 1], self.text, *lines[place + 1 :]))
        elif self.replaced is not None:
            after = before.replace(self.replaced, self.text.removesuffix("\n"))
        else:
            after = before + self.text
        file.write_text(after, "utf-8")

    def check_place(self, before: str) -> None:
        """Check the place of the edit. before: text of the file. Errors: ValueError unless the place is there once."""
        place = self.under or self.replaced
        if place is None:
            return
        count = before.splitlines().count(place) if self.under else before.count(place)
        if count != 1:
            raise ValueError(f"{self.path} has {count} times: {place}")

    def is_typed(self, text: str) -> bool:
        """Return whether a file has the new text, spaces aside. Imports may be joined to others of their module."""
        if names := imported_names(self.text):
            return names <= imported_names(text)
        return "".join(self.text.split()) in "".join(text.split())


def imported_names(source: str) -> set[tuple[str | None, str]]:
    """Return each name that a module imports from another, with that module; empty for text that is no module."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {(node.module, alias.name) for node in imports for alias in node.names}


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A recipe: its heading, its edits in their order, and the commands that it names, tests last."""

    heading: str
    edits: tuple[Edit, ...]
    commands: tuple[tuple[str, ...], ...]


def recipes() -> Iterator[Recipe]:
    """Yield the recipes of the page. Errors: ValueError if a recipe does not end in a test."""
    chapter = PAGE.read_text("utf-8").partition("\n## Recipes\n")[2].partition("\n## ")[0]
    for part in re.split(r"(?m)^### ", chapter)[1:]:
        heading = part.partition("\n")[0]
        commands = tuple(tuple(shlex.split(words)) for words in re.findall(r"(?m)^Run `([^`]+)`\.$", part))
        if not commands or commands[-1][0] != "pytest":
            raise ValueError(f"{heading}: it names no test")
        edits = tuple(
            Edit(
                path=match["path"],
                is_new=match[0].startswith("New"),
                under=match["under"],
                replaced=match["replaced"],
                text=match["text"],
            )
            for match in EDIT.finditer(part)
        )
        yield Recipe(heading=heading, edits=edits, commands=commands)


def copy_of_tree(target: Path) -> Path:
    """Copy what recipes change or run into a folder, and link the rest; return the folder."""
    for path in sorted(ROOT.iterdir()):
        if path.is_file():
            shutil.copy(path, target / path.name)
    for name in COPIED:
        shutil.copytree(ROOT / name, target / name, ignore=_left_out)
    for folder in LINKED:
        (target / folder).symlink_to(ROOT / folder)
    return target


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Return the names in a folder that are not copied."""
    linked = {name for name in names if (Path(folder) / name).relative_to(ROOT).as_posix() in LINKED}
    return linked | shutil.ignore_patterns("__pycache__")(folder, names)
