"""How answers are declared: kind, title, unit and words stand at the function; the id is what was asked."""

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain.evidence import money, serving, use, workloads
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.plan import (
    backtest,
    cards,
    inputs,
    layers,
    limits,
    orders,
    plan_answers,
    price_cases,
    price_paths,
    totals,
)
from gpuplanner.domain.evidence.trace import Adds, Amount, Counts, Trace, TraceColumn, TraceRow, figure, read
from gpuplanner.domain.figures.figure import Figure, Operand, Subject
from gpuplanner.domain.figures.writing import COUNT, GPU_HOURS, MONEY_PER_MONTH
from gpuplanner.domain.message import worded

Baskets = dict[str, tuple[int, ...]]
APPLES: Baskets = {"mine": (1, 2), "yours": (4,)}
COLUMNS = (TraceColumn(worded("Weight"), "count"), TraceColumn("GPU-h", "gpu_hours"))


def doubled(weight: Operand) -> Operand:
    return weight + weight


FRUIT = Subject(
    "fruit",
    (
        Figure(key="weight", title=worded("Weight"), unit=COUNT),
        Figure(
            key="doubled",
            title=worded("Doubled"),
            unit=COUNT,
            formula=doubled,
            why="twice",
            note=worded("Weighed."),
        ),
    ),
)


@pytest.fixture
def why() -> Answers[Baskets]:
    return Answers[Baskets]()


def rows_of(baskets: Baskets, name: str) -> list[TraceRow]:
    return [TraceRow(str(at), (weight, 10.0 * weight)) for at, weight in enumerate(baskets[name])]


def test_a_sum_takes_its_names_from_the_declaration_and_its_rows_from_the_function(
    why: Answers[Baskets],
) -> None:
    title, words, note = worded("Hours of {name}"), worded("All of them"), worded("As weighed.")

    @why.sums(title, GPU_HOURS, words, COLUMNS, 1, note=note)
    def hours(baskets: Baskets, scope: str, name: str) -> Listed:
        return Listed(value=10.0 * sum(baskets[name]), rows=rows_of(baskets, name), name=name)

    trace = why.answer(APPLES, "hours:monday:mine")
    assert (str(trace.title), trace.value, trace.unit, str(trace.said_as)) == (
        "Hours of mine",
        30.0,
        "gpu_hours",
        "GPU-h",
    )
    assert (trace.words, trace.note, trace.columns, trace.arrival) == (words, note, COLUMNS, Adds(1))
    assert trace.symbols[-1] == Amount(30.0, "gpu_hours") and str(trace.symbols[0]) == "\u03a3 of 2 rows = "
    assert trace.figure_id == figure("hours", "mine", "monday")
    assert hours(APPLES, "", "yours").value == 40.0, "a declared function stays what it is"


def test_what_the_rows_say_goes_before_what_is_declared(why: Answers[Baskets]) -> None:
    @why.lists("", "count", "", COLUMNS, Counts(), said_as=worded("weights"), note=worded("declared"))
    def many(baskets: Baskets, scope: str, name: str) -> Listed:
        note, more = worded("told"), ((worded("Hours"), figure("hours", name)),)
        symbols = (Amount(1, "count"),)
        return Listed(
            value=1,
            rows=rows_of(baskets, name),
            name=worded("{name}'s", name=name),
            note=note,
            symbols=symbols,
            more=more,
        )

    trace = why.answer(APPLES, figure("many", "yours"))
    assert (str(trace.title), str(trace.note), str(trace.said_as)) == ("yours's", "told", "weights")
    assert trace.symbols == (Amount(1, "count"),)
    assert trace.more[0][1] == "hours::yours" and trace.arrival == Counts()


def test_figures_are_explained_under_their_own_kind_or_another(why: Answers[Baskets]) -> None:
    @why.explains(FRUIT, "doubled", again="doubled")
    def fruit(baskets: Baskets, scope: str, name: str) -> Inputs:
        return Inputs(values={"weight": baskets[name][0]}, name=name, note=worded("Told.") if scope else "")

    assert set(why) == {"twice", "again"}
    own, other = (why.answer(APPLES, figure(kind, "yours")) for kind in ("twice", "again"))
    assert own.value == other.value == 8 and str(own.title) == "Doubled of yours"
    assert (own.figure_id, other.figure_id) == ("twice::yours", "again::yours")
    assert str(own.note) == "Weighed." and str(why.answer(APPLES, "twice:now:yours").note) == "Told."


def test_a_figure_of_the_registry_has_kind_title_and_unit(why: Answers[Baskets]) -> None:
    one = Figure(key="worth", title=worded("Worth"), unit=MONEY_PER_MONTH, why="worth")

    @why.sums_of(one, worded("All of them"))
    def worth(baskets: Baskets, scope: str, name: str) -> Listed:
        return Listed(value=3, rows=[TraceRow("a", (3,))], name=name)

    trace = why.answer(APPLES, "worth::mine")
    assert (str(trace.title), trace.unit, str(trace.said_as)) == ("Worth of mine", "usd", "per month")


def test_one_function_serves_kinds_that_differ_by_a_parameter(why: Answers[Baskets]) -> None:
    @why.gives_each({"first": 0, "second": 1})
    def weight(at: int, baskets: Baskets, scope: str, name: str) -> Trace:
        return read(worded("Weight"), baskets[name][at], COUNT, worded("the scales"))

    assert [why.answer(APPLES, figure(kind, "mine")).value for kind in ("first", "second")] == [1, 2]


def test_a_kind_or_thing_that_there_is_not_is_refused(why: Answers[Baskets]) -> None:
    @why.gives("first")
    def first(baskets: Baskets, scope: str, name: str) -> Trace:
        return read(worded("Weight"), baskets[name][0], COUNT, worded("the scales"))

    for figure_id in ("last::mine", "first::nobody's"):
        with pytest.raises(KeyError):
            why.answer(APPLES, figure_id)


def test_a_kind_is_answered_once(why: Answers[Baskets]) -> None:
    def first(baskets: Baskets, scope: str, name: str) -> Trace:
        return read(worded("Weight"), baskets[name][0], COUNT, worded("the scales"))

    why.gives("first")(first)
    with pytest.raises(ValueError, match=r"^first "):
        why.gives("first")(first)


@pytest.mark.parametrize(
    ("table", "parts"),
    [
        (ANSWERS, (use.WHY, money.WHY, workloads.WHY, serving.OF_PLACES)),
        (
            plan_answers.ANSWERS,
            (
                layers.WHY,
                orders.WHY,
                cards.WHY,
                inputs.WHY,
                price_cases.WHY,
                price_paths.WHY,
                limits.WHY,
                backtest.WHY,
                totals.WHY,
            ),
        ),
    ],
)
def test_no_kind_is_answered_by_two_modules_of_a_room(table, parts) -> None:
    assert sum(map(len, parts)) == len(table)
