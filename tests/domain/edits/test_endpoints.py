"""Endpoints: tokens, served models and measured points come and go."""

from dataclasses import replace

import pytest

from gpuplanner.domain.edits import endpoints
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingChoice, Traffic, WeekRates
from gpuplanner.domain.model.window import HOUR_S
from tests.domain.edits.small_inputs import OF, SERVES

TRAFFIC = Traffic(start_s=0, end_s=HOUR_S, hours=((0, 5, 1),))
SERVED, OTHER = (
    ServedModel(name="m", parameters=10, layers=2, kv_heads=1, head_dim=8),
    ServedModel(name="o", parameters=20, layers=2, kv_heads=1, head_dim=8),
)
WEEK = WeekRates((1.0,) * 168)


def test_tokens_of_an_endpoint_come_and_go() -> None:
    with_both = endpoints.set_traffic(
        endpoints.set_traffic(OF, SERVES, TRAFFIC), endpoints.NO_ENDPOINT, TRAFFIC
    )
    assert with_both.traffic == {SERVES: TRAFFIC, "": TRAFFIC}
    assert endpoints.set_traffic(with_both, SERVES, None).traffic == {"": TRAFFIC}
    assert endpoints.set_traffic(with_both, "gone", None) is with_both
    with pytest.raises(PlannerError):
        endpoints.set_traffic(OF, "gone", TRAFFIC)


def test_another_model_lets_go_of_the_drawn_row_and_keeps_the_week() -> None:
    row = ServingChoice(
        model=SERVED, week=WEEK, gpu_model="H100", precision="BF16", tensor_parallel=4, term_months=12
    )
    of = replace(OF, serving={SERVES: row})
    assert endpoints.set_served_model(of, SERVES, SERVED) is of
    assert endpoints.set_served_model(of, SERVES, OTHER).serving == {
        SERVES: ServingChoice(model=OTHER, week=WEEK)
    }
    stated = endpoints.set_rates(of, SERVES, (("H100", 5.0),))
    assert stated.serving[SERVES] == ServingChoice(week=WEEK, term_months=12, rates=(("H100", 5.0),))
    assert endpoints.set_served_model(stated, SERVES, None).serving[SERVES] == ServingChoice(week=WEEK)
    without = endpoints.set_week(endpoints.set_served_model(of, SERVES, None), SERVES, None)
    assert without.serving == {}
    assert endpoints.set_serving_term(of, SERVES, 0).serving[SERVES] == replace(row, term_months=0)
    drawn = endpoints.set_sized_row(of, SERVES, "A100", "FP8", 2).serving[SERVES]
    assert (drawn.gpu_model, drawn.precision, drawn.tensor_parallel) == ("A100", "FP8", 2)
    assert endpoints.set_week(OF, "", WEEK).serving == {"": ServingChoice(week=WEEK)}


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
    of = endpoints.set_measured(OF, SERVES, [first])
    assert endpoints.set_measured(of, SERVES, [again, more]).serving[SERVES].measured == (again, more)
    assert endpoints.set_measured(of, SERVES, []).serving == {}
