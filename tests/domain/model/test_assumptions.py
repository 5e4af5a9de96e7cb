"""Assumptions: what is typed, what is in range, what stands for "not set"."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import (
    ASSUMPTIONS,
    SPEC_BY_NAME,
    Assumptions,
    AssumptionSpec,
    check_assumption,
    check_share,
    parse_assumption,
    read_share,
)
from gpuplanner.domain.model.book.only import ANYBODY, Only
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from tests.domain.model.refusals import result_of

SPECS = st.sampled_from(ASSUMPTIONS)


def test_the_table_and_the_values_are_the_same_assumptions() -> None:
    assert sorted(each.name for each in fields(Assumptions)) == sorted(spec.field for spec in ASSUMPTIONS)


@given(SPECS)
def test_every_default_and_both_ends_of_every_range_can_be_set(spec: AssumptionSpec) -> None:
    ends = (False, True) if spec.kind == "flag" else spec.choices or (spec.low, spec.high)
    for value in (spec.default, *ends):
        assert check_assumption(spec, value) == value


@given(SPECS, st.one_of(st.floats(), st.integers(), st.booleans(), st.none(), st.text(max_size=3)))
def test_what_passes_is_in_range_and_of_its_kind(spec: AssumptionSpec, value: object) -> None:
    try:
        checked = check_assumption(spec, value)  # type: ignore[arg-type]
    except PlannerError as error:
        assert (error.code, error.where, str(error.remedy)[:6]) == ("usage", spec.name, "enter ")  # noqa: PT017 - either way is right
        return
    if checked is None:
        assert spec.may_be_none
    elif spec.kind == "choice":
        assert checked in spec.choices
    else:
        assert spec.low <= checked <= spec.high
        assert isinstance(checked, bool) is (spec.kind == "flag")
        assert isinstance(checked, int) or spec.kind in ("ratio", "number")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("lambda", "3%", 0.03),
        ("lambda", " 0.03 ", 0.03),
        ("delta", "-50%", -0.5),
        ("block", "8", 8),
        ("block", "8.0", 8),
        ("growth_burst", "none", None),
        ("growth_burst", "", None),
        ("sigma", "none", None),
        ("recency_half_life_days", "none", None),
        ("training_checkpoints", "Yes", True),
        ("spot_long_training", "off", False),
    ],
)
def test_what_a_planner_may_type(name: str, text: str, value: object) -> None:
    parsed = parse_assumption(name, text)
    assert parsed == value and type(parsed) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("delta", ""),
        ("lambda", "101%"),
        ("lambda", "nan"),
        ("delta", "none"),
        ("block", "1.5"),
        ("block", "8%"),
        ("wacc", "inf"),
        ("training_checkpoints", "2"),
        ("colour", "1"),
    ],
)
def test_what_a_planner_may_not_type(name: str, text: str) -> None:
    with pytest.raises(PlannerError) as refusal:
        parse_assumption(name, text)
    assert refusal.value.code == "usage" and refusal.value.remedy


def test_a_choice_is_one_of_its_words() -> None:
    spec = SPEC_BY_NAME["idle_shared_by"]
    assert check_assumption(spec, "peak") == "peak"
    for wrong in ("dear", 1, True, None):
        with pytest.raises(PlannerError):
            check_assumption(spec, wrong)


def test_churn_goes_by_pool_and_by_the_share_of_the_largest_workload() -> None:
    """1%; 1% and 2% x share; 3% and 6% x share. As set for a pool, else for all, with a point more on top."""
    churn = Assumptions().churn_of
    assert [churn(Pool.INFERENCE, 1.0), churn(None, 1.0)] == [0.01, 0.01]
    assert [churn(Pool.TRAINING, 1.0), churn(Pool.TRAINING, 0.25)] == pytest.approx([0.03, 0.015])
    assert [churn(Pool.BURST, 1.0), churn(Pool.BURST, 0.125)] == pytest.approx([0.09, 0.0375])
    own = Assumptions(lambda_burst=0.2, lambda_=0.04, lambda_more=0.01).churn_of
    assert [own(Pool.BURST, 1.0), own(Pool.TRAINING, 1.0), own(None, 1.0)] == pytest.approx(
        [0.21, 0.05, 0.05]
    )
    assert Assumptions(lambda_=1.0, lambda_more=0.01).churn_of(Pool.BURST, 1.0) == 1.0


def test_a_pool_has_its_own_value_or_everybodys() -> None:
    assumptions = Assumptions().with_values({"growth": 0.02, "growth_burst": 0.0, "lambda": 0.05})
    assert [assumptions.of_pool("growth", pool) for pool in Pool] == [
        0.0 if pool is Pool.BURST else 0.02 for pool in Pool
    ]
    assert [assumptions.churn_of(pool, 1.0) for pool in (None, *Pool)] == [0.05] * 4
    assert SPEC_BY_NAME["lambda"].field == "lambda_"


# --- Shares and assumptions


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("40%", 0.4), ("0.4", 0.4), ("none", None), (" None ", None), ("", None), ("0", 0.0), ("100%", 1.0), ("1", 1.0),
        ("101%", "usage"), ("-1%", "usage"), ("x", "usage"), ("40", "usage"),
    ],
)  # fmt: skip
def test_a_share_is_typed_as_a_number_or_in_percent(text: str, share: object) -> None:
    assert result_of(read_share, text) == share


@pytest.mark.parametrize(
    ("who", "share", "result"),
    [
        (Only("Ada"), 0.5, 0.5),
        (Only(region="eu"), 1, 1.0),
        (Only("Ada"), True, "usage"),
        (Only("Ada"), 1.1, "usage"),
        (Only("Ada"), -0.1, "usage"),
        (ANYBODY, 0.5, "usage"),
        (Only(not_provider="Ada"), 0.5, "usage"),
        (Only("[Ada]"), 0.5, "usage"),
    ],
)
def test_a_share_is_of_somebody_who_may_serve(who: Only, share: float, result: object) -> None:
    assert result_of(check_share, who, share) == result


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("spot", "on", True),
        ("spot", "0", False),
        ("spot", "perhaps", "usage"),
        ("power_share", "50%", 0.5),
        ("wait_months", "50%", "usage"),
        ("wait_months", "11", 11),
        ("wait_months", "12", "usage"),
        ("serving_compute_share", "1", "usage"),
        ("nothing", "1", "usage"),
        ("max_provider_share", "none", None),
    ],
)
def test_an_assumption_is_typed_as_its_kind(name: str, text: str, value: object) -> None:
    assert result_of(parse_assumption, name, text) == value
