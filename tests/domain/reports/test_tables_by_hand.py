"""Tables of the small projects, value by value: each follows from hours, GPUs and rates of `tests/domain/worlds.py`.

Of the past: k1 is paid 8 x 100 GPU-h and 8 x 730 x $2 = $11,680 a month; 200 + 160 GPU-h were asked of it, of which 20
overflowed in the ten hours of 10 GPUs: 340 of 800 are used, 680 of its $1,600 are direct, 20 x $4 = $80 overflow. Idle
while nobody trains: 560 - 140 of 70 hours, $6,132 a month; that over 70% of the hours is $8,760 of all. k2 is paid 200
and used 100: of 3 A100 every other hour one overflows, 50 x $8 (4 over the ratio of a half).
Of the plan: K1 and K2 are 12 H100 at 20 over 12 = $1.6667. y1 comes after ten days: 490 h of 4 x ($2.50 + 730 over
8,760 h) are $5,063.33, the 240 h before it 4 x 240 x $4 = $3,840; with idle 5 H100 ($6,083.33) and 3.5 A100 ($2,555)
the month costs $27,153.33. Owed: K1 4 x 4,380 h x $2, K2 8 x 1,460 x $1.50, K3 nothing. Of what is bought,
$8,760 less a tenth in 36 months at 12% a year, and 0.5 kW x 1.2 x $0.10, are $0.427 a GPU-hour.
At flat rates 360 H100-h at $4 and 150 A100-h at $8 are $2,640 in 100 h. Today half of 8 H100 runs on K1, half at $4:
$5,840 and $11,680; K2 serves 2,190 of 5,840 GPU-h at $1.50, K3 1,095 of 3,650 at $1. In the plan y1 pays 4 x 490 h
and K1 2,920 h, $9,930 together. 31 days have work: 30 are enough for 3 months, 45 are needed for 12.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from gpuplanner.domain import evaluation
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.commitment import order_days
from gpuplanner.domain.commitment import savings as commitment_savings
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.reports import cash, clusters, costs, leaks, mix, orders, plan_layers, savings, use
from gpuplanner.domain.reports.report import Medium, Report
from tests.domain import worlds
from tests.domain.tables import tables

MEDIA = (Medium.DOCUMENT, Medium.WINDOW, Medium.TERMINAL, Medium.BRIEF, Medium.WORKBOOK)
Table = tuple[Report, Any]


def tables_of_past() -> Mapping[str, Callable[[], Table]]:
    """Name -> report and what it is about."""
    of = worlds.past

    def charge(by: ChargeBy) -> Callable[[], Table]:
        return lambda: (
            costs.report_of(evaluation.charges_of(of().evaluation, by)),
            evaluation.charges_of(of().evaluation, by),
        )

    return {
        "clusters": lambda: (clusters.CLUSTERS, of().audit),
        "contracts": lambda: (clusters.CONTRACTS, of().audit),
        "classes": lambda: (clusters.CLASSES, of().audit),
        **{f"by_{view}": lambda item=item: (item, of().audit.use) for view, item in use.USES.items()},
        "energy_of_contracts": lambda: (use.ENERGY_OF_CONTRACTS, of().audit),
        "energy_of_workloads": lambda: (use.ENERGY_OF_WORKLOADS, of().audit),
        "energy_of_teams": lambda: (use.ENERGY_OF_TEAMS, of().audit),
        "runs": lambda: (costs.RUNS, of().unit),
        "models": lambda: (costs.MODELS, of().unit),
        "endpoints": lambda: (costs.ENDPOINTS, of().unit),
        "business": lambda: (costs.BUSINESS_COSTS, evaluation.business_of(of().evaluation)),
        **{
            key: lambda item=item: (item, of().past)
            for key, item in mix.OF_PAST.items()
            if key != "hours_of_week_by"
        },
        **{f"charged_by_{by}": charge(by) for by in ChargeBy},
        "charged_on_paper": lambda: (
            costs.overview_of(charge(ChargeBy.TEAM)()[1]),
            charge(ChargeBy.TEAM)()[1],
        ),
        "statement": lambda: (costs.STATEMENT, charge(ChargeBy.TEAM)()[1].rows[0]),
        "leaks": lambda: (leaks.LEAKS, leaks.leak_list(of().project, of().audit, "Plan A")),
    }


def tables_of_plan(of: Callable[[], Evaluation]) -> Mapping[str, Callable[[], Table]]:
    """The same of a plan: as it begins, and as it is read 40 days later."""

    def to_sign(days: int) -> order_days.ToSign:
        return order_days.ToSign(of().advised, order_days.seen_in(of().project, worlds.PLAN_S + days * DAY_S))

    def to_decide(days: int) -> orders.ToDecide:
        return orders.ToDecide(of(), to_sign(days).seen)

    def outlook() -> Any:
        return worlds.outlook_of(of).outlook

    def story() -> commitment_savings.SavingsStory:
        return commitment_savings.savings_story(of().advised, outlook(), of().audit, has_today=True)

    return {
        **{
            f"{name}_{pool}": lambda item=item, at=at: (item, of().advised.pools[at])
            for at, pool in enumerate(("burst", "inference", "training"))
            for name, item in (("layers", plan_layers.LAYERS), ("terms", plan_layers.TERMS))
        },
        "idle": lambda: (plan_layers.IDLE, of().advised),
        "plan_layers": lambda: (plan_layers.PLAN_LAYERS, of().advised),
        "orders": lambda: (orders.ORDERS, of().advised),
        "orders_as_read": lambda: (orders.SHOWN_ORDERS, of().advised),
        "to_approve": lambda: (orders.TO_APPROVE, to_sign(0)),
        "to_approve_late": lambda: (orders.TO_APPROVE, to_sign(40)),
        "to_sign_later": lambda: (orders.TO_SIGN_LATER, to_sign(0)),
        "verdicts": lambda: (orders.VERDICT_ROWS, of()),
        "to_decide": lambda: (orders.TO_DECIDE, to_decide(0)),
        "to_decide_late": lambda: (orders.TO_DECIDE, to_decide(70)),
        **{key: lambda item=item: (item, of()) for key, item in cash.READ_WITH_PLAN.items()},
        "horizons": lambda: (savings.HORIZONS, of()),
        "question": lambda: (savings.QUESTION, worlds.with_before(of())),
        "savings": lambda: (savings.SAVINGS, story()),
        "offered": lambda: (savings.OFFERED, story()),
        "separation": lambda: (savings.SEPARATION_LINES, story()),
        "limits": lambda: (savings.LIMITS, outlook()),
        "alone": lambda: (savings.PROVIDERS_ALONE, evaluation.alone(of())),
        "energy_of_plan": lambda: (use.ENERGY_OF_PLAN, of().advised.energy),
    }


OF = {
    "PAST": tables_of_past(),
    "PLAN": tables_of_plan(worlds.plan),
    "LIMITED": tables_of_plan(worlds.limited),
    "UNPRICED": tables_of_plan(worlds.unpriced),
    "ASKED": tables_of_plan(worlds.asked),
}


def rendered(world: str, name: str) -> str:
    """A table as it stands below."""
    report, about = OF[world][name]()
    return tables([(name, report, about)], MEDIA)


PAST = """
clusters document
  atlas | 800 | 340 | 0.425 | 0.666667 | 30 | 70 | 140 | 560 | 0.25 | 11680 | 20 | 80 | no | 1600 | 453.333 |
      226.667 | 680 | 920 | 8760 | 6132 | 11680 | 4964 | 584 | 6132 | 2628 | 8760
  bora | 200 | 100 | 0.5 | - | 0 | 100 | 100 | 200 | 0.5 | 1460 | 50 | 400 | no | 200 | - | - | 100 | 100 |
      730 | 730 | 1460 | 730 | 0 | 730 | 0 | 730
  Total | 1000 | 440 | 0.44 |  |  |  |  |  |  | 13140 |  |  |  |  |  |  |  |  | 9490 | 6862 | 13140 |  |  |
      6862 |  | 9490
