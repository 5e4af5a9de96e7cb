"""Pages of the brief of the small plan (`worlds.plan`): the numbers of titles and tables, by hand.

K1 is $5,840 a month, K2 $8,760, K3 $3,650; training is 8 H100, inference 3 in the mean, bursts 1.5. Doing nothing pays
for what K1 does not serve 4 x 730 x $4 = $11,680, and once K2 has ended for inference $8,760 by use. In the plan y1
costs $7,543.33 and $3,771.67 a month, and q3 $10,220 once K1 has ended; one GPU of inference stays by use, $2,920.
"""

import re
from dataclasses import astuple
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.chargeback import Charge
from gpuplanner.domain.brief import approval, plan_pages, today_pages
from gpuplanner.domain.brief.briefs import _charged_title, brief_of, statements_of
from gpuplanner.domain.brief.pages import (
    BridgeChart,
    DemandChart,
    MonthsChart,
    Page,
    TableBlock,
    block_words,
    report_block,
)
from gpuplanner.domain.evaluation import charges_of
from gpuplanner.domain.message import Message, Text, worded
from tests.domain import worlds


@cache
def pages(*, has_outlook: bool = False) -> dict[str, Page]:
    of = worlds.outlook_of(worlds.plan) if has_outlook else worlds.plan()
    return {page.key: page for page in brief_of(of, worlds.PLAN_S, "1").pages}


def numbers(text: Text) -> list[str]:
    return re.findall(r"\$?\d[\d,.]*\d|\$?\d", str(text))


def blocks(key: str, kind: type, *, has_outlook: bool = False) -> list[Any]:
    rows = pages(has_outlook=has_outlook)[key].rows
    return [block for row in rows for block in row if isinstance(block, kind)]


def cells(table: TableBlock) -> list[list[str]]:
    """Numbers of each row."""
    return [[number for cell in row for number in numbers(cell)] for row in table.rows]


@pytest.mark.parametrize(
    ("key", "result"),
    [
        ("question", ["$135,780", "31", "2026", "$73,952", "1", "18", "2026"]),
        ("today", ["2", "$18,250", "50.0"]),  # 8.5 of 17 GPUs are used
        ("stranded", ["$8,030", "$5,475"]),  # 5 idle of K2, and 3.5 of K3 at $1
        ("plan", ["4", "12"]),
        ("year", ["$27,153", "1", "$28,105", "12"]),
        ("sign", ["2", "6", "31", "2026", "1"]),
        ("later", ["1", "4", "1", "2026", "2"]),
    ],
)
def test_a_title_has_the_numbers_of_its_page(key: str, result: list[str]) -> None:
    assert numbers(pages()[key].title) == result


def test_horizons_are_the_first_month_the_last_and_all() -> None:
    table, _ = blocks("year", TableBlock)
    assert cells(table) == [
        ["29,930", "27,153", "2,777"],
        ["12", "35,770", "28,105", "7,665"],
        ["12", "394,200", "320,248", "73,952"],
    ]
    (chart,) = blocks("year", MonthsChart)
    nothing, plan = chart.lines
    assert [round(usd) for usd in nothing.usd] == [29_930] * 6 + [35_770] * 6
    assert [round(usd) for usd in plan.usd] == [27_153, 29_565, *[23_725] * 4, *[28_105] * 6]
    assert (nothing.is_main, plan.is_main) == (False, True) and len(chart.months) == 12


def test_clusters_and_contracts_of_today_stand_with_their_use() -> None:
    """5.5 of 9 are 61.1%; a contract breaks even where its rate is that share of what on demand costs."""
    clusters, contracts = blocks("today", TableBlock)
    assert cells(clusters)[:2] == [
        ["1", "9", "61.1", "9,490", "0"],
        ["2", "8", "37.5", "37.5", "8,760", "5,475", "5,475"],
    ]
    assert cells(contracts) == [
        ["2", "2", "8", "37.5", "37.5", "40", "5,475"],
        ["3", "1", "5", "30.0", "50.0", "40", "2,555"],
        ["1", "1", "4", "100.0", "50.0", "0"],
    ]
    (chart,) = blocks("today", DemandChart)
    assert numbers(block_words(chart)) == ["8", "3.0", "1.5"]
    assert numbers(today_pages._today_title(worlds.past().evaluation)) == ["2", "$13,140", "44.0"]


