"""Quantities: they remember how they were reached, spread what is unknown, and refuse to be compared."""

import operator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import nan

import numpy as np
import pytest

from gpuplanner.domain.figures.figure import (
    Figure,
    Subject,
    by_row,
    called,
    discounted,
    exact_hours,
    exactly,
    fields_of,
    floats,
    gpu_hours,
    if_any,
    is_below,
    leaf,
    least,
    optional,
    priced,
    repaid,
    share,
    truth,
)
from gpuplanner.domain.figures.plan import telling_share
from gpuplanner.domain.figures.writing import (
    GPU_HOURS,
    GPUS,
    HOURS,
    MONEY,
    MONEY_PER_MONTH,
    MONTHS,
    RATE,
    SHARE,
)

GPUS_8 = leaf(8, GPUS, "GPUs")
HOURS_10 = leaf(10, HOURS, "hours")
RATE_2 = leaf(2.0, RATE, "rate")
NO_RATE = leaf(None, RATE, "rate")


def test_a_result_names_what_it_was_reached_from():
    found = GPUS_8 * HOURS_10 * RATE_2
    assert (found.value, [part.label for part in found.leaves]) == (160.0, ["GPUs", "hours", "rate"])
    assert found.dimension == MONEY.dimension


def test_what_is_unknown_spreads_and_is_named():
    found = GPUS_8 * HOURS_10 * NO_RATE / leaf(2.0, MONTHS, "months")
    assert found.value is None and found.missing == ("rate",)


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_a_formula_cannot_branch(compare):
    with pytest.raises(TypeError):
        compare(GPUS_8, GPUS_8)
    with pytest.raises(TypeError):
        bool(GPUS_8)
    with pytest.raises(TypeError):
        max(GPUS_8, HOURS_10)


def test_units_that_do_not_fit_are_refused():
    with pytest.raises(TypeError, match="GPUs"):
        GPUS_8 + HOURS_10
    with pytest.raises(TypeError, match="GPU h is not 1"):
        called(GPUS_8 * HOURS_10, SHARE, "share")


def test_numbers_stand_in_a_formula_as_they_are():
    found = 1 - leaf(0.25, SHARE, "used share")
    assert found.value == 0.75 and [str(part.label) for part in found.parts] == ["1", "used share"]


def test_operations():
    nothing, some = leaf(0, GPU_HOURS, "nothing"), leaf(5, GPU_HOURS, "some")
    assert priced(nothing, NO_RATE).value == 0.0
    assert priced(some, NO_RATE).value is None
    assert priced(some, RATE_2).value == 10.0
    assert is_below(nothing, some).value == 1 and is_below(some, some).value == 0
    assert least(some, nothing).value == 0 and least(some, leaf(None, GPU_HOURS, "unknown")).value is None


# --- Quantities: names, what is counted once, months of capital


def test_what_refuses_an_order_says_its_name():
    with pytest.raises(TypeError, match=r"^GPUs "):
        operator.lt(GPUS_8, GPUS_8)
    with pytest.raises(TypeError, match=r"^a quantity "):
        bool(GPUS_8 * HOURS_10)


def test_what_stands_twice_in_a_formula_is_listed_once_and_what_has_no_name_never():
    nameless, opened = leaf(1.0, GPUS, ""), leaf(8, GPUS, "GPUs", opens="gpus::a")
    found = (GPUS_8 + nameless + GPUS_8 + opened) * HOURS_10
    assert [(part.label, part.opens) for part in found.leaves] == [
        ("GPUs", ""),
        ("GPUs", "gpus::a"),
        ("hours", ""),
    ]


def test_a_number_in_a_formula_is_called_by_at_most_twelve_digits():
    assert str((1 / 3 * RATE_2).parts[0].label) == "0.333333333333"


def test_nothing_is_divided_by_nothing_and_a_sign_has_two_sides():
    assert (GPUS_8 / leaf(0, GPUS, "none")).value is None
    assert (3 - leaf(1.0, SHARE, "a")).value == 2.0 == (leaf(5.0, SHARE, "b") - 3).value
    assert (3 / leaf(2.0, SHARE, "a")).value == 1.5 and (leaf(3.0, SHARE, "a") / 2).value == 1.5
    assert (1 + leaf(2.0, SHARE, "a")).value == 3.0