clusters window
  atlas |  |  | 0.425 | 0.425 |  | 0.666667 | 70 | 0.25 | 11680 | 8760 | 6132
  bora |  |  | 0.5 | 0.5 |  | - | 100 | 0.5 | 1460 | 730 | 730
  Total |  |  | 0.44 | 0.44 |  |  |  |  | 13140 | 9490 | 6862
clusters terminal
  atlas | 340 | 800 | 0.425 | 0.25 | 11680 | 8760 | 6132
  bora | 100 | 200 | 0.5 | 0.5 | 1460 | 730 | 730
  Total | 440 | 1000 | 0.44 |  | 13140 | 9490 | 6862
clusters brief
  atlas | 8 | 0.425 | 0.25 | 0.666667 | 11680 | 8760 | 6132
  bora | 2 | 0.5 | 0.5 | - | 1460 | 730 | 730
  Total | 10 | 0.44 |  |  | 13140 | 9490 | 6862
clusters workbook
  atlas
  bora
  Total

contracts document
  k1 | atlas | Ada | 8 | 800 | 340 | 0.425 | no | 0.5 | 6716 | - | - | - | -
  k2 | bora | - | 2 | 200 | 100 | 0.5 | no | 0.125 | 730 | - | - | - | -
contracts window
  k1 | 8 | 0.425 | 0.425 | 0.5 | 6716
  k2 | 2 | 0.5 | 0.5 | 0.125 | 730
contracts terminal
  k1 | atlas | 8 | 0.425 | 0.5 | 6716
  k2 | bora | 2 | 0.5 | 0.125 | 730
contracts brief
  k1 | atlas | 8 | 0.425 | 0.5 | no | 6716
  k2 | bora | 2 | 0.5 | 0.125 | no | 730
contracts workbook
  k1 | 800 | 340 | 0.425 | 0.5 | 1600 | 920 | 680
  k2 | 200 | 100 | 0.5 | 0.125 | 200 | 100 | 100

classes document
  1 | 1 | 160 | 0.313725
  1 | 1 | 200 | 0.392157
  1 | 1 | 150 | 0.294118
classes window
  Training | 1 | 1 | 160 | 0.313725 | 0.313725 | 2569.6
  Inference | 1 | 1 | 200 | 0.392157 | 0.392157 | 2978.4
  Burst | 1 | 1 | 150 | 0.294118 | 0.294118 | 3650
   | 3 | 3 | 510 |  |  | 9198
classes terminal
  Training | 1 | 1 | 160 | 0.313725
  Inference | 1 | 1 | 200 | 0.392157
  Burst | 1 | 1 | 150 | 0.294118

by_clusters window
  atlas | 0.425 | 0.425 | 0.5 | 0.666667 | 11680
  bora | 0.5 | 0.5 | 0.125 | - | 1460
  2 | 0.44 | 0.44 | 0.375 | - | 13140

by_contracts window
  k1 | 0.425 | 0.425 | 0.5 | 0.666667 | 11680
  k2 | 0.5 | 0.5 | 0.125 | - | 1460
  2 | 0.44 | 0.44 | 0.375 | - | 13140

by_gpu_models document
  A100 | 150 | 0.294118 | 1.5 | 100 | 200 | 50 | 0.5 | no | 0.125 | - | 1460
  H100 | 360 | 0.705882 | 3.6 | 340 | 800 | 20 | 0.425 | no | 0.5 | 0.666667 | 11680
by_gpu_models window
  A100 | 0.5 | 0.5 | 0.125 | - | 1460
  H100 | 0.425 | 0.425 | 0.5 | 0.666667 | 11680
  2 | 0.44 | 0.44 | 0.375 | - | 13140
by_gpu_models terminal
  A100 | 150 | 0.5 | 0.125 | - | 1460
  H100 | 360 | 0.425 | 0.5 | 0.666667 | 11680

by_teams document
   | 150 | 0.294118 | 1.5 | - | 3650
  team | 360 | 0.705882 | 3.6 | 0.666667 | 5548
by_teams window
  team | 360 | 0.705882 | 3.6 | 0.666667 | 5548
  not stated | 150 | 0.294118 | 1.5 | - | 3650
  2 | 510 | 1 | 5.1 | - | 9198
by_teams terminal
  team | 360 | 0.705882 | 3.6 | 0.666667 | 5548
  not stated | 150 | 0.294118 | 1.5 | - | 3650

energy_of_contracts document
  k1 | 3797.52 | -
  k2 | 521.95 | -
  atlas | 131.342 | -
  bora | 189.8 | -
  All of it | 4640.61 | -
energy_of_contracts window
  k1 | 3797.52 | - |
  k2 | 521.95 | - |
  atlas | 131.342 | - |
  bora | 189.8 | - |
  All of it | 4640.61 | - | 10.556

energy_of_workloads document
  atlas/team/sft | 986.96 | -
  atlas/team/chat | 1632.28 | -
  bora/team/dev | 569.4 | -
energy_of_workloads window
  chat | team | 1632.28 | -
  sft | team | 986.96 | -
  dev | Nobody | 569.4 | -
energy_of_workloads terminal
  chat | 1632.28 | -
  sft | 986.96 | -
  dev | 569.4 | -
energy_of_workloads workbook
  sft | 986.96 | -
  chat | 1632.28 | -
  dev | 569.4 | -

energy_of_teams document
  nobody | 569.4 | -
  team | 2619.24 | -
energy_of_teams window
  team | 2619.24 | -
  nobody | 569.4 | -

runs document
  atlas/team/sft | sft | atlas | 2026-07-03 | 2026-07-03 | 80 | 8 | 192 | 67.6 | -
  atlas/team/sft | sft | atlas | 2026-07-01 | 2026-07-02 | 80 | 4 | 160 | 67.6 | -
runs window
  sft | 2026-07-03 | 8 | 80 | 192 | 67.6
  sft | 2026-07-01 | 4 | 80 | 160 | 67.6
runs terminal
  sft | atlas | 2026-07-03 | 2026-07-03 | 8 | 80 | 192
  sft | atlas | 2026-07-01 | 2026-07-02 | 4 | 80 | 160

models document
  - | unknown | 510 | 9198 | [{key=bora/team/dev gpu_hours=150 usd_per_month=3650} {key=atlas/team/chat
      gpu_hours=200 usd_per_month=2978.4} {key=atlas/team/sft gpu_hours=160 usd_per_month=2569.6}]
models window
  Unknown model | 3 | 510 | 9198
models terminal
  Unknown model | — | 3 | 510 | 9198

