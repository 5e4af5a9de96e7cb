"""A figure's title is a literal in one file; whoever heads something with it takes it from there."""

import ast
import re
from pathlib import Path

import pytest

import gpuplanner
from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.figures.subjects import SUBJECTS
from gpuplanner.domain.message import CAPITAL, Message

ROOT = Path(gpuplanner.__file__).parent

COMMON_NOUNS = {
    "$ per GPU-hour": "a unit in words",
    "Before": "a point in time",
    "Change": "a button, too",
    "Demand": "a sheet, a panel and a group of assumptions, too",
    "GPUs": "what everything here counts",
    "Jobs": "what a log lists",
    "Offer": "what a price list lists",
    "Price": "a group of assumptions, too",
    "Share": "the heading of any share",
    "Today": "the scenario of that name, too",
    "Value": "the heading of any table of values; a type's name",
    "Workloads": "a sheet and what a board shows",
}
"""Words of the trade that happen to be a figure's title as well, and what they stand for elsewhere."""

OTHER_THINGS = {
    # a value of the capacity of a product in an AWS price list
    "Used": ("files/prices/aws_products.py",),
    # a category of FOCUS
    "Spend": ("files/export/focus.py",),
    # an assumption: what a plan may cost
    "Budget": ("domain/model/assumptions.py",),
    # a panel, and a column of a bill
    "Cost": ("ui/panels/cost/cost.py", "files/job_logs/dialects/cloud_bills.py"),
    # whether a row of the workbook counts
    "Counted": ("files/workbook/kit/checks.py",),
    # an entry of the log of decisions, and what a signature decides
    "Decision": (
        "files/workbook/front/decisions_sheet.py",
        "files/workbook/inputs/assumptions_sheet.py",
        "ui/compare/decision_rows.py",
        "domain/reports/orders.py",
    ),
    # prices that stay as they are
    "Flat": ("domain/commitment/words/price_paths.py",),
    # whether the memory of an offer suffices
    "Memory": ("domain/reports/serving.py", "ui/panels/today/hardware_rows.py"),
}
"""Title -> files in which the word names something else."""


def literals(text):
    """The texts of a module, without its docstrings."""
    tree = ast.parse(text)
    words = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    said = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, words) and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value.strip()


@pytest.fixture(scope="module")
def files_by_title():
    titles = {str(one.title) for subject in SUBJECTS for one in subject.figures}
    found = {title: set() for title in titles}
    alone = re.compile(rf"""["'}}]\s*(?:{"|".join(map(re.escape, titles))})\s*["'{{]""")
    for path in ROOT.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if alone.search(text):  # most files say none of them, and need not be parsed
            for title in titles.intersection(literals(text)):
                found[title].add(path.relative_to(ROOT).as_posix())
    return found


def test_a_title_stands_in_one_file(files_by_title):
    """A title that is a phrase with a capital is written small, and then no file has the title itself."""
    titles = [figure.title for subject in SUBJECTS for figure in subject.figures]
    from_phrases = {
        str(title) for title in titles if isinstance(title, Message) and title.template == CAPITAL
    }
    several = {
        title: sorted(homes)
        for title, files in files_by_title.items()
        if title not in COMMON_NOUNS and len(homes := files - set(OTHER_THINGS.get(title, ()))) != 1
        if homes or title not in from_phrases
    }
    assert several == {}, 'take SUBJECT["key"].title, .name or .heading(), or a word of figures/titles.py'


def test_what_is_left_out_is_still_needed(files_by_title):
    assert {title for title in COMMON_NOUNS if len(files_by_title.get(title, ())) < 2} == set()
    for title, files in OTHER_THINGS.items():
        assert files_by_title[title].intersection(files), title


def test_times_of_a_replica_say_of_which_load_they_are():
    """Side by side the first token is of the load's peak, the time per token of a replica that is full."""
    for key, said in (("ttft_ms", "peak"), ("tpot_ms", "full")):
        for is_short in (False, True):
            heading = str(SIZING[key].heading(", ", is_short=is_short))
            assert said in heading and heading.count("ms") == 1