@pytest.mark.parametrize(
    ("whole", "value"), [(4.0, 0.25), (0.0, None), (-4.0, None), (0.5, 2.0), (None, None)]
)
def test_a_share_is_of_something(whole, value):
    of = leaf(whole, GPUS, "whole")
    assert share(leaf(1.0, GPUS, "part"), of).value == value
    column = share(np.array([1.0]), floats([whole]))
    assert optional(column) == [value]
    if whole is not None:
        assert optional(np.array([share(1.0, whole)])) == [value]


def test_capital_costs_by_the_month():
    """At 25% a year 1 in a year is worth 0.8 today; without a cost of capital 1 in ten months costs 0.1 a month."""
    quarter, free = leaf(0.25, SHARE, "a year"), leaf(0.0, SHARE, "a year")
    year, ten, none = (leaf(months, MONTHS, "months") for months in (12, 10, 0))
    assert discounted(quarter, year).value == pytest.approx(0.8)
    assert discounted(free, ten).value == 1.0
    assert repaid(free, ten).value == pytest.approx(0.1)
    assert repaid(quarter, none).value is None and repaid(free, none).value is None
    # an annuity of twelve months: what it pays, each month discounted, is worth 1
    paid = repaid(quarter, year)
    assert sum(paid.value / 1.25 ** (month / 12) for month in range(1, 13)) == pytest.approx(1.0)
    assert discounted(leaf(None, SHARE, "a year"), year).value is None
    assert (paid.dimension, discounted(quarter, year).dimension) == (
        tuple(-power for power in MONTHS.dimension),
        SHARE.dimension,
    )
    assert optional(repaid(np.array([0.0, 0.0, 0.25]), np.array([10.0, 0.0, -1.0]))) == [0.1, None, None]


def test_without_gpu_time_a_cost_is_nothing():
    nothing, some, unknown = leaf(0, GPU_HOURS, "none"), leaf(5, GPU_HOURS, "some"), leaf(None, MONEY, "cost")
    assert if_any(nothing, unknown).value == 0.0 and if_any(some, unknown).value is None
    assert if_any(some, leaf(7.0, MONEY, "cost")).value == 7.0
    assert optional(if_any(np.array([0.0, 2.0]), np.array([nan, 5.0]))) == [0.0, 5.0]


def test_columns_of_gpu_time_are_exact_and_know_what_they_do_not():
    column = gpu_hours([3_600_000, None, 0])
    assert optional(column) == [1.0, None, 0.0]
    assert optional(priced(column, floats([2.0, 2.0, None]))) == [2.0, None, 0.0]
    assert optional(is_below(column, exactly(np.array([3_600_001, 5, 0])))) == [1.0, None, 0.0]
    assert optional(is_below(floats([1.0, 2.0, None]), floats([2.0, 2.0, 2.0]))) == [1.0, 0.0, None]
    assert optional(least(floats([1.0, 3.0]), floats([2.0, None]))) == [1.0, None]
    with pytest.raises(TypeError, match="float"):
        priced(1.0, 2.0)
    assert [exact_hours(amount) for amount in (1_800_000, None, 0)] == [Fraction(1, 2), None, 0]
    assert [truth(value) for value in (1.0, 0.0, None)] == [True, False, None]


def test_a_row_keeps_the_figures_that_its_kind_has():
    @dataclass(slots=True)
    class Kept:
        gpus: float

    assert fields_of(Kept, {"gpus": 2.0, "rate": 3.0}) == {"gpus": 2.0}
    assert by_row({"gpus": floats([2]), "rate": floats([None])}) == [{"gpus": 2.0, "rate": None}]


@pytest.mark.parametrize(
    ("saved", "told"), [(None, None), (0.25, 0.25), (-0.4, -0.4), (-1.0, -1.0), (-1.01, None), (0.0, 0.0)]
)
def test_a_share_that_is_saved_tells_something_down_to_twice_the_cost(saved, told):
    assert telling_share(saved) == told


# --- Figures and their subjects


def doubled(weight):
    return weight + weight


def summed(weight, doubled):
    return weight + doubled