endpoints document
  atlas/team/chat | chat | atlas | 200 | 2978.4 | 2382.72 | 595.68 | [146 146 146 146 116.8 116.8 116.8 116.8
      116.8 116.8 116.8 116.8 122.64 122.64 122.64 122.64 122.64 122.64 122.64 122.64 122.64 122.64 116.8
      116.8] | [[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0] [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
      0 0] [29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2
      29.2 29.2 29.2 29.2 29.2] [29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2
      29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2] [29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2
      29.2 35.04 35.04 35.04 35.04 35.04 35.04 35.04 35.04 35.04 35.04 29.2 29.2] [29.2 29.2 29.2 29.2 29.2
      29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2 29.2] [29.2
      29.2 29.2 29.2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]] | {start=2026-07-01T00:00:00Z
      end=2026-07-05T04:00:00Z context_tokens=3e+06 generated_tokens=750000 usd=408
      usd_per_million_tokens=108.8 usd_per_million_generated_tokens=544 tokens_are_assumed=no} |
      {usd_per_gpu_hour=2.04 offer_id=ya, od offer_usd_per_gpu_hour=3.02 usd_per_month=2440.78
      rate_premium_usd_per_month=-1430.8 idle_premium_usd_per_month=3871.58 is_leak=no utilization=0.434804
      offer_utilization=1}
endpoints window
  chat | 595.68 | 108.8 | 2440.78 | 2978.4
endpoints terminal
  chat | atlas | 200 | 2978.4 | 595.68 | 108.8 | 2.04 | 0.434804 | 3.02 | 1 | 2440.78

business document
  orders | - | 2026-07 | - | 1000 | 0.134409 | 2280 | 16.9632 | -
  chats | atlas/team/chat | 2026-07 | - | 500 | 0.134409 | 408 | 6.07104 | -
business window
  orders |  | 2026-07 | 1000 | 0.134409 | 2280 | 16.9632
  chats | atlas/team/chat | 2026-07 | 500 | 0.134409 | 408 | 6.07104

expensive_workloads document
  atlas/team/sft | team | 4.4 | 0.5 | 1168 | 2569.6
  atlas/team/chat | team | 2.55 | 0.8 | 1460 | 2978.4
expensive_workloads window
  sft | team | 4.4 | 0.5 | 2569.6
  chat | team | 2.55 | 0.8 | 2978.4

idle_nights document
  nobody | - | - | 635.1
  team | 795.174 | 795.174 | 1255.6

idle_tails document
  atlas/team/sft | sft | - | team | atlas | 2026-07-02 | 30 | 180 | 2628
  atlas/team/sft | sft | - | team | atlas | 2026-07-03 | 30 | 180 | 2628
idle_tails window
  sft | - | team | atlas | 2026-07-02 | 30 | 180 | 2628
  sft | - | team | atlas | 2026-07-03 | 30 | 180 | 2628

published_figures document
  inference_share | 0.33 | 0.55 | 0.32381 | - | - | ...
  inference_to_training | 0.8 | 0.8 | 0.536842 | 10278.4 | 7300 | ...
  inference_activity | 0.4 | 0.65 | 0.8 | - | - | ...
  hidden_share | 0.2 | 0.4 | - | - | - | ...
published_figures window
  ... | 0.33  –  0.55 | 0.32381 | - | - | ...
  ... | 0.8 | 0.536842 | 10278.4 | 7300 | ...
  ... | 0.4  –  0.65 | 0.8 | - | - | ...
  ... | 0.2  –  0.4 | - | - | - | ...

h100_equivalents document
  A100 | 400 | 0.5 | 0.5 | stated
  H100 | 800 | 2 | 1 |
h100_equivalents window
  A100 | 200 | 1 | 400 | 0.5 | 0.5 | stated
  H100 | 800 | 2 | 800 | 2 | 1 |

model_premiums document
  H100 | A100 | 800 | 8760 | 2 | stated
model_premiums window
  H100 | A100 | 800 | 8760 | 2 | 1 | 2 | stated

runs_by_kind document
  - | 2 | 176 | 15 | [160 192] | [10 20]
runs_by_kind window
  unknown model | 2 | 176 | 160 | 192 | 15 | 10 | 20

cluster_classes window
  atlas | 160 | 2569.6 | 200 | 2978.4 | 0 | 0 |
  bora | 0 | 0 | 0 | 0 | 150 | 3650 |

charged_by_team window
  team | 1680 | 68.4932 | -1611.51 | 360 | 680 | 920 | 80
  Nobody | 600 | - | - | 150 | 100 | 100 | 400
  All | 2280 | - | - | 510 | 780 | 1020 | 480
charged_by_team terminal
  team | 360 | 680 | 920 | 80 | 68.4932 | -1611.51 | 1680
  Nobody | 150 | 100 | 100 | 400 | - | - | 600
  All | 510 | 780 | 1020 | 480 | - | - | 2280

charged_by_workload window
  atlas/team/chat | 919.111 | team | 200 | 392 | 511.111 | 16
  atlas/team/sft | 760.889 | team | 160 | 288 | 408.889 | 64
  bora/team/dev | 600 | Nobody | 150 | 100 | 100 | 400
  All | 2280 |  | 510 | 780 | 1020 | 480
charged_by_workload terminal
  atlas/team/chat | team | 200 | 392 | 511.111 | 16 | 919.111
  atlas/team/sft | team | 160 | 288 | 408.889 | 64 | 760.889
  bora/team/dev | Nobody | 150 | 100 | 100 | 400 | 600
  All |  | 510 | 780 | 1020 | 480 | 2280

charged_by_model window
  Unknown model | 2280 | several | 510 | 780 | 1020 | 480
  All | 2280 |  | 510 | 780 | 1020 | 480
charged_by_model terminal
  Unknown model | several | 510 | 780 | 1020 | 480 | 2280
  All |  | 510 | 780 | 1020 | 480 | 2280

charged_by_endpoint window
  Work without endpoint | 1360.89 | several | 310 | 388 | 508.889 | 464
  atlas/team/chat | 919.111 | team | 200 | 392 | 511.111 | 16
  All | 2280 |  | 510 | 780 | 1020 | 480
charged_by_endpoint terminal
  Work without endpoint | several | 310 | 388 | 508.889 | 464 | 1360.89
  atlas/team/chat | team | 200 | 392 | 511.111 | 16 | 919.111
  All |  | 510 | 780 | 1020 | 480 | 2280

charged_on_paper brief
  team | 360 | 680 | 920 | 80 | 1680 | 68.4932 | -1611.51
  Nobody | 150 | 100 | 100 | 400 | 600 | - | -
  All | 510 | 780 | 1020 | 480 | 2280 | - | -

statement brief
  atlas/team/chat | atlas | 200 | 392 | 511.111 | 16 | 919.111
  atlas/team/sft | atlas | 160 | 288 | 408.889 | 64 | 760.889

