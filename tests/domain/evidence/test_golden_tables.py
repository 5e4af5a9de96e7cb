"""Answers about small projects, row by row: as accepted, and what their rows come to is the figure.

The figures that matter stand here, so that none of them moves unnoticed where the tables are accepted anew. Each
follows from hours, GPUs and rates of `tests/domain/worlds.py`.
"""

import pytest

from tests.domain.evidence.asked_projects import check_answer, trace_of
from tests.domain.evidence.golden_tables import FOLDER
from tests.golden.tables import table_cases


@pytest.mark.parametrize(("file", "case"), table_cases(FOLDER))
def test_an_answer_is_as_accepted_and_its_rows_come_to_the_figure(file: str, case: str) -> None:
    check_answer(FOLDER, file, case)


# --- The past: k1 is 8 H100 at $2, k2 2 A100 at $1; 100 h, of which a month has 7.3 times as many

MONTHLY = 730 / 100
SFT_USD = (160 - 16) * 2.0 + 16 * 4.0
"""sft used 160 GPU-h. Of 20 beyond the 8 GPUs it had 16 and chat 4, by GPU time; on demand an H100 costs $4."""
CHAT_USD = (200 - 4) * 2.0 + 4 * 4.0
DEV_USD = 100 * 1.0 + 50 * 8.0
"""3 A100 in 50 hours on 2. Nobody sells an A100; two H100 at $4 do its work (mapping of 0.5)."""
LOST_USD = 360 * 2.0
"""6 of 8 GPUs are idle in the 60 hours after the two runs."""

PAST = [
    ("past", "paid_hours::atlas", 8 * 100),
    ("past", "used::atlas", 160 + 200 - 20),
    ("past", "utilization::atlas", 340 / 800),
    ("past", "idle::atlas", (800 - 340) * 2.0 * MONTHLY),
    # 70 hours have no training; chat uses 2 GPUs in them
    ("past", "idle:idle:atlas", 70 * (8 - 2) * 2.0 * MONTHLY),
    ("past", "stranded_audit::atlas", (1 - 2 / 8) * 800 * 2.0 * MONTHLY),
    ("past", "break_even::k1", 2.0 / 4.0),
    ("past", "leak::idle_tail:atlas", LOST_USD * MONTHLY),
    ("past", "overflow::atlas", 20 * 4.0 * MONTHLY),
    ("past", "workload_cost::atlas/team/sft", SFT_USD * MONTHLY),
    ("past", "spend::", (800 * 2.0 + 200 * 1.0 + 20 * 4.0 + 50 * 8.0) * MONTHLY),
    # k1 ends 400 days after the window began
    ("past", "lock_in_now::", 8 * (400 * 24 - 100) * 2.0 / ((800 * 2.0 + 200 * 1.0) * MONTHLY)),
    ("mix", "useful_rate::atlas/team/sft", SFT_USD / (160 * 0.5)),
    ("mix", "useful_rate::atlas/team/chat", CHAT_USD / (200 * 0.8)),
    ("mix", "cluster_class_cost:burst:bora", DEV_USD * MONTHLY),
    # at the published split inference costs four times training
    ("mix", "published_at_long_run::inference_to_training", 4 * SFT_USD * MONTHLY),
    # an hour of an H100 takes half an hour of an A100
    ("mix", "model_premium::H100~A100", 800 * (2.0 - 0.5 * 1.0) * MONTHLY),
    ("mix", "run_kind_median_usd::", SFT_USD / 2),
    ("months", "month_paid_in_window::2026-07", 800 * 2.0 + 200 * 1.0),
    ("months", "month_usd_share:training:2026-07", SFT_USD / (SFT_USD + CHAT_USD + DEV_USD)),
    ("months", "month_gpu_hours_share:inference:2026-07", 200 / (160 + 200 + 150)),
    ("months", "month_accepted::2026-07", LOST_USD),
    # idle tails, hours over capacity on both clusters, and k2 held for burst
    ("months", "month_counted::2026-07", LOST_USD + 20 * 4.0 + 50 * 8.0 + 100 * 1.0),
]

# --- Costs of single things in the past

