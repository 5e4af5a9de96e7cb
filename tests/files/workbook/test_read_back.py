"""A workbook that was exported gives on import the contracts and offers that it was written from."""

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.hardware_needs import INTERCONNECTS
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.importing.other_sheets import PLAN_SHEETS
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of, two_clusters_book, two_clusters_evaluated
from tests.oracle.projects import Case

pytestmark = pytest.mark.long  # each writes a workbook
HOURS = 48


def maybe(strategy):
    """What may be unstated."""
    return st.none() | strategy


AMOUNTS = st.integers(1, 90_000).map(lambda cents: Decimal(cents) / 100)
WORDS = st.text("abc =+-@'&<é", min_size=1, max_size=8).map(lambda text: f"x{text}x")
MACHINES = {
    "region": maybe(WORDS),
    "country": maybe(st.sampled_from(["DE", "US"])),
    "bare_metal": maybe(st.booleans()),
    "rdma": maybe(st.booleans()),
    "interconnect": maybe(st.sampled_from(sorted(INTERCONNECTS))),
    "nic_gbps": maybe(st.sampled_from([100.0, 400.0, 3200.0])),
    "gpu_memory_gb": maybe(st.sampled_from([80.0, 141.0])),
    "egress_usd_per_gb": maybe(AMOUNTS),
    "storage_usd_per_gpu_month": maybe(AMOUNTS),
    "support_percent": maybe(st.sampled_from([3.0, 10.0])),
    "sla_percent": maybe(st.sampled_from([99.0, 99.95])),
    "min_term_months": st.integers(0, 3),
    "provider": maybe(WORDS),
}
CONTRACTS = st.fixed_dictionaries(
    {
        "gpus": st.integers(1, 40),
        "rate": maybe(AMOUNTS),
        "starts": st.sampled_from([-24.0, -3.37, 0.5]),
        "ends": maybe(st.sampled_from([2.3, 9.0, 30.0])),
        "pool": maybe(st.sampled_from(list(Pool))),
        "notice_days": maybe(st.integers(0, 90)),
        "renews_months": maybe(st.sampled_from([0, 1, 12])),
        "owner": maybe(WORDS),
        "purchase_order": maybe(WORDS),
        "deposit_usd": maybe(AMOUNTS),
        "grid_kg_co2_per_kwh": maybe(st.sampled_from([0.0, 0.369])),
        **MACHINES,
    }
)
OFFERS = st.fixed_dictionaries(
    {
        "term": st.sampled_from([0, "spot", 1, 12, 36]),
        "rate": maybe(AMOUNTS),
        "unit_gpus": maybe(st.sampled_from([4, 8])),
        "min_gpus": maybe(st.integers(1, 16)),
        "max_gpus": maybe(st.integers(16, 64)),
        "max_gpus_per_order": maybe(st.integers(16, 64)),
        "lead_time_hours": st.sampled_from([0.0, 48.0, 240.0]),
        "lead_time_high_hours": maybe(st.sampled_from([240.0, 1000.0])),
        "valid_until": maybe(st.sampled_from(["2027-01-14", "2028-02-29"])),
        "as_of": maybe(st.just("2026-11-24")),
        "source": maybe(WORDS),
        **MACHINES,
    }
)


def by_id(rows, name):
    """Rows by their id."""
    return {getattr(row, name): row for row in rows}


def test_a_book_gives_the_contracts_and_offers_of_its_project() -> None:
    path, project = str(two_clusters_book()), two_clusters_evaluated().project
    contracts, prices = import_contracts([path]), import_prices([path])
    assert by_id(contracts.contracts, "contract_id") == by_id(project.contracts, "contract_id")
    assert by_id(prices.offers, "offer_id") == by_id(project.offers, "offer_id")
    (file,) = contracts.intake
    assert (file.rows_read, file.rows_accepted) == (len(project.contracts),) * 2
    assert PLAN_SHEETS in {issue.code for issue in file.issues}


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(CONTRACTS, min_size=1, max_size=4), st.lists(OFFERS, min_size=1, max_size=4))
def test_what_contracts_and_offers_state_comes_back(tmp_path_factory, contracts, offers) -> None:
    case = Case(HOURS)
    case.workload("alpha", "chat", "inference", [3] * HOURS)
    for number, stated in enumerate(contracts):
        case.contract(f"k{number}", "alpha", **stated)
    for number, stated in enumerate(offers):
        case.offer(f"o{number}", **stated)
    path = tmp_path_factory.mktemp("book") / "plan.xlsx"
    write_workbook(evaluation_of(case), path, 0)
    found = import_contracts([str(path)]).contracts
    assert by_id(found, "contract_id") == by_id(case.contracts, "contract_id")
    assert by_id(import_prices([str(path)]).offers, "offer_id") == by_id(case.offers, "offer_id")