leaks document
  idle_tail | atlas 2 | 360 | 5256 | ... | idle_tail:atlas | atlas | [{kind=contract id=k1 gpu_hours=360
      usd_per_month=5256 counted_gpu_hours=360 counted_usd_per_month=5256}] | 360 | 5256 | {status=accepted
      at=2026-07-01T00:00:00Z reason= owner=ops pool=- workloads=0 usd_per_month=4380}
  contention | atlas sft | 20 | 584 | 10 10 | contention:atlas | atlas | [{kind=workload id=atlas/team/chat
      gpu_hours=4 usd_per_month=116.8 counted_gpu_hours=4 counted_usd_per_month=116.8} {kind=workload
      id=atlas/team/sft gpu_hours=16 usd_per_month=467.2 counted_gpu_hours=16 counted_usd_per_month=467.2}] |
      20 | 584 | -
  contention | bora | 50 | 2920 | 50 | contention:bora | bora | [{kind=workload id=bora/team/dev gpu_hours=50
      usd_per_month=2920 counted_gpu_hours=50 counted_usd_per_month=2920}] | 50 | 2920 | -
  permanent_burst | bora dev | 100 | 730 | ... | permanent_burst:bora | bora | [{kind=workload
      id=bora/team/dev gpu_hours=100 usd_per_month=730 counted_gpu_hours=100 counted_usd_per_month=730}] | 100
      | 730 | -
leaks window
  1 | Idle after training | atlas 2 | 2628 | 5256 | 5256 | ... | Accepted Plan A
  2 | Hours over capacity | bora | 365 | 2920 | 2920 | 50 |
  3 | ... | bora dev | 730 | 730 | 730 | ... |
  4 | Hours over capacity | atlas sft | 146 | 584 | 584 | 10 10 |
leaks terminal
  Idle after training | atlas 2 | 360 | 5256 | 360 | 5256 | accepted
  Hours over capacity | bora | 50 | 2920 | 50 | 2920 |
  ... | bora dev | 100 | 730 | 100 | 730 |
  Hours over capacity | atlas sft | 20 | 584 | 20 | 584 |
   |  |  |  |  |  |
leaks brief
  Idle after training | atlas 2 | 5256 | 5256 | ...
  Hours over capacity | bora | 2920 | 2920 | 50
  ... | bora dev | 730 | 730 | ...
  Hours over capacity | atlas sft | 584 | 584 | 10 10
   |  |  |  |
leaks workbook
  360 | 5256 | 360 | 5256
  20 | 584 | 20 | 584
  50 | 2920 | 50 | 2920
  100 | 730 | 100 | 730

flat_rates window
  not stated |  | 1 | 19272
"""
PLAN = """
layers_burst document
  yes | COMMITTED | - | - | 1.5 | 1 | 1 | 1 | 1095 | 0 | 1095 | - | - | -
layers_burst window
  - | 1.5 | 1 | 1 | 1095
layers_burst workbook
  - | - | 1.5 | 1 | 1.5 | 1 | 1095 | 0 | -

layers_inference document
  yes | COMMITTED | - | - | 3 | 1.66667 | 1.66667 | 1 | 3650 | 0 | 5110 | - | - | -
layers_inference window
  - | 3 | 1.66667 | 1 | 3650
layers_inference workbook
  - | - | 3 | 1.66667 | 3 | 1 | 3650 | 0 | -

terms_inference document
  3 | q3 | 0.875
  12 | y1 | 0.645833
terms_inference window
  3 | 0.875
  12 | 0.645833

layers_training document
  yes | COMMITTED | - | - | 4 | 1.66667 | 1.66667 | 1 | 4866.67 | 0 | 6813.33 | - | - | -
  no | COMMITTED | 12 | y1 | 4 | 2.58333 | 2.58333 | 1 | 5063.33 | 0 | 2776.67 | H100 | 4 | 2.58333
  no | STANDARD | 0 | od | 4 | 4 | 4 | 0.328767 | 3840 | 0 | 0 | H100 | 4 | 4
layers_training window
  - | 4 | 1.66667 | 1 | 4866.67
  12 | 4 | 2.58333 | 1 | 5063.33
  0 | 4 | 4 | 0.328767 | 3840
layers_training workbook
  - | - | 4 | 1.66667 | 4 | 1 | 4866.67 | 0 | -
  12 | y1 | 4 | 2.58333 | 4 | 1 | 5063.33 | 0 | 60760
  0 | od | 4 | 4 | 1.31507 | 0.328767 | 3840 | 0 | 0

terms_training document
  3 | q3 | 0.875
  12 | y1 | 0.645833
terms_training window
  3 | 0.875
  12 | 0.645833

idle document
  A100 | 3.5 | 2555
  H100 | 5 | 6083.33

plan_layers terminal
  Burst | A100 | Existing contracts | 1.5 | 1.5 | 1 | 1 | 1095
  Inference | H100 | Existing contracts | 3 | 3 | 1 | 1.66667 | 3650
  Training | H100 | Existing contracts | 4 | 4 | 1 | 1.66667 | 4867
  Training | H100 | 12 | 4 | 4 | 1 | 2.58333 | 5063
  Training | H100 | On demand | 1.31507 | 4 | 0.328767 | 4 | 3840
  Idle | A100 | Existing contracts, idle | 3.5 | - | - | - | 2555
  Idle | H100 | Existing contracts, idle | 5 | - | - | - | 6083
  The plan | unknown |  |  |  |  |  |
plan_layers brief
  Burst | A100 | Existing contracts | 1.5 | 1 | 1 | 1095
  Inference | H100 | Existing contracts | 3 | 1 | 1.66667 | 3650
  Training | H100 | Existing contracts | 4 | 1 | 1.66667 | 4867
  Training | H100 | 12 | 4 | 1 | 2.58333 | 5063
  Training | H100 | On demand | 1.31507 | 0.328767 | 4 | 3840
  Idle | A100 | Existing contracts, idle | 3.5 | - | - | 2555
  Idle | H100 | Existing contracts, idle | 5 | - | - | 6083
  The plan | unknown |  |  |  |  |

orders document
  inference | H100 | y1 | 12 | - | 2 | 2.5 | 2.58333 | 2026-03-02 | 2027-03-02 | 2026-02-20 | - | - | - |
      growth | H100 | 2 | 0 | 3771.67 | 45260 | 0 | 1460 | -
  training | H100 | y1 | 12 | - | 4 | 2.5 | 2.58333 | 2026-02-10 | 2027-02-10 | 2026-01-31 | - | - | - | now |
      H100 | 4 | 1 | 7543.33 | 90520 | 0 | 2920 | -
  training | H100 | q3 | 3 | - | 4 | 3.5 | 3.5 | 2026-08-01 | 2026-11-01 | 2026-08-01 | - | 3.65 | 51.1 |
      contract_end | H100 | 4 | 2 | 10220 | 30660 | 0 | 0 | -
  training | H100 | q3 | 3 | - | 4 | 3.5 | 3.5 | 2026-11-01 | 2027-01-31 | 2026-11-01 | - | 3.65 | 51.1 |
      follows | H100 | 4 | 3 | 10220 | 30660 | 0 | 0 | -
orders workbook
  Inference | H100 | later | 12 | y1 | 2 | 2026-03-02 | 2027-03-02 | 2026-02-20
  Training | H100 | now | 12 | y1 | 4 | 2026-02-10 | 2027-02-10 | 2026-01-31
  Training | H100 | contract ends | 3 | q3 | 4 | 2026-08-01 | 2026-11-01 | 2026-08-01
  Training | H100 | follows | 3 | q3 | 4 | 2026-11-01 | 2027-01-31 | 2026-11-01

