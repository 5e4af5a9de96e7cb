"""Answers about kinds of runs, and about GPU models beside each other, on the small past."""

from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.evidence import past
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures.mix import MODEL_PREMIUM, RUN_KIND
from tests.domain import worlds


def names(trace: Trace) -> list[str]:
    return [str(row.name) for row in trace.rows]


def run(name: str, cost: float | None, hours: float) -> Any:
    return SimpleNamespace(name=name, cost=cost, hours=hours, start_s=0, end_s=round(3600 * hours))


@pytest.mark.parametrize(
    ("kind", "names_of", "value"),
    [("runs", ["..."], 4), ("median_usd", ["b", "c"], 25.0), ("median_hours", ["b", "c"], 2.5)],
)
def test_the_middle_of_a_kind_of_runs_is_one_run_or_two(
    kind: str, names_of: list[str], value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs of $10 to $40 and of one hour to four: of three the second, of four the middle two."""
    runs = [run("d", 40.0, 4.0), run("a", 10.0, 1.0), run("c", 30.0, 3.0), run("b", 20.0, 2.0)]
    answers = {}
    for count in (4, 3, 1):
        kept = sorted(runs, key=lambda item: item.cost)[:count]
        monkeypatch.setattr(past.mix, "runs_of_kinds", lambda of, kept=kept: {"7B": kept[::-1]})
        answers[count] = past.WHY.answer(worlds.past().past, figure(RUN_KIND[kind].why, "7B"))
    assert answers[4].value == value
    if kind == "runs":
        assert [answer.value for answer in answers.values()] == [4, 3, 1]
    else:
        assert names(answers[4]) == names_of and names(answers[3]) == ["b"] and names(answers[1]) == ["a"]
        assert sum(row.values[0] for row in answers[4].rows) == value
        assert answers[3].rows[0].values == (20.0 if kind == "median_usd" else 2.0,)


@pytest.mark.parametrize(
    # of ten runs P10 is the first, P90 the ninth
    ("kind", "name", "value"),
    [("low_usd", "1", 10.0), ("high_usd", "9", 90.0), ("low_hours", "1", 1.0), ("high_hours", "9", 9.0)],
)
def test_an_end_of_a_kind_of_runs_is_the_run_that_stands_there(
    kind: str, name: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [run(str(at), 10.0 * at, float(at)) for at in range(10, 0, -1)]
    monkeypatch.setattr(past.mix, "runs_of_kinds", lambda of: {"7B": runs})
    trace = past.WHY.answer(worlds.past().past, figure(RUN_KIND[kind].why, "7B"))
    assert (trace.value, names(trace), trace.rows[0].values) == (value, [name], (value,))


@pytest.mark.parametrize("kind", ["median_usd", "low_usd", "high_usd"])
def test_a_run_without_a_cost_leaves_the_middle_of_its_kind_unknown(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [run("a", 10.0, 1.0), run("b", None, 2.0), run("c", 30.0, 3.0)]
    monkeypatch.setattr(past.mix, "runs_of_kinds", lambda of: {"7B": runs})
    trace = past.WHY.answer(worlds.past().past, figure(RUN_KIND[kind].why, "7B"))
    assert trace.value is None and [(row.name, row.values) for row in trace.rows] == [("b", (None,))]
    hours = past.WHY.answer(worlds.past().past, figure(RUN_KIND["median_hours"].why, "7B"))
    assert hours.value == 2.0 and names(hours) == ["b"]


@pytest.mark.parametrize(
    # k1 and k2 are paid 100 h at $2 and 300 h at $1: $1.25 on average; the cheapest offer asks $3
    ("key", "is_paid", "is_offered", "value", "rows"),
    [
        ("gpu_hours", True, True, 400.0, 2),
        ("gpu_hours", False, True, 0.0, 0),
        ("rate", True, True, 1.25, 2),
        ("rate", False, True, 3.0, 1),
        ("rate", False, False, 0.0, 0),
        ("against_rate", True, True, 3.0, 1),
        ("against_rate", True, False, 1.25, 2),
    ],
)
def test_a_model_costs_what_is_paid_for_it_and_its_offer_where_nothing_is(
    key: str, is_paid: bool, is_offered: bool, value: float, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = "B" if key == "against_rate" else "A"
    held = [
        (SimpleNamespace(contract_id=name, rate=rate), hours)
        for name, rate, hours in (("k1", 2.0, 100.0), ("k2", 1.0, 300.0))
    ]
    paid = {model: {"gpu_hours": 400.0, "rate": 1.25}} if is_paid else {}
    monkeypatch.setattr(past.model_rates, "paid_models", lambda of: paid)
    monkeypatch.setattr(past.model_rates, "offered_models", lambda of: {model: 3.0} if is_offered else {})
    monkeypatch.setattr(
        past.model_rates, "contracts_of", lambda of, name: held if is_paid and name == model else []
    )
    trace = past.WHY.answer(worlds.past().past, figure(MODEL_PREMIUM[key].why, "A\tB"))
    assert (trace.value, len(trace.rows)) == (value, rows)
    if rows == 2:
        assert [row.values for row in trace.rows] == [(100.0, 2.0, 200.0), (300.0, 1.0, 300.0)]
