"""Pages of briefs of small and random projects, as golden tables: the numbers of titles, figures, tables and charts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from gpuplanner.domain.brief import briefs
from gpuplanner.domain.brief.pages import (
    Block,
    Column,
    DurationChart,
    Page,
    TableBlock,
    TextBlock,
    block_words,
    page_words,
)
from gpuplanner.domain.evaluation import Evaluation, advise_plan, charges_of
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.reports.costs import overview_of
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.serving import NamedSizing
from tests.domain import worlds
from tests.domain.random_worlds import evaluation_of
from tests.domain.reports.reported_results import sizing
from tests.golden.tables import Table
from tests.shown import message_values, shown, shown_fields

FOLDER: Final = "tables_brief"

# --- A page as lines -----------------------------------------------------------------------------


def values(text: Text) -> str:
    """Return the values of a text, in angle brackets as `shown` has them."""
    return f"<{message_values(text)}>"


def column_text(column: Column) -> str:
    """Return the width of a column, and whether numbers stand in it."""
    return f"{column.share:g}{'#' if column.is_number else ''}"


def block_lines(block: Block) -> Iterator[str]:
    """Yield the lines of a block; what is read out of a chart stands last."""
    if isinstance(block, TableBlock):
        yield f"table {values(block.title)} {' '.join(map(column_text, block.columns))}"
        yield from (f"  {shown(row)}" for row in (*block.rows, block.total) if row)
        if block.note:
            yield f"  note {values(block.note)}"
    elif isinstance(block, DurationChart):
        yield f"DurationChart {values(block.title)} {block.plan.pool} {block.plan.gpu_model}"
        yield f"  {values(block_words(block))}"
    elif isinstance(block, TextBlock):
        yield f"text {values(block.title)} {shown(block.sentences)}"
    else:
        yield f"{type(block).__name__} {shown_fields(block)}"
        yield f"  {values(block_words(block))}"


def page_lines(page: Page) -> Iterator[str]:
    """Yield title and figures of a page, and its blocks row by row."""
    yield f"{page.key} {values(page.title)}"
    yield from (f"  figure {figure.key} {shown_fields(figure)}" for figure in page.figures)
    for number, row in enumerate(page.rows):
        yield from (f"  {number} {line}" for block in row for line in block_lines(block))
    if page.figures:
        yield f"  read {values(page_words(page))}"


def pages_text(evaluation: Evaluation, days: int = 0, **more: object) -> str:
    """Return all pages of a brief that is written so many days after its plan begins."""
    at_s = evaluation.project.plan_window.end_s + days * DAY_S
    brief = briefs.plan_brief(evaluation, at_s, "1", **more)  # type: ignore[arg-type]
    lines = [line for page in brief.pages for line in page_lines(page)]
    return "\n".join((values(brief.head), values(brief.foot), *lines))


# --- Projects ------------------------------------------------------------------------------------


def advised(name: str) -> Evaluation:
    """Return a random world with its advice."""
    evaluation = evaluation_of(name)
    return replace(evaluation, advice=advise_plan(evaluation.project, evaluation.figures))


def full_brief() -> str:
    """Return a brief with pages of endpoints and of waits, as it is folded to ten."""
    named = (NamedSizing("chat", sizing()), NamedSizing("term", sizing(12)))
    return pages_text(
        worlds.outlook_of(worlds.plan), endpoints=named, waiting=worlds.waiting(), is_asking=True
    )


def statements_text() -> str:
    """Return the pages of what each team is charged."""
    charges = charges_of(worlds.past().evaluation)
    rows = overview_of(charges).rows_in(Medium.BRIEF, charges)
    pages = (briefs.overview_page(charges), *(briefs.statement_page(row, charges) for row in rows))
    return "\n".join(line for page in pages for line in page_lines(page))


SMALL: Final[Mapping[str, Callable[[], str]]] = {
    "all pages, with the outlook": full_brief,
    "after 40 days": lambda: pages_text(worlds.plan(), 40),
    "unpriced": lambda: pages_text(worlds.unpriced()),
    "limited, after 70 days": lambda: pages_text(worlds.limited(), 70),
    "asked": lambda: pages_text(worlds.with_before(worlds.asked())),
    "without advice": lambda: pages_text(replace(worlds.plan(), advice=None)),
    "what teams are charged": statements_text,
}
RANDOM: Final[Mapping[str, Callable[[], str]]] = {
    name: partial(lambda name: pages_text(advised(name), 1), name)
    for name in ("new 0", "new 2 stated", "edge 9 stated", "random 3 stated")
}


def table_of(texts: Mapping[str, Callable[[], str]]) -> Table:
    return Table(text_of=lambda case: texts[case](), cases=tuple(texts))


TABLES: Final = {"small.txt": table_of(SMALL), "random.txt": table_of(RANDOM)}