def test_the_bridge_goes_from_the_bill_to_what_is_stranded() -> None:
    """K1 all, 3 of K2 and 1.5 of K3 are held by jobs: 5,840 + 3,285 + 1,095; of K3 $2,555 idle while training ran."""
    (chart,) = blocks("stranded", BridgeChart)
    assert [numbers(bar.text) for bar in chart.bars] == [["18,250"], ["10,220"], ["2,555"], ["5,475"], [], []]
    (leaks,) = blocks("stranded", TableBlock)
    assert [row[:3] for row in cells(leaks)[:2]] == [["1", "11,680", "11,680"], ["1", "002", "1,095"]]


def test_layers_of_the_first_month_cost_what_they_hold() -> None:
    """Existing H100 are 12 GPUs for $14,600, $1.67 an hour."""
    tables = blocks("plan", TableBlock)
    rows = cells(tables[0])
    assert ["100", "1.5", "100.0", "1.00", "1,095"] in rows
    assert ["100", "3", "100.0", "1.67", "3,650"] in rows
    assert ["100", "4", "100.0", "1.67", "4,867"] in rows


def test_orders_now_and_later_have_their_days_and_dollars() -> None:
    """A year of y1 is $22,630 a GPU, $730 of it at once; three months of q3 are $7,665."""
    (now,) = blocks("sign", TableBlock)
    assert [row[-3:] for row in cells(now)] == [["7,543", "90,520", "2,920"], ["3,772", "45,260", "1,460"]]
    assert numbers(" ".join(map(str, now.total)))[-2:] == ["135,780", "4,380"]
    contracts, later = blocks("later", TableBlock)
    (order,) = cells(later)
    assert order[-2:] == ["10,220", "30,660"] and numbers(later.note)[0] == "1"
    assert len(contracts.rows) == 3
    months = blocks("year", TableBlock)[1]
    assert [row[1] for row in cells(months)][:3] == ["27,153", "29,565", "23,725"]
    assert len(months.rows) == 12


def test_savings_are_steps_of_the_first_month() -> None:
    assert numbers(pages(has_outlook=True)["savings"].title) == ["$73,952", "$2,777"]
    (chart,) = blocks("savings", BridgeChart, has_outlook=True)
    assert [numbers(bar.text) for bar in chart.bars] == [
        ["2,777"],
        ["0"],
        ["0"],
        ["2,777"],
        ["0"],
        ["0"],
        ["2,777"],
    ]
    assert [bar.kind for bar in chart.bars] == ["step"] * 3 + ["result"] + ["step"] * 2 + ["result"]


def charge(total: float | None, left: float | None) -> Charge:
    class Row:
        total_in_window, left_in_window, called = total, left, "team"

    return Row  # type: ignore[return-value]


def test_a_team_is_charged_within_or_over_its_budget() -> None:
    cases = {
        (None, None): [], (None, 5.0): [], (10.0, None): ["$10"], (10.0, 0.0): ["$10", "$0"],
        (10.0, 5.0): ["$10", "$5"], (10.0, -5.0): ["$10", "$5"],
    }  # fmt: skip
    titles = {given: _charged_title(charge(*given)) for given in cases}
    assert {given: numbers(title) for given, title in titles.items()} == cases
    assert len({title.template for title in titles.values()}) == 4
    assert titles[10.0, 0.0].template == titles[10.0, 5.0].template != titles[10.0, -5.0].template


