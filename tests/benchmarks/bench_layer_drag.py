"""A layer's edge dragged over a year of hours, timed: the figures alone, and with chart and table painted.

Run: python tests/benchmarks/bench_layer_drag.py [HOURS PEAK_GPUS]. Prints medians and the slowest; asserts nothing.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
FRAME_MS = 16.7
MOVES = 120


def row(hours: int, peak: int):  # type: ignore[no-untyped-def]
    """A row with three layers over a demand that follows the day and the week."""
    from decimal import Decimal

    from gpuplanner.domain.commitment.demand.slicing import Slicing
    from gpuplanner.domain.commitment.recursion.rates import break_evens
    from gpuplanner.domain.commitment.result import Flex, PoolPlan, RowDemand, SliceRun, Supply
    from gpuplanner.domain.commitment.uncertainty.levels import level_ground, plan_at
    from gpuplanner.domain.model.book.offer import Offer
    from gpuplanner.domain.model.plan.scenario import HandLayer
    from gpuplanner.domain.model.tables import Pool, PricingCategory

    random = np.random.default_rng(1)
    hour = np.arange(hours)
    shape = 0.55 + 0.2 * np.sin(hour * 2 * np.pi / 24) + 0.1 * np.sin(hour * 2 * np.pi / 168)
    gpus = np.clip(peak * (shape + 0.1 * random.standard_normal(hours)), 0, peak)
    terms = ((36, "2.00"), (12, "2.75"), (3, "3.15"))
    offers = tuple(
        Offer(
            offer_id=f"t{term}",
            gpu_model="H100",
            pricing_category=PricingCategory.COMMITTED,
            term_months=term,
            rate_usd_per_gpu_hour=Decimal(rate),
        )
        for term, rate in terms
    )
    demand = RowDemand(
        gpu_hours=float(gpus.sum()),
        mean_gpus=float(gpus.mean()),
        p95_gpus=float(np.quantile(gpus, 0.95)),
        peak_gpus=float(gpus.max()),
        growth=0.0,
        hourly_gpus=gpus,
        residual_gpus=gpus,
    )
    plan = PoolPlan(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        demand=demand,
        slicing=Slicing(1, peak),
        layers=(),
        runs=(SliceRun(1, peak, 0, 6.88),),
        break_even=break_evens(offers, 6.88, 0.0, 0.0),
        cost_per_month=0.0,
        flex=Flex(rate=6.88, category=PricingCategory.STANDARD, offer_id="od", spot_share=0.0),
        supply=Supply(offers, on_demand_rate=6.88),
        note="",
    )
    levels = tuple(HandLayer(term, round(peak * share)) for term, share in ((36, 0.3), (12, 0.2), (3, 0.1)))
    return plan_at(level_ground(plan, {}), levels), levels


def timed(name: str, work: Callable[[int], object]) -> None:
    """Run it for every move; processor time, since others use the machine."""
    spent = []
    for move in range(MOVES):
        begin = time.process_time()
        work(move)
        spent.append(1000 * (time.process_time() - begin))
    print(
        f"{name:34s} median {statistics.median(spent):6.2f} ms, slowest {max(spent[1:]):6.2f} ms, frame {FRAME_MS} ms"
    )


def main() -> None:
    hours, peak = (int(text) for text in (sys.argv[1:3] if len(sys.argv) > 2 else ("8760", "500")))
    from PySide6.QtWidgets import QApplication

    from gpuplanner.charts.plots.load_duration import LoadDurationChart
    from gpuplanner.domain.commitment.uncertainty.levels import level_ground, plan_at, regret_p90_usd
    from gpuplanner.domain.model.plan.scenario import HandLayer
    from gpuplanner.ui.kit.palettes import LIGHT
    from gpuplanner.ui.panels.duration.level_curve import curve_of
    from gpuplanner.ui.tables.chart_palette import chart_colours

    application = QApplication.instance() or QApplication([])
    plan, levels = row(hours, peak)
    begin = time.process_time()
    ground = level_ground(plan, {})
    print(
        f"{hours} h, peak {peak} GPUs; taking hold of an edge: {1000 * (time.process_time() - begin):.2f} ms, once"
    )

    def moved(move: int) -> tuple[HandLayer, ...]:
        return (HandLayer(36, levels[0].gpus + move % 60), *levels[1:])

    def figures(move: int) -> object:
        return plan_at(ground, moved(move)), regret_p90_usd(ground, moved(move), 36)

    timed("figures: layers, $, regret", figures)
    chart = LoadDurationChart(chart_colours(LIGHT))
    chart.resize(430, 240)
    chart.show()

    def painted(move: int) -> object:
        tried = plan_at(ground, moved(move))
        regret_p90_usd(ground, moved(move), 36)
        chart.show_curve(curve_of(tried, LIGHT))
        application.processEvents()
        return tried

    timed("figures and chart, painted", painted)
    chart.close()
    chart.deleteLater()
    application.processEvents()


if __name__ == "__main__":
    main()