orders_as_read terminal
  Ada | y1 | Inference | H100 | 2 | 12 | 2026-03-02 | 2027-03-02 | 2026-02-20 | - | later | 3772 | 1460
  Ada | y1 | Training | H100 | 4 | 12 | 2026-02-10 | 2027-02-10 | 2026-01-31 | - | now | 7543 | 2920
  Bo | q3 | Training | H100 | 4 | 3 | 2026-08-01 | 2026-11-01 | 2026-08-01 | 51.1 | contract ends | 10220 | 0
  Bo | q3 | Training | H100 | 4 | 3 | 2026-11-01 | 2027-01-31 | 2026-11-01 | 51.1 | follows | 10220 | 0

to_approve brief
  2026-01-31 | 4 H100 | Ada | Training | 12 | 2026-02-10 | 7543 | 90520 | 2920 | pays off now
  2026-02-20 | 2 H100 | Ada | Inference | 12 | 2026-03-02 | 3772 | 45260 | 1460 | ...
  Commit now |  |  |  |  |  |  |  |  |

to_approve_late brief
  ... | 4 H100 | Ada | Training | 12 | 2026-03-22 | 7543 | 90520 | 2920 | pays off now
  ... | 2 H100 | Ada | Inference | 12 | 2026-03-22 | 3772 | 45260 | 1460 | ...
  Commit now |  |  |  |  |  |  |  |  |

to_sign_later brief
  2026-08-01 | 4 H100 | Bo | Training | 3 | 2026-08-01 | 10220 | 30660 | a contract ends

verdicts document
  K1 | shorten | 3 | 4 | 0 | 2026-08-01 | 4 3 | - | 4 | 24
  K2 | let_expire | 0 | 0 | 0 | 2026-03-18 | nothing follows it | 900 | 8 | 12
  K3 | keep | 0 | 0 | 0 | - | has no end | - | 5 | -
verdicts terminal
  K1 | shorten | 4 GPUs 24 3 | 2026-08-01 | 4 3 | -
  K2 | let expire | - | 2026-03-18 | nothing follows it | 900
  K3 | keep | - | - | has no end | -

to_decide brief
  K2 | 2026-04-02 | let expire | 2026-03-18
  K1 | 2026-08-01 | shorten 4 GPUs 24 3 | 2026-08-01
  K3 | no end | keep |

to_decide_late brief
  K2 | 2026-04-02 | let expire | it has ended
  K1 | 2026-08-01 | shorten 4 GPUs 24 3 | 2026-08-01
  K3 | no end | keep |

owed document
  K1 | 2026-08-01 | 35040 | 4 | 2 | 4380
  K2 | 2026-04-02 | 17520 | 8 | 1.5 | 1460
  K3 | 2026-01-31 | 0 | 5 | 1 | 0
   |  | 52560 |  |  |
owed window
  K1 | 2026-08-01 | 35040 | 4 | 2 | 4380
  K2 | 2026-04-02 | 17520 | 8 | 1.5 | 1460
  K3 | 2026-01-31 | 0 | 5 | 1 | 0
  All of it |  | 52560 |  |  |

cash document
  2026-01-31 | 2026-04-01 | 2026 Q1 | 59370 | 4380 | 54990
  2026-04-01 | 2026-07-01 | 2026 Q2 | 70128 | 0 | 70128
  2026-07-01 | 2026-10-01 | 2026 Q3 | 79308 | 0 | 79308
  2026-10-01 | 2027-01-01 | 2026 Q4 | 83904 | 0 | 83904
  2027-01-01 | 2027-01-31 | 2027 Q1 | 27740 | 0 | 27740
   |  | All of it | 320450 |  |
cash window
  2026 Q1 | 2026-01-31 | 2026-03-31 | 59370 | 4380 | 54990
  2026 Q2 | 2026-04-01 | 2026-06-30 | 70128 | 0 | 70128
  2026 Q3 | 2026-07-01 | 2026-09-30 | 79308 | 0 | 79308
  2026 Q4 | 2026-10-01 | 2026-12-31 | 83904 | 0 | 83904
  2027 Q1 | 2027-01-01 | 2027-01-31 | 27740 | 0 | 27740
  All of it |  |  | 320450 |  |

extras window
  All of it | 0

horizons document
  next_month | 29930 | 27153.3 | 2776.67
  month_12 | 35770 | 28105 | 7665
  twelve_months | 394200 | 320248 | 73951.7
horizons terminal
  Next month | 29930 | 27153.3 | 2776.67
  Month 12 | 35770 | 28105 | 7665
  ... | 394200 | 320248 | 73951.7

question document
  next_month | - | 27153.3 | - | 29930 | 2776.67
  month_12 | - | 28105 | - | 35770 | 7665
  twelve_months | - | 320248 | - | 394200 | 73951.7
question terminal
  Next month | - | 27153.3 | - | 29930 | 2776.67
  Month 12 | - | 28105 | - | 35770 | 7665
  ... | - | 320248 | - | 394200 | 73951.7

savings terminal
  Terms and rates | ████████████████████████████████ | 2777
  Moves between pools |                                █ | 0
  Spot |                                █ | 0
  ... | ████████████████████████████████ | 2777
  Demand now |                                █ | 0
  ... |                                █ | 0
  ... | ████████████████████████████████ | 2777
savings brief
  Terms and rates | 2777 | ...
  Moves between pools | 0 | ...
  Spot | 0 | Effect of spot.
  ... | 2777 | The three above.
  Demand now | 0 | ...
  ... | 0 | ...
  ... | 2777 | ...

offered terminal
  Right-sizing | 0 | 0 | ...
  Autoscaling | 0 | 0 | ...
  Ending idle work | 0 | 0 | Ends idle development.

separation window
  Costs: unshared peaks 851.667 | 0 | n/a
  Avoids: contention | n/a | 730
  Avoids: interference | n/a | 0
  Avoids: consolidation premium | 3102.5 | n/a
  Rate premium | -2372.5 | n/a
  Idle premium | 5475 | n/a
separation terminal
  Costs: unshared peaks 851.667 | ... | 0 | n/a
  Avoids: contention | ... | n/a | 730
  Avoids: interference | 0 | n/a | 0
  Avoids: consolidation premium | ... | 3102.5 | n/a
  Rate premium | ... | -2372.5 | n/a
  Idle premium | ... | 5475 | n/a
separation brief
  Costs: unshared peaks 851.667 | 0 | n/a | ...
  Avoids: contention | n/a | 730 | ...
  Avoids: interference | n/a | 0 | 0
  Avoids: consolidation premium | 3102.5 | n/a | ...
  Rate premium | -2372.5 | n/a | ...
  Idle premium | 5475 | n/a | ...

alone document
  Bo | yes | - | [] | 29459.4 | 29459.4 | 360620 | 40371.7
  Ada | no | A100, H100 | [{gpu_model=A100 gpus=1.5 usd_per_month=1095} {gpu_model=H100 gpus=11
      usd_per_month=17420}] | 0 | 18515 | 332537 | 12288.3
alone window
  Bo | 29459.4 | 360620 | 40371.7 | serves all
  Ada | 0 | 332537 | 12288.3 | 1.5 A100 1095 11 H100 17420
alone terminal
  Bo | serves all | 29459.4 | 29459.4 | 360620 | 40371.7
  Ada | 1.5 A100 1095 11 H100 17420 | 0 | 18515 | 332537 | 12288.3
