"""What would change the plan, and what happens in its months: words by the numbers that they are of."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.brief import plan_pages
from gpuplanner.domain.brief import sensitivity_pages as sensitive
from gpuplanner.domain.brief.approval import _timeline, approval_on
from gpuplanner.domain.brief.briefs import plan_brief
from gpuplanner.domain.brief.pages import TableBlock, TextBlock
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import NOT_YET, PathCost, Uncertainty
from gpuplanner.domain.commitment.plan.advice import Happening
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.plan_inputs import DemandChange
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from tests.domain import worlds
from tests.domain.commitment.conftest import contract

PLAN_S = worlds.PLAN_S
ORDERS = worlds.plan().advised.orders
BAND = Uncertainty(
    p10_usd_per_month=10.0,
    p50_usd_per_month=20.0,
    p90_usd_per_month=30.0,
    regret_p50_usd_per_month=1.0,
    regret_p90_usd_per_month=4.0,
    year_p10_usd=100.0,
    year_p90_usd=300.0,
)


def numbers(text: Text) -> list[str]:
    return re.findall(r"\$?\d[\d,.]*\d|\$?\d", str(text))


# --- Ranges


def test_a_band_is_named_where_both_of_its_ends_are_known() -> None:
    title = sensitive._band_title(replace(NOT_YET, uncertainty=BAND))
    assert numbers(title) == ["80", "$100", "$300"]
    for band in (None, replace(BAND, year_p10_usd=None), replace(BAND, year_p90_usd=None)):
        assert numbers(sensitive._band_title(replace(NOT_YET, uncertainty=band))) == []
    assert numbers(sensitive._band_title(None)) == []


@pytest.mark.parametrize(("usd", "result"), [(4.4, ["4"]), (0.4, []), (0.0, []), (None, [])])
def test_a_cost_of_being_wrong_is_under_so_much_or_nothing(usd: float | None, result: list[str]) -> None:
    text = sensitive._regret(replace(BAND, regret_p90_usd_per_month=usd))
    assert numbers(text) == result
    nothing = sensitive._regret(replace(BAND, regret_p90_usd_per_month=0.0))
    assert (str(text) == str(nothing)) is (usd in (0.0, 0.4))


def test_what_would_make_it_wrong_has_what_is_known() -> None:
    totals = worlds.plan().advised.totals
    outlook = replace(NOT_YET, uncertainty=BAND)
    (year,) = plan_pages._wrong(totals, outlook, None, 60)
    assert numbers(year) == ["80", "$100", "$300"]
    assert plan_pages._wrong(totals, None, None, 60) == plan_pages._wrong(totals, NOT_YET, None, 60) == ()
    unknown = replace(outlook, uncertainty=replace(BAND, year_p10_usd=None))
    assert plan_pages._wrong(totals, unknown, None, 60) == ()


# --- Price cases and paths


def case(kind: PriceCase, usd: float | None, layers: int = 0) -> Any:
    return SimpleNamespace(
        case=kind, plan_usd_per_month=usd, do_nothing_usd_per_month=50.0, savings_vs_do_nothing_usd_per_month=7.0,
        changed_layers=tuple(range(layers)),
    )  # fmt: skip


def test_price_cases_are_rows_where_one_is_known() -> None:
    rows = (case(PriceCase.LOW, 10.0, 2), case(PriceCase.MID, 20.0), case(PriceCase.HIGH, None))
    table = sensitive._cases(SimpleNamespace(cases=rows))  # type: ignore[arg-type]
    assert table is not None
    assert [numbers(" ".join(map(str, row))) for row in table.rows] == [
        ["10", "50", "7", "2"],
        ["20", "50", "7"],
        ["50", "7"],
    ]
    assert (str(table.rows[1][4]), bool(str(table.rows[2][4]))) == ("", True)  # at mid nothing can change
    assert sensitive._cases(None) is sensitive._cases(SimpleNamespace(cases=rows[2:])) is None  # type: ignore[arg-type]


def path(
    name: str, advice: float | None, shorter: float | None = 130.0, longer: float | None = 180.0
) -> PathCost:
    of = worlds.evidence_of_trials().outlook.price_paths[0]
    regret = {"path": name, "advice_usd": advice, "shorter_only_usd": shorter, "longer_only_usd": longer}
    return replace(of, **regret)


def test_paths_are_rows_where_the_advice_is_known() -> None:
    outlook = replace(NOT_YET, price_paths=(path("fall", 150.0),))
    table = sensitive._paths(outlook, 60, has_contracts=True)
    assert table is not None and numbers(table.note)[0] == "60"
    assert {"150", "130", "180"} <= set(numbers(" ".join(map(str, table.rows[0]))))
    without = sensitive._paths(outlook, 60, has_contracts=False)
    assert without is not None and str(without.note) != str(table.note)
    assert sensitive._paths(None, 60, has_contracts=True) is None
    assert (
        sensitive._paths(replace(NOT_YET, price_paths=(path("fall", None),)), 60, has_contracts=True) is None
    )


# --- Assumptions


def test_a_value_of_an_assumption_is_written_by_its_kind() -> None:
    for name, value, text in (
        ("lambda", 0.035, "3.5%"),
        ("horizon_months", 60, "60"),
        ("idle_shared_by", "x", "x"),
    ):
        assert str(sensitive._value_text(SPEC_BY_NAME[name], value)) == text
    assert str(sensitive._value_text(SPEC_BY_NAME["lambda"], None)) not in ("", "None")


def test_assumptions_are_those_always_shown_and_those_of_the_plan() -> None:
    of = worlds.plan()
    plain = sensitive._assumptions(of)
    shown = {str(SPEC_BY_NAME[name].title) for name in sensitive.ASSUMPTIONS_SHOWN}
    assert {str(row[0]) for row in plain.rows} <= shown and sensitive.SET not in [
        row[3] for row in plain.rows
    ]
    assert len(plain.rows) == min(len(shown), sensitive.MOST_ASSUMPTIONS)
    plan = replace(
        of.figures.basis.plan,
        assumptions={"run_gap_hours": 5},
        changes=(DemandChange(of="all", keys=(), factor=2.0, from_s=PLAN_S),) * 2,
    )
    basis = replace(of.figures.basis, plan=plan)
    changed = sensitive._assumptions(replace(of, figures=replace(of.figures, basis=basis)))
    first, *others = changed.rows
    assert str(first[1]) == "2" and first[3] is sensitive.SET
    own = [row for row in others if row[3] is sensitive.SET]
    assert [str(row[1]) for row in own] == ["5"] or len(changed.rows) == sensitive.MOST_ASSUMPTIONS
    assert len(changed.rows) <= sensitive.MOST_ASSUMPTIONS


# --- Months


def events(
    starting: Any = (), ending: Any = (), to_sign: Any = (), contracts: Any = (), notices: Any = ()
) -> Happening:
    return Happening(
        starting=tuple(starting),
        ending=tuple(ending),
        to_sign=tuple(to_sign),
        contracts_ending=tuple(contracts),
        notices=tuple(notices),
    )


def test_what_happens_in_a_month_is_named_or_that_nothing_does() -> None:
    k1 = contract("K1", 4, 2.0, 2, 730, notice_days=15)
    starts, ends, signs = plan_pages.happens_in(events(ORDERS[:1], ORDERS[1:2], ORDERS[:2], [k1]))
    assert (numbers(starts), numbers(signs)) == (["2"], ["6"]) and str(ends).startswith("K1, ")
    assert plan_pages.happens_in(events()) == ("", "", "")
    assert str(plan_pages.happens_in(events(contracts=[k1]))[1]) == "K1"
    assert numbers(plan_pages.happens_in(events(ending=ORDERS[:1]))[1]) == ["2"]
    every = plan_pages.happens_sentences(events(ORDERS[:1], ORDERS[1:2], ORDERS[:2], [k1], [k1]))
    assert [numbers(text)[0] for text in every] == ["2", "1", "6", "18"] and len(every) == 4
    (nothing,) = plan_pages.happens_sentences(events())
    assert numbers(nothing) == []
    (ended,) = plan_pages.happens_sentences(events(contracts=[k1]))
    assert "K1" in str(ended)


def test_a_month_of_the_year_has_its_costs_and_what_happens() -> None:
    of = worlds.plan()
    page = plan_pages.month_scene(of.advised, seen_in(of.project), 1)
    assert [(figure.key, round(figure.amount or 0)) for figure in page.figures] == [
        ("plan", 29_565), ("do_nothing", 29_930), ("savings_vs_do_nothing", 365)
    ]  # fmt: skip
    (row,) = page.rows
    assert row[0].at == 1 and numbers(row[1].sentences[0]) == ["2"]
    assert numbers(page.title)[:1] == ["2"]
    unknown = replace(
        of.advised, comparison=(replace(of.advised.comparison[0], use_usd=None), *of.advised.comparison[1:])
    )
    assert [figure.amount for figure in plan_pages.month_scene(unknown, seen_in(of.project), 0).figures] == [
        None,
        29_930.0,
        None,
    ]
    apart = replace(of.advised, totals=replace(of.advised.totals, savings_vs_do_nothing=None))
    lacks = plan_pages.month_scene(apart, seen_in(of.project), 0)
    assert [figure.amount for figure in lacks.figures][1:] == [None, None]
    assert [line.is_main for line in lacks.rows[0][0].lines] == [True]
    assert numbers(plan_pages.year_page(of, unknown, seen_in(of.project)).title) == []
    last = replace(
        of.advised, comparison=(*of.advised.comparison[:-1], replace(of.advised.comparison[-1], use_usd=None))
    )
    assert numbers(plan_pages.year_page(of, last, seen_in(of.project)).title) == []


def test_work_that_is_left_to_nobody_is_named_by_why() -> None:
    of = worlds.plan()
    keys = [work.key for work in of.project.workloads]
    rows = [
        SimpleNamespace(key=key, reason=why)
        for key, why in zip(keys, ("a", plan_pages.OVER_BUDGET, "a"), strict=True)
    ]
    many = [SimpleNamespace(key=f"k{at}", reason="a") for at in range(5)]

    def texts(*unserved: Any) -> list[str]:
        return [str(text) for text in plan_pages._left_to_nobody(of, SimpleNamespace(unserved=unserved))]  # type: ignore[arg-type]

    over, others = texts(*rows)
    assert "load-001" in over and "load-000" in others and "load-002" in others and "load-001" not in others
    (five,) = texts(*many)
    assert "k2" in five and "k3" not in five and "2 " in five
    (three,) = texts(*many[:3])
    assert "k2" in three and numbers(three.replace("k", "")) == ["0", "1", "2"]
    assert texts() == []


def test_the_line_of_time_has_what_is_decided_first() -> None:
    """K3 has no end, and K2 none to decide by: they come last; of nine rows eight are shown."""
    of = worlds.plan()
    approval = approval_on(of.advice, of.project)
    verdicts = {row.contract_id: row for row in of.advice.verdicts}
    chart = _timeline(of, approval, verdicts)
    names = [str(row.name) for row in chart.rows]
    assert names[-2:] == ["K2", "K3"] and names.index("K1") == 2 and len(names) == 6
    assert (chart.begin_s, chart.written_s) == (of.project.plan_window.start_s, PLAN_S)
    assert numbers(chart.title) == []
    over = contract("old", 1, 1.0, -2, 730)
    more = [contract(f"m{at}", 1, 1.0, None, 730) for at in range(2)]
    for added, count, rows in (
        ((over,), [], 6),
        (more, [], 8),
        ((*more, replace(more[0], contract_id="n")), ["8"], 8),
    ):
        project = replace(of.project, contracts=(*of.project.contracts, *added))
        made = _timeline(replace(of, project=project), approval, verdicts)
        assert (numbers(made.title), len(made.rows)) == (count, rows)
    by_use = replace(more[0], pricing_category=PricingCategory.STANDARD)
    project = replace(of.project, contracts=(by_use,))
    (line,) = [row for row in _timeline(replace(of, project=project), approval, {}).rows if row.name == "m0"]
    assert line.spans[0].is_by_use and not chart.rows[-1].spans[0].is_by_use


def test_a_brief_of_today_has_pages_of_the_past_and_says_so() -> None:
    of = worlds.plan()
    today = plan_brief(replace(of, scenario="Today", advice=None), PLAN_S, "1")
    plan = plan_brief(of, PLAN_S, "1")
    assert "Today" in str(today.head) and "Plan A" in str(plan.head) and "Plan A" not in str(today.head)
    without = plan_brief(replace(of, advice=None), PLAN_S, "1")
    assert [page.key for page in without.pages] == [page.key for page in plan.pages]
    assert not any(isinstance(block, TableBlock) for row in without.pages[-1].rows for block in row)
    texts = [block for row in plan.pages[0].rows for block in row if isinstance(block, TextBlock)]
    assert len(texts) == 1  # without an outlook nothing is known of what would make it wrong
    later = replace(of.project, plan_from_s=PLAN_S + DAY_S - PLAN_S % DAY_S)
    dated = plan_brief(replace(of, project=later), PLAN_S, "1")
    assert len(numbers(dated.foot)) > len(numbers(plan.foot))
