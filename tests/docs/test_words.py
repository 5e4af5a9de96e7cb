"""How plainly the project speaks: constructions that readers stumble over, counted; each number may only fall."""

import ast
import csv
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
)
LIMITS = {"texts": 2.0, "pages": 1.0, "docstrings": 36.7}
"""Percent of the texts of six words or more; marks per 1,000 words of all pages, and of all docstrings."""
SLACK = 0.5
"""A measure this far below its limit lowers the limit."""


@cache
def patterns() -> tuple[re.Pattern[str], ...]:
    with (ROOT / "tests" / "words.csv").open(encoding="utf-8", newline="") as table:
        return tuple(re.compile(row["pattern"]) for row in csv.DictReader(table))


def marks(text: str) -> int:
    """Count the constructions of the table in a text."""
    return sum(len(pattern.findall(text)) for pattern in patterns())


def share_of_texts() -> float:
    """Percent of the catalogue's texts of six words or more that are marked."""
    catalogue = ElementTree.parse(ROOT / "translations" / "gpuplanner.ts")
    texts = [one.text or "" for one in catalogue.iter("source")]
    long = [text for text in texts if len(re.findall(r"[A-Za-z']+", text)) >= 6]
    return 100 * sum(marks(text) > 0 for text in long) / len(long)


def marks_of_pages() -> float:
    """Marks per 1,000 words of all pages together; code in them is left out."""
    pages = [page.read_text("utf-8") for page in PAGES]
    prose = [re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", text, flags=re.DOTALL)) for text in pages]
    return 1000 * sum(map(marks, prose)) / sum(len(text.split()) for text in pages)


def marks_of_docstrings() -> float:
    """Marks per 1,000 words of the program's docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    texts = [
        ast.get_docstring(node) or ""
        for module in sorted((ROOT / "gpuplanner").rglob("*.py"))
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, documented)
    ]
    return 1000 * sum(map(marks, texts)) / sum(len(text.split()) for text in texts)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("What is paid stands beside it", 3),
        ("$573,075 per month", 0),
        ("What-if", 0),
        ("none is known, else 0", 2),
    ],
)
def test_constructions_are_counted(text: str, count: int) -> None:
    assert marks(text) == count


@pytest.mark.parametrize(
    ("name", "measure"),
    [("texts", share_of_texts), ("pages", marks_of_pages), ("docstrings", marks_of_docstrings)],
)
def test_a_number_of_marks_only_falls(name, measure):
    measured, limit = measure(), LIMITS[name]
    assert measured <= limit, f"{name}: {measured:.1f} is over {limit}. Reword by tests/words.csv"
    assert measured > limit - SLACK, f"{name}: {measured:.1f}. Lower its limit to {measured + 0.1:.1f}"
