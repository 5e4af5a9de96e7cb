"""Ramps of contracts that are typed, changed and taken back, beside what a file says."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.model.book.contract import RATE_FIELD, Contract, parts_of_ramp, with_terms
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from tests.domain.edits.loaded_project import loaded

RAMP = "2026-09-01=16;2026-12-01=48"
FILED = Contract(
    contract_id="k9",
    cluster="c",
    gpu_model="H100",
    milli_gpus=48_000,
    rate_usd_per_gpu_hour=Decimal(2),
    start_s=0,
)
"""What the file says of the contract before anything is typed."""


def test_a_ramp_that_is_typed_is_a_contract_a_day_and_stays_until_the_file_states_another() -> None:
    """Its parts are those of a file that says so; taken back, or changed from any part, it is in one piece again."""
    filed = replace(FILED, prepaid_usd=Decimal(100))
    before = edits.contracts.add_contracts(loaded(), [filed])
    said = edits.contracts.change_contract(before, "k9", {"ramp": RAMP})
    parts = [one for one in said.contracts if one.ramp_of == "k9"]
    assert [(one.gpus, one.prepaid) for one in parts] == [(16, 100), (32, None)]
    again = edits.inputs.import_inputs(said, contracts=[filed])
    assert again.contracts == tuple(parts)
    other = edits.contracts.change_contract(said, parts[1].contract_id, {"ramp": "2026-10-01=48"})
    assert [one.gpus for one in other.contracts if one.ramp_of == "k9"] == [48]
    back = edits.contracts.change_contract(said, "k9", {"ramp": None, "start_s": 0})
    assert [one for one in back.contracts if one.contract_id == "k9"] == [filed]
    stated = edits.inputs.import_inputs(
        said, contracts=parts_of_ramp(replace(filed, ramp="2026-11-01=24;2027-01-01=48"))
    )
    assert [one.gpus for one in stated.contracts] == [24, 24]
    for wrong in ("soon=48", "2026-09-01=x", "2026-09-01=16;2026-08-01=48", "2026-09-01=1e999"):
        with pytest.raises(PlannerError):
            edits.contracts.change_contract(before, "k9", {"ramp": wrong})


def test_a_ramp_taken_back_is_the_contract_of_the_file_again() -> None:
    filed = replace(FILED, start_s=1_767_225_600)
    before = edits.contracts.replace_contracts(loaded(), [filed])
    said = edits.contracts.change_contract(before, "k9", {"ramp": "2026-06-01=16;2026-09-01=48"})
    assert edits.contracts.change_contract(said, "k9", {"ramp": None}).contracts == (filed,)


def parts_by_id(project: Project) -> dict[str, Contract]:
    return {one.contract_id: one for one in project.contracts if one.contract_id.startswith("k9")}


def test_a_changed_ramp_keeps_what_was_said_of_its_later_parts_and_an_import_keeps_it_too() -> None:
    """By their days, else in their order; what was said of the first part alone is not said of them."""
    filed = replace(FILED, start_s=1_767_225_600, end_s=1_830_297_600)
    said = edits.contracts.change_contract(
        edits.contracts.replace_contracts(loaded(), [filed]), "k9", {"ramp": RAMP}
    )
    said = edits.contracts.change_contract(said, "k9", {RATE_FIELD: Decimal(9)})
    later = {RATE_FIELD: Decimal("1.5"), "notice_days": 60, "end_s": 1_820_000_000, "deposit_usd": Decimal(7)}
    said = edits.contracts.change_contract(said, "k9 from 2026-12-01", later)
    more = edits.contracts.change_contract(said, "k9", {"ramp": "2026-09-01=8;2026-12-01=40;2027-02-01=48"})
    moved = edits.contracts.change_contract(
        said, "k9 from 2026-12-01", {"ramp": "2026-09-01=8;2026-12-15=40"}
    )
    for after, day, gpus in ((more, "2026-12-01", 32), (moved, "2026-12-15", 32)):
        part = parts_by_id(after)[f"k9 from {day}"]
        assert {name: getattr(part, name) for name in later} == later and part.gpus == gpus
        assert parts_by_id(after)["k9"].rate == 9
        again = edits.inputs.import_inputs(after, contracts=[filed])
        assert again.contracts == after.contracts, "the same file once more"
    assert parts_by_id(edits.contracts.change_contract(said, "k9", {"ramp": None})) == {
        "k9": with_terms(filed, {RATE_FIELD: Decimal(9)})
    }
    both = edits.contracts.change_contract(
        said, "k9 from 2026-12-01", {"ramp": "2026-09-01=8;2026-12-01=40", "sla_percent": 99.0}
    )
    assert [one.sla_percent for one in parts_by_id(both).values()] == [None, 99.0]


def test_a_ramp_of_the_file_taken_back_holds_all_its_gpus_and_one_added_takes_its_place() -> None:
    filed = parts_of_ramp(replace(FILED, ramp=RAMP))
    before = edits.contracts.replace_contracts(loaded(), filed)
    said = edits.contracts.change_contract(before, "k9", {"ramp": "2026-09-01=20;2026-12-01=48"})
    (whole,) = parts_by_id(edits.contracts.change_contract(said, "k9", {"ramp": None})).values()
    assert (whole.gpus, whole.start_s) == (48, filed[0].start_s)
    assert (
        edits.contracts.change_contract(said, "k9 from 2026-12-01", {"ramp": RAMP}).contracts
        == before.contracts
    )
    other = parts_of_ramp(replace(whole, ramp="2026-11-01=24;2027-01-01=48", filed=()))
    assert sum(one.gpus for one in parts_by_id(edits.contracts.add_contracts(before, other)).values()) == 48


@pytest.mark.parametrize(
    ("contract_id", "terms", "why"),
    [
        ("k9", {"ramp": "2026-09-01=16;2026-12-01=48000000"}, "48,000,000 GPUs exceed a contract"),
        ("k9", {"ramp": None, "milli_gpus": 10**10}, "10,000,000 GPUs exceed a contract"),
        ("k9 from 2026-12-01", {"milli_gpus": 8_000}, "its GPUs and first day come from GPUs by day"),
    ],
)
def test_gpus_that_no_contract_holds_and_those_that_a_ramp_tells_are_refused(
    contract_id: str, terms: dict[str, Any], why: str
) -> None:
    filed = parts_of_ramp(replace(FILED, ramp=RAMP))
    with pytest.raises(PlannerError, match=why):
        edits.contracts.change_contract(
            edits.contracts.replace_contracts(loaded(), filed), contract_id, terms
        )


def test_take_or_pay_of_a_ramp_is_of_all_its_parts() -> None:
    filed = replace(FILED, start_s=1_767_225_600)
    said = edits.contracts.change_contract(
        edits.contracts.replace_contracts(loaded(), [filed]), "k9", {"ramp": "2026-06-01=16;2026-09-01=48"}
    )
    for part in said.contracts:
        after = edits.contracts.change_contract(said, part.contract_id, {"take_or_pay_percent": 80.0})
        assert [one.take_or_pay_percent for one in after.contracts] == [80.0, 80.0]


def test_what_is_prepaid_without_an_end_goes_as_far_as_its_term_wherever_it_ends() -> None:
    paid = Contract(
        contract_id="k9",
        cluster="c",
        gpu_model="H100",
        milli_gpus=8_000,
        rate_usd_per_gpu_hour=None,
        start_s=0,
        term_months=12,
        prepaid_usd=Decimal(70_080),
    )
    assert paid.prepaid_rate == paid.ending(3 * 730 * 3600).prepaid_rate == 1.0
