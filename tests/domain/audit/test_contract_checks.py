"""Checks of contracts and prices, one rule at a time: missing rates and ends, prepaid amounts, old offers."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.log_checks import (
    check_contracts,
    check_contracts_outside_window,
    check_stale_prices,
    check_unpriced_models,
    propose_mapping,
)
from gpuplanner.domain.model.book.contract import RATE_FIELD
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

H = 3600


def findings(**facts: Any) -> Any:
    return SimpleNamespace(**facts)


@pytest.mark.parametrize(
    ("rate", "end_h", "more", "codes"),
    [
        (None, None, {}, ["quote_needed"]),
        (None, 0, {}, []),
        (None, 1, {}, ["contract_ended_in_window", "quote_needed"]),
        ("2", None, {}, []),
        ("2", None, {"prepaid_usd": Decimal(9)}, ["prepaid_without_end"]),
        (None, None, {"prepaid_usd": Decimal(9)}, ["prepaid_without_end"]),
    ],
)
def test_contracts_without_a_rate_or_an_end(
    rate: str | None, end_h: int | None, more: dict[str, Any], codes: list[str]
) -> None:
    """Over before the log's first hour, it needs no rate."""
    end_s = None if end_h is None else START_S + end_h * H
    project = make_project(100, [], [], [make_contract("k", 4, rate, end_s=end_s, **more)])
    checks = [*check_contracts(findings(project=project))]
    assert [check.code for check in checks] == codes


@pytest.mark.parametrize(
    ("rate", "filed", "is_told"), [("2", "", True), ("2", "3", False), ("2", None, False), (None, "", False)]
)
def test_a_rate_that_was_said_is_told_where_the_file_has_none(
    rate: str | None, filed: str | None, *, is_told: bool
) -> None:
    """Beside a contract at $1, which serves before it; without a rate it would serve first or last."""
    contract = make_contract("k", 4, rate, filed=() if filed is None else ((RATE_FIELD, filed),))
    project = make_project(100, [], [], [contract, make_contract("l", 4, "1")])
    checks = {check.code: check for check in check_contracts(findings(project=project))}
    assert ("rate_said" in checks) is is_told
    if is_told:
        assert checks["rate_said"].subject == "k" and " 2 " in f" {checks['rate_said'].message} "


@pytest.mark.parametrize(
    ("prepaid", "is_named"),
    [("2400", True), ("2423.9", True), ("2376.1", True), ("2425", False), ("2375", False), ("0", False)],
)
def test_what_is_prepaid_is_within_a_hundredth_of_what_the_rate_comes_to(
    prepaid: str, *, is_named: bool
) -> None:
    """4 GPUs at $2 for 300 h are $2,400, a hundredth of which is $24."""
    contract = make_contract(
        "k", 4, "2", start_s=START_S, end_s=START_S + 300 * H, prepaid_usd=Decimal(prepaid)
    )
    checks = [*check_contracts(findings(project=make_project(400, [], [], [contract])))]
    assert ("prepaid_beside_rate" in {check.code for check in checks}) is is_named
    over = replace(contract, start_s=START_S - 300 * H, end_s=START_S)
    assert not [*check_contracts(findings(project=make_project(400, [], [], [over])))]


@pytest.mark.parametrize(
    ("start_d", "end_d", "plan_from_d", "words", "last_day"),
    [
        (5, None, None, "--plan-from", "no"),
        (5, None, 6, "plan start", "no"),
        (2, None, None, "plan start", "no"),  # from the last day on, where plans begin
        (-5, -2, None, "same time", "28"),  # June; the day before its end
        (5, 9, None, "--plan-from", "9"),
    ],
)
def test_contracts_of_another_time_than_the_log(
    start_d: int, end_d: int | None, plan_from_d: int | None, words: str, last_day: str
) -> None:
    """The log has two days."""
    contract = make_contract(
        "k",
        4,
        "2",
        start_s=START_S + start_d * DAY_S,
        end_s=None if end_d is None else START_S + end_d * DAY_S,
    )
    project = make_project(48, [make_workload("w")], [(0, 0, 0, GPU_HOUR)], [contract])
    if plan_from_d is not None:
        project = replace(project, plan_from_s=START_S + plan_from_d * DAY_S)
    (check,) = check_contracts_outside_window(findings(project=project))
    values = check.message.values  # type: ignore[union-attr]
    assert words in str(values["remedy"])
    first, last = (str(values[name]) for name in ("start", "end"))
    assert (first.split()[0], last.split()[0]) == ("1", "2")
    assert str(values["over"]).split()[0] == last_day
    jobless = replace(project, workloads=())
    assert not [*check_contracts_outside_window(findings(project=jobless))]
    running = replace(project, contracts=(replace(contract, start_s=START_S, end_s=None),))
    assert not [*check_contracts_outside_window(findings(project=running))]