alone workbook
  Bo | 29459.4 | 29459.4 | 360620 | 40371.7 | serves all
  Ada | 0 | 18515 | 332537 | 12288.3 | 1.5 A100 1095 11 H100 17420

energy_of_plan document
  training | 6073.6 | - | 8.32
  inference | 2277.6 | - | 4.94
  burst | 569.4 | - | 1.56
  - | 1921.72 | - |
   | 10842.3 | - | 16.77
energy_of_plan window
  Training | 6073.6 | - | 8.32
  Inference | 2277.6 | - | 4.94
  Burst | 569.4 | - | 1.56
  Idle | 1921.72 | - |
  The plan | 10842.3 | - | 16.77
energy_of_plan terminal
  Training | 6073.6 | -
  Inference | 2277.6 | -
  Burst | 569.4 | -
  Idle | 1921.72 | -
  The plan | 10842.3 | -

term_match document
  c1/team/load-000 | 17520 | 30.4167 | - | 6 | 3
  c2/team/load-001 | 3285 | 30.4167 | - | 2 | 3
  c1/team/load-002 | 1095 | 30.375 | - | 0 | 0
term_match window
  load-000 | 17520 | 30.4167 | - | 6 | 3
  load-001 | 3285 | 30.4167 | - | 2 | 3
  load-002 | 1095 | 30.375 | - | 0 | On demand

mix document
  training | spot | 0 | 0 | 0 | 0
  training | reserved | 2920 | 5840 | 4880 | 9930
  training | on_demand | 2920 | 11680 | 960 | 3840
  inference | spot | 0 | 0 | 0 | 0
  inference | reserved | 2190 | 3285 | 2190 | 3650
  inference | on_demand | 0 | 0 | 0 | 0
  burst | spot | 0 | 0 | 0 | 0
  burst | reserved | 1095 | 1095 | 1095 | 1095
  burst | on_demand | 0 | 0 | 0 | 0
  - | reserved | 6205 | 8030 | 6205 | 8638.33
mix window
  Training | Spot | 0 | 0 | 0 | 0
  Training | Reserved | 2920 | 5840 | 4880 | 9930
  Training | On demand | 2920 | 11680 | 960 | 3840
  Inference | Spot | 0 | 0 | 0 | 0
  Inference | Reserved | 2190 | 3285 | 2190 | 3650
  Inference | On demand | 0 | 0 | 0 | 0
  Burst | Spot | 0 | 0 | 0 | 0
  Burst | Reserved | 1095 | 1095 | 1095 | 1095
  Burst | On demand | 0 | 0 | 0 | 0
  Idle | Reserved | 6205 | 8030 | 6205 | 8638.33
"""
LIMITED = """
layers_inference document
  yes | COMMITTED | - | - | 3 | 1.66667 | 1.7 | 1 | 3723 | 0 | 5037 | - | - | -
layers_inference window
  - | 3 | 1.7 | 1 | 3723
layers_inference workbook
  - | - | 3 | 1.7 | 3 | 1 | 3723 | 0 | -

layers_training document
  yes | COMMITTED | - | - | 4 | 1.66667 | 1.7 | 1 | 4964 | 0 | 6716 | - | - | -
  no | STANDARD | 0 | od | 12 | 4 | 4 | 0.466667 | 16352 | 0 | 0 | H100 | 12 | 4
layers_training window
  - | 4 | 1.7 | 1 | 4964
  0 | 12 | 4 | 0.466667 | 16352
layers_training workbook
  - | - | 4 | 1.7 | 4 | 1 | 4964 | 0 | -
  0 | od | 12 | 4 | 5.6 | 0.466667 | 16352 | 0 | 0

terms_training document
  3 | q3 | 0.875
  12 | y1 | 0.65625
  36 | own | 0.106736
terms_training window
  3 | 0.875
  12 | 0.65625
  36 | 0.106736

plan_layers terminal
  Burst | A100 | Existing contracts | 1.5 | 1.5 | 1 | 1 | 1095
  Inference | H100 | Existing contracts | 3 | 3 | 1 | 1.7 | 3723
  Training | H100 | Existing contracts | 4 | 4 | 1 | 1.7 | 4964
  Training | H100 | On demand | 5.6 | 12 | 0.466667 | 4 | 16352
  Idle | A100 | Existing contracts, idle | 3.5 | - | - | - | 2555
  Idle | H100 | Existing contracts, idle | 5 | - | - | - | 6205
  The plan | unknown |  |  |  |  |  |
plan_layers brief
  Burst | A100 | Existing contracts | 1.5 | 1 | 1 | 1095
  Inference | H100 | Existing contracts | 3 | 1 | 1.7 | 3723
  Training | H100 | Existing contracts | 4 | 1 | 1.7 | 4964
  Training | H100 | On demand | 5.6 | 0.466667 | 4 | 16352
  Idle | A100 | Existing contracts, idle | 3.5 | - | - | 2555
  Idle | H100 | Existing contracts, idle | 5 | - | - | 6205
  The plan | unknown |  |  |  |  |

orders document
  inference | H100 | own | 36 | - | 4 | 0.426945 | 0.426945 | 2026-04-02 | 2029-04-01 | 2026-01-31 | - | - | -
      | lead_time | H100 | 4 | 0 | 1246.68 | 44880.5 | 8760 | 35040 | -
  training | H100 | own | 36 | - | 4 | 0.426945 | 0.426945 | 2026-04-02 | 2029-04-01 | 2026-01-31 | - | - | -
      | lead_time | H100 | 4 | 1 | 1246.68 | 44880.5 | 8760 | 35040 | -
  training | H100 | own | 36 | - | 8 | 0.426945 | 0.426945 | 2026-04-02 | 2029-04-01 | 2026-01-31 | - | - | -
      | planned_run | H100 | 8 | 2 | 2493.36 | 89760.9 | 8760 | 70080 | -
  training | H100 | own | 36 | - | 4 | 0.426945 | 0.426945 | 2026-08-01 | 2029-07-31 | 2026-06-02 | - | - | -
      | contract_end | H100 | 4 | 3 | 1246.68 | 44880.5 | 8760 | 35040 | -
orders workbook
  Inference | H100 | lead time | 36 | own | 4 | 2026-04-02 | 2029-04-01 | 2026-01-31
  Training | H100 | lead time | 36 | own | 4 | 2026-04-02 | 2029-04-01 | 2026-01-31
  Training | H100 | planned run | 36 | own | 8 | 2026-04-02 | 2029-04-01 | 2026-01-31
  Training | H100 | contract ends | 36 | own | 4 | 2026-08-01 | 2029-07-31 | 2026-06-02

orders_as_read terminal
  Own | own | Inference | H100 | 4 | 36 | 2026-04-02 | 2029-04-01 | 2026-01-31 | lead time | 1247 | 35040
  Own | own | Training | H100 | 4 | 36 | 2026-04-02 | 2029-04-01 | 2026-01-31 | lead time | 1247 | 35040
  Own | own | Training | H100 | 8 | 36 | 2026-04-02 | 2029-04-01 | 2026-01-31 | planned run | 2493 | 70080
  Own | own | Training | H100 | 4 | 36 | 2026-08-01 | 2029-07-31 | 2026-06-02 | contract ends | 1247 | 35040

