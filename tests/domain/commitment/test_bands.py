"""Bands of slices in the twelve months: they cover all slices, and the orders over them are the layers of month 0."""

from itertools import combinations, pairwise

import pytest

from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.files.workbook.evaluations import evaluation_of
from tests.oracle.projects import random_case
from tests.some_of import some_of


@pytest.mark.parametrize("seed", some_of(range(8), quick=3))
def test_bands_cover_the_slices_and_orders_over_them_are_the_layers(seed):
    evaluation = evaluation_of(random_case(seed))
    begins_s = evaluation.project.plan_window.end_s
    for plan in evaluation.advice.pools:
        ends = [(bands[0].first_slice, bands[-1].last_slice) for bands in (plan.bands, plan.runs) if bands]
        assert len(set(ends)) <= 1
        assert all(one.last_slice + 1 == other.first_slice for one, other in pairwise(plan.bands))
        edges = {plan.slicing.below(band.first_slice - 1) for band in plan.bands}
        edges |= {plan.slicing.below(band.last_slice) for band in plan.bands}
        mine = [
            one
            for one in evaluation.advice.orders
            if (one.pool, one.gpu_model) == (plan.pool, plan.gpu_model)
        ]
        held = {}
        for order in mine:
            assert {
                edge for span in order.spans for edge in span
            } <= edges or order.start_s - begins_s >= 12 * MONTH_S
            assert sum(high - low for low, high in order.spans) == pytest.approx(order.gpus)
            hours = (min(order.end_s - begins_s, MONTH_S) - (order.start_s - begins_s)) / HOUR_S
            if hours > 0:
                held[order.offer_id] = held.get(order.offer_id, 0.0) + hours * order.gpus
        for one, other in combinations(mine, 2):
            if any(low < top and below < high for low, high in one.spans for below, top in other.spans):
                assert one.end_s <= other.start_s or other.end_s <= one.start_s
        layers = {}
        for layer in plan.layers:
            if layer.term_months:
                layers[layer.offer_id] = layers.get(layer.offer_id, 0.0) + layer.gpus * layer.paid_hours
        assert held == pytest.approx(layers)
