"""Inputs at the edges of their ranges: contract terms, tokens, served models, measurements, quotes and mappings."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.edits import inputs
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import MORE_TERMS, RATE_FIELD, UNDATED_S
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, JobFacts, row_key
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingChoice, Traffic, WeekRates
from gpuplanner.domain.model.plan.planned_work import MOST_GPUS
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.trained import StatedRun, TrainedModel
from gpuplanner.domain.model.window import HOUR_S, Window
from tests.domain import worlds
from tests.domain.commitment.conftest import contract, offer
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import project

OF: Project = worlds.plan_project()
SERVES = "c2/team/load-001"
TRAFFIC = Traffic(start_s=0, end_s=HOUR_S, hours=((0, 5, 1),))
SERVED, OTHER = (
    ServedModel(name="m", parameters=10, layers=2, kv_heads=1, head_dim=8),
    ServedModel(name="o", parameters=20, layers=2, kv_heads=1, head_dim=8),
)
WEEK = WeekRates((1.0,) * 168)


def is_term_refused(name: str, value: Any) -> bool:
    """Whether a term of K1 may not have a value."""
    try:
        changed = inputs.change_contract(OF, "K1", {name: value})
    except PlannerError:
        return True
    (row,) = (row for row in changed.contracts if row.contract_id == "K1")
    assert getattr(row, name) == value
    return False


@pytest.mark.parametrize(
    ("name", "kept", "gone"),
    [
        (RATE_FIELD, (Decimal("0.01"), Decimal(10_000)), (Decimal(0), Decimal(-1), Decimal("10000.01"))),
        ("notice_days", (0, 36_500), (-1, 36_501)),
        ("milli_gpus", (MOST_GPUS * 1000,), (MOST_GPUS * 1000 + 1,)),
        ("take_or_pay_percent", (0.0, 100.0), (-0.1, 100.1)),
        ("cancel_fee_usd", (Decimal(0), Decimal(10**12)), (Decimal(-1), Decimal(10**12 + 1))),
    ],
)
def test_a_term_may_be_what_its_bounds_are_and_nothing_beyond(
    name: str, kept: tuple[Any, ...], gone: tuple[Any, ...]
) -> None:
    assert [is_term_refused(name, value) for value in (*kept, *gone)] == [False] * len(kept) + [True] * len(
        gone
    )
    assert (name in MORE_TERMS) is (name in ("take_or_pay_percent", "cancel_fee_usd"))


def test_tokens_of_an_endpoint_come_and_go() -> None:
    with_both = inputs.set_traffic(inputs.set_traffic(OF, SERVES, TRAFFIC), inputs.NO_ENDPOINT, TRAFFIC)
    assert with_both.traffic == {SERVES: TRAFFIC, "": TRAFFIC}
    assert inputs.set_traffic(with_both, SERVES, None).traffic == {"": TRAFFIC}
    assert inputs.set_traffic(with_both, "gone", None) is with_both
    with pytest.raises(PlannerError):
        inputs.set_traffic(OF, "gone", TRAFFIC)


def test_another_model_lets_go_of_the_drawn_row_and_keeps_the_week() -> None:
    row = ServingChoice(
        model=SERVED, week=WEEK, gpu_model="H100", precision="BF16", tensor_parallel=4, term_months=12
    )
    of = replace(OF, serving={SERVES: row})
    assert inputs.set_served_model(of, SERVES, SERVED) is of
    assert inputs.set_served_model(of, SERVES, OTHER).serving == {
        SERVES: ServingChoice(model=OTHER, week=WEEK)
    }
    stated = inputs.set_rates(of, SERVES, (("H100", 5.0),))
    assert stated.serving[SERVES] == ServingChoice(week=WEEK, term_months=12, rates=(("H100", 5.0),))
    assert inputs.set_served_model(stated, SERVES, None).serving[SERVES] == ServingChoice(week=WEEK)
    without = inputs.set_week(inputs.set_served_model(of, SERVES, None), SERVES, None)
    assert without.serving == {}
    assert inputs.set_serving_term(of, SERVES, 0).serving[SERVES] == replace(row, term_months=0)
    drawn = inputs.set_sized_row(of, SERVES, "A100", "FP8", 2).serving[SERVES]
    assert (drawn.gpu_model, drawn.precision, drawn.tensor_parallel) == ("A100", "FP8", 2)
    assert inputs.set_week(OF, "", WEEK).serving == {"": ServingChoice(week=WEEK)}


def test_of_one_measured_point_the_newest_counts() -> None:
    """The same point with another speed and file takes the place; with more requests together it is another."""
    first = MeasuredPoint(
        model="m",
        gpu_model="H100",
        tensor_parallel=1,
        precision="BF16",
        concurrency=8.0,
        input_tokens=100.0,
        output_tokens=10.0,
        tokens_per_s=100.0,
        source="a.csv",
    )
    again = replace(first, tokens_per_s=120.0, source="b.csv")
    more = replace(again, concurrency=16.0)
    of = inputs.set_measured(OF, SERVES, [first])
    assert inputs.set_measured(of, SERVES, [again, more]).serving[SERVES].measured == (again, more)
    assert inputs.set_measured(of, SERVES, []).serving == {}


@pytest.mark.parametrize(("from_h", "is_kept"), [(99, False), (100, False), (101, True)])
def test_a_day_of_plans_stays_until_the_log_has_come_up_to_it(from_h: int, *, is_kept: bool) -> None:
    cube = cube_from_entries(
        100, ("h100",), np.array([0]), np.array([0]), np.array([0]), np.array([HOUR_S * 1000])
    )
    work = Workload(key="solo/team/x", name="x", cluster="solo", owner="team")
    undated = replace(contract("K9", 4, 2.0, None, 730), cluster="", start_s=UNDATED_S)
    of = replace(OF, plan_from_s=from_h * HOUR_S, contracts=(undated,))
    jobs = inputs.LoadedJobs(Window(0, 100), cube, (work,), JobFacts())
    after = inputs.import_inputs(of, jobs=jobs)
    assert after.plan_from_s == (from_h * HOUR_S if is_kept else None)
    # the model is spelled as the contracts spell it, the capacity stands on the log's only cluster
    assert after.cube.gpu_models == ("H100",) and after.contracts[0].cluster == "solo"
    (loaded,) = inputs.import_inputs(OF, contracts=(undated,)).contracts
    assert loaded.start_s == OF.window.start_s


def test_quotes_are_taken_back_by_the_row_that_they_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    quoted = replace(offer("a", 12, 2.0, provider="Ada"), source=quote_source("RFQ-1", "R1"))
    nameless, plain = replace(quoted, offer_id="b", provider=None), offer("c", 0, 2.0, provider="Ada")
    other = replace(quoted, offer_id="d", source=quote_source("RFQ-1", "R2"))
    offers, files = (
        (quoted, nameless, plain, other),
        (
            FileIntake(
                path="a",
                kind="prices",
                format="own",
                rows_read=0,
                rows_accepted=0,
                rows_rejected=0,
                rows_duplicate=0,
                rows_ignored=0,
            ),
        ),
    )
    assert inputs.without_taken_back(offers, files) == (offers, ())
    monkeypatch.setattr(inputs, "taken_back", lambda _: {row_key("ada", "RFQ-1", "R1")})
    assert inputs.without_taken_back(offers, files) == ((nameless, plain, other), (quoted,))
    monkeypatch.setattr(inputs, "taken_back", lambda _: {row_key("", "RFQ-1", "R1")})
    assert inputs.without_taken_back(offers, files) == ((quoted, plain, other), (nameless,))


def test_a_mapping_is_of_models_as_they_are_spelled() -> None:
    of = inputs.set_mapping(OF, "h100", " a100 ", 0.5)
    assert of.mappings == (ModelMapping("H100", "A100", 0.5),)
    both = inputs.set_mapping(of, "H100", "A100", 0.7, Pool.BURST)
    assert {pair.pool: pair.ratio for pair in both.mappings} == {None: 0.5, Pool.BURST: 0.7}
    again = inputs.set_mapping(both, "H100", "A100", 0.6).mappings
    assert {pair.pool: pair.ratio for pair in again} == {None: 0.6, Pool.BURST: 0.7}
    assert inputs.set_mapping(both, "H100", "A100", None).mappings == (
        ModelMapping("H100", "A100", 0.7, Pool.BURST),
    )
    for models, known in (((), ("none",)), (("A100", "H100"), ("A100, H100",))):
        with pytest.raises(PlannerError) as error:
            inputs.spelled("x", set(models), worded("no offer has"))
        assert str(error.value.remedy).endswith(known)


def test_runs_are_stated_in_their_places() -> None:
    model = TrainedModel(name="m", parameters=1e9, active=1e9)
    first, second, third = (StatedRun(model=model, tokens=tokens) for tokens in (1e9, 2e9, 3e9))
    of = inputs.state_run(inputs.state_run(project(), 0, first), 1, second)
    assert of.runs == (first, second)
    assert inputs.state_run(of, 0, third).runs == (third, second)
    assert inputs.drop_run(of, 0).runs == (second,) and inputs.drop_run(of, 1).runs == (first,)
    assert refused(inputs.state_run, of, 2, replace(first, tokens=-1.0))