to_approve brief
  2026-01-31 | 4 H100 | Own | Inference | 36 | 2026-04-02 | 1247 | 44881 | 35040 | ...
  2026-01-31 | 4 H100 | Own | Training | 36 | 2026-04-02 | 1247 | 44880 | 35040 | ...
  2026-01-31 | 8 H100 | Own | Training | 36 | 2026-04-02 | 2493 | 89761 | 70080 | ...
  To order now |  |  |  |  |  |  |  |  |

to_approve_late brief
  overdue: order now | 4 H100 | Own | Inference | 36 | 2026-05-11 | 1247 | 44881 | 35040 | ...
  overdue: order now | 4 H100 | Own | Training | 36 | 2026-05-11 | 1247 | 44880 | 35040 | ...
  overdue: order now | 8 H100 | Own | Training | 36 | 2026-05-11 | 2493 | 89761 | 70080 | ...
  To order now |  |  |  |  |  |  |  |  |

to_sign_later brief
  2026-06-02 | 4 H100 | Own | Training | 36 | 2026-08-01 | 1247 | 44880 | 35040 | a contract ends

verdicts document
  K1 | replace | 36 | 4 | 0 | 2026-06-02 | 4 36 | - | 4 | 24
  K2 | replace | 36 | 8 | 0 | 2026-01-31 | 8 36 | 900 | 8 | 12
  K3 | keep | 0 | 0 | 0 | - | has no end | - | 5 | -
verdicts terminal
  K1 | replace | 4 GPUs 24 36 | 2026-06-02 | 4 36 | -
  K2 | replace | 8 GPUs 12 36 | 2026-01-31 | 8 36 | 900
  K3 | keep | - | - | has no end | -

to_decide brief
  K2 | 2026-04-02 | replace 8 GPUs 12 36 | 2026-01-31
  K1 | 2026-08-01 | replace 4 GPUs 24 36 | 2026-06-02
  K3 | no end | keep |

to_decide_late brief
  K2 | 2026-04-02 | replace 8 GPUs 12 36 | it has ended
  K1 | 2026-08-01 | replace 4 GPUs 24 36 | 2026-06-02
  K3 | no end | keep |

cash document
  2026-01-31 | 2026-04-01 | 2026 Q1 | 230914 | 140160 | 90754
  2026-04-01 | 2026-07-01 | 2026 Q2 | 68365.4 | 35040 | 33325.4
  2026-07-01 | 2026-10-01 | 2026 Q3 | 19940.2 | 0 | 19940.2
  2026-10-01 | 2027-01-01 | 2026 Q4 | 13689.6 | 0 | 13689.6
  2027-01-01 | 2027-01-31 | 2027 Q1 | 4526 | 0 | 4526
   |  | All of it | 337435 |  |
cash window
  2026 Q1 | 2026-01-31 | 2026-03-31 | 230914 | 140160 | 90754
  2026 Q2 | 2026-04-01 | 2026-06-30 | 68365.4 | 35040 | 33325.4
  2026 Q3 | 2026-07-01 | 2026-09-30 | 19940.2 | 0 | 19940.2
  2026 Q4 | 2026-10-01 | 2026-12-31 | 13689.6 | 0 | 13689.6
  2027 Q1 | 2027-01-01 | 2027-01-31 | 4526 | 0 | 4526
  All of it |  |  | 337435 |  |

extras window
  Staff | 292
  All of it | 292

run_ways window
  again | 8 | 1168 | od | on demand | 4672
  again | 8 | 1168 | q3 | 3 | 20440
  again | 8 | 1168 | y1 | 12 240 730 | 15330
  again | 8 | 1168 | own | 36 1460 | 2493.36

restart_delays window
  ... | 0 | 0.114583
  P50 | 2 | 0.197917
  P90 | 10 | 0.53125

horizons document
  next_month | 34894 | 34894 | 0
  month_12 | 40442 | 9883.4 | 30558.6
  twelve_months | 475376 | 211523 | 263853
horizons terminal
  Next month | 34894 | 34894 | 0
  Month 12 | 40442 | 9883.4 | 30558.6
  ... | 475376 | 211523 | 263853
"""
UNPRICED = """
layers_burst document
  yes | COMMITTED | - | - | 1.5 | - | - | 1 | - | 0 | - | - | - | -
layers_burst window
  - | 1.5 | - | 1 | -
layers_burst workbook
  - | - | 1.5 | - | 1.5 | 1 | - | - | -

idle document
  A100 | 3.5 | -
  H100 | 5 | 6083.33

plan_layers terminal
  Burst | A100 | Existing contracts | 1.5 | 1.5 | 1 | no rate | -
  Inference | H100 | Existing contracts | 3 | 3 | 1 | 1.66667 | 3650
  Training | H100 | Existing contracts | 4 | 4 | 1 | 1.66667 | 4867
  Training | H100 | On demand | 4 | 4 | 1 | 4 | 11680
  Idle | A100 | Existing contracts, idle | 3.5 | - | - | - | -
  Idle | H100 | Existing contracts, idle | 5 | - | - | - | 6083
  The plan | unknown |  |  |  |  |  |
plan_layers brief
  Burst | A100 | Existing contracts | 1.5 | 1 | no rate | -
  Inference | H100 | Existing contracts | 3 | 1 | 1.66667 | 3650
  Training | H100 | Existing contracts | 4 | 1 | 1.66667 | 4867
  Training | H100 | On demand | 4 | 1 | 4 | 11680
  Idle | A100 | Existing contracts, idle | 3.5 | - | - | -
  Idle | H100 | Existing contracts, idle | 5 | - | - | 6083
  The plan | unknown |  |  |  |  |

owed document
  K1 | 2026-08-01 | 35040 | 4 | 2 | 4380
  K2 | 2026-04-02 | 17520 | 8 | 1.5 | 1460
  K3 | 2026-01-31 | - | 5 | - | 0
   |  | - of 1 |  |  |
owed window
  K1 | 2026-08-01 | 35040 | 4 | 2 | 4380
  K2 | 2026-04-02 | 17520 | 8 | 1.5 | 1460
  K3 | 2026-01-31 | - | 5 | - | 0
  All of it |  | - of 1 |  |  |

cash document
  2026-01-31 | 2026-04-01 | 2026 Q1 | at least 51480 | 0 | at least 51480
  2026-04-01 | 2026-07-01 | 2026 Q2 | at least 78624 | 0 | at least 78624
  2026-07-01 | 2026-10-01 | 2026 Q3 | at least 91024 | 0 | at least 91024
  2026-10-01 | 2027-01-01 | 2026 Q4 | at least 97152 | 0 | at least 97152
  2027-01-01 | 2027-01-31 | 2027 Q1 | at least 32120 | 0 | at least 32120
   |  | All of it | - of 1 |  |
cash window
  2026 Q1 | 2026-01-31 | 2026-03-31 | at least 51480 | 0 | at least 51480
  2026 Q2 | 2026-04-01 | 2026-06-30 | at least 78624 | 0 | at least 78624
  2026 Q3 | 2026-07-01 | 2026-09-30 | at least 91024 | 0 | at least 91024
  2026 Q4 | 2026-10-01 | 2026-12-31 | at least 97152 | 0 | at least 97152
  2027 Q1 | 2027-01-01 | 2027-01-31 | at least 32120 | 0 | at least 32120
  All of it |  |  | - of 1 |  |

extras window
  All of it | 0

