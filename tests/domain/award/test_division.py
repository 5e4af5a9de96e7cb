"""The division against every division that there is, on small cases; laws; ties."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.award.award import award_of
from gpuplanner.domain.award.division import Bounds, Candidate, Division, divide, least_cost
from gpuplanner.domain.model.amounts import HALF_A_CENT
from gpuplanner.domain.model.book.only import ModelMapping
from tests.domain.award.conftest import CONDITIONS, quote, row
from tests.some_of import examples

Case = tuple[list[int], list[int], list[Candidate], Bounds]
FREE = Bounds(least={}, most={})


def _all_divisions(
    nodes: list[int], candidates: list[Candidate]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Nodes of each candidate and units for them, whatever they cost."""
    found = []
    for served in product(*(range(nodes[one.row] + 1) for one in candidates)):
        if any(
            sum(n for n, one in zip(served, candidates, strict=True) if one.row == row) > most
            for row, most in enumerate(nodes)
        ):
            continue
        units, is_whole = [], True
        for count, one in zip(served, candidates, strict=True):
            needed = count * one.units_a_node
            rounded = round(needed) if abs(needed - round(needed)) < 1e-9 else int(needed) + 1
            is_whole &= not one.is_exact or abs(needed - rounded) < 1e-9
            units.append(rounded)
        if is_whole:
            found.append((served, tuple(units)))
    return found


def _is_allowed(units: tuple[int, ...], candidates: list[Candidate], bounds: Bounds) -> bool:
    gpus: dict[str, int] = {}
    spent: dict[str | None, float] = {}
    prepaid = 0.0
    for count, one in zip(units, candidates, strict=True):
        gpus[one.offer_id] = gpus.get(one.offer_id, 0) + count * one.unit_gpus
        spent[one.provider] = spent.get(one.provider, 0.0) + count * one.cost
        prepaid += count * one.prepaid
    return (
        all(not n or bounds.least.get(name, 0) <= n <= bounds.most.get(name, n) for name, n in gpus.items())
        and (
            bounds.of_provider is None
            or all(usd <= bounds.of_provider + HALF_A_CENT for name, usd in spent.items() if name)
        )
        and (bounds.prepaid is None or prepaid <= bounds.prepaid + HALF_A_CENT)
        and all(
            sum(
                count * one.cost
                for count, one in zip(units, candidates, strict=True)
                if one.offer_id in of_them
            )
            <= usd + HALF_A_CENT
            for of_them, usd in bounds.of_offers
        )
    )


def _open(served: tuple[int, ...], case: Case) -> float:
    nodes, node_gpus, candidates, _ = case
    taken = sum(n * node_gpus[one.row] for n, one in zip(served, candidates, strict=True))
    return sum(n * size for n, size in zip(nodes, node_gpus, strict=True)) - taken


