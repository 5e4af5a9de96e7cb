"""Ranges, price cases, price paths and assumptions in the brief, on stated values."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.brief import sensitivity_pages
from gpuplanner.domain.commitment.outlook_result import NOT_YET, Coverage, PathCost, Uncertainty
from gpuplanner.domain.commitment.result import Check
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.plan.changes import DemandChange
from tests.domain import worlds
from tests.domain.brief.small_plan import PLAN_S, TOTALS, flip, numbers

BAND = Uncertainty(
    p10_usd_per_month=10.0,
    p50_usd_per_month=20.0,
    p90_usd_per_month=30.0,
    regret_p50_usd_per_month=1.0,
    regret_p90_usd_per_month=4.0,
    year_p10_usd=100.0,
    year_p90_usd=300.0,
)


# --- Ranges


def test_a_band_is_named_where_both_of_its_ends_are_known() -> None:
    title = sensitivity_pages.band_title(worlds.plan(), replace(NOT_YET, uncertainty=BAND))
    assert numbers(title) == ["80", "$100", "$300"]
    for band in (None, replace(BAND, year_p10_usd=None), replace(BAND, year_p90_usd=None)):
        assert numbers(sensitivity_pages.band_title(worlds.plan(), replace(NOT_YET, uncertainty=band))) == []
    assert numbers(sensitivity_pages.band_title(worlds.plan(), None)) == []


@pytest.mark.parametrize(("usd", "result"), [(4.4, ["4"]), (0.4, []), (0.0, []), (None, [])])
def test_a_cost_of_being_wrong_is_under_so_much_or_nothing(usd: float | None, result: list[str]) -> None:
    text = sensitivity_pages.write_regret(replace(BAND, regret_p90_usd_per_month=usd))
    assert numbers(text) == result
    nothing = sensitivity_pages.write_regret(replace(BAND, regret_p90_usd_per_month=0.0))
    assert (str(text) == str(nothing)) is (usd in (0.0, 0.4))


# --- Price cases and paths


def case(kind: PriceCase, usd: float | None, layers: int = 0) -> Any:
    return SimpleNamespace(
        case=kind, plan_usd_per_month=usd, do_nothing_usd_per_month=50.0, savings_vs_do_nothing_usd_per_month=7.0,
        changed_layers=tuple(range(layers)),
    )  # fmt: skip


def test_price_cases_are_rows_where_one_is_known() -> None:
    rows = (case(PriceCase.LOW, 10.0, 2), case(PriceCase.MID, 20.0), case(PriceCase.HIGH, None))
    table = sensitivity_pages.price_cases_table(SimpleNamespace(cases=rows))  # type: ignore[arg-type]
    assert table is not None
    assert [numbers(" ".join(map(str, row))) for row in table.rows] == [
        ["10", "50", "7", "2"],
        ["20", "50", "7"],
        ["50", "7"],
    ]
    assert (str(table.rows[1][4]), bool(str(table.rows[2][4]))) == ("", True)  # at mid nothing can change
    assert (
        sensitivity_pages.price_cases_table(None)
        is sensitivity_pages.price_cases_table(SimpleNamespace(cases=rows[2:]))
        is None
    )  # type: ignore[arg-type]


def path(
    name: str, advice: float | None, shorter: float | None = 130.0, longer: float | None = 180.0
) -> PathCost:
    of = worlds.evidence_of_trials().outlook.price_paths[0]
    regret = {"path": name, "advice_usd": advice, "shorter_only_usd": shorter, "longer_only_usd": longer}
    return replace(of, **regret)


def test_paths_are_rows_where_the_advice_is_known() -> None:
    outlook = replace(NOT_YET, price_paths=(path("fall", 150.0),))
    table = sensitivity_pages.price_paths_table(outlook, 60, has_contracts=True)
    assert table is not None and numbers(table.note)[0] == "60"
    assert {"150", "130", "180"} <= set(numbers(" ".join(map(str, table.rows[0]))))
    without = sensitivity_pages.price_paths_table(outlook, 60, has_contracts=False)
    assert without is not None and str(without.note) != str(table.note)
    assert sensitivity_pages.price_paths_table(None, 60, has_contracts=True) is None
    assert (
        sensitivity_pages.price_paths_table(
            replace(NOT_YET, price_paths=(path("fall", None),)), 60, has_contracts=True
        )
        is None
    )


# --- Assumptions


def test_a_value_of_an_assumption_is_written_by_its_kind() -> None:
    for name, value, text in (
        ("lambda", 0.035, "3.5%"),
        ("horizon_months", 60, "60"),
        ("idle_shared_by", "x", "x"),
    ):
        assert str(sensitivity_pages.write_value(SPEC_BY_NAME[name], value)) == text
    assert str(sensitivity_pages.write_value(SPEC_BY_NAME["lambda"], None)) not in ("", "None")


def test_assumptions_are_those_always_shown_and_those_of_the_plan() -> None:
    of = worlds.plan()
    plain = sensitivity_pages.assumptions_table(of)
    shown = {str(SPEC_BY_NAME[name].title) for name in sensitivity_pages.ASSUMPTIONS_SHOWN}
    assert {str(row[0]) for row in plain.rows} <= shown and sensitivity_pages.SET not in [
        row[3] for row in plain.rows
    ]
    assert len(plain.rows) == min(len(shown), sensitivity_pages.MOST_ASSUMPTIONS)
    plan = replace(
        of.figures.basis.plan,
        assumptions={"run_gap_hours": 5},
        changes=(DemandChange(target="all", keys=(), factor=2.0, from_s=PLAN_S),) * 2,
    )
    basis = replace(of.figures.basis, plan=plan)
    changed = sensitivity_pages.assumptions_table(replace(of, figures=replace(of.figures, basis=basis)))
    first, *others = changed.rows
    assert str(first[1]) == "2" and first[3] is sensitivity_pages.SET
    own = [row for row in others if row[3] is sensitivity_pages.SET]
    assert [str(row[1]) for row in own] == ["5"] or len(changed.rows) == sensitivity_pages.MOST_ASSUMPTIONS
    assert len(changed.rows) <= sensitivity_pages.MOST_ASSUMPTIONS


def test_prices_are_told_where_the_plan_is_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    of = worlds.plan()
    asked: list[bool] = []

    def flips(*_: Any, signs: bool) -> str:
        asked.append(signs)
        return "flips"

    monkeypatch.setattr(sensitivity_pages, "price_flip_words", flips)
    monkeypatch.setattr(sensitivity_pages.price_paths, "paths_sentences", lambda *_: ["paths"])
    sensitivity = sensitivity_pages.Sensitivity((), ())
    checks = tuple(
        Check(code=code, severity="info", subject="s", message=f"{code} said")
        for code in ("terms_hang_on_prices", "other")
    )
    outlook = replace(NOT_YET, checks=checks, price_paths=worlds.evidence_of_trials().outlook.price_paths[:1])

    def texts(*given: Any) -> list[str]:
        (block,), *_ = sensitivity_pages.price_page(*given).rows
        return [str(text) for text in block.sentences]

    assert texts(of, outlook, TOTALS, sensitivity) == ["flips", "paths", "Terms_hang_on_prices said."]
    assert texts(of, None, TOTALS, sensitivity) == ["flips"] and texts(of, None, TOTALS, None) == []
    unpriced = replace(TOTALS, plan=None)
    (unknown, *more) = texts(of, outlook, unpriced, sensitivity)
    assert "unknown" in unknown and more == ["Terms_hang_on_prices said."]
    texts(replace(of, advice=None), None, TOTALS, sensitivity)
    bare = replace(of.advised, pools=tuple(replace(pool, layers=()) for pool in of.advised.pools))
    texts(replace(of, advice=bare), None, TOTALS, sensitivity)
    assert asked == [True, True, False, False]


def test_the_nearest_flips_of_other_assumptions_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivity_pages, "flip_sentence", lambda point: f"{point.at:g}")
    monkeypatch.setattr(sensitivity_pages, "coverage_sentences", lambda _: ["c 1.", "c 2."])
    monkeypatch.setattr(sensitivity_pages, "npv_sentence", lambda usd, months: f"npv {usd:g} {months}")
    of = worlds.plan()

    def texts(outlook: Any, totals: Any, sensitivity: Any) -> list[str]:
        page = sensitivity_pages.sensitivity_page(of, outlook, totals, sensitivity)
        return [str(text) for text in page.rows[0][0].sentences]

    flips = (*map(flip, (9.0, 3.0, -4.0, 1.0, 5.0)), flip(0.02, "delta"))
    found = sensitivity_pages.Sensitivity((), flips)
    assert texts(None, TOTALS, found) == ["1.", "3.", "-4.", "5."]
    prices = replace(found, flips=flips[-1:])
    (none,) = texts(None, TOTALS, prices)
    assert numbers(none) == [] and texts(None, replace(TOTALS, plan=None), prices) == []
    assert texts(None, TOTALS, None) == []
    known = replace(NOT_YET, npv_usd=7.0)
    months = of.project.assumptions_in(of.figures.basis.plan).horizon_months
    assert texts(known, TOTALS, None) == [f"npv 7 {months}"]
    covered = replace(known, coverage=Coverage(**dict.fromkeys(Coverage.__slots__)))
    assert texts(covered, TOTALS, None) == ["c 1.", "c 2.", f"npv 7 {months}"]


@pytest.mark.parametrize(("at", "words"), [(-0.015, ["1.5"]), (0.0, []), (None, [])])
def test_prices_that_fall_less_rise_or_stay(at: float | None, words: list[str]) -> None:
    below = None if at is None else flip(at, "delta")
    assert numbers(sensitivity_pages.write_slower_decline(below)) == words
    assert bool(str(sensitivity_pages.write_slower_decline(below))) is (at is not None)
    assert not str(sensitivity_pages.write_faster_decline(None))


def test_months_that_were_tested_are_told_once_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitivity_pages.bands, "coverage_words", lambda _: "tested")
    known, unknown = (sensitivity_pages.tested_words(Uncertainty(coverage=share)) for share in (0.5, None))
    assert str(unknown) == "Tested" and "week" in str(known)


def test_ranges_of_sizes_are_rows_where_there_are_some() -> None:
    band = worlds.outlook_of(worlds.plan).outlook
    assert band is not None
    sizes = tuple(
        SimpleNamespace(
            size=size, p10_usd_per_month=1.0 + at, p50_usd_per_month=20.0, p90_usd_per_month=300.0
        )
        for at, size in enumerate(sensitivity_pages.bands.SIZE_NAMES)
    )
    table = sensitivity_pages.term_sizes_table(
        replace(
            NOT_YET,
            uncertainty=Uncertainty(
                p10_usd_per_month=1.0, p50_usd_per_month=2.0, p90_usd_per_month=3.0, sizes=sizes
            ),
        )
    )  # type: ignore[arg-type]
    assert table is not None
    assert [[str(cell) for cell in row[1:]] for row in table.rows] == [
        [str(1 + at), "20", "300"] for at in range(len(sizes))
    ]
    assert sensitivity_pages.term_sizes_table(None) is sensitivity_pages.term_sizes_table(NOT_YET) is None


def test_price_cases_give_more_room_to_names() -> None:
    case = SimpleNamespace(
        case=next(iter(sensitivity_pages.CASE_NAMES)),
        plan_usd_per_month=1.0,
        do_nothing_usd_per_month=1.0,
        savings_vs_do_nothing_usd_per_month=1.0,
        changed_layers=(),
    )
    table = sensitivity_pages.price_cases_table(SimpleNamespace(cases=(case,)))  # type: ignore[arg-type]
    assert table is not None
    assert [(column.is_number, column.share) for column in table.columns] == [
        (False, 1.4),
        (True, 1.0),
        (True, 1.0),
        (True, 1.0),
        (True, 1.1),
    ]


# --- Prices


def price_flip(at: float, assumption: str = "delta") -> FlipPoint:
    values = {"assumption": assumption, "at": at, "value": 0.02}
    names = FlipPoint.__slots__
    return FlipPoint(**{name: values.get(name) for name in names})


@pytest.mark.parametrize(
    ("flips", "result"),
    [
        ((), 3),
        ((price_flip(0.05, "lambda"),), 3),
        ((price_flip(0.05), price_flip(0.08)), 2),
        ((price_flip(-0.01), price_flip(-0.03)), 2),
        ((price_flip(0.0),), 1),
        ((price_flip(0.05), price_flip(0.0)), 2),
    ],
)
def test_prices_may_fall_or_rise_so_far(
    flips: tuple[FlipPoint, ...], result: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest price_flip on each side of the 2% that are assumed; without one the span that was tried."""
    monkeypatch.setattr(sensitivity_pages, "share_words", lambda point: f"{100 * point.at:g}%")
    text = sensitivity_pages.price_flip_words(flips, 0.02, signs=True)
    assert len(numbers(text)) == result and numbers(text)[-1] in ("2.0", "2")
    if result == 2 and flips[0].at > 0:
        assert numbers(text)[0] == "5"
    if flips and flips[0].at == -0.01:
        assert numbers(text)[0] == "1.0"
    assert str(text) != str(sensitivity_pages.price_flip_words(flips, 0.02, signs=False))


@pytest.mark.parametrize(
    ("saved", "result"),
    [
        ([], []),
        ([5.0, None], []),
        ([0.3, -0.3], []),
        ([-7.0, 5.0], ["$7"]),
        ([5.2, 5.4], ["$5"]),
        ([5.0, 9.0], ["$5", "$9"]),
        ([-0.4, 9.0], ["$0", "$9"]),
    ],
)
def test_over_all_prices_a_plan_saves_from_least_to_most(
    saved: list[float | None], result: list[str]
) -> None:
    cases = [SimpleNamespace(savings_vs_do_nothing_usd_per_month=usd) for usd in saved]
    title = sensitivity_pages.price_title(SimpleNamespace(cases=cases))  # type: ignore[arg-type]
    assert [number.lstrip("-") for number in numbers(title)] == result
    assert (
        sensitivity_pages.price_title(None).template
        == sensitivity_pages.price_title(SimpleNamespace(cases=[])).template
    )  # type: ignore[arg-type]
