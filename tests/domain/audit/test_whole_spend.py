"""What is paid and what overflowed in whole dollars: both come to the spend, and neither is a remainder of nothing."""

from types import SimpleNamespace

import pytest

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.model.amounts import PartSum, part_sum


def whole(paid, overflow, spend):
    cluster = SimpleNamespace(cluster="atlas", overflow_per_month=overflow)
    sums = part_sum([("core", paid)])
    found = Audit.whole_spend.fget(SimpleNamespace(clusters=(cluster,), spend=spend, paid_parts=sums))
    return tuple(of.total for of in found)


@pytest.mark.parametrize(
    ("paid", "overflow", "expected"),
    [
        (100.0, 50.0, (100, 50)),
        (100.4, 50.4, (100, 51)),  # 150.8 is 151
        (100.6, 50.6, (101, 50)),  # 151.2 is 151
        (100.0, 0.0, (100, 0)),
    ],
)
def test_the_two_come_to_the_rounded_spend(paid, overflow, expected):
    assert whole(paid, overflow, paid + overflow) == expected
    assert sum(expected) == round(paid + overflow)


def test_overflow_is_the_kept_figure_and_not_what_is_left_of_the_spend():
    assert whole(100.0, 50.0, 180.0) == (100, 50)


def test_one_of_them_is_known_where_the_other_is_not():
    assert whole(None, 50.4, None) == (None, 50.4)
    assert whole(100.4, None, None) == (100.4, None)


def test_contracts_of_clusters_without_a_log_ask_no_overflow():
    """Of unknown contracts those count that logged jobs may run on; c is known, b is of a cluster without a log."""
    held = [
        SimpleNamespace(contract_id=contract_id, cluster=cluster)
        for contract_id, cluster in (("a", "atlas"), ("b", "dark"), ("c", "dark"))
    ]

    def asked(unknown, unlogged):
        audited = SimpleNamespace(
            contracts=held, unknown_contracts=frozenset(unknown), unlogged=frozenset(unlogged)
        )
        return Audit.asked_contracts.fget(audited)

    assert asked("ab", ["dark"]) == {"a"}
    assert asked("ab", []) == {"a", "b"}
    assert asked("", ["dark"]) == frozenset()


def test_spend_without_a_rate_is_what_is_known_of_it():
    known = PartSum(3.0)
    assert Audit.spend_parts.fget(SimpleNamespace(spend=5.0, known_parts=known)) == PartSum(5.0)
    assert Audit.spend_parts.fget(SimpleNamespace(spend=None, known_parts=known)) == known