def _cost(units: tuple[int, ...], candidates: list[Candidate]) -> float:
    return sum(n * one.cost for n, one in zip(units, candidates, strict=True))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Two or three rows of a few nodes, and up to five offers that may serve some of them."""
    rows = draw(st.integers(1, 3))
    nodes = [draw(st.integers(1, 3)) for _ in range(rows)]
    node_gpus = [draw(st.sampled_from((1, 4, 8))) for _ in range(rows)]
    candidates = []
    for _ in range(draw(st.integers(0, 5))):
        row = draw(st.integers(0, rows - 1))
        unit = draw(st.sampled_from((1, 4, 8)))
        worth = draw(st.sampled_from((1.0, 1.0, 1.6)))
        offer_id = draw(st.sampled_from(("a", "b", "c", "d")))
        if any(one.row == row and one.offer_id == offer_id for one in candidates):
            continue
        rate = draw(st.integers(1, 6)) * 1000.0
        candidates.append(
            Candidate(
                row=row,
                offer_id=offer_id,
                provider=draw(st.sampled_from(("P", "Q", None))),
                unit_gpus=unit,
                units_a_node=node_gpus[row] / worth / unit,
                cost=rate * unit,
                prepaid=draw(st.sampled_from((0.0, 500.0))) * unit,
                is_exact=worth == 1.0,
            )
        )
    names = {one.offer_id for one in candidates}
    least = {name: draw(st.integers(1, 20)) for name in sorted(names) if draw(st.booleans())}
    most = {name: draw(st.integers(0, 20)) for name in sorted(names) if draw(st.booleans())}
    of_provider = draw(st.sampled_from((None, None, 9000.0, 30_000.0, 90_000.0)))
    prepaid = draw(st.sampled_from((None, None, 0.0, 4000.0)))
    of_offers = [(frozenset(("a", "c")), 20_000.0)] if draw(st.booleans()) else []
    return (
        nodes,
        node_gpus,
        candidates,
        Bounds(least=least, most=most, of_provider=of_provider, prepaid=prepaid, of_offers=tuple(of_offers)),
    )


@given(cases())
@settings(max_examples=examples(50), deadline=None)
def test_it_is_the_best_of_all(case: Case) -> None:
    nodes, node_gpus, candidates, bounds = case
    found = divide(nodes, node_gpus, candidates, bounds)
    allowed = [one for one in _all_divisions(nodes, candidates) if _is_allowed(one[1], candidates, bounds)]
    fewest = min(_open(served, case) for served, _ in allowed)
    cheapest = min(_cost(units, candidates) for served, units in allowed if _open(served, case) == fewest)
    assert (found.nodes, found.units) in allowed
    assert _open(found.nodes, case) == fewest
    assert _cost(found.units, candidates) == pytest.approx(cheapest, abs=2 * HALF_A_CENT)
    assert least_cost(nodes, node_gpus, candidates, bounds) == pytest.approx(
        (fewest, cheapest), abs=2 * HALF_A_CENT
    )
    assert list(found.open) == [
        most - sum(n for n, one in zip(found.nodes, candidates, strict=True) if one.row == row)
        for row, most in enumerate(nodes)
    ]


@given(cases())
@settings(max_examples=examples(15), deadline=None)
def test_it_is_the_same_each_time(case: Case) -> None:
    assert divide(*case) == divide(*case)


def _offer(name: str, cost: float = 8.0, row: int = 0) -> Candidate:
    return Candidate(
        row=row, offer_id=name, provider=f"Vendor {name}", unit_gpus=8, units_a_node=1.0, cost=cost
    )


def test_of_equal_totals_the_first_providers_by_name_serve() -> None:
    for offers in ([_offer("b"), _offer("a")], [_offer("a"), _offer("b")]):
        found = divide([3], [8], offers, FREE)
        assert dict(zip((one.offer_id for one in offers), found.nodes, strict=True)) == {"a": 3, "b": 0}


def test_a_cent_decides() -> None:
    found = divide([1], [8], [_offer("a", 2_000_000.01), _offer("b", 2_000_000.0)], FREE)
    assert found.nodes == (0, 1)


def test_a_row_that_nobody_may_serve_stays_open() -> None:
    assert divide([2, 1], [8, 8], [_offer("a", row=1)], FREE) == Division((1,), (1,), (2, 0))
    assert divide([2], [8], [], FREE) == Division((), (), (2,))


def test_a_limit_on_one_provider_leaves_the_rest_to_others() -> None:
    found = divide(
        [4], [8], [_offer("a", 7.0), _offer("b", 8.0)], Bounds(least={}, most={}, of_provider=16.0)
    )
    assert found.nodes == (2, 2)  # 14 and 16
    alone = divide([4], [8], [_offer("a", 7.0)], Bounds(least={}, most={}, of_provider=16.0))
    assert (alone.nodes, alone.open) == ((2,), (2,))


def test_a_limit_on_some_offers_is_on_all_of_them_together() -> None:
    """Two of $7 come to $14: a third is over $20, and one that is not named has what is left."""
    offers = [_offer("a", 7.0), _offer("b", 7.0), _offer("c", 8.0)]
    found = divide([4], [8], offers, Bounds(least={}, most={}, of_offers=((frozenset(("a", "b")), 20.0),)))
    assert (sum(found.nodes[:2]), found.nodes[2]) == (2, 2)
    just = divide([4], [8], offers, Bounds(least={}, most={}, of_offers=((frozenset(("a", "b")), 21.0),)))
    assert (sum(just.nodes[:2]), just.nodes[2]) == (3, 1)


def test_a_division_keeps_the_least_of_an_offer_and_buys_whole_units() -> None:
    """Nodes of 8 GPUs; an offer sold from 16 on serves no single node; of two at $5 the one with a name serves."""

    def divided(nodes: int, *candidates: Candidate, **least: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = divide([nodes], [8], candidates, Bounds(least=least, most={}))
        return found.nodes, found.units

    exact = Candidate(row=0, offer_id="a", provider=None, unit_gpus=8, units_a_node=1.0, cost=5.0)
    assert divided(1, exact) == ((1,), (1,)) and divided(1, exact, a=16) == ((0,), (0,))
    assert divided(2, exact, a=16) == ((2,), (2,))
    assert divided(1, exact, replace(exact, offer_id="b", provider="P")) == ((0, 1), (0, 1))
    part = replace(exact, units_a_node=0.625, is_exact=False)  # a unit of 8 does the work of 12.8
    assert (
        divided(1, part) == ((1,), (1,))
        and divided(2, part) == ((2,), (2,))
        and divided(8, part) == ((8,), (5,))
    )
    mapped = replace(CONDITIONS, mappings=(ModelMapping("H100", "H200", 1.6),))
    found = award_of(
        [row()], [quote("a", 2.0, gpu_model="H200")], mapped
    )  # 16 are the work of 10, in two units
    assert found is not None and [(line.gpus, line.bought_gpus) for line in found.awarded] == [(16.0, 16.0)]