COSTS = [
    # the second run has 8 GPUs for 10 h while chat has 2: of its 80 GPU-h 16 overflow
    ("costs", "run_usd::atlas/team/sft~1783080000", (80 - 16) * 2.0 + 16 * 4.0),
    ("costs", "run_usd::atlas/team/sft~1782900000", 80 * 2.0),
    ("costs", "retrain_usd::atlas/team/sft", SFT_USD / 2),
    ("costs", "endpoint_usd::atlas/team/chat", CHAT_USD * MONTHLY),
    ("costs", "endpoint_idle::atlas/team/chat", 0.2 * CHAT_USD * MONTHLY),
    ("costs", "endpoint_tokens::atlas/team/chat", CHAT_USD / 3.75),
    # k1 at its use of 42.5% against a year's offer at $3, used in full
    ("costs", "endpoint_premium::atlas/team/chat", (196 * 2.0 / 0.425 - 196 * 3.0) * MONTHLY),
    ("costs", "charge_direct:team:=team", (144 + 196) * 2.0),
    ("costs", "charge_idle:team:=team", 460 * 2.0),
    ("costs", "charge_total:team:=team", (144 + 196) * 2.0 + 460 * 2.0 + 20 * 4.0),
    ("costs", "charge_budget:team:=team", 500 / MONTHLY),
    ("costs", "business_each::orders~2026-07~", (1800 + 20 * 4.0 + 50 * 8.0) / (1000 * 100 / 744)),
    ("costs", "changed:before:atlas", 8 * 730 * 2.0),
    # in both halves chat uses 100 GPU-h and sft 80, of which in the second 20 overflow
    ("costs", "contract_change:idle:k1", ((400 - 160) - (400 - 180)) * 730 / 50),
]

# --- The plan: K1 and K2 are 4 H100 at $2 and 8 at $1.50, K3 5 A100 at $1; a month has 730 h

MEAN_RATE = (4 * 2.0 + 8 * 1.5) / 12
YEARLY = 2.5 + 730 / 8760
"""The rate of y1, with its $730 up front over the hours of the year."""
CONTRACTS_USD = 730 * (4 * 2.0 + 8 * 1.5 + 5 * 1.0)
NOTHING_USD = CONTRACTS_USD + 730 * 4 * 4.0
"""Training has 8 GPUs in use on the 4 of K1: 4 on demand."""
SIGNED_USD = 490 * 4 * YEARLY
"""y1 comes after ten days; the 240 h before it are paid on demand."""
BY_USE_USD = 240 * 4 * 4.0
PLAN_USD = CONTRACTS_USD + SIGNED_USD + BY_USE_USD

PLAN = [
    ("plan", "contract_usd::K1", 4 * 730 * 2.0),
    ("plan", "ahead_nothing::next_month", NOTHING_USD),
    ("plan", "plan_signed::", SIGNED_USD),
    ("plan", "plan_by_use::", BY_USE_USD),
    ("plan", "plan_usd::", PLAN_USD),
    ("plan", "plan_saved::", NOTHING_USD - PLAN_USD),
    ("plan", "layer_usd::burst~A100~existing", 1.5 * 730 * 1.0),
    ("plan", "plan_utilization::", (8 + 3 + 1.5) / (17 + 4)),
    ("plan", "idle_usd::H100", 5 * 730 * MEAN_RATE),
    ("plan", "order_usd::inference~H100~y1~12~1772481600~growth", 2 * 730 * YEARLY),
    ("plan", "term_break_even::inference~H100~3", 3.5 / 4.0),
    ("plan", "bought_hours::", (NOTHING_USD - PLAN_USD) / 4.0),
    ("today", "column_usd::training", 730 * (4 * 2.0 + 4 * 4.0)),
    ("cash", "owed::K1", 4 * 6 * 730 * 2.0),
    ("cash", "owed::K2", 8 * 2 * 730 * 1.5),
    ("cash", "owed::", 4 * 6 * 730 * 2.0 + 8 * 2 * 730 * 1.5),
    # 4 and 2 GPUs of y1
    ("cash", "cash_at_once::2026-01-31T10:00:00Z", 6 * 730.0),
]

# --- Other plans

