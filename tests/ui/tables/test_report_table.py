"""Reports as tables of the window."""

import pytest

from gpuplanner.domain.reports.costs import BUSINESS_COSTS
from gpuplanner.domain.reports.mix import RUN_KINDS
from gpuplanner.domain.reports.report import Medium, Report
from gpuplanner.ui.tables.report_table import table_columns


@pytest.mark.parametrize("report", [BUSINESS_COSTS, RUN_KINDS], ids=["business", "kinds of run"])
def test_a_column_without_a_name_is_headed_as_any_other(report: Report) -> None:
    titles = [column.title for column in report.columns_in(Medium.WINDOW)]
    assert "" in [column.name for column in report.columns_in(Medium.WINDOW)]
    assert len(table_columns(report)) == len(titles)


def test_a_column_is_left_out_by_its_name() -> None:
    (month,) = set(table_columns(BUSINESS_COSTS)) - set(table_columns(BUSINESS_COSTS, left_out="month"))
    assert str(month.title) == "Month"