horizons document
  next_month | - | - | 0
  month_12 | - | - | 0
  twelve_months | - | - | 0
horizons terminal
  Next month | - | - | 0
  Month 12 | - | - | 0
  ... | - | - | 0

savings terminal
  Terms and rates |  | -
  Moves between pools |  | -
  Spot |  | -
  ... |  | 0
  Demand now |  | -
  ... |  | -
  ... |  | -
savings brief
  Terms and rates | - | —:  ...
  Moves between pools | - | —:  ... ...
  Spot | - | —:  ... ...
  ... | 0 | The three above.
  Demand now | - | —:  ...
  ... | - | —:  ...
  ... | - | ...

offered terminal
  Right-sizing | - | - | —:  ... ...
  Autoscaling | - | - | —:  ... ...
  Ending idle work | - | - | —:  ... ...

separation window
  Costs: unshared peaks | - | n/a
  Avoids: contention | n/a | 730
  Avoids: interference | n/a | 0
  Avoids: consolidation premium | 0 | n/a
  Rate premium | -5475 | n/a
  Idle premium | 5475 | n/a
separation terminal
  Costs: unshared peaks | —:  ... | - | n/a
  Avoids: contention | ... | n/a | 730
  Avoids: interference | 0 | n/a | 0
  Avoids: consolidation premium | ... | 0 | n/a
  Rate premium | ... | -5475 | n/a
  Idle premium | ... | 5475 | n/a
separation brief
  Costs: unshared peaks | - | n/a | —:  ...
  Avoids: contention | n/a | 730 | ...
  Avoids: interference | n/a | 0 | 0
  Avoids: consolidation premium | 0 | n/a | ...
  Rate premium | -5475 | n/a | ...
  Idle premium | 5475 | n/a | ...

alone document
  Bo | no | A100 | [{gpu_model=A100 gpus=1.5 usd_per_month=-}] | 32120 | - | - | -
alone window
  Bo | 32120 | - | - | 1.5 A100 -
alone terminal
  Bo | 1.5 A100 - | 32120 | - | - | -
alone workbook
  Bo | 32120 | - | - | - | 1.5 A100 -

term_match document
  c1/team/load-000 | 17520 | 30.4167 | - | 6 | 0
  c2/team/load-001 | 3285 | 30.4167 | - | 2 | 0
  c1/team/load-002 | - | 30.375 | - | 0 | -
term_match window
  load-000 | 17520 | 30.4167 | - | 6 | On demand
  load-001 | 3285 | 30.4167 | - | 2 | On demand
  load-002 | - | 30.375 | - | 0 | -
"""
ASKED = """
orders_as_read terminal
  Ada | y1 | Inference | H100 | 3 | 12 | 2026-03-02 | 2027-03-02 | 2026-02-20 | - | later | 5658 | 2190
  Ada | y1 | Training | H100 | 4 | 12 | 2026-02-10 | 2027-02-10 | 2026-01-31 | - | now | 7543 | 2920
  Ada | y1 | Training | H100 | 1 | 12 | 2026-03-02 | 2027-03-02 | 2026-02-20 | - | later | 1886 | 730
  Bo | q3 | Training | H100 | 5 | 3 | 2026-08-01 | 2026-11-01 | 2026-08-01 | 63.875 | contract ends | 12775 |
      0
  Bo | q3 | Training | H100 | 5 | 3 | 2026-11-01 | 2027-01-31 | 2026-11-01 | 63.875 | follows | 12775 | 0
  Bo | q3 | Training | H100 | 1 | 3 | 2026-12-01 | 2027-03-02 | 2026-12-01 | 12.775 | later | 2555 | 0

to_approve brief
  2026-01-31 | 4 H100 | Ada | Training | 12 | 2026-02-10 | 7543 | 90520 | 2920 | pays off now
  2026-02-20 | 3 H100 | Ada | Inference | 12 | 2026-03-02 | 5658 | 67890 | 2190 | ...
  2026-02-20 | 1 H100 | Ada | Training | 12 | 2026-03-02 | 1886 | 22630 | 730 | ...
  Commit now |  |  |  |  |  |  |  |  |

to_sign_later brief
  2026-08-01 | 5 H100 | Bo | Training | 3 | 2026-08-01 | 12775 | 38325 | a contract ends
  2026-12-01 | 1 H100 | Bo | Training | 3 | 2026-12-01 | 2555 | 7665 | ...

cash document
  2026-01-31 | 2026-04-01 | 2026 Q1 | 64330 | 5840 | 58490
  2026-04-01 | 2026-07-01 | 2026 Q2 | 80837.7 | 0 | 80837.7
  2026-07-01 | 2026-10-01 | 2026 Q3 | 98974.3 | 0 | 98974.3
  2026-10-01 | 2027-01-01 | 2026 Q4 | 111117 | 0 | 111117
  2027-01-01 | 2027-01-31 | 2027 Q1 | 37994.2 | 0 | 37994.2
   |  | All of it | 393253 |  |
cash window
  2026 Q1 | 2026-01-31 | 2026-03-31 | 64330 | 5840 | 58490
  2026 Q2 | 2026-04-01 | 2026-06-30 | 80837.7 | 0 | 80837.7
  2026 Q3 | 2026-07-01 | 2026-09-30 | 98974.3 | 0 | 98974.3
  2026 Q4 | 2026-10-01 | 2026-12-31 | 111117 | 0 | 111117
  2027 Q1 | 2027-01-01 | 2027-01-31 | 37994.2 | 0 | 37994.2
  All of it |  |  | 393253 |  |

question document
  next_month | 27153.3 | 27153.3 | 0 | 29930 | 2776.67
  month_12 | 28105 | 38480.9 | 10375.9 | 48655.6 | 10174.8
  twelve_months | 320248 | 392930 | 72681.4 | 480359 | 87429.6
question terminal
  Next month | 27153.3 | 27153.3 | 0 | 29930 | 2776.67
  Month 12 | 28105 | 38480.9 | 10375.9 | 48655.6 | 10174.8
  ... | 320248 | 392930 | 72681.4 | 480359 | 87429.6

energy_of_plan document
  training | 6073.6 | - | 11.6577
  inference | 2277.6 | - | 5.82887
  burst | 569.4 | - | 2.18583
  - | 1921.72 | - |
   | 10842.3 | - | 19.8278
energy_of_plan window
  Training | 6073.6 | - | 11.6577
  Inference | 2277.6 | - | 5.82887
  Burst | 569.4 | - | 2.18583
  Idle | 1921.72 | - |
  The plan | 10842.3 | - | 19.8278
energy_of_plan terminal
  Training | 6073.6 | -
  Inference | 2277.6 | -
  Burst | 569.4 | -
  Idle | 1921.72 | -
  The plan | 10842.3 | -
"""
EXPECTED = {"PAST": PAST, "PLAN": PLAN, "LIMITED": LIMITED, "UNPRICED": UNPRICED, "ASKED": ASKED}
CASES = {
    (world, block.split(" ", 1)[0]): block
    for world, text in EXPECTED.items()
    for block in text.strip("\n").split("\n\n")
    if block
}


@pytest.mark.parametrize(("world", "name"), CASES)
def test_a_table_is_what_hours_gpus_and_rates_come_to(world: str, name: str) -> None:
    assert rendered(world, name) == CASES[world, name]
