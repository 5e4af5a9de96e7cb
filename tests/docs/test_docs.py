"""The documentation says what the code has, and the code has what it says: names, fields, links and headings."""

import ast
import importlib.util
import math
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gpuplanner.cli.arguments import COMMAND_NAMES, build_parser
from gpuplanner.domain.model.assumptions import ASSUMPTIONS
from tests.schemas import faults, faults_of_part

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", CONTRIBUTING, *sorted(DOCS.rglob("*.md")))
SOURCES = sorted((ROOT / "gpuplanner").rglob("*.py"))
PROGRAMS = "\n".join(path.as_posix() for path in (*ROOT.glob("[gtdp]*/**/*.py"), ROOT))
FORMULAS, COMMANDS, FORMATS = (DOCS / name for name in ("formulas", "commands", "formats"))
OF_FORMULAS = sorted(FORMULAS.glob("*.md"))


POINTER = r"docs/([\w/-]+\.md)(?:, \"?([A-Z][\w', ]*\w)\"?(?=[).;:\n\"]))?"
"""How code names a page or a section: the page, then after a comma the heading."""


# --- Reading pages -----------------------------------------------------------------------------


def section(page: Path, heading: str) -> str:
    """The text under a heading, up to the next one of its level or above."""
    lines = page.read_text("utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if re.fullmatch(rf"#+ {re.escape(heading)}", line))
    level = len(lines[at]) - len(lines[at].lstrip("#"))
    rest = lines[at + 1 :]
    end = next((i for i, line in enumerate(rest) if re.match(rf"#{{1,{level}}} ", line)), len(rest))
    return "\n".join(rest[:end])


def rows_of(text: str) -> list[list[str]]:
    """The cells of every row of the tables in a text, headings left out."""
    rows, is_head = [], True
    for line in text.splitlines():
        if not line.startswith("|"):
            is_head = True
        elif set(line) <= set("|-: "):
            is_head = False
        elif not is_head:
            rows.append([cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def first_column(page: Path, heading: str) -> list[str]:
    """The names in the first column of a section's tables, without their backticks."""
    return [row[0].strip("`") for row in rows_of(section(page, heading))]


def headings(page: Path) -> list[str]:
    return [line.lstrip("#").strip() for line in page.read_text("utf-8").splitlines() if line.startswith("#")]


def anchor(heading: str) -> str:
    """How a heading is linked to."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def calls(name: str, under: str = "") -> Iterator[ast.Call]:
    """Every call of a function or class of this name in the product, or in one folder of it."""
    for source in SOURCES:
        if not source.is_relative_to(ROOT / "gpuplanner" / under) or f"{name}(" not in text_of(source):
            continue
        for node in calls_in(source):
            if getattr(node.func, "id", getattr(node.func, "attr", None)) == name:
                yield node


@cache
def text_of(source: Path) -> str:
    """A file of the product: to read it costs little, to parse it a hundred times as much."""
    return source.read_text("utf-8")


@cache
def calls_in(source: Path) -> tuple[ast.Call, ...]:
    """Every call in a file of the product; looked for once, and asked for by many names."""
    tree = ast.parse(text_of(source))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Call))


def texts_given(name: str, place: int) -> set[str]:
    """What stands as plain text in one place of all calls of a name."""
    arguments = [call.args[place] for call in calls(name) if len(call.args) > place]
    return {
        node.value for node in arguments if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


# --- Links -------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_and_picture_is_there(page):
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name} links to {target}"
        assert there.is_relative_to(ROOT)
        if fragment:
            assert fragment in {anchor(heading) for heading in headings(there)}, (
                f"{page.name} links to {target}"
            )


def test_every_picture_is_shown_and_small():
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", page.read_text("utf-8"))
    }
    pictures, film = set((DOCS / "images").rglob("*.png")), DOCS / "images" / "film.webp"
    assert pictures | {film} == shown
    assert film.stat().st_size < 1_500_000
    assert all(picture.stat().st_size < 300_000 for picture in pictures)


def test_the_script_has_a_scene_for_every_picture(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr("sys.path", [*sys.path])
    spec = importlib.util.spec_from_file_location("make_pictures", DOCS / "make_pictures.py")
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "make_pictures", script)
    spec.loader.exec_module(script)
    assert {scene.name for scene in script.SCENES} == {
        picture.stem for picture in (DOCS / "images").glob("*.png")
    }


def shipped_pages() -> set[Path]:
    """The pages that Help can open once the program is installed."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    paths = [ROOT / path for path in build["targets"]["wheel"]["only-include"] if path.startswith("docs")]
    return {page for path in paths for page in ([path] if path.suffix else path.rglob("*.md"))}


PEOPLE = [DOCS / name for name in ("start", "how-to", "concepts", "window")]
"""Folders of pages for people who use the program."""


def test_help_has_every_page_that_its_pages_link_to():
    shipped = shipped_pages()
    assert {page for folder in PEOPLE for page in folder.glob("*.md")} <= shipped
    for page in shipped:
        for target in re.findall(r"\]\(([\w./-]+\.md)[#)]", page.read_text("utf-8")):
            there = (page.parent / target).resolve()
            outside = there.parent.name == "decisions" or not there.is_relative_to(DOCS)
            assert there in shipped or outside, f"{page.relative_to(DOCS)} links to {target}"


def test_the_list_of_all_pages_has_them_all():
    linked = {
        (DOCS / target).resolve()
        for target in re.findall(r"\]\(([\w./-]+\.md)\)", (DOCS / "README.md").read_text("utf-8"))
    }
    panels = {page for page in (DOCS / "window").glob("*.md") if page.stem != "README"}
    index = section(DOCS / "window" / "README.md", "The window")
    assert panels == {DOCS / "window" / name for name in re.findall(r"\]\(([\w-]+\.md)\)", index)}
    assert {page for folder in PEOPLE for page in folder.glob("*.md")} - panels <= linked


def test_pages_are_short():
    words = {page: len(page.read_text("utf-8").split()) for folder in PEOPLE for page in folder.glob("*.md")}
    assert {page.name: count for page, count in words.items() if count > 2_500} == {}
    assert sum(words.values()) <= 22_000
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 500


@pytest.mark.parametrize(
    ("task", "page", "answer"),
    [
        ("VAT", "how-to/import-prices-with-vat.md", "divide each price by 1 plus the VAT rate"),
        ("stranded", "how-to/read-stranded-cost.md", "**stranded (audit estimate)**"),
        ("Next month", "how-to/next-months-spend.md", "`totals.plan_usd_per_month`"),
        (
            "36 months",
            "how-to/why-no-long-commitment.md",
            "cheaper than all shorter ones over its whole term",
        ),
    ],
)
def test_a_task_is_found_from_the_readme(task, page, answer):
    """README names the task in the link, and the page answers within its first 150 words."""
    links = re.findall(r"\[([^\]]+)\]\(docs/([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert page in [target for title, target in links if task.lower() in title.lower()]
    first = " ".join((DOCS / page).read_text("utf-8").split()[:150])
    assert answer in first


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_that_a_page_names_is_there(page):
    text = without_ways(page.read_text("utf-8"))
    for path in re.findall(
        r"`((?:gpuplanner|packaging|resources|tests|docs)/[\w./-]+\.\w+|(?:packaging|resources|tests|docs)/[\w/-]+)`",
        text,
    ):
        assert (ROOT / path).exists(), f"{page.name} names {path}"
    for path in re.findall(r"`([\w/]+\.py)`", text):
        assert f"/{path}\n" in PROGRAMS, f"{page.name} names {path}"


def test_what_code_says_about_a_page_is_a_heading_of_it():
    of_tests, of_tables = sorted((ROOT / "tests").rglob("*.py")), sorted((ROOT / "resources").glob("*.csv"))
    named = [
        (source, page, heading)
        for source in (*SOURCES, *of_tests, *of_tables)
        for page, heading in re.findall(POINTER, source.read_text("utf-8"))
    ]
    assert named
    for source, page, heading in named:
        assert (DOCS / page).exists(), f"{source.relative_to(ROOT)}: docs/{page}"
        if heading:
            assert heading in headings(DOCS / page), f"{source.relative_to(ROOT)}: docs/{page}, {heading}"


def test_code_names_no_document_that_is_not_here():
    """Sections of pages outside the project mean nothing to who reads the code."""
    outside = re.compile(
        r"(?<!\.)\b(?:MODEL|INTERFACE|LOOK|STYLE|ARCHITECTURE|PRODUCT)(?:\.md\b|,? sections? |, [A-Z])"
    )
    for source in (*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))):
        if source != Path(__file__):
            assert not outside.search(source.read_text("utf-8")), source.relative_to(ROOT)


# --- Pages for who changes the code ------------------------------------------------------------

MADE_TABLE = r"(?s)<!-- made.*?<!-- end -->"
LONGEST = 20
"""Words of a sentence of theirs."""
LONGEST_LINE = 12
"""Words of a line that says where a thing is."""


def without_ways(text):
    """A page without what its examples add: files that are not there."""
    return re.sub(r"(?s)^(?:New|In) `.*?```\n", "", text, flags=re.M)


def sentences(page):
    """Every sentence and cell that somebody wrote, a name of code as one word."""
    text = re.sub(rf"{MADE_TABLE}|```.*?```", "", page.read_text("utf-8"))
    text = re.sub(r"`[^`]*`", "X", re.sub(r"(?m)^    .*$", "", text))
    for part in re.split(r"\n\s*\n|\n(?=- |\d\. |\|)", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)):
        for cell in part.split("|"):
            yield from re.split(r"(?<=[.!?])\s+(?=[A-Z*])", " ".join(cell.split()))


def words_in(text):
    return sum(bool(re.search(r"\w", word)) for word in text.split())


@pytest.mark.parametrize("page", [CONTRIBUTING, DOCS / "architecture.md"], ids=lambda page: page.name)
def test_no_sentence_is_long(page):
    assert [one for one in sentences(page) if words_in(one) > LONGEST] == []


def test_where_a_thing_is_takes_one_short_line():
    rows = rows_of(section(CONTRIBUTING, "Where other things are"))
    assert rows
    assert [
        row for row in rows if words_in(" ".join(row)) > LONGEST_LINE + 6 or words_in(row[1]) > LONGEST_LINE
    ] == []


# --- Formulas ----------------------------------------------------------------------------------


def test_assumptions_said_to_be_unread_are_read_by_no_formula():
    (said,) = re.findall(
        r"((?:`\w+`[, ]*(?:and )?)+)are kept with a project",
        section(FORMULAS / "assumptions.md", "Assumptions"),
    )
    unread = set(re.findall(r"`(\w+)`", said))
    words = {
        word
        for source in SOURCES
        if source.name != "assumptions.py" and "domain" in source.parts
        for word in re.findall(r"\w+", source.read_text("utf-8"))
    }
    found = {spec.name for spec in ASSUMPTIONS if spec.field not in words}
    per_pool = {
        spec.name for spec in ASSUMPTIONS if re.search("_(training|inference|burst)(_hours)?$", spec.name)
    }
    assert found - per_pool | {"lambda"} == unread | {"lambda"}


def test_every_total_has_a_formula():
    from gpuplanner.domain.reports.plan_layers import TOTALS

    worked_out = {column.json_name for column in TOTALS if column.figure and column.figure.formula}
    by_hand = {
        name
        for name in first_column(FORMULAS / "totals.md", "Totals")
        if name.endswith(("_month", "_usd", "_months", "_to_sign"))
    }
    assert {column.json_name for column in TOTALS} <= worked_out | by_hand


def test_every_figure_with_a_formula_stands_in_one_table(tables):
    named = [
        name
        for page in OF_FORMULAS
        for row in re.findall(r"<!-- made: figures (.+?) -->", page.read_text("utf-8"))
        for name in row.split()
    ]
    assert len(named) == len(set(named))
    assert set(named) == {
        name for name, of in tables.SUBJECTS.items() if any(one.formula for one in of.figures)
    }


def test_every_formula_has_a_worked_example_that_comes_to_something(tables):
    for name, of in tables.SUBJECTS.items():
        found = tables.worked_example(name)
        assert {one.key for one in of.figures if one.formula and found[one.key].number is None} == set(), name


def test_a_worked_example_is_what_the_hand_comes_to(tables):
    assert tables.example_of("contract", tables.SUBJECTS["contract"]["paid_gpu_hours"]) == (
        "64 × 2,190 = **140,160**"
    )
    found = tables.worked_example("order")["spread_rate"].number  # $1,000 upfront over a year of 8,760 h
    assert found == pytest.approx(2.5 + 1000 / 8760)


def test_a_formula_is_written_in_one_line_of_arithmetic(tables):
    named = {
        ("cluster", "non_training_utilization"): "non_training_used_gpu_hours ÷ non_training_paid_gpu_hours",
        ("quality", "name_coverage"): "with_name ÷ jobs",
        ("published", "at_long_run"): "training_per_month × 4",
        ("energy", "drawn_share"): (
            "measured_share × (idle_share + (1 − idle_share) × activity) + (1 − measured_share) × power_share"
        ),
    }
    for (subject, key), formula in named.items():
        assert tables.formula_of(tables.SUBJECTS[subject][key]) == formula


def examples_on(page):
    """Every sum that a page works out: both sides, as text."""
    text = page.read_text("utf-8")
    sums = re.findall(r"`([^`|]+?) = (−?\$?[\d,.]+)`", text) + re.findall(
        r"\|([^|]+?) = \*\*(−?[\d,.]+)\*\*", text
    )
    return [(left, right) for left, right in sums if re.fullmatch(ARITHMETIC, left)]


ARITHMETIC = r"(?:sqrt|exp|ln|ceil|floor|min|max|[\d\s.,()+−×÷^<])+"
FUNCTIONS = {"sqrt": math.sqrt, "exp": math.exp, "ln": math.log, "ceil": math.ceil, "floor": math.floor}


def test_every_example_is_worked_out_right():
    signs = str.maketrans({"×": "*", "÷": "/", "−": "-"})
    found = [(page, *one) for page in OF_FORMULAS for one in examples_on(page)]
    assert len(found) > 250
    for page, left, right in found:
        words = re.sub(r"(?<=\d),(?=\d{3})", "", left.translate(signs)).replace("^", "**")
        value = eval(words, {"min": min, "max": max, **FUNCTIONS})
        written = float(re.sub(r"[$,]", "", right.translate(signs)))
        last = 10.0 ** -len(right.partition(".")[2])
        assert abs(value - written) <= max(0.51 * last, 5e-4 * abs(written)), (page.name, left, right, value)


def from_the_code():
    """Examples of pages as the code works them out: page, the number there, the number here."""
    from gpuplanner.domain.award.award import award_of
    from gpuplanner.domain.commitment.demand import demand_levels, growth
    from gpuplanner.domain.commitment.demand.slicing import busy_shares
    from gpuplanner.domain.commitment.recursion import calendar, rates
    from gpuplanner.domain.figures.figure import discounted
    from gpuplanner.domain.fit.needs import size_in_name
    from gpuplanner.domain.model.assumptions import Assumptions
    from gpuplanner.domain.model.book import renewal
    from gpuplanner.domain.model.window import MONTH_S, instant_s
    from gpuplanner.domain.queue import waits
    from gpuplanner.domain.serving import memory, replicas, speed, transit
    from gpuplanner.domain.training import run
    from gpuplanner.files.job_logs.reduce.names import fold_name
    from tests.domain.award.conftest import CONDITIONS, quote, row
    from tests.domain.commitment.conftest import contract

    paths, chances = rates.named_paths(13), demand_levels.transition(0.1)
    demand = np.array([[4.0, 10.0, 20.0]]) / 8  # in slices of a block of 8
    lost = [rates.lost_share(Assumptions(), nodes, 1e9) for nodes in (1, 4, 16)]
    assert lost[2] >= 1  # sixteen nodes cannot finish
    assert waits.quantile_s([0, 0, 1, 2, 3, 4, 5, 6, 8, 20], 90) == 8
    assert waits.knee_of([(60, 10), (80, 2), (100, 0)]) == (1, 1, 1)
    folded = fold_name("Llama3_70B-sft.2026-01-05 run 12")
    assert f"becomes `{folded}`" in (FORMULAS / "basics.md").read_text("utf-8")
    ends, begins = instant_s("2026-01-31"), instant_s("2026-01-15")  # its notice of a month has passed
    renewing = contract("c", 8, 2.0, None, 0, end_s=ends, notice_days=30, renews_months=6)
    assert renewal.first_end_s(renewing, begins, begins) == instant_s("2026-07-31")
    found = waits.calibrated(2, 6, 4)
    quotes = [quote("a", 2.5, max_gpus=16), quote("b", 2.6)]
    award = award_of([row(gpus=24)], quotes, CONDITIONS)
    assert award is not None
    return [
        ("demand", "1.0835", growth.grown(0.03, 0.9, 4)[-1]),
        ("demand", "0.1523", chances[10, 11]),
        ("demand", "0.1811", chances[10, 9]),
        ("demand", "0.4167", busy_shares(demand, 3, None)[0, 1]),
        ("uncertainty", "0.8652", paths["fall"][12]),
        ("uncertainty", "1.4092", paths["rise"][12]),
        ("policy", "45", calendar.needed_days(MONTH_S * np.array([36]))[0]),
        ("policy", "30", calendar.needed_days(MONTH_S * np.array([3]))[0]),
        ("spot", "0.1146", lost[0]),
        ("spot", "0.3958", lost[1]),
        ("cash", "0.9535", discounted(0.1, 6.0)),
        ("placement", "10", float(transit.one_way_ms(1000))),
        ("placement", "5", transit.text_gb(1e9)),
        ("waits", "3.0123", found.low_h),
        ("waits", "4", found.high_h),
        ("sizing", "16", memory.weights_gb(8e9, 2)),
        ("sizing", "11.4", 1000 * speed.token_time_s(0.010, 0.050, 8, 250)),
        ("sizing", "2", replicas.replicas_for(30, 18.67, 0.9)),  # and a spare one: 3 serve
        ("sizing", "28.83", replicas.Wait(30 / (3 * 18.67), 50).mean_ms),
        ("training", "0.9619", run.availability_of(run.Checkpoint(0, 0.027 * 3600), 1024).share),
        ("quotes", "$532,608", award.liability),
        ("hardware-fit", "140", 2 * (size_in_name("llama-70b").parameters_billion or 0)),
    ]


def test_examples_are_what_the_code_finds():
    for page, written, value in from_the_code():
        text = (FORMULAS / f"{page}.md").read_text("utf-8")
        assert f"= {written}`" in text, (page, written)
        assert value == pytest.approx(float(written.strip("$").replace(",", "")), rel=5e-4), (page, written)


def test_every_page_of_formulas_has_examples_and_sources_and_is_short():
    by_hand = [re.sub(MADE_TABLE, "", page.read_text("utf-8")) for page in OF_FORMULAS]
    assert sum(len(text.split()) for text in by_hand) <= 16_500, "a figure adds a row to a made table freely"
    index = (FORMULAS / "README.md").read_text("utf-8")
    for page in OF_FORMULAS:
        text = page.read_text("utf-8")
        assert len(text.split()) <= 2_500
        if page.name != "README.md":
            assert f"]({page.name})" in index
            assert examples_on(page) or "Example" in text, page.name
            assert "Source: `" in text or page.name == "assumptions.md", page.name


def test_the_leaks_are_those_of_the_code_in_their_order():
    from gpuplanner.domain.audit.leak_list import LEAK_RULES

    rows = rows_of(section(FORMULAS / "leaks.md", "Leaks"))
    named = [(row[0].strip("`"), row[1]) for row in rows if row[0].strip("`") in LEAK_RULES]
    assert named == [(rule.code, str(rule.title)) for rule in LEAK_RULES.values()]


def test_every_example_of_a_table_is_arithmetic(tables):
    for name, of in tables.SUBJECTS.items():
        for figure in (one for one in of.figures if one.formula):
            sum_, _, result = tables.example_of(name, figure).rpartition(" = ")
            assert re.fullmatch(ARITHMETIC, sum_) and result.startswith("**"), (name, figure.key)


def test_every_input_of_an_example_is_taken_by_a_formula(tables):
    taken = {
        (name, key) for name, of in tables.SUBJECTS.items() for one in of.figures for key in one.parameters
    }
    for said in tables.examples():
        subject, _, key = said.rpartition(".")
        assert (subject, key) in taken if subject else any(key == one for _, one in taken), said


# --- Tables that a script writes ---------------------------------------------------------------


def script(name):
    """A script of the folder docs, as a module."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def tables():
    """The script docs/make_tables.py, as a module."""
    return script("make_tables")


def test_tables_are_as_the_declarations_have_them(tables):
    assert tables.stale() == [], "run python docs/make_tables.py"


def test_a_stale_table_is_told_and_mended(tables):
    text = "# A\n\n<!-- made: issues -->\n\n| old |\n\n<!-- end -->\n\nB\n"
    mended = tables.made(text)
    assert "| `bad_time` |" in mended and "| old |" not in mended and mended.endswith("<!-- end -->\n\nB\n")
    assert tables.made(mended) == mended


# --- Commands, formats, codes ---------------------------------------------------------------------------------


def options_by_command() -> dict[str, set[str]]:
    parser = build_parser()
    (choices,) = (action.choices for action in parser._actions if isinstance(action.choices, dict))
    return {
        name: {
            option for action in sub._actions for option in action.option_strings if option.startswith("--")
        }
        for name, sub in choices.items()
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_names_an_option_that_is_not_there(page):
    known = {option for options in options_by_command().values() for option in options} | {"--version"}
    window = set(
        re.findall(r'"(--[a-z]+)"', (ROOT / "gpuplanner" / "cli" / "arguments.py").read_text("utf-8"))
    )
    golden = ROOT / "tests" / "golden" / "__main__.py"
    scripts = [
        ROOT / "packaging" / "dev.py",
        ROOT / "tests" / "conftest.py",
        golden,
        DOCS / "make_tables.py",
        *(ROOT / "tests" / "benchmarks").glob("*.py"),
        ROOT / "tests" / "faults" / "table.py",
        ROOT / "tests" / "mutations.py",
    ]
    tools = {option for path in scripts for option in re.findall(r'"(--[a-z-]+)"', path.read_text("utf-8"))}
    of_others = {
        "large-logs.md": {"--master", "--conf", "--packages", "--archives", "--executor-memory"},  # Spark
        "CONTRIBUTING.md": {"--fix"},  # ruff
    }.get(page.name, set())
    named = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*)", page.read_text("utf-8")))
    assert named <= known | window | tools | of_others


def test_every_code_is_explained(tables):
    from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS

    of_rows = texts_given("RowError", 0)
    refused = {"missing_column", "not_a_job_log", "truncated_file"}
    assert (
        set(first_column(FORMATS / "issue-codes.md", "Issue codes")) == set(ISSUE_TEXTS) | of_rows | refused
    )
    checks = {
        (named["code"].value, named["severity"].value)
        for call in calls("Check", "domain")
        for named in ({keyword.arg: keyword.value for keyword in call.keywords},)
        if all(isinstance(named.get(name), ast.Constant) for name in ("code", "severity"))
    }
    explained = {(code.strip("`"), severity) for code, severity, *_ in tables.check_rows()}
    assert {(code, tables.SEVERITIES[severity]) for code, severity in checks} == explained
    assert all(all(cells) for cells in (*tables.check_rows(), *tables.issue_rows()))


def test_every_command_has_its_page_and_every_option_its_row(tables):
    rows = [
        row
        for row in rows_of(section(COMMANDS / "README.md", "Commands"))
        if len(row) == 3 and "](" in row[2]
    ]
    assert {row[0].strip("`") for row in rows} == set(COMMAND_NAMES)
    text = "".join(page.read_text("utf-8") for page in COMMANDS.glob("*.md"))
    assert set(re.findall(r"<!-- made: usage (\S+) -->", text)) == set(COMMAND_NAMES)
    shown = set(re.findall(r"<!-- made: options (\S+) -->", text))
    assert shown == {
        name for name in ("all", "reading", "planning", *COMMAND_NAMES) if [*tables.option_rows(name)]
    }


def test_every_error_code_is_named_with_its_status():
    from gpuplanner.cli.run import EXIT_BY_CODE, UNREADABLE_EXIT
    from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS

    raised = texts_given("PlannerError", 1) - set(ISSUE_TEXTS)
    rows = rows_of(section(COMMANDS / "README.md", "Errors"))
    named = {code.strip("`"): int(status) for code, status, _ in rows}
    assert set(named) == raised
    assert named.pop("usage") == 2
    assert {named.pop(code) for code in ("not_a_job_log", "missing_column")} == {
        1
    }  # a file is left out for them
    assert named == {code: EXIT_BY_CODE.get(code, UNREADABLE_EXIT) for code in named}


def test_every_format_is_named():
    from gpuplanner.files.activity.activity_intake import ACTIVITY_DIALECTS
    from gpuplanner.files.contracts.contract_forms import CONTRACT_FORMS
    from gpuplanner.files.job_logs.recognisers import DIALECTS
    from gpuplanner.files.lists.node_lists import NODE_KINDS

    of_activity = {dialect.format for dialect in ACTIVITY_DIALECTS}
    assert set(first_column(FORMATS / "jobs.md", "Activity")) == of_activity
    of_logs = {dialect.format for dialect in DIALECTS} | {"mapped"}
    assert set(first_column(FORMATS / "scheduler-logs.md", "Scheduler logs")) == of_logs
    assert {form.format for form in NODE_KINDS} == set(first_column(FORMATS / "nodes.md", "Nodes"))
    named = set(first_column(FORMATS / "price-lists.md", "Exports"))
    assert {form.format for form in CONTRACT_FORMS} - {form.format for form in NODE_KINDS} <= named


def test_every_column_of_a_job_log_and_every_unit_is_named():
    from gpuplanner.files.job_logs.recognisers import COLUMN_OF, REQUIRED
    from gpuplanner.files.tables.column_mapping import MAPPED_FIELDS, UNIT_TITLES, UNITS_OF
    from gpuplanner.files.values.durations import SECONDS_PER
    from gpuplanner.files.values.gpu_counts import MILLI_PER

    text = section(FORMATS / "jobs.md", "gpuplanner CSV")
    assert [row[0].strip("`") for row in rows_of(text)] == list(COLUMN_OF.values())
    assert ", ".join(f"`{name}`" for name in REQUIRED[:-1]) + f" and `{REQUIRED[-1]}` are needed" in text
    text = section(FORMATS / "mapping.md", "Units")
    units = [(row[0].strip("`"), row[1]) for row in rows_of(text) if row[0].strip("`") in UNIT_TITLES]
    assert units == [
        (unit, ", ".join(name for name in UNITS_OF if unit in UNITS_OF[name])) for unit in UNIT_TITLES
    ]
    assert set(MAPPED_FIELDS) - set(COLUMN_OF.values()) == {"duration", "qos"}
    for unit in (*SECONDS_PER, *MILLI_PER):
        assert f"`{unit}`" in text


class Asked(dict):
    """Texts of a row that remembers which columns were asked for, in order."""

    def __init__(self, **texts: str) -> None:
        super().__init__(texts)
        self.columns: list[str] = []

    def get(self, column, default=None):
        self.columns.append(column)
        return super().get(column, default)


@pytest.mark.parametrize("kind", ["contracts", "prices"])
def test_every_column_of_contracts_and_prices_is_named(kind):
    import importlib

    from gpuplanner.files.tables.small_table import Row

    module = importlib.import_module(f"gpuplanner.files.{kind}.{kind[:-1]}_tables")
    columns = {"currency"}  # of all money of a row, looked at as the row is opened
    columns |= {"ramp"} if kind == "contracts" else set()  # of which a row is several contracts
    stated = {
        "contract_id": "c",
        "gpus": "1",
        "start": "2026-01-01",
        "offer_id": "o",
        "gpu_model": "H100",
        "term_months": "1",
    }
    read_row = module.read_offer_row if kind == "prices" else module.read_contract_row
    for category in ("COMMITTED", "OWNED"):
        texts = Asked(**stated, pricing_category=category)
        read_row(Row(texts=texts))
        columns.update(texts.columns)
    page, heading = FORMATS / f"{kind}.md", kind.capitalize()
    assert set(first_column(page, heading)) == columns
    for name in module.REQUIRED:
        assert re.search(rf"`{name}`[^.|]*needed", section(page, heading))


def test_every_column_of_places_is_named():
    from gpuplanner.files.lists.place_tables import PLACE_KINDS

    text = section(FORMATS / "places.md", "Users and sites")
    assert [line.split() for line in text.splitlines() if line.startswith("    ")] == [
        [kind.kind, ",".join(kind.columns)] for kind in PLACE_KINDS
    ]
    named = {name for row in rows_of(text) for name in re.findall(r"`(\w+)`", row[0])}
    assert named == {column for kind in PLACE_KINDS for column in kind.columns}


def test_every_field_of_a_placement_is_described():
    from gpuplanner.cli.place import place_document
    from gpuplanner.domain.model.assumptions import Assumptions
    from tests.domain.serving.small_places import city, site, world

    places = world([city("A", 1)], [site("s", is_current=True)])
    document = place_document((), places, Assumptions(), None)
    assert faults_of_part(document, "place") == []


@pytest.mark.parametrize("column", ["interconnect", "pricing_category"])
def test_every_word_that_a_column_takes_is_named(column):
    from gpuplanner.files.contracts.contract_tables import CATEGORIES, INTERCONNECTS

    said = next(
        row[1] for row in rows_of(section(FORMATS / "contracts.md", "Contracts")) if row[0] == f"`{column}`"
    )
    words = INTERCONNECTS if column == "interconnect" else CATEGORIES
    assert {word.lower() for word in re.findall(r"`([^`]+)`", said)} == set(words)


JOBS = """job_id,cluster,name,gpu_model,gpus,start,end,state,nodes
1,atlas,pretrain,H100,8,2026-01-01T00:00:00Z,2026-01-20T12:30:00Z,FAILED,2
2,atlas,vllm-chat,H100,6,2026-01-01T00:00:00Z,2026-02-02T00:00:00Z,COMPLETED,1
4,atlas,lr-sweep,H100,1,2026-01-05T00:00:00Z,2026-01-05T04:00:00Z,COMPLETED,1
3,atlas,vllm-chat,,1,2026-01-04T00:00:00Z,2026-01-05T00:00:00Z,COMPLETED,1
x,atlas,broken,H100,1,never,9999-12-31T00:00:00Z,COMPLETED,1
""" + "".join(  # two busy days of CPU jobs, with a gap in the log between them
    f"{day}{hour},atlas,etl,,0,2026-01-{day}T1{hour}:00:00Z,2026-01-{day}T1{hour}:30:00Z,COMPLETED,1\n"
    for day in (20, 31)
    for hour in range(10)
)
CONTRACTS = """contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,term_months,interconnect
c1,atlas,H100,4,2.75,2025-12-01,2026-05-01,12,ethernet
c2,atlas,A100,4,1.45,2025-12-01,2026-05-01,12,ethernet
"""
PRICES = """offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,rate_low
od,H100,STANDARD,0,6.88,2.80
spot,H100,DYNAMIC,0,2.50,
y1,H100,COMMITTED,12,2.75,
"""


TRAFFIC = """timestamp,context_tokens,generated_tokens
2026-01-10T00:00:00Z,1000,200
2026-01-10T05:59:59Z,1000,200
"""


def paths_of(value: object, path: str) -> Iterator[tuple[str, str]]:
    """(object, field) of everything in a JSON document."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield path, name
            yield from paths_of(inside, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for inside in value:
            yield from paths_of(inside, f"{path}[]")


RULES = "field,pattern,pool\nname,pretrain,training\n"


@pytest.fixture(scope="module")
def plan_document(tmp_path_factory):
    from gpuplanner.cli import arguments, commands
    from gpuplanner.files.project.project_file import save_project

    folder = tmp_path_factory.mktemp("inputs")
    argv = ["plan"]
    inputs = (("jobs", JOBS), ("contracts", CONTRACTS), ("prices", PRICES), ("rules", RULES))
    for name, text in inputs:
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        argv += [f"--{name}", str(folder / f"{name}.csv")]
    (folder / "traffic.csv").write_text(TRAFFIC, encoding="utf-8")
    argv += ["--traffic", f"atlas//vllm-chat={folder / 'traffic.csv'}"]
    (folder / "spot.json").write_text('{"metadata": {"gap_seconds": 3600}, "data": [1, 0]}', encoding="utf-8")
    argv += ["--interruptions", str(folder / "spot.json")]
    (folder / "business.csv").write_text("month,figure,value\n2026-01,orders,5\n", encoding="utf-8")
    argv += ["--business", str(folder / "business.csv")]
    project = _with_a_decision(arguments.build_parser().parse_args(argv))
    save_project(project, folder / "decided.gpuplan")
    answer = commands.plan(
        arguments.build_parser().parse_args(
            ["plan", str(folder / "decided.gpuplan"), "--price-sensitivity", "--one-provider", "--worth"]
        ),
        0,
    )
    return answer.document


def _with_a_decision(words):
    """What was loaded, with a leak accepted, a level set by hand and a later beginning: every field is there."""
    from gpuplanner.cli.inputs import load
    from gpuplanner.domain import edits
    from gpuplanner.domain.evaluation import evaluate_audit
    from gpuplanner.domain.model.plan.scenario import HandLayer
    from gpuplanner.domain.model.tables import Pool
    from gpuplanner.files.system.resources import read_tables
    from gpuplanner.files.system.user_files import ROWS, data_folder

    project = load(words, rows_dir=data_folder() / ROWS).project
    plan = project.scenarios[0].name
    project = edits.plans.set_assumption(
        project, None, "slices_lived", False
    )  # a month of log signs for long
    project = edits.plans.set_hand_layers(project, plan, Pool.BURST, "H100", (HandLayer(12, 1),))
    (leak, *_) = evaluate_audit(project, plan, read_tables()).audit.leaks
    project = edits.plans.set_plan_from(project, project.window.end_s + 30 * 86_400)
    return edits.plans.accept_leak(project, plan, leak, {}, 0, "the platform team")


def test_every_field_of_the_plan_is_described(plan_document):
    assert [*faults(plan_document, "plan")] == []


def test_every_declared_field_has_a_row_and_no_row_is_of_nothing(plan_document):
    schemas = script("make_schemas")
    assert schemas.without_row() == []
    assert schemas.schemas() == (ROOT / "resources" / "json_schemas.json").read_text("utf-8")
    documents = {f"{path}.{name}".lstrip(".") for path, name in paths_of(plan_document, "")}
    known = {path for _, path in schemas.declared()} | documents
    rows = {row["path"] for row in schemas.rows() if row["document"] in ("reduce", "audit", "plan")}
    assert rows - known == {"out", "flip_points"}  # only with their options
    assert sum(bool(row["is_common"]) for row in schemas.rows()) == 40


def test_every_field_of_sizing_is_described(tmp_path):
    from gpuplanner.cli import arguments, commands

    for name, text in (("prices", PRICES), ("week", "hour_of_week,requests_per_s\n0,1\n")):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    argv = ["size", "--model", "Llama 3.1 8B", "--traffic", str(tmp_path / "week.csv")]
    words = arguments.build_parser().parse_args([*argv, "--prices", str(tmp_path / "prices.csv")])
    assert [*faults(commands.size(words, 0).document, "size")] == []


def test_every_field_of_training_is_described():
    from gpuplanner.cli import arguments, commands

    argv = ["train", "--model", "Llama-3-8B", "--tokens", "1B", "--gpu-model", "H100", "--gpus", "16"]
    document = commands.train(arguments.build_parser().parse_args(argv), 0).document
    assert [*faults(document, "train")] == []


def test_every_part_of_the_project_file_is_named():
    from gpuplanner.files.project.project_file import APPLICATION_ID, FORMAT_VERSION
    from gpuplanner.files.project.project_parts import PART_NAMES

    project = FORMATS / "project.md"
    text = project.read_text("utf-8")
    assert {row[0].strip("`") for row in rows_of(text.partition("## Conflicts")[0])} == set(PART_NAMES)
    assert f"0x{APPLICATION_ID:x}" in text
    assert f"`user_version` {FORMAT_VERSION}" in text


def test_questions_have_words_and_a_path_that_is_there():
    from gpuplanner.files.system.resources import read_question_forms
    from tests.meeting.page import PAGE, page_text, questions

    assert page_text() == PAGE.read_text("utf-8"), "run python -m tests.meeting.page"
    assert set(questions()) <= {form.form for form in read_question_forms() if form.example}
    schemas = script("make_schemas")
    known = {
        command: {
            row["path"] for row in schemas.rows() if row["document"] in schemas.PARTS.get(command, (command,))
        }
        for command in ("plan", "audit", "place", "award", "track", "backtest")
    }
    for row in questions().values():
        command, _, path = row["path"].rpartition(": ")
        assert not path or re.sub(r"\[[^]]*\]", "[]", path) in known[command or "plan"], row


# --- Looks -------------------------------------------------------------------------------------


def palette_rows() -> list[list[str]]:
    """The palettes role by role, as docs/window/looks.md has them: the role, then its colour in each."""
    from gpuplanner.ui.kit.palettes import PALETTES
    from gpuplanner.ui.words.lanes import LANES

    grounds, lines = ("window", "surface", "raised"), ("text", "muted", "line", "edge")
    roles = (*grounds, *lines, "accent", "on_accent", "focus", "selection", "red", "amber", "green")
    rows = [[role, *(getattr(palette, role) for palette in PALETTES.values())] for role in roles]
    rows += [[lane.title, *(palette.lanes[lane].fill for palette in PALETTES.values())] for lane in LANES]
    for months in next(iter(PALETTES.values())).terms:
        title = f"{months} months" if months > 1 else "1 month" if months else "on demand"
        rows.append([title, *(palette.terms[months] for palette in PALETTES.values())])
    return rows


def test_the_palettes_and_the_type_scale_are_those_of_the_code():
    from gpuplanner.ui.kit.type_scale import SIZES

    looks = DOCS / "window" / "looks.md"
    assert [
        [cell.strip("`") for cell in row[:4]] for row in rows_of(section(looks, "Palettes"))
    ] == palette_rows()
    said = [(row[0], float(row[1]), int(row[2])) for row in rows_of(section(looks, "Type"))]
    assert said == [(step, *size) for step, size in SIZES.items()]


def test_every_field_of_an_award_is_described():
    from gpuplanner.cli.documents.awards import award_document
    from gpuplanner.domain.award.award import award_of
    from gpuplanner.domain.model.book.only import Only
    from tests.domain.award.conftest import CONDITIONS, quote, row

    rows = [row(gpus=24), row("R2", is_option=True)]
    conditions = replace(CONDITIONS, shares={Only("Vendor b"): 0.5})
    found = award_of(rows, [quote("a", 2.0, max_gpus=8), quote("b", None)], conditions)
    assert faults_of_part(award_document(found), "award") == []
