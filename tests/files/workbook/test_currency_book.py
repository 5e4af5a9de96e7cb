"""The workbook of a project in another currency: its amounts in it, the rates of exchange as cells that move them."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.edits.money import counted_in, with_exchange
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated, hand_layers, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of, names_of
from tests.files.workbook.test_recalculated import apart, differences, light_of, summary_of, totals

OF_MONEY = ("current_usd_per_month", "do_nothing_usd_per_month", "plan_usd_per_month")


def in_euro(usd_rate, by_hand=None):
    """Half of the contracts and offers are quoted in euro, and all of it is reported in it."""
    made = two_clusters_with_layers()
    scenario = replace(made.scenario, pools=dict(made.pools), hand_layers=by_hand or {})
    contracts = tuple(
        replace(row, currency="EUR") if at % 2 else row for at, row in enumerate(made.project.contracts)
    )
    offers = tuple(
        replace(row, currency="EUR") if at % 2 else row for at, row in enumerate(made.project.offers)
    )
    project = replace(
        made.project, scenarios=(scenario,), contracts=contracts, offers=offers, title="Small case"
    )
    stated = with_exchange(project, (ExchangeRate("EUR", Decimal(usd_rate), "2026-10-01"),))
    return evaluated(counted_in(stated, "EUR"), made.classifications)


@pytest.mark.long
def test_words_have_the_sign_and_rates_follow_the_cell(tmp_path):
    evaluation, book = in_euro("1.25"), tmp_path / "euro.xlsx"
    write_workbook(evaluation, book, 0)
    said = [str(value) for sheet in cells_of(book).values() for value in sheet.values()]
    assert "Plan, € per month" in said and not [text for text in said if "$" in text]
    assert cells_of(book)[names_of(book)["usd_of_EUR"][0]][names_of(book)["usd_of_EUR"][1]] == 1.25
    rates = [
        text for sheet in ("Contract inputs", "Offer inputs") for text in formulas_of(book)[sheet].values()
    ]
    assert len([text for text in rates if text.endswith("/usd_of_EUR")]) >= len(evaluation.project.offers) / 2


@pytest.mark.long
def test_what_was_decided_keeps_names_and_reasons_and_has_the_money_of_the_book(tmp_path):
    told = worded("Follow {plan}, at {usd}", plan="Plan $5", usd=amount(5))
    evaluation, book = in_euro("1.25"), tmp_path / "euro.xlsx"
    decided = (Decision(0, told, "below $9"), Decision(1, "Plan $5"))
    plan = replace(evaluation.project.scenarios[0], decisions=decided)
    project = replace(evaluation.project, scenarios=(plan,))
    write_workbook(replace(evaluation, project=project), book, 0)
    said = set(cells_of(book)["Sources"].values())
    assert {"Follow Plan $5, at \u20ac5", "below $9", "Plan $5"} <= said


@pytest.mark.long
def test_the_book_recalculates_and_a_changed_rate_of_exchange_moves_its_amounts(need_tool, tmp_path):
    hand = hand_layers(in_euro("1.25").advice.pools)
    evaluation, book = in_euro("1.25", hand), tmp_path / "euro.xlsx"
    write_workbook(evaluation, book, 0)
    changed = changed_copy(book, tmp_path / "changed.xlsx", {names_of(book)["usd_of_EUR"]: 1.6})
    again, moved = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(book, changed)
    assert differences(cells_of(book), cells_of(again)) == []
    assert light_of(again) == "green"
    assert apart(summary_of(again), totals(evaluation)) == {}
    there, wanted = summary_of(moved), totals(in_euro("1.6", hand))
    for name in OF_MONEY:
        assert there[name] == pytest.approx(wanted[name], abs=0.01), name
        assert abs(wanted[name] - totals(evaluation)[name]) > 1