def test_statements_are_a_page_of_all_and_one_of_each() -> None:
    """Of the past: team, ops and nobody; team has a budget of $500 a month."""
    of = worlds.past().evaluation
    first, *others = statements_of(of, 0, "1").pages
    rows = {str(row.called): row for row in charges_of(of).rows}
    assert len(others) == len(rows)
    for page in others:
        figures = {figure.key: figure.amount for figure in page.figures}
        name = next(name for name in rows if str(page.title).startswith(name))
        assert figures["total_usd"] == rows[name].total_in_window
        assert ("left_usd" in figures) is (rows[name].budget_in_window is not None)
    assert first.key == "teams"


def report_column(name: str, form: str, figure: Any = None) -> Any:
    """A column of a report whose rows are texts."""
    return SimpleNamespace(
        name=name, key=name, title=name, form=form, figure=figure, heading=lambda _: name, of=lambda row: row
    )


def table_of(
    rows: list[Any], *columns: Any, others: Any = None, total: Any = None, **given: Any
) -> TableBlock:
    report: Any = SimpleNamespace(
        rows_in=lambda *_: rows,
        columns_of=lambda *_: columns,
        rest_in=lambda *_: others,
        total_of=lambda *_: total,
        note=worded("Note."),
    )
    return report_block(report, None, "title", {"a": 0.3}, **given)


def test_columns_of_a_report_are_as_wide_as_their_shares_and_numbers_stand_right() -> None:
    """Only a figure's own value stands right; a flag is headed so, and is as wide as the rest, whatever its name."""
    flag: Any = SimpleNamespace(title="Is Late")
    table = table_of(
        ["x", ""], report_column("a", "value"), report_column("b", "text"), report_column("a", "flag", flag)
    )
    assert [(str(head), right, share) for head, right, share in map(astuple, table.columns)] == [
        ("a", False, 0.3),
        ("b", False, 1.0),
        ("Flag", False, 1.0),
    ]
    assert [[str(cell) for cell in row] for row in table.rows] == [["x", "x", "is Late"], ["", "", ""]]


@pytest.mark.parametrize(
    ("most", "listed", "left"), [(None, 3, None), (4, 3, None), (3, 3, None), (2, 2, 1), (1, 1, 2)]
)
def test_the_note_of_a_table_tells_how_many_rows_are_left(
    most: int | None, listed: int, left: int | None
) -> None:
    table = table_of(["x", "y", "z"], report_column("a", "text"), most=most, sheet="Audit")
    assert len(table.rows) == listed
    assert str(table.note) == ("Note." if left is None else f"Note. {left} more on the sheet Audit.")
    assert str(table_of(["x", "y"], report_column("a", "text"), most=1).note) == "Note."


def test_a_row_for_several_is_blank_where_it_has_nothing() -> None:
    several, total = SimpleNamespace(a=7), SimpleNamespace(b=worded("All"))
    table = table_of(
        ["x"], report_column("a", "text"), report_column("b", "text"), others=several, total=total
    )
    assert [[str(cell) for cell in row] for row in table.rows] == [["x", "x"], ["7", ""]]
    assert [str(cell) for cell in table.total] == ["", "All"] and isinstance(table.total[1], Message)


def test_orders_to_buy_stand_beside_those_to_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """16 of 90 GPUs are bought: 74 are signed for."""
    monkeypatch.setattr(approval, "gpus_in_rows", lambda _: 90.0)
    for bought, written in ((16.0, ["90", "16", "74"]), (90.0, ["90"]), (0.0, ["90"])):
        orders: Any = SimpleNamespace(
            now=(), bought=(SimpleNamespace(bought_gpus=bought),), gpus_counted=worded("90 GPUs")
        )
        assert numbers(approval.Approval.gpus_words.fget(orders)) == written  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("terms", "written"),
    [({(12, 0)}, ["12"]), ({(12, 0), (36, 0)}, ["36", "12"]), ({(12, 0), (0, 90)}, ["12", "90"])],
)
def test_terms_are_listed_from_the_longest_on(terms: Any, written: list[str]) -> None:
    text = plan_pages._terms(terms)
    assert numbers(text) == written
    assert str(text).count("months") == 1