OTHER_PLANS = [
    # K1 has staff of $73 a GPU and month
    ("limited", "contract_usd::K1", 4 * 730 * (2.0 + 73 / 730)),
    # 8 GPUs for 73 h, twice a month
    ("limited", "card_hours:://again", 8 * 2 * 73),
    ("limited", "plan_by_use::", (4 * 730 + 8 * 2 * 73) * 4.0),
    ("limited", "use_break_even:contracts:K1", 2.1 / 4.0),
    # what is owed for K1 and K2, over a month of contracts and demand
    (
        "limited",
        "plan_lock_in::",
        730 * (4 * 6 * 2.1 + 8 * 2 * 1.5) / (CONTRACTS_USD + 4 * 73 + (4 * 730 + 8 * 2 * 73) * 4.0),
    ),
    # K3 has no rate, and nobody sells an A100
    ("unpriced", "plan_usd::", None),
    ("unpriced", "layer_usd::burst~A100~existing", None),
    ("unpriced", "plan_by_use::", 4 * 730 * 4.0),
    ("unpriced", "ahead_saved::next_month", 0.0),
    ("unpriced", "use_usd:gpu_models:A100", None),
    # an H100 costs $3 to $5 on demand, y1 $2 at its lowest
    ("trials", "case_nothing:low:", CONTRACTS_USD + 730 * 4 * 3.0),
    ("trials", "case_nothing:high:", CONTRACTS_USD + 730 * 4 * 5.0),
    ("trials", "case_plan:low:", CONTRACTS_USD + 490 * 4 * (YEARLY - 0.5) + 240 * 4 * 3.0),
    ("trials", "case_plan:high:", CONTRACTS_USD + SIGNED_USD + 240 * 4 * 5.0),
    ("trials", "variant_beside::growth", 330.0 - 360.0),
    ("trials", "path_wrong::advice_usd", 130.0 - 120.0),
    ("trials", "way_over::advice", 360 / 300 - 1),
    ("asked", "ahead_before::next_month", PLAN_USD),
    ("compared", "in_plan:0:plan_usd::", PLAN_USD),
    ("compared", "less_first:1:plan_usd::", 0.0),
    # inference uses 3 GPUs in the mean
    ("compared", "moved_hours:1:1", 3 * 730),
    ("compared", "from_today:0:unused_now", -730 * (5 * 1.5 + 3.5 * 1.0)),
]

# --- Waits, an endpoint, and places

WAITS_AND_PLACES = [
    # five gangs of 4 on 4 GPUs wait 0, 9, 18, 27 and 36 h; two bursts of 3 on 5 wait 0 and 5 h
    ("waiting", "wait_mean_h:log:pool~training", 90 / 6),
    ("waiting", "wait_p90_h:log:pool~training", 36.0),
    ("waiting", "wait_waited_gpu_hours:log:team~team", 90 * 4 + 5 * 3),
    ("waiting", "wait_share_over_1h:log:team~team", 5 / 11),
    ("waiting", "wait_usd_per_month:sizes:burst~A100~3~False~False", 3 * 730 * 1.0),
    # on 2 GPUs two of three serving jobs are sent out, each 2 GPUs for 20 h
    ("waiting", "wait_usd_per_month:sizes:inference~H100~2~False~False", 2 * 730 * MEAN_RATE + 80 * 4.0),
    # 20 requests a second on replicas that serve 5 a second, and a spare one; each has 2 GPUs at $2.50
    ("sizing", "size_replicas::H100~BF16~2", 20 / 5 + 1),
    ("sizing", "size_gpus::H100~BF16~2", 5 * 2),
    ("sizing", "size_hours:flat:H100~BF16~2", 10 * 730),
    ("sizing", "size_usd:flat:H100~BF16~2", 10 * 730 * 2.5),
    ("sizing", "size_hours:leak:H100~BF16~2", (10 - 6) * 730),
    ("sizing", "size_million::H100~BF16~2", 10 * 730 * 2.5 / 1250),
    # 20 users of New York are 5 ms away, 10 of Atlanta 87.9 ms; the 7 of London are beyond the top 80%
    ("places", "city_users::today~London~UK~51.5~-0.1", 7),
    ("places", "set_both::today", 2 * (20 * 5 + 10 * 87.9) / 30),
    ("places", "set_usd::best:1", 1000.0),
]


@pytest.mark.parametrize(
    ("project", "case", "value"), [*PAST, *COSTS, *PLAN, *OTHER_PLANS, *WAITS_AND_PLACES]
)
def test_a_figure_follows_from_hours_gpus_and_rates(project: str, case: str, value: float | None) -> None:
    """To the dollar, as figures of a plan are whole dollars where they have to add up."""
    expected = None if value is None else pytest.approx(value, rel=1e-4, abs=0.5 if value > 1000 else 1e-6)
    assert trace_of(project, case).value == expected
