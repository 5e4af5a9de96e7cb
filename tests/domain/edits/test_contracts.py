"""Terms of contracts: their bounds, and what is said beside a file until the file states it."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.edits import contracts
from gpuplanner.domain.model.book.contract import (
    CONTRACT_TERMS,
    MORE_TERMS,
    RATE_FIELD,
    Contract,
    filed_term,
    with_known_terms,
    with_terms,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import MOST_GPUS
from tests.domain.edits.loaded_project import EURO, UNRATED, loaded
from tests.domain.edits.small_inputs import OF


def is_term_refused(name: str, value: Any) -> bool:
    """Whether a term of K1 may not have a value."""
    try:
        changed = contracts.change_contract(OF, "K1", {name: value})
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


def test_contracts_and_offers_are_sorted_by_id_and_a_new_one_replaces_its_namesake() -> None:
    newer = Contract(
        contract_id="k1",
        cluster="c",
        gpu_model="H100",
        milli_gpus=16000,
        rate_usd_per_gpu_hour=None,
        start_s=0,
    )
    project = edits.contracts.add_contracts(
        loaded(),
        [
            Contract(
                contract_id="a",
                cluster="c",
                gpu_model=None,
                milli_gpus=1,
                rate_usd_per_gpu_hour=None,
                start_s=0,
            ),
            newer,
        ],
    )
    assert [row.contract_id for row in project.contracts] == ["a", "k1"]
    assert project.contracts[1] == newer


def test_a_rate_that_is_said_stands_beside_what_the_file_says_until_the_file_states_one() -> None:
    before = edits.contracts.add_contracts(edits.money.with_exchange(loaded(), [EURO]), [UNRATED])
    said = edits.contracts.change_contract(before, "k9", {RATE_FIELD: Decimal("2.5")})
    (row,) = [one for one in said.contracts if one.contract_id == "k9"]
    assert (row.quoted_rate, filed_term(row, RATE_FIELD), row.is_rate_stated) == (Decimal("2.5"), None, True)
    assert row.rate == 2.5 * 1.25 and row.cost_per_month == 4 * 2.5 * 1.25 * 730
    again = edits.inputs.import_inputs(
        said, contracts=[UNRATED]
    )  # the same file once more: nobody is asked twice
    assert again.contracts == (row,)
    stated = edits.inputs.import_inputs(said, contracts=[replace(UNRATED, rate_usd_per_gpu_hour=Decimal(3))])
    assert stated.contracts[0].rate == 3 * 1.25 and not stated.contracts[0].is_rate_stated
    (back,) = [
        one
        for one in edits.contracts.change_contract(said, "k9", {RATE_FIELD: None}).contracts
        if one.contract_id == "k9"
    ]
    assert back == next(one for one in before.contracts if one.contract_id == "k9")
    assert " k9 to \u20ac2.5 per" in str(edits.labels.rate_label("k9", Decimal("2.5"), "EUR"))


TERMS = st.fixed_dictionaries(
    {},
    optional={
        RATE_FIELD: st.one_of(st.none(), st.decimals("0.01", 99, places=2)),
        "milli_gpus": st.integers(1, 10**6),
        "start_s": st.integers(0, 10**6),
        "end_s": st.one_of(st.none(), st.integers(10**7, 10**8)),
        "notice_days": st.one_of(st.none(), st.integers(0, 365)),
    },
)


@given(TERMS, TERMS)
def test_terms_are_kept_beside_the_file_and_taking_them_back_gives_its_contract(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    filed = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal("2.5"),
        start_s=100,
        end_s=10**9,
        notice_days=30,
    )
    after = with_terms(with_terms(filed, first), second)
    assert {name: getattr(after, name) for name in {**first, **second}} == {**first, **second}
    assert {name: filed_term(after, name) for name in CONTRACT_TERMS} == {
        name: getattr(filed, name) for name in CONTRACT_TERMS
    }
    assert with_terms(after, {name: filed_term(after, name) for name in CONTRACT_TERMS}) == filed
    assert with_known_terms(filed, after) == after


def test_what_the_file_says_anew_counts_and_what_it_repeats_leaves_the_planner_right() -> None:
    filed = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal("2.5"),
        start_s=100,
        end_s=10**9,
    )
    said = with_terms(filed, {RATE_FIELD: Decimal(2), "notice_days": 60})
    later = with_known_terms(replace(filed, rate_usd_per_gpu_hour=Decimal(3)), said)
    assert (later.rate_usd_per_gpu_hour, later.notice_days) == (Decimal(3), 60)
    assert dict(later.filed) == {"notice_days": ""}
    label = edits.labels.contract_label(filed, replace(said, milli_gpus=4000))
    assert str(label).partition(": ")[2].split(", ") == ["rate", "GPUs", "notice"]
