"""Answers of the audit as they are written: whole amounts add up to their totals, units are said, rows lead on."""

from dataclasses import replace

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.evaluation import Evaluation, evaluate_figures
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of
from gpuplanner.domain.evidence.trace import Adds, Amount, Divides, figure, listed, parts_of
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.why.written_trace import why_of
from gpuplanner.ui.words import numbers
from tests.oracle.projects import random_case

INPUTS = (("3 jobs", "jobs.csv"),)
ADDITIVE = (
    "spend",
    "cost",
    "served",
    "idle",
    "stranded_audit",
    "scaled",
    "leaks",
    "classes",
    "contracts_unused",
)


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    case = random_case(13)  # every amount of it is known
    project = case.project
    return evidence_of(project, audit(project, case.classifications))


def amount(text: str) -> float:
    return float(text.replace(",", "").replace(numbers.MINUS, "-").rstrip("%"))


def written(evidence: Evidence, figure_id: str) -> Why:
    return why_of(ANSWERS.answer(evidence, figure_id), INPUTS)


@pytest.mark.parametrize("kind", ADDITIVE)
def test_whole_amounts_add_up_to_the_total_as_it_is_written(evidence: Evidence, kind: str) -> None:
    trace = ANSWERS.answer(evidence, figure(kind))
    why = written(evidence, figure(kind))
    assert isinstance(trace.arrival, Adds)
    *rows, total = why.rows
    assert total.is_total and rows
    column = 1 + trace.arrival.column
    assert sum(amount(row.cells[column].text) for row in rows) == amount(total.cells[column].text)


def test_addends_in_the_formula_are_the_amounts_of_the_rows(evidence: Evidence) -> None:
    trace = ANSWERS.answer(evidence, figure("stranded_audit"))
    column = 0
    while trace.columns[column].unit != "usd" or "Stranded" not in str(trace.columns[column].title):
        column += 1
    third = 100.4  # three of them are 301, and no two of the rows may be written as 100 and as 101
    rows = tuple(
        replace(row, name=name, values=(*row.values[:column], third, *row.values[column + 1 :]))
        for name, row in zip("abc", trace.rows * 3, strict=False)
    )
    parts = [one for row in rows for one in (" + ", Amount(row.values[column], "usd"))][1:]
    symbols = (*parts, " = ", Amount(3 * third, "usd"))
    why = why_of(replace(trace, rows=rows, symbols=symbols, value=3 * third), INPUTS)
    written_rows = [row.cells[1 + column].text for row in why.rows]
    assert sorted(written_rows) == ["100", "100", "101", "301"]
    assert why.note == " + ".join(f"${text}" for text in written_rows[:-1]) + " = $301"


def test_the_total_of_shares_is_the_share_of_the_totals(evidence: Evidence) -> None:
    trace = ANSWERS.answer(evidence, figure("utilization"))
    why = written(evidence, figure("utilization"))
    assert isinstance(trace.arrival, Divides)
    used, paid, share = (amount(cell.text) for cell in why.rows[-1].cells[1:4])
    assert 100 * used / paid == pytest.approx(share, abs=0.5)
    assert f"{share:.2f}%" in why.title


def test_the_formula_stands_in_words_and_with_its_numbers(evidence: Evidence) -> None:
    why = written(evidence, figure("stranded_audit", "alpha"))
    of, _, factors = why.formula.partition(" = ")
    share, by = factors.split(" \u00d7 ")
    assert of == str(CLUSTER["stranded_audit"].title) and by == "cost"
    assert share == str(CLUSTER["non_training_idle_share"].phrase)
    assert "% \u00d7 $" in why.note and why.note.count("=") == 1
    assert "per month" in why.title


def test_the_literal_reading_stands_beside_and_is_named(evidence: Evidence) -> None:
    why = written(evidence, figure("stranded_audit"))
    metered, literal = (str(name) for name, _ in why.readings)
    assert metered.startswith("Metered: ") and literal == str(CLUSTER["literal_reading"].title)
    assert all(value != numbers.UNKNOWN for _, value in why.readings)


def test_what_is_known_of_an_unknown_sum_is_said_as_its_tile_says_it() -> None:
    case = random_case(40)
    first, *others = case.project.contracts
    project = replace(case.project, contracts=(replace(first, rate_usd_per_gpu_hour=None), *others))
    without = evidence_of(project, audit(project, case.classifications))
    parts = without.audit.spend_parts
    assert without.audit.spend is None and parts.is_at_least
    why = written(without, figure("spend"))
    assert why.title.endswith(f": {numbers.sum_of(parts)} per month")
    assert first.contract_id in why.remark


def test_rows_lead_on_and_all_of_it_is_text(evidence: Evidence) -> None:
    why = written(evidence, figure("cost"))
    assert [parts_of(row.key)[0] for row in why.rows] == ["cost", "cost", ""]
    text = why.as_text()
    assert why.formula in text and "alpha" in text and "jobs.csv" in text


def test_titles_are_those_of_the_headline_and_so_are_the_figures(evidence: Evidence) -> None:
    evaluation = Evaluation(
        project=evidence.project,
        scenario=TODAY,
        audit=evidence.audit,
        figures=evaluate_figures(evidence.project, TODAY, evidence.audit),
    )
    shown = next_view_state(None, evaluation)
    for one in (own for own in figures_of(shown) if own.figure_id != "savings_found"):  # of a plan
        why = written(evidence, figure(one.figure_id))
        assert one.title.lower() in why.title.lower()
        if one.plan.startswith("$"):
            assert one.plan in why.title


def test_other_readings_name_dollars_only_where_they_are() -> None:
    hours = listed(
        "Wait", 0.3, "hours", "as it is", (), (), Adds(0), readings=(("At least", Amount(2.0, "hours")),)
    )
    of_hours = why_of(hours, ()).readings_title
    assert of_hours and "$" not in of_hours
    usd = replace(hours, readings=(("Metered", Amount(2.0, "usd")),))
    assert why_of(usd, ()).readings_title == f"{of_hours}, $ per month"
    assert why_of(replace(hours, readings=()), ()).readings_title == ""
