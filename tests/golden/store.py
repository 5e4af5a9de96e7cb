"""Where golden files lie: compare what is made now with what was accepted, accept it with a reason, nothing else."""

import difflib
import importlib
import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from fnmatch import fnmatch
from pathlib import Path
from typing import Final, Protocol

import gpuplanner
from gpuplanner.domain.message import Message

FILES: Final = Path(__file__).parent / "files"
REASONS: Final = Path(__file__).parent / "REASONS.md"
MAKERS: Final = ("tests.golden.headless", "tests.golden.window", "tests.golden.tables")
"""Modules that make golden files, each for folders of its own (`Maker`)."""
LINES_SHOWN: Final = 40
REASON_WORDS: Final = 3, 25
"""How long a reason is: it is one line of REASONS.md."""
ACCEPT: Final = 'python -m tests.golden accept --reason "which words and why" --only "{only}"'

_LONG_NUMBER: Final = re.compile(
    r"(?<![\w.])-?(?:\d+\.\d{9,}(?:[eE][+-]?\d+)?|\d+(?:\.\d+)?[eE]-\d+)(?![\w.])"
)


class Maker(Protocol):
    """A module of MAKERS."""

    FOLDERS: tuple[str, ...]
    """One for each project, `window_` and its name for the window; `tables_` and the name of a room of tests."""

    @staticmethod
    def outputs(folder: str) -> Mapping[str, str]:
        """Texts by the name of the file in the folder; made anew at every call."""


def maker(module: str) -> Maker:
    """The maker of that module."""
    return importlib.import_module(module)  # type: ignore[return-value]


# --- What may differ -----------------------------------------------------------------------------


def number(value: float) -> str:
    """A float so that processors and versions of libraries do not decide: 10 significant digits, 7 decimals."""
    return format(round(value, 7) + 0.0, ".10g")


def plain(text: str) -> str:
    """A text as it is kept: without our version, long numbers as `number` writes them, one line feed at its end."""
    text = text.replace(gpuplanner.__version__, "VERSION") if gpuplanner.__version__ in text else text
    text = _LONG_NUMBER.sub(lambda found: number(float(found[0])), text)
    return text.rstrip("\n") + "\n"


def json_text(value: object, width: int = 110) -> str:
    """JSON with a line for each value, where arrays and objects that fit on a line stay on one; floats as `number`."""
    return "\n".join(_json_lines(value, "", width))


def _json_lines(value: object, indent: str, width: int) -> list[str]:
    flat = _flat(value)
    if not isinstance(value, dict | list) or not value or len(indent) + len(flat) <= width:
        return [indent + flat]
    inner = indent + " "
    lines = []
    if isinstance(value, dict):
        for key, one in value.items():
            first, *rest = _json_lines(one, inner, width - len(key) - 4)
            lines += [f"{inner}{json.dumps(key, ensure_ascii=False)}: {first[len(inner) :]}", *rest]
            lines[-1] += ","
    else:
        for one in value:
            lines += _json_lines(one, inner, width)
            lines[-1] += ","
    lines[-1] = lines[-1][:-1]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return [indent + begin, *lines, indent + end]


def _flat(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flat(key)}: {_flat(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    if isinstance(value, float):
        return number(value)
    return json.dumps(str(value) if isinstance(value, Message) else value, ensure_ascii=False)


# --- Compare and accept --------------------------------------------------------------------------


def made(module: str, folder: str) -> dict[str, str]:
    """What a maker makes for a folder now, as it would be kept: text by file name."""
    return {f"{folder}/{file}": plain(text) for file, text in maker(module).outputs(folder).items()}


def kept(folder: str) -> dict[str, str]:
    """What was accepted of a folder: text by file name."""
    files = sorted((FILES / folder).glob("*"))
    return {f"{folder}/{file.name}": file.read_text(encoding="utf-8") for file in files}


def differences(module: str, folder: str, only: str = "*") -> dict[str, list[str]]:
    """Unified diffs of the files that differ, by file name; of a file that is new or gone, too."""
    before, now = kept(folder), made(module, folder)
    answer = {}
    for file in sorted({*before, *now}):
        if not fnmatch(file, only) or before.get(file) == now.get(file):
            continue
        old, new = before.get(file, "").splitlines(), now.get(file, "").splitlines()
        answer[file] = list(difflib.unified_diff(old, new, f"accepted {file}", f"now {file}", "", "", 1, ""))
    return answer


def complaint(found: Mapping[str, list[str]]) -> str:
    """The differences in short, and how to accept them; "" where there are none."""
    if not found:
        return ""
    lines = [f"{len(found)} golden file(s) differ: {', '.join(found)}"]
    room = max(6, LINES_SHOWN // len(found))
    for diff in found.values():
        lines += [line[:300] for line in diff[:room]]
        if len(diff) > room:
            lines.append(f"... {len(diff) - room} more lines of this file")
    only = next(iter(found)) if len(found) == 1 else f"{next(iter(found)).partition('/')[0]}/*"
    return "\n".join([*lines, "Where this is meant: " + ACCEPT.format(only=only)])


def check(module: str, folder: str) -> None:
    """Fail with the differences in short. Errors: AssertionError."""
    found = complaint(differences(module, folder))
    if found:
        raise AssertionError(found)


def accept(reason: str, today: date, only: str = "*", modules: Iterable[str] = MAKERS) -> list[str]:
    """Keep what is made now, and write down why; the names of the files that changed.

    Errors: ValueError, a reason of fewer than REASON_WORDS[0] or more than REASON_WORDS[1] words.
    """
    fewest, most = REASON_WORDS
    if not fewest <= len(reason.split()) <= most:
        raise ValueError(
            f"state with --reason, in {fewest} to {most} words, which texts or figures changed and why"
        )
    changed: list[str] = []
    for module in modules:
        for folder in maker(module).FOLDERS:
            if not fnmatch(folder, only.partition("/")[0]):
                continue
            before, now = kept(folder), made(module, folder)
            for file in sorted({*before, *now}):
                if fnmatch(file, only) and before.get(file) != now.get(file):
                    changed.append(file)
                    _keep(FILES / file, now.get(file))
    if changed:
        _give_reason(changed, f"{today.isoformat()}, {' '.join(reason.split())}")
    return changed


def _give_reason(files: Iterable[str], reason: str) -> None:
    """Write the reason of each file in the place of its last one; a file that is gone has none."""
    lines = REASONS.read_text(encoding="utf-8").splitlines()
    reasons = dict(line.removeprefix("- ").split(": ", 1) for line in lines if line.startswith("- "))
    reasons |= dict.fromkeys(files, reason)
    head = [line for line in lines if not line.startswith("- ")]
    rows = [f"- {file}: {why}" for file, why in sorted(reasons.items()) if (FILES / file).exists()]
    REASONS.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")


def _keep(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