def test_old_offers_are_named_with_the_moment() -> None:
    old, young = make_offer("a", "2", as_of="2025-01-01"), make_offer("b", "2", as_of="2026-06-30")
    project = make_project(48, [], [], offers=[old, young, replace(old, offer_id="c")])
    (check,) = check_stale_prices(findings(project=project))
    assert str(check.message.values["names"]) == "a, c" and "lookback" in str(check.message)  # type: ignore[union-attr]
    later = replace(project, plan_from_s=START_S + 9 * DAY_S)
    (check,) = check_stale_prices(findings(project=later))
    assert "plan start" in str(check.message)
    assert not [*check_stale_prices(findings(project=replace(project, offers=(young,))))]


def unpriced(offers: list[Any], *mappings: ModelMapping) -> list[tuple[str, str, str]]:
    """Of 3 GPU-hours of training and 2 of inference on H100, and 1 of inference on A100: model, classes, GPU-hours."""
    works = [make_workload("llm"), make_workload("chat")]
    entries = [(0, 0, 0, 3 * GPU_HOUR), (1, 0, 0, 2 * GPU_HOUR), (1, 1, 0, GPU_HOUR)]
    project = replace(make_project(1, works, entries, offers=offers), mappings=mappings)
    given = findings(project=project, classifications=classified(Pool.TRAINING, Pool.INFERENCE))
    return [
        (str(check.subject), str(check.message.values["pools"]), str(check.message.values["hours"]))  # type: ignore[union-attr]
        for check in check_unpriced_models(given)
    ]


def test_models_that_no_offer_prices_by_use() -> None:
    both = [make_offer("o", "2"), make_offer("a", "1", gpu_model="A100")]
    assert unpriced([]) == unpriced(both) == []
    assert unpriced(both[:1]) == [("A100", "", "1.0")]
    assert unpriced(both[1:]) == [("H100", "", "5.0")]
    committed = make_offer("y", "1", pricing_category="COMMITTED", term_months=12)
    assert unpriced([committed, both[1]]) == [("H100", "", "5.0")]
    assert unpriced([make_offer("n", None), both[1]]) == [("H100", "", "5.0")]
    served = ModelMapping("H100", "A100", 2.0, Pool.INFERENCE)
    assert unpriced(both[1:], served) == [("H100", f" for {Pool.TRAINING}", "3.0")]
    assert unpriced(both[1:], served, replace(served, pool=Pool.TRAINING)) == []


def test_the_nearest_model_that_is_priced_is_proposed() -> None:
    assert propose_mapping([], "H100") == propose_mapping(["H200"], None) == propose_mapping(["H200"], "")
    text = str(propose_mapping(["H200", "H100 PCIe"], "H100 SXM"))
    assert "H200, H100 PCIe" in text and "'H100 SXM=H200:RATIO'" in text


@pytest.mark.parametrize(
    ("start_h", "end_h", "codes"),
    [
        (-5, None, []),
        (-5, 0, []),
        (-5, 50, ["contract_ended_in_window"]),
        (-5, 100, ["contract_ended_in_window"]),
        (-5, 101, []),
        (0, None, []),
        (5, None, ["contract_starts_in_window"]),
        (99, None, ["contract_starts_in_window"]),
        (100, None, []),
        (5, 50, ["contract_ended_in_window", "contract_starts_in_window"]),
    ],
)
def test_contracts_that_begin_or_end_in_the_window_are_named(
    start_h: int, end_h: int | None, codes: list[str]
) -> None:
    held = make_contract(
        "k", 4, "2", start_s=START_S + start_h * H, end_s=None if end_h is None else START_S + end_h * H
    )
    project = SimpleNamespace(window=Window(START_S, 100), contracts=(held,))
    assert [check.code for check in check_contracts(SimpleNamespace(project=project))][
        : len(codes) + 1
    ] == codes  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prepaid", "end_h", "is_named"), [(200, 50, True), (400, 50, False), (180, 50, False), (10, -1, False)]
)
def test_what_is_prepaid_beside_its_rate_is_asked_about(prepaid: int, end_h: int, *, is_named: bool) -> None:
    """4 GPUs at $2 from 25 hours before to 50 hours of the log: 300 GPU-h x $2 are $600; prepaid twice that."""
    held = make_contract(
        "k", 4, "2", start_s=START_S - 25 * H, end_s=START_S + end_h * H, prepaid_usd=Decimal(3 * prepaid)
    )
    project = SimpleNamespace(window=Window(START_S, 100), contracts=(held,))
    codes = [check.code for check in check_contracts(SimpleNamespace(project=project))]  # type: ignore[arg-type]
    assert ("prepaid_beside_rate" in codes) is is_named


@pytest.mark.parametrize(
    ("rate", "currency", "lacking"), [("2", "EUR", True), ("2", "USD", None), (None, "EUR", False)]
)
def test_a_contract_needs_an_exchange_rate_or_a_rate(
    rate: str | None, currency: str, lacking: bool | None
) -> None:
    """A rate in euros is unknown without an exchange rate, which is asked for by its code; else the rate is."""
    facts = {"currency": currency} | ({} if currency == "USD" else {"exchange": None})
    project = make_project(100, [], [], [make_contract("k", 4, rate, **facts)])
    needed = [check for check in check_contracts(findings(project=project)) if check.code == "quote_needed"]
    assert [("exchange rate of EUR" in str(check.message)) for check in needed] == (
        [] if lacking is None else [lacking]
    )