def of_fruit():
    weight = Figure(key="weight", title="Weight", unit=GPUS)
    return Subject(
        "fruit",
        (
            weight,
            Figure(key="doubled", title="Doubled", unit=GPUS, formula=doubled),
            Figure(key="summed", title="Sum", unit=GPUS, formula=summed),
        ),
    )


def test_a_figure_is_called_by_its_phrase_and_headed_by_its_title_and_unit():
    plain = Figure(key="cost", title="Cost", unit=MONEY_PER_MONTH)
    full = replace(plain, short="$", phrase="its cost")
    assert (plain.name, full.name) == ("Cost", "its cost")
    unit, short = str(MONEY_PER_MONTH.label), str(MONEY_PER_MONTH.short)
    assert (
        str(full.heading(", ")) == f"Cost, {unit}" and str(full.heading(", ", is_short=True)) == f"$, {short}"
    )
    assert str(plain.heading(", ", is_short=True)) == f"Cost, {short}"
    assert Figure(key="cost", title="Cost", unit=MONEY).heading(", ", is_short=True) != Figure(
        key="cost", title="Cost", unit=MONEY
    ).heading(", ")
    assert Figure(key="gpus", title="GPUs", unit=GPUS).heading(", ") == "GPUs"


@pytest.mark.parametrize(
    ("key", "unit", "json", "name"),
    [
        ("volume_per_month", MONEY_PER_MONTH, "", "volume_usd_per_month"),
        ("cost", MONEY, "", "usd"),
        ("cost", MONEY, "price", "price"),
        ("usd_left", MONEY, "", "usd_left"),
        ("gpus", GPUS, "", "gpus"),
        ("gpus", GPUS, "count", "count"),
        ("mean_rate", RATE, "", "mean_usd_per_gpu_hour"),
    ],
)
def test_money_has_its_unit_in_documents(key, unit, json, name):
    assert Figure(key=key, title="", unit=unit, json=json).json_name == name


def test_a_figure_takes_the_parameters_of_its_formula():
    fruit = of_fruit()
    assert [figure.parameters for figure in fruit.figures] == [(), ("weight",), ("weight", "doubled")]


def test_a_subject_refuses_a_key_twice_and_what_stands_on_nothing():
    with pytest.raises(ValueError, match="weight twice"):
        Subject(
            "fruit", (Figure(key="weight", title="", unit=GPUS), Figure(key="weight", title="", unit=GPUS))
        )
    with pytest.raises(ValueError, match="doubled stands on weight"):
        Subject("fruit", (Figure(key="doubled", title="", unit=GPUS, formula=doubled),))


def test_a_formula_is_declared_under_its_own_name_or_another():
    fruit = Subject("fruit", (Figure(key="weight", title="Weight", unit=GPUS),))
    assert fruit.figure("Doubled", GPUS)(doubled) is doubled
    fruit.figure("Again", GPUS, key="again", why="again")(doubled)
    assert [figure.key for figure in fruit.figures] == ["weight", "doubled", "again"]
    assert "again" in fruit and "gone" not in fruit and fruit["again"].why == "again"


def test_figures_are_worked_out_where_they_are_wanted_and_not_given():
    fruit = of_fruit()
    assert fruit.worked_out({"weight": 2}) == {"weight": 2, "doubled": 4, "summed": 6}
    assert fruit.worked_out({"weight": 2, "doubled": 10}) == {"weight": 2, "doubled": 10, "summed": 12}
    assert fruit.worked_out({"weight": 2}, ["doubled"]) == {"weight": 2, "doubled": 4}
    assert fruit.worked_out({"weight": 2}, ["summed"]) == {"weight": 2, "doubled": 4, "summed": 6}
    assert fruit.worked_out({"weight": 2, "summed": 1}, ["summed"]) == {"weight": 2, "summed": 1}
    assert fruit.row({"weight": 2.0}, ["doubled"]) == {"weight": 2.0, "doubled": 4.0}


def test_one_figure_is_what_it_stands_on_or_is_given():
    fruit = of_fruit()
    assert fruit.value("weight", {"weight": 2}) == 2
    assert fruit.value("doubled", {"weight": 2, "doubled": 9}) == 9
    assert fruit.value("summed", {"weight": 2}) == 6
    assert fruit.value("summed", {"weight": 2, "doubled": 9}) == 11
    with pytest.raises(KeyError):
        fruit.value("summed", {})
