"""Every export of the package as a function of a path, on one small plan; and what each file begins with."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from PySide6.QtGui import QFont, QImage

from gpuplanner.charts.kit.chart_export import WRITERS, ChartSheet, ChartTable, encoded
from gpuplanner.charts.page_painter.brief_pdf import pdf_steps
from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.domain.model.plan.scenario import Decision, Scenario
from gpuplanner.files.brief.docx import write_brief_docx
from gpuplanner.files.brief.pptx import write_brief_pptx
from gpuplanner.files.export.cube_file import CUBE_NAME, write_cube
from gpuplanner.files.export.decision_log import write_decisions
from gpuplanner.files.export.focus import write_focus
from gpuplanner.files.export.price_file import write_price_file
from gpuplanner.files.export.statement import write_statement
from gpuplanner.files.lists.class_rules import write_rules
from gpuplanner.files.project.project_file import save_project
from gpuplanner.files.system.output_file import put, write_output, write_table
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import read_tables
from gpuplanner.files.workbook.write import write_workbook
from tests.charts.chart_world import COLOURS, demand
from tests.files.workbook.evaluations import two_clusters_evaluated

NOW_S = 1_790_812_800


@cache
def evaluation() -> Any:
    return two_clusters_evaluated()


@cache
def brief() -> Any:
    whole = brief_of(evaluation(), NOW_S, "1.2.3")
    return replace(whole, pages=whole.pages[:1])


def pdf(path: Path) -> None:
    for _ in pdf_steps(brief(), path):
        pass


def chart(suffix: str) -> Callable[[Path], None]:
    table = ChartTable(("Hour", "Low"), (("0", "2.0"),))
    return lambda path: write_output(
        path,
        WRITERS[suffix](
            ChartSheet(
                title="A",
                unit="GPUs",
                source="jobs.csv",
                make=demand,
                table=lambda: table,
                colours=COLOURS,
                title_font=QFont(),
            )
        ),
    )


def screenshot(path: Path) -> None:
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(0)
    write_output(path, encoded(image))


def cube(path: Path) -> None:
    """Its name is ours, so that the odd thing stands at it."""
    at = path.with_name("cube folder") / CUBE_NAME
    at.parent.mkdir(exist_ok=True)
    at.unlink(missing_ok=True)
    at.symlink_to(path)
    write_cube(evaluation().project, at.parent)


def rows(path: Path) -> None:
    """As job rows go out of a folder of our own."""
    with own_folder(path.parent if path.parent.is_dir() else None) as room:
        (room / "rows").write_bytes(b"PAR1 rows")
        put(room / "rows", path)


SMALL: MappingProxyType[str, Callable[[Path], None]] = MappingProxyType(
    {
        "focus": lambda path: write_focus(evaluation(), path) and None,
        "statement": lambda path: write_statement(evaluation(), path),
        "prices": lambda path: write_price_file(evaluation().project.offers, path),
        "rules": lambda path: write_rules(read_tables().class_rules[:2], path),
        "decisions": lambda path: write_decisions(
            [Scenario(name="A", decisions=(Decision(0, "x", "y"),))], path, "USD"
        ),
        "rejected rows": lambda path: write_table(path, "file,row\r\n", given=["jobs.csv"]),
        "screenshot": screenshot,
        "job rows": rows,
        "cube": cube,
        "project": lambda path: save_project(evaluation().project, path),
    }
)
LARGE: MappingProxyType[str, Callable[[Path], None]] = MappingProxyType(
    {
        "brief as pdf": pdf,
        "brief as pptx": lambda path: write_brief_pptx(brief(), path),
        "brief as docx": lambda path: write_brief_docx(brief(), path),
        "workbook": lambda path: write_workbook(evaluation(), path, NOW_S),
        "chart as png": chart(".png"),
        "chart as svg": chart(".svg"),
        "chart as pdf": chart(".pdf"),
    }
)
EXPORTS = MappingProxyType({**SMALL, **LARGE})
NAMES = [*SMALL, *(pytest.param(name, marks=pytest.mark.long) for name in LARGE)]
"""Of all; the large ones are for the long run."""
