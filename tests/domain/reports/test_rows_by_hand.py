"""Tables and sentences about rows that are written down in `reported_results.py`, about jobs that waited, and about time.

10 H100 of 5 replicas are held flat for 7,300 GPU-h and $18,250 a month; (8 + 2 over 2) over 1.5 h are 6 GPUs, 4,380
GPU-h: 2,920 x $2.50 = $7,300 are for the peak; 1.25 billion tokens cost $14.60 a million. 8 H100 are 16 A100 at half
the speed: $11,680. Of five jobs of 10 h that come hour by hour on 4 GPUs the last waits 36 h. q2 costs 8 x 17,520 h x
$2 and 8 x $1,000.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from gpuplanner.domain import evaluation
from gpuplanner.domain.audit.idle_leaks import PastRun
from gpuplanner.domain.award.deciding import OfferWorth
from gpuplanner.domain.commitment import order_days, payments
from gpuplanner.domain.commitment import savings as commitment_savings
from gpuplanner.domain.commitment.outlook_result import NOT_YET, LimitCost, SavingsStep
from gpuplanner.domain.commitment.plan.totals import month_12_of
from gpuplanner.domain.evaluation import Evaluation, with_months
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue import sentences
from gpuplanner.domain.queue.frontier import AsToday
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.waits import Range
from gpuplanner.domain.reports import (
    award,
    changes,
    clusters,
    costs,
    orders,
    plan_layers,
    savings,
    serving,
    serving_words,
    training,
    waiting,
)
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.domain.training.choices import Asked, NetworkCost
from tests.domain import worlds
from tests.domain.commitment.conftest import Load, contract, offer
from tests.domain.reports import reported_results as by_hand
from tests.domain.tables import plain, tables, wrapped
from tests.domain.track.conftest import planned, tracked

MEDIA = (Medium.DOCUMENT, Medium.WINDOW, Medium.TERMINAL, Medium.BRIEF, Medium.WORKBOOK)


def months() -> Evaluation:
    """The past with the whole of its log as one month that is cut."""
    of = worlds.past()
    return with_months(of.evaluation, [of.project], worlds.WATTS)


def track() -> Any:
    """8 GPUs planned on 4 of a contract at $2 and 4 by the hour at $4; 10 came, and $4.50 an hour was paid."""
    hours = 730
    held = [contract("K", 4, 2.0, 20, hours)]
    made = planned([Load(Pool.TRAINING, [8.0] * hours)], held, [offer("od", 0, 4.0)])
    return tracked(made, [Load(Pool.TRAINING, [10.0] * hours)], held, [offer("od", 0, 4.5)])


def of_waiting(report: Any, part: str, *, is_planned: bool = True) -> Any:
    return report, getattr(worlds.waiting(is_planned=is_planned), part)


def story() -> commitment_savings.SavingsStory:
    """$1,205.4 of three steps, of which one is under a dollar of a bar, and demand that adds $400."""
    of = worlds.plan().advised
    totals = by_hand.replace(of.totals, savings_vs_do_nothing=1205.4, savings=805.4)
    steps = (("terms", 1000.2), ("separation", 200.1), ("spot", 5.1), ("demand", -400.0), ("ending", 0.0))
    outlook = by_hand.replace(
        NOT_YET,
        savings_steps=tuple(SavingsStep(name, 5000.0, 5000.0 - usd, usd) for name, usd in steps),
        savings_offered=(SavingsStep("right_size", 900.0, 800.5, 99.5, unmeasured=2, saved_in_year=1200.5),),
    )
    return commitment_savings.savings_story(
        by_hand.replace(of, totals=totals), outlook, worlds.past().audit, has_today=False
    )


def statement() -> Any:
    """What the team is charged, of which one part is unknown."""
    row = evaluation.charges_of(worlds.past().evaluation).rows[0]
    first, second = row.parts[:2]
    return by_hand.replace(row, parts=(by_hand.replace(first, direct_in_window=None), second))


def longer() -> Any:
    """Waits of the log that are shorter than those that are replayed."""
    return tuple(
        by_hand.replace(row, waits=by_hand.replace(row.waits, p90_h=0.5)) for row in worlds.waiting().measured
    )


def limits() -> tuple[LimitCost, ...]:
    """One that costs $1,000, one that is not known, and one that keeps the plan from nothing."""
    result = worlds.evidence_of_trials().outlook.limits[0]
    free = by_hand.replace(result, limit_cost=0.0, limit_cost_in_year=0.0, unserved_gpu_hours=0.0)
    return result, by_hand.replace(result, limit_cost=None), free


def past_runs() -> list[PastRun]:
    """One that took a quarter longer, one that failed, and one that ended as most do."""
    work, figures = (
        worlds.past().project.workloads[0],
        {"gpus": 8.0, "hours": 10.0, "contended_hours": 4.0, "usual_hours": 8.0},
    )
    ends = ((0.25, "COMPLETED"), (0.5, "FAILED"), (-0.1, "CANCELLED"), (0.0, "COMPLETED"), (None, ""))
    return [
        PastRun(work, f"j{at}", 1_782_864_000, state=state, figures=figures | {"longer_share": longer_share})
        for at, (longer_share, state) in enumerate(ends)
    ]


NAMED = tuple(
    serving.NamedSizing(name, by_hand.sizing(*args, is_priced=is_priced))
    for name, args, is_priced in (
        ("chat", (), True),
        ("term", (12,), True),
        ("chosen", (0, "A100"), True),
        ("none", (), False),
    )
)
OF: Mapping[str, Callable[[], Any]] = {
    "sizes": lambda: (serving.SIZES, by_hand.sizing().costs),
    "sizes_by_term": lambda: (serving.SIZES, by_hand.sizing(12).costs),
    "precisions": lambda: (serving.PRECISION_SIZES, by_hand.sizing().costs),
    "not_fitting": lambda: (serving.NOT_FITTING, by_hand.sizing().costs[2:]),
    "endpoints": lambda: (serving.ENDPOINTS, NAMED),
    "hours_held": lambda: (serving.HOURS_HELD, serving.hours_held(NAMED[0])),
    "hours_chosen": lambda: (serving.HOURS_HELD, serving.hours_held(NAMED[2])),
    "ratios": lambda: (serving.RATIOS, by_hand.sizing().ratios),
    "ratio_words": lambda: [serving.RATIOS.column("instead").tip(by_hand.sizing().ratios[0])],
    "regions": lambda: (serving.REGIONS, by_hand.sizing().regional(by_hand.cost("H100")).regions),
    **{
        f"serving_{model}": lambda model=model: serving_words.sentences_of(
            by_hand.sizing(), by_hand.cost(model)
        )
        for model in ("H100", "A100", "L40S")
    },
    "training_runs": lambda: (training.TRAINING_RUNS, (by_hand.FITTING, by_hand.ENDLESS, by_hand.UNKNOWN)),
    "chips": lambda: (training.CHIPS, (by_hand.CHIP,)),
    "largest": lambda: (training.LARGEST_MODELS, (by_hand.FITTING,)),
    "networks": lambda: (training.NETWORKS, (NetworkCost("H100", 400.0, 1.23456, 12.5, None, 2048.0),)),
    "training_words": lambda: training.sentences_of(by_hand.FITTING, Asked(1e9, virtual=(0.05, 0.15))),
    "training_words_unpriced": lambda: training.sentences_of(
        by_hand.replace(by_hand.FITTING, offer=None, usd=None),
        Asked(1e9, virtual=(0.05, 0.15), storage_gb_per_s=2.5),
    ),
    "training_words_alone": lambda: training.sentences_of(by_hand.FITTING, Asked(1e9)),
    "training_words_unknown": lambda: training.sentences_of(by_hand.UNKNOWN, Asked(1e9)),
    **{
        name: lambda report=report: (report, by_hand.award())
        for name, report in (
            ("award_rows", award.ROWS),
            ("vendors", award.VENDORS),
            ("quotes", award.QUOTES),
            ("left_out", award.LEFT_OUT),
            ("undecided", award.UNDECIDED),
            ("quote_entries", award.QUOTE_ENTRIES),
        )
    },
    "award_words": lambda: [award.headline(by_hand.award()), *award.notes(by_hand.award())],
    "waits_measured": lambda: of_waiting(waiting.POOL_WAITS, "measured"),
    "waits_by_model": lambda: of_waiting(waiting.POOL_WAITS, "by_model"),
    "waiting_sizes": lambda: of_waiting(waiting.SIZES, "frontier"),
    "waits_of_log": lambda: (waiting.LOG_WAITS, log_waits(worlds.queueing())),
    "waiting_lines": lambda: sentences.wait_lines(worlds.waiting()),
    "waiting_lines_today": lambda: sentences.wait_lines(worlds.waiting(is_planned=False)),
    "waiting_words": lambda: sentences.trust_words(worlds.waiting()),
    "waiting_words_today": lambda: sentences.trust_words(worlds.waiting(is_planned=False)),
    "waiting_target": lambda: [sentences.target_words(worlds.waiting().target, worlds.waiting().frontier)],
    "changes": lambda: (changes.CHANGES, worlds.evidence_of_costs().variance),
    "workload_changes": lambda: (changes.WORKLOAD_PARTS, worlds.evidence_of_costs().variance.clusters),
    "contract_changes": lambda: (changes.CONTRACT_PARTS, worlds.evidence_of_costs().variance.clusters),
    "months": lambda: (MONTHS, months()),
    "track_steps": lambda: (changes.STEPS, track()),
    "track_moved": lambda: (changes.MOVED, track()),
    "track_rows": lambda: (changes.ROW_ENTRIES, track()),
    "track_left": lambda: (changes.BURN_DOWNS, track()),
    "track_workloads": lambda: (changes.BY_WORKLOAD, track()),
    "track_words": lambda: [changes.headline(track()), changes.beside(track())],
    "few_hours": lambda: [
        clusters.few_hours_words(
            [
                by_hand.replace(item, training_hours=hours)
                for item, hours in zip(worlds.past().audit.clusters, (1331, 1900), strict=True)
            ]
        )
    ],
    "savings_by_hand": lambda: (savings.SAVINGS, story()),
    "offered_by_hand": lambda: (savings.OFFERED, story()),
    "runs_to_midnight": lambda: (
        costs.RUNS,
        by_hand.replace(
            worlds.past().unit,
            runs=[by_hand.replace(item, end_s=1_783_036_800) for item in worlds.past().unit.runs[:1]],
        ),
    ),
    "statement_unknown": lambda: (costs.STATEMENT, statement()),
    "waiting_words_longer": lambda: sentences.trust_words(
        by_hand.replace(worlds.waiting(), measured=longer())
    ),
    "totals": lambda: [plan_layers.totals_entry(worlds.outlook_of(worlds.plan).totals)],
    "totals_unpriced": lambda: [
        plan_layers.totals_entry(worlds.unpriced().totals),
        plan_layers.at_least_entry(worlds.unpriced().advised),
        plan_layers.at_least_entry(worlds.plan().advised),
    ],
    "limits": lambda: (savings.LIMITS, by_hand.replace(NOT_YET, limits=limits())),
    "titles": lambda: [
        title(of().advised.orders)
        for of in (worlds.plan, worlds.limited)
        for title in (orders.now_title, orders.later_title)
    ],
    "days_without_a_calendar": lambda: [
        order_days.Seen(0, 0).day(days * 86_400) for days in (-1, 0, 30, 31, 365)
    ],
    "margins": lambda: [
        award.OFFER_WORTHS.column("worth_rate").tip(OfferWorth(by_hand.SOLD[0], 2.5, 3.0, None, share))
        for share in (0.2, -0.1, None)
    ],
    "knee_by_log": lambda: [
        plain(sentences.by_log(by_hand.replace(worlds.waiting().frontier[0], **changes)))
        for likely in (Range(2.0, 3.0), None)
        for changes in (
            {"marks": ("knee",), "likely": likely, "today": AsToday(8, False, 1.0)},
            {"marks": ("knee",), "likely": likely, "today": AsToday(8, False, 1.95)},
            {"marks": (), "likely": likely, "today": AsToday(8, False, 1.0)},
        )
    ],
    "quarters": lambda: [
        item for starts in (1, 2, 12) for item in payments.quarters(1_767_225_600, 1_780_272_000, starts)
    ],
    "contracts_with_sla": lambda: (clusters.CONTRACTS, worlds.plan().audit),
    "left_at_midnight": lambda: (
        by_hand.replace(changes.BURN_DOWNS, rows=list),
        [by_hand.replace(track().contracts[0], runs_out_s=1_798_761_600)],
    ),
    "past_runs": lambda: (by_hand.replace(training.OF_PAST_RUNS["contended_runs"], rows=list), past_runs()),
    "month_12": lambda: [
        plain([month.start_s, month.plan_usd, month.unserved_gpu_hours])
        for month in (month_12_of(worlds.plan().advice),)
        if month is not None and month_12_of(None) is None
    ],
}


def rendered(name: str) -> str:
    """A table, or the values of sentences, as they stand below."""
    result = OF[name]()
    if isinstance(result, tuple) and len(result) == 2 and hasattr(result[0], "columns_in"):
        return tables([(name, *result)], MEDIA)
    words: Iterable[Text] = result
    return "\n".join(
        (f"{name} words", *(line for item in words for line in wrapped(plain(item) or "-", "  ")))
    )


EXPECTED = """
sizes document
  H100 | BF16 | 2 | yes | 40 | 5 | 10 | 7300 | 4380 | 60 | 18250 | 14.6 | 16 | 144 | 30 | 5 | 900 | 0.8 | 10 |
      20 | 30 | no | no | 12 | 15 | 50 | 90 | yes | 0.9 | 1.1 | 0.25 | 1 | gpus | - | - |  | h | 0 | 48 | 0 |
      2.5 | h | 10950 | 2920 | 7300
  A100 | BF16 | 4 | yes | 40 | 6 | 24 | 17520 | 11680 | - | 17520 | 14.016 | 16 | 144 | 30 | 4 | 900 | 0.8 |
      10 | 20 | 30 | yes | no | 12 | 15 | 50 | 90 | no | - | - | 0.25 | 1 | gpus | - | - |  | a | 0 | 0 | 0 |
      1 | a | 11680 | 5840 | 5840
  L40S | FP8 | 1 | no | 40 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | no | no | - | - |
      - | - | - | - | - | - | 0 | gpus | - | - | too small | - | - | - | - | - | - | - | - | -
  B300 | FP4 | 8 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | no | no | - | - | -
      | - | - | - | - | - | 0 | gpus | - | - | unknown | - | - | - | - | - | - | - | - | -
sizes window
   | 10 | 60 | 12 | 18250
   | 24 | unstable | 12 | 17520
   | - | - | - | -
   | - | - | - | -
sizes terminal
  H100 | BF16 | 2 | 40 | 30 | 5 | 10 | 12 | yes | on demand 48 | 7300 | 4380 | 60 | 18250 | 14.6 | 7300 |
  A100 | BF16 | 4 | 40 | 30 | 6 | 24 | 12 | no | on demand | 17520 | 11680 | unstable | 17520 | 14.016 | 5840
      |
  L40S | FP8 | 1 | 40 | - | - | - | - | - | - | - | - | - | - | - | - | too small
  B300 | FP4 | 8 | - | - | - | - | - | - | - | - | - | - | - | - | - | unknown
sizes workbook
  H100 | BF16 | 2 | yes | 40 | 30 | 5 | 0.9 | 1.1 | 5 | 10 | 60 | 12 | yes | h | on demand 48 | 18250 | 7300 |
      4380 | 2920 | 7300 | 14.6 |  | 2.5
  A100 | BF16 | 4 | yes | 40 | 30 | 4 | - | - | 6 | 24 | unstable | 12 | no | a | on demand | 17520 | 17520 |
      11680 | 5840 | 5840 | 14.016 |  | 1
  L40S | FP8 | 1 | no | 40 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | too small | -
  B300 | FP4 | 8 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | unknown | -

sizes_by_term document
  H100 | BF16 | 2 | yes | 40 | 5 | 10 | 7300 | 4380 | 60 | 15330 | 12.264 | 16 | 144 | 30 | 5 | 900 | 0.8 | 10
      | 20 | 30 | no | no | 12 | 15 | 50 | 90 | yes | 0.9 | 1.1 | 0.25 | 1 | gpus | - | - |  | hy | 12 | 0 |
      8760 | 2.1 | h | 10950 | 2920 | 6132
  A100 | BF16 | 4 | yes | 40 | 6 | 24 | 17520 | 11680 | - | - | - | 16 | 144 | 30 | 4 | 900 | 0.8 | 10 | 20 |
      30 | yes | no | 12 | 15 | 50 | 90 | no | - | - | 0.25 | 1 | gpus | - | - |  | - | - | - | - | - | a |
      11680 | 5840 | -
  L40S | FP8 | 1 | no | 40 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | no | no | - | - |
      - | - | - | - | - | - | 0 | gpus | - | - | too small | - | - | - | - | - | - | - | - | -
  B300 | FP4 | 8 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | no | no | - | - | -
      | - | - | - | - | - | 0 | gpus | - | - | unknown | - | - | - | - | - | - | - | - | -
sizes_by_term window
   | 10 | 60 | 12 | 15330
   | 24 | unstable | 12 | -
   | - | - | - | -
   | - | - | - | -
sizes_by_term terminal
  H100 | BF16 | 2 | 40 | 30 | 5 | 10 | 12 | yes | 12 876 | 7300 | 4380 | 60 | 15330 | 12.264 | 6132 |
  A100 | BF16 | 4 | 40 | 30 | 6 | 24 | 12 | no | - | 17520 | 11680 | unstable | - | - | - |
  L40S | FP8 | 1 | 40 | - | - | - | - | - | - | - | - | - | - | - | - | too small
  B300 | FP4 | 8 | - | - | - | - | - | - | - | - | - | - | - | - | - | unknown
sizes_by_term workbook
  H100 | BF16 | 2 | yes | 40 | 30 | 5 | 0.9 | 1.1 | 5 | 10 | 60 | 12 | yes | hy | 12 876 | 15330 | 7300 | 4380
      | 2920 | 6132 | 12.264 |  | 2.1
  A100 | BF16 | 4 | yes | 40 | 30 | 4 | - | - | 6 | 24 | unstable | 12 | no | - | - | - | 17520 | 11680 | 5840
      | - | - |  | -
  L40S | FP8 | 1 | no | 40 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | too small | -
  B300 | FP4 | 8 | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | unknown | -

precisions window
  BF16 | 40 | 10 | 18250 | 14.6
  BF16 | 40 | 24 | 17520 | 14.016
  FP8 | 40 | - | - | -
  FP4 | - | - | - | -

not_fitting terminal
  L40S | FP8 | 1 | too small
  B300 | FP4 | 8 | unknown

endpoints workbook
  chat | 2 H100 BF16 | 10 | 7300 | 4380 | 18250 | on demand 48 | 7300 | 14.6 | 4.16667 | 3 | 0 | Llama |
      1.25e+09 | 20 | a.csv | atlas/team/chat
  term | 2 H100 BF16 | 10 | 7300 | 4380 | 15330 | 12 876 | 6132 | 12.264 | 4.16667 | 3 | 0 | Llama | 1.25e+09
      | 20 | a.csv | atlas/team/chat
  chosen | 4 A100 BF16 | 24 | 17520 | 11680 | 17520 | on demand | 5840 | 14.016 | 5.16667 | 4 | 0 | Llama |
      1.25e+09 | 20 | a.csv | atlas/team/chat
  none | 2 H100 BF16 | 10 | 7300 | 4380 | - | - | - | - | 4.16667 | 3 | 0 | Llama | 1.25e+09 | 20 | a.csv |
      atlas/team/chat

hours_held workbook
  chat | Mon 0:00 | 20 | 1 | 10 | 8
  chat | Tue 6:00 | 5 | 0.5 | 10 | 2

hours_chosen workbook
  chosen | Mon 0:00 | 20 | 1 | 24 | 20
  chosen | Tue 6:00 | 5 | 0.5 | 24 | 8

ratios document
  A100 | H100 | measured | BF16 | 50 | 0.5 | 0.4 | 0.625 | 16 | 12.8 | 20 | 11680 | H100=A100:0.5
  L40S | H100 | formula | BF16 | 50 | 0.25 | 0.2 | 0.3 | - | - | - | - | H100=L40S:0.25
ratios window
  A100 | 0.5 | 0.4 | 0.625 | 16 | 11680
  L40S | 0.25 | 0.2 | 0.3 | - | -
ratios terminal
  A100 | 0.5 | 0.4 | 0.625 | H100 | 16 | 11680 | measured
  L40S | 0.25 | 0.2 | 0.3 | H100 | - | - | formula

ratio_words words
  12.8 20 8 H100

regions window
  east | 30 | 10 | 67.7 | 233.5 | 18250
  west | 7 | 4 | 47.1 | 47.1 | 7300
regions terminal
  east | 30 | 16.22 | 4 | 1 | 10 | 67.7 | 233.5 | 18250 | 0.09
  west | 7 | 3.78 | 1 | 1 | 4 | 47.1 | 47.1 | 7300 | 0.03
regions workbook
  east | 30 | 16.22 | 4 | 1 | 10 | 67.7 | 233.5 | 18250 | 0.09 | 1.01351 | 0
  west | 7 | 3.78 | 1 | 1 | 4 | 47.1 | 47.1 | 7300 | 0.03 | 0 | 0.236486

serving_H100 words
  60 10 20 30 0.25
  0.9 1.1
  5 4.16667 0 3
  0.5 2 1000
  west  +  east 7.5 1234
  10 18250 14 25550 12 21900
  1.01351 0.236486 0.189189 0.119595

serving_A100 words
  6 5.16667 0 4
  0.5 2 1000
  west  +  east 7.5 1234
  24 17520 32 23360 28 20440
  1.01351 0.236486 0.189189 0.119595

serving_L40S words
  0.5 2 1000
  west  +  east 7.5 1234

training_runs document
  H100 | 16 | 2 | BF16 | 3200 | yes | {tp=2 pp=2 cp=1 ep=1 dp=4 sharding=fsdp micro_batch=1 recompute=none} |
      ... | 57 | {state=40 activations=10 logits=5 reserve=2} | green | 8 | 0.25 | 1000 | 0.4 | 125 | 90 | 175
      | 100 | 80 | 125 | 0.95 | 112 | 11.2 | 1.5 | 4000 | 3200 | 5000 | h | 1500 | yes | - | borrowed
  H100 | 16 | 2 | BF16 | 3200 | yes | {tp=1 pp=1 cp=1 ep=1 dp=16 sharding=fsdp micro_batch=1 recompute=none} |
      - | 107 | {state=90 activations=10 logits=5 reserve=2} | red | 8 | 0.25 | 1000 | 0.4 | - | 90 | 175 | -
      | 80 | 125 | 0.95 | 112 | 11.2 | 1.5 | - | - | - | - | - | - | {change=more GPUs gpus=32 memory_gib=57
      layout={tp=2 pp=2 cp=1 ep=1 dp=8 sharding=fsdp micro_batch=1 recompute=none}} | too large; borrowed
  H100 | 16 | 2 | BF16 | 3200 | yes | {tp=1 pp=1 cp=1 ep=1 dp=16 sharding=fsdp micro_batch=1 recompute=none} |
      - | 107 | {state=90 activations=10 logits=5 reserve=2} | red | - | - | - | - | - | - | - | - | - | - | -
      | - | - | - | - | - | - | - | - | - | - | too large
training_runs window
  H100 | 16 | 57 | fits |  | 1000 | 125 | 4000 | h | 1500 | ...
  H100 | 16 | 107 | 32 ... |  | 1000 | - | - | - | - | FSDP
  H100 | 16 | 107 | does not fit |  | - | - | - | - | - | FSDP
training_runs brief
  H100 | 16 | 57 | fits | 125 | 4000 | 1500
  H100 | 16 | 107 | 32 ... | - | - | -
  H100 | 16 | 107 | does not fit | - | - | -
training_runs workbook
  H100 | 16 | 2 | 57 | fits |  | 0.25 | 1000 | 125 | 90 | 175 | 100 | 80 | 125 | 0.95 | 112 | 1.5 | 4000 |
      3200 | 5000 | h | 1500 | ...
  H100 | 16 | 2 | 107 | 32 ... |  | 0.25 | 1000 | - | 90 | 175 | - | 80 | 125 | 0.95 | 112 | 1.5 | - | - | - |
      - | - | FSDP
  H100 | 16 | 2 | 107 | does not fit |  | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | - | FSDP

chips document
  H100 | 990 | 1980 | - | 300 | 900 | 80 | 3.3 | 8 | 400 | sheet
chips window
  H100 | 990 | 1980 | - | 300 | 900 | 8 × 400
chips brief
  H100 | 990 | 1980 | - | 300 | 900
chips workbook
  H100 | 990 | 1980 | - | 300 | 900 | 8 × 400 | sheet

largest document
  H100 | 16 | 62.859

networks document
  H100 | 400 | 1.235 | 12.5 | - | 2048

training_words words
  100 125 90 175
  112 11.2 10 1.5 0.95
  0.05 0.15 131.25 143.75 1250 1750

training_words_unpriced words
  100 125 90 175
  112 11.2 2.5 1.5 0.95
  0.05 0.15 131.25 143.75

training_words_alone words
  100 125 90 175
  112 11.2 10 1.5 0.95

training_words_unknown words

award_rows window
  Vendor q5 | R1 16 H100 12 | 16 | 315360 |
  Vendor q2 | R2 8 H100 24 | 8 | 288320 |
  quote needed | R3 8 A100 12 | 8 | - |
award_rows terminal
  R1 | H100 | 16 | 12 | 2026-10-31 | Vendor q5 | 16 | 2.25 | 315360 | 105120 |
  R2 | H100 | 8 | 24 | 2026-10-31 | Vendor q2 | 8 | 2 | 288320 | 132160 |
  R3 | A100 | 8 | 12 | 2026-10-31 | quote needed | 8 | - | - | - |

vendors document
  Vendor q2 | 288320 | 0.477604 | - | - | 8
  Vendor q5 | 315360 | 0.522396 | 656240 | 52560 | 0
vendors window
  Vendor q2 | 288320 | 0.477604 | -
  Vendor q5 | 315360 | 0.522396 | 52560

quotes window
  Vendor q2 H100 24 | 8 | 2 | - | - | - | 8
  Vendor q5 H100 12 | 16 | 2.25 | 52560 | - | - |
  Vendor q1 H100 12 | 0 | 2.5 | 0 | - | - | ...
  Vendor q3 H100 12 | 0 | 2.75 | 0 | - | - | ...
quotes terminal
  Vendor q2 | q2 | H100 24 | 8 | 2 | - | - | - | 8
  Vendor q5 | q5 | H100 12 | 16 | 2.25 | 52560 | - | - |
  Vendor q1 | q1 | H100 12 | 0 | 2.5 | 0 | - | - | ...
  Vendor q3 | q3 | H100 12 | 0 | 2.75 | 0 | - | - | ...

left_out window
  Vendor q4 H100 3 | 2 | 3 12
left_out terminal
  Vendor q4 | q4 | H100 3 | 2 | 3 12

quote_entries document
  q2 | Vendor q2 | H100 | 24 | - | [R2] | [] | [] | 8 | 1000 | 2 | 603680 | - | - | 8 | 132160 | - | - | - | -
      | - | - | - | - | - | -
  q5 | Vendor q5 | H100 | 12 | - | [R1] | [] | [] | 16 | 0 | 2.25 | 603680 | 656240 | 52560 | 0 | 105120 | - |
      - | - | - | - | - | - | - | - | -
  q1 | Vendor q1 | H100 | 12 | - | [R1] | [] | [] | 0 | 0 | 2.5 | 603680 | 603680 | 0 | 0 | - | - | - | - | -
      | - | - | - | - | - | -
  q3 | Vendor q3 | H100 | 12 | - | [R1] | [] | [] | 0 | 0 | 2.75 | 603680 | 603680 | 0 | 0 | - | - | - | - | -
      | - | - | - | - | - | -
  q4 | Vendor q4 | H100 | 3 | - | [] | [...] | [] | 0 | 0 | 2 | - | - | - | 0 | - | - | - | - | - | - | - | -
      | - | - | -

award_words words
  24 32 603680
  8
  8000

waits_measured window
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | - | - | - | 0.0222603
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | - | - | - | 0.0856164
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | - | - | - | 0.00986301
waits_measured brief
  Inference | 3 | 0 | 0 | 0 | 0 | 0 | - | 0.0222603
  Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | - | 0.0856164
  Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | - | 0.00986301

waits_by_model window
  Inference | H100 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | H100 | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0 | 0 | 0.0430323
  Burst | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0 | 0 | 0.00986301
waits_by_model brief
  Inference | H100 | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0.0205479
  Training | H100 | 6 | 0.666667 | 15 | 9 | 36 | 36 | 0 | 0.0430323
  Burst | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 0 | 0.00986301

waiting_sizes document
  inference | H100 | 2 | 2753.33 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 4 | 5026.67 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 5 | 6243.33 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 6 | 7300 | 0 | 0 | 0 | 0 | 0 | []
  inference | H100 | 8 | 9733.33 | 0 | 0 | 0 | 0 | 0 | [today plan]
  inference | H100 | 12 | 17520 | 0 | 0 | 0 | 0 | 0 | [today]
  inference | H100 | 15 | 21900 | 0 | 0 | 0 | 0 | 0 | [plan]
  inference | H100 | 40 | 58400 | 0 | 0 | 0 | 0 | 0 | []
  training | H100 | 4 | 6205 | 9 | 36 | 36 | 36 | 0.666667 | [today]
  training | H100 | 7 | 10858.8 | 9 | 36 | 36 | 36 | 0.666667 | [plan]
  training | H100 | 40 | 62050 | 0 | 0 | 0 | 0 | 0 | [target]
  training | H100 | 12 | 17520 | 0 | 7 | 7 | 7 | 0.333333 | [today]
  training | H100 | 15 | 21900 | 9 | 36 | 36 | 36 | 0.666667 | [plan]
  training | H100 | 40 | 58400 | 0 | 0 | 0 | 0 | 0 | []
  burst | A100 | 3 | 2190 | 0 | 5 | 5 | 5 | 0.5 | []
  burst | A100 | 4 | 2920 | 0 | 5 | 5 | 5 | 0.5 | []
  burst | A100 | 5 | 3650 | 0 | 5 | 5 | 5 | 0.5 | [today plan]
  burst | A100 | 6 | 4380 | 0 | 0 | 0 | 0 | 0 | []
waiting_sizes window
  Inference | H100 | 2 | 2753.33 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 4 | 5026.67 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 5 | 6243.33 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 6 | 7300 | 0 | 0 | 0 | 0 0 | 0 |
  Inference | H100 | 8 | 9733.33 | 0 | 0 | 0 | 0 0 | 0 | ... the plan
  Inference | H100 | 12 | 17520 | 0 | 0 | 0 | 0 0 | 0 | ...
  Inference | H100 | 15 | 21900 | 0 | 0 | 0 | 0 0 | 0 | the plan
  Inference | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |
  Training | H100 | 4 | 6205 | 1 | 9 | 36 | 36 36 | 0.666667 | ...
  Training | H100 | 7 | 10858.8 | 1 | 9 | 36 | 36 36 | 0.666667 | the plan
  Training | H100 | 40 | 62050 | 0 | 0 | 0 | 0 0 | 0 | the target
  Training | H100 | 12 | 17520 | 1 | 0 | 7 | 7 7 | 0.333333 | ...
  Training | H100 | 15 | 21900 | 1 | 9 | 36 | 36 36 | 0.666667 | the plan
  Training | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |
  Burst | A100 | 3 | 2190 | 0 | 0 | 5 | 5 5 | 0.5 |
  Burst | A100 | 4 | 2920 | 0 | 0 | 5 | 5 5 | 0.5 |
  Burst | A100 | 5 | 3650 | 0 | 0 | 5 | 5 5 | 0.5 | ... the plan
  Burst | A100 | 6 | 4380 | 0 | 0 | 0 | 0 0 | 0 |
waiting_sizes workbook
  Inference | H100 | 2 | 2753.33 | 0 | 0 | 0 | 0 0 | 0 |  | 2 2433.33 320
  Inference | H100 | 4 | 5026.67 | 0 | 0 | 0 | 0 0 | 0 |  | 4 4866.67 160
  Inference | H100 | 5 | 6243.33 | 0 | 0 | 0 | 0 0 | 0 |  | 5 6083.33 160
  Inference | H100 | 6 | 7300 | 0 | 0 | 0 | 0 0 | 0 |  | 6 7300 0
  Inference | H100 | 8 | 9733.33 | 0 | 0 | 0 | 0 0 | 0 | ... the plan | 8 9733.33 0
  Inference | H100 | 12 | 17520 | 0 | 0 | 0 | 0 0 | 0 | ... | 12 17520 0
  Inference | H100 | 15 | 21900 | 0 | 0 | 0 | 0 0 | 0 | the plan | 15 21900 0
  Inference | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |  | 40 58400 0
  Training | H100 | 4 | 6205 | 1 | 9 | 36 | 36 36 | 0.666667 | ... | 4 6205 0
  Training | H100 | 7 | 10858.8 | 1 | 9 | 36 | 36 36 | 0.666667 | the plan | 7 10858.8 0
  Training | H100 | 40 | 62050 | 0 | 0 | 0 | 0 0 | 0 | the target | 40 62050 0
  Training | H100 | 12 | 17520 | 1 | 0 | 7 | 7 7 | 0.333333 | ... | 12 17520 0
  Training | H100 | 15 | 21900 | 1 | 9 | 36 | 36 36 | 0.666667 | the plan | 15 21900 0 0
  Training | H100 | 40 | 58400 | 0 | 0 | 0 | 0 0 | 0 |  | 40 58400 0
  Burst | A100 | 3 | 2190 | 0 | 0 | 5 | 5 5 | 0.5 |  | 3 2190 0
  Burst | A100 | 4 | 2920 | 0 | 0 | 5 | 5 5 | 0.5 |  | 4 2920 0
  Burst | A100 | 5 | 3650 | 0 | 0 | 5 | 5 5 | 0.5 | ... the plan | 5 3650 0
  Burst | A100 | 6 | 4380 | 0 | 0 | 0 | 0 0 | 0 |  | 6 4380 0

waits_of_log document
  pool | inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  pool | training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 360 | 16 | 730 | 0
  pool | burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  team | team | 11 | 0.454545 | 8.63636 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  gpu_model | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  gpu_model | H100 | 9 | 0.444444 | 10 | 0 | 36 | 36 | 360 | 16 | 730 | 0
  size | 2-4 | 10 | 0.5 | 9.5 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  size | 17-64 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 730 | -
  hour_of_week | 4 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  hour_of_week | 5 | 1 | 1 | 9 | 9 | 9 | 9 | 36 | 4 | 4 | 0
  hour_of_week | 6 | 1 | 1 | 18 | 18 | 18 | 18 | 72 | 4 | 4 | 0
  hour_of_week | 7 | 1 | 1 | 27 | 27 | 27 | 27 | 108 | 4 | 4 | 0
  hour_of_week | 8 | 1 | 1 | 36 | 36 | 36 | 36 | 144 | 4 | 4 | 0
  hour_of_week | 36 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  hour_of_week | 37 | 1 | 1 | 5 | 5 | 5 | 5 | 15 | 3 | 4 | 0
  hour_of_week | 104 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  hour_of_week | 105 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  hour_of_week | 106 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  hour_of_week | 136 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
waits_of_log window
  Pool | Inference | 3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  Pool | Training | 6 | 0.666667 | 15 | 9 | 36 | 36 | 360 | 16 | 730 | 0
  Pool | Burst | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  Team | team | 11 | 0.454545 | 8.63636 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  GPU model | A100 | 2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  GPU model | H100 | 9 | 0.444444 | 10 | 0 | 36 | 36 | 360 | 16 | 730 | 0
  Job GPUs | 2-4 | 10 | 0.5 | 9.5 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  Job GPUs | 17-64 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 730 | -
  ... | Mon 04:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  ... | Mon 05:00 | 1 | 1 | 9 | 9 | 9 | 9 | 36 | 4 | 4 | 0
  ... | Mon 06:00 | 1 | 1 | 18 | 18 | 18 | 18 | 72 | 4 | 4 | 0
  ... | Mon 07:00 | 1 | 1 | 27 | 27 | 27 | 27 | 108 | 4 | 4 | 0
  ... | Mon 08:00 | 1 | 1 | 36 | 36 | 36 | 36 | 144 | 4 | 4 | 0
  ... | Tue 12:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  ... | Tue 13:00 | 1 | 1 | 5 | 5 | 5 | 5 | 15 | 3 | 4 | 0
  ... | Fri 08:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  ... | Fri 09:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  ... | Fri 10:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  ... | Sat 16:00 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
waits_of_log brief
  3 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  6 | 0.666667 | 15 | 9 | 36 | 36 | 360 | 16 | 730 | 0
  2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  11 | 0.454545 | 8.63636 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  2 | 0.5 | 2.5 | 0 | 5 | 5 | 15 | 3 | 730 | 0
  9 | 0.444444 | 10 | 0 | 36 | 36 | 360 | 16 | 730 | 0
  10 | 0.5 | 9.5 | 0 | 27 | 36 | 375 | 16 | 730 | 0
  1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 730 | -
  1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  1 | 1 | 9 | 9 | 9 | 9 | 36 | 4 | 4 | 0
  1 | 1 | 18 | 18 | 18 | 18 | 72 | 4 | 4 | 0
  1 | 1 | 27 | 27 | 27 | 27 | 108 | 4 | 4 | 0
  1 | 1 | 36 | 36 | 36 | 36 | 144 | 4 | 4 | 0
  1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -
  1 | 1 | 5 | 5 | 5 | 5 | 15 | 3 | 4 | 0
  1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | -
  1 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 4 | -

waiting_lines words
  Training 36 36
  Training 36 36
  36 36

waiting_lines_today words
  Training 36
  Training 36
  36

waiting_words words
  H100 12 15 17520 21900 Training 7 36 y1 4 Training 7543.33
  H100 3840 0 -3840
  ...
  ...
  ...
  ...
  20 15 2026-04-02
  0.923077
  Training 0 Burst 0 ...
  ...
  0.5
  1

waiting_words_today words
  ...
  ...
  ...
  0.923077
  Training 0 Burst 0 ...
  0.5
  1

waiting_target words
  40 H100 Training Training 5 0 62050 2.125 7 36 51191.2

changes document
  atlas | {used_gpu_hours=180 paid_gpu_hours=400 inefficiency=2.22222 usd_per_gpu_hour=2 paid_usd=800
      usd_per_month=11680 overflow_usd=0} | {used_gpu_hours=160 paid_gpu_hours=400 inefficiency=2.5
      usd_per_gpu_hour=2 paid_usd=800 usd_per_month=11680 overflow_usd=80} | 0 | -1297.78 | 1297.78 | 0 |
      [{key=atlas/team/sft gpu_hours_per_month=-233.6 usd_per_month=-1038.22} {key=atlas/team/chat
      gpu_hours_per_month=-58.4 usd_per_month=-259.556}] | [{contract_id=k1 paid_gpu_hours_per_month=0
      idle_gpu_hours_per_month=292 price_usd_per_month=0 efficiency_usd_per_month=1297.78}] |
  bora | {used_gpu_hours=50 paid_gpu_hours=100 inefficiency=2 usd_per_gpu_hour=1 paid_usd=100
      usd_per_month=1460 overflow_usd=200} | {used_gpu_hours=50 paid_gpu_hours=100 inefficiency=2
      usd_per_gpu_hour=1 paid_usd=100 usd_per_month=1460 overflow_usd=200} | 0 | 0 | 0 | 0 | [] |
      [{contract_id=k2 paid_gpu_hours_per_month=0 idle_gpu_hours_per_month=0 price_usd_per_month=0
      efficiency_usd_per_month=0}] |
  Total |  |  |  | -1297.78 | 1297.78 | 0 |  |  |
changes window
  atlas | 11680 | -1297.78 | 1297.78 | 0 | 11680
  bora | 1460 | 0 | 0 | 0 | 1460
  Total | 13140 | -1297.78 | 1297.78 | 0 | 13140

workload_changes document
  atlas/team/sft | -233.6 | -1038.22
  atlas/team/chat | -58.4 | -259.556

contract_changes document
  k1 | 0 | 292 | 0 | 1297.78
  k2 | 0 | 0 | 0 | 0
contract_changes window
  k1 | 292 | 1297.78 | 0
  k2 | 0 | 0 | 0

months document
  2026-07 | 100 | 510 | 1800 | 0.44 | 9490 | 6862 | {training={gpu_hours=160 usd=352} inference={gpu_hours=200
      usd=408} burst={gpu_hours=150 usd=500}} | 0 | 1300 | 1300 | 720 | 0
months window
  2026-07 100 | 510 | 1800 | 0.44 | 9490 | 6862 | 0.313725 | 0.279365 | 0.392157 | 0.32381 | 0.294118 |
      0.396825 | 0 | 1300 | 1300 | 720 | 0
months brief
  2026-07 100 | 0.44 | 9490 | 6862 | 0.32381 | 0 | 1300 | 1300 | 720 | 0

track_steps terminal
  As planned | ... |  | 17520
  Demand | ... | 5840 | 23360
  Mix | ... | 0 | 23360
  Decision | ... | 0 | 23360
  Price | ... | 2190 | 25550
  Rest | ... | 0 | 25550
  Actual | what was paid |  | 25550

track_moved window
  Demand | Training | H100 | 5840
  Price | Training | H100 | 2190

track_rows document
  demand | training | H100 | 5840
  demand | - | H100 | 0
  mix | training | H100 | 0
  mix | - | H100 | 0
  decision | training | H100 | 0
  decision | - | H100 | 0
  price | training | H100 | 2190
  price | - | H100 | 0
  rest | training | H100 | 0
  rest | - | H100 | 0

track_left document
  K | 178120 | 5840 | 356240 | 11680 | 110960 | 2027-10-01
track_left window
  K | 178120 | 5840 | 110960 | 2027-10-01

track_workloads document
  c1/team/load-000 | 5840 | 7300 | 4380

track_words words
  Plan A 2026-01-31 2026-03-02 17520 25550 8030
  25550 25550

few_hours words
  atlas 70 1401 bora 100 2000

savings_by_hand terminal
  Terms and rates | ███████████████████████████ | 1000
  Moves between pools |                           ██████ | 200
  Spot |                                █ | 5
  ... | ████████████████████████████████ | 1205
  Demand now |                      ███████████ | -400
  ... |                       | 0
  ... | █████████████████████ | 805
savings_by_hand brief
  Terms and rates | 1000 | ...
  Moves between pools | 200 | ...
  Spot | 5 | Effect of spot.
  ... | 1205 | The three above.
  Demand now | -400 | ...
  ... | 0 | ...
  ... | 805 | ...

offered_by_hand terminal
  Right-sizing | 99.5 | 1200.5 | ... 2

runs_to_midnight document
  atlas/team/sft | sft | atlas | 2026-07-03 | 2026-07-03 | 80 | 8 | 192 | 67.6 | -
runs_to_midnight window
  sft | 2026-07-03 | 8 | 80 | 192 | 67.6
runs_to_midnight terminal
  sft | atlas | 2026-07-03 | 2026-07-02 | 8 | 80 | 192

statement_unknown brief
  atlas/team/chat | atlas | 200 | 392 | 511.111 | 16 | 919.111
  atlas/team/sft | atlas | 160 | - | 408.889 | 64 | -

waiting_words_longer words
  H100 12 15 17520 21900 Training 7 36 y1 4 Training 7543.33
  H100 3840 0 -3840
  ...
  ...
  ...
  20 15 2026-04-02
  0.923077
  Training 0 Burst 0 ...
  ...
  0.5
  1

totals words
  {current_usd_per_month=29930 do_nothing_usd_per_month=29930 plan_usd_per_month=27153.3
      savings_usd_per_month=2776.67 savings_percent=9.2772 savings_vs_do_nothing_usd_per_month=2776.67
      on_demand_equivalent_usd_per_month=34310 effective_savings_rate=0.208588 effective_utilization_now=0.5
      effective_utilization_plan=0.595238 unused_now_usd_per_month=8030 unused_plan_usd_per_month=8638.33
      lock_in_now_months=2.88 lock_in_months=4.17334 cost_of_separation_usd_per_month=0
      cost_of_separation_year_usd=851.667 liability_now_usd=135780 liability_usd=197100
      due_at_once_now_usd=4380 extras_usd_per_month={egress=0 storage=0 network=0 support=0 setup=0 staff=0}
      gpus_to_sign=[{pool=inference gpu_model=H100 gpus=2} {pool=training gpu_model=H100 gpus=4}]}

totals_unpriced words
  {current_usd_per_month=- do_nothing_usd_per_month=- plan_usd_per_month=- savings_usd_per_month=-
      savings_percent=- savings_vs_do_nothing_usd_per_month=0 on_demand_equivalent_usd_per_month=-
      effective_savings_rate=- effective_utilization_now=0.5 effective_utilization_plan=0.595238
      unused_now_usd_per_month=- unused_plan_usd_per_month=- lock_in_now_months=- lock_in_months=-
      cost_of_separation_usd_per_month=- cost_of_separation_year_usd=- liability_now_usd=0 liability_usd=0
      due_at_once_now_usd=0 extras_usd_per_month=- gpus_to_sign=[]}
  {current_usd_per_month=26280 do_nothing_usd_per_month=26280 plan_usd_per_month=26280
      unused_now_usd_per_month=5475 unused_plan_usd_per_month=6083.33 liability_now_usd=0 liability_usd=0
      missing=[K3]}
  -

limits document
  share | 0.25 | Ada | - | - | - | [] | 1000 | 10000 | 5 | yes | too much
  share | 0.25 | Ada | - | - | - | [] | - | 10000 | 5 | yes | too much
  share | 0.25 | Ada | - | - | - | [] | 0 | 0 | 0 | no | ...
limits window
  0.25 Ada | 1000 | 10000 | too much
  0.25 Ada | - | 10000 | too much
  0.25 Ada | 0 | 0 | ...

titles words
  Commit now
  Commit later
  To order now
  To order later

days_without_a_calendar words
  first month
  first month
  first month
  2
  13

margins words
  0.2
  0.1
  0

knee_by_log words
  [2 3]
  []
  []
  []
  []
  []

quarters words
  [2026 Q1 1.76723e+09 1.775e+09]
  [2026 Q2 1.775e+09 1.78027e+09]
  [2026 Q4 1.76723e+09 1.7699e+09]
  [2027 Q1 1.7699e+09 1.77759e+09]
  [2027 Q2 1.77759e+09 1.78027e+09]
  [2026 Q1 1.76723e+09 1.77232e+09]
  [2026 Q2 1.77232e+09 1.78027e+09]

contracts_with_sla document
  K1 | c1 | Ada | - | 4 | 2920 | 2920 | 1 | no | 0.5 | 0 | - | - | - | -
  K2 | c2 | Bo | PO-7 | 8 | 5840 | 2190 | 0.375 | yes | 0.375 | 5475 | - | - | - | -
  K3 | c1 | Ada | - | 5 | 3650 | 1095 | 0.3 | yes | 0.5 | 2555 | 7.3 | 36.5 | - | -
contracts_with_sla window
  K2 | PO-7 | 8 | 0.375 | 0.375 | 0.375 | 5475
  K3 | - | 5 | 0.3 | 0.3 | 0.5 | 2555
  K1 | - | 4 | 1 | 1 | 0.5 | 0
contracts_with_sla terminal
  K2 | c2 | PO-7 | 8 | 0.375 | 0.375 | - | - | 5475
  K3 | c1 | - | 5 | 0.3 | 0.5 | 7.3 | 36.5 | 2555
  K1 | c1 | - | 4 | 1 | 0.5 | - | - | 0
contracts_with_sla brief
  K2 | c2 | 8 | 0.375 | 0.375 | yes | 5475
  K3 | c1 | 5 | 0.3 | 0.5 | yes | 2555
  K1 | c1 | 4 | 1 | 0.5 | no | 0
contracts_with_sla workbook
  K1 | 2920 | 2920 | 1 | 0.5 | 5840 | 0 | 5840
  K2 | 5840 | 2190 | 0.375 | 0.375 | 8760 | 5475 | 3285
  K3 | 3650 | 1095 | 0.3 | 0.5 | 3650 | 2555 | 1095

left_at_midnight document
  K | 178120 | 5840 | 356240 | 11680 | 110960 | 2027-01-01
left_at_midnight window
  K | 178120 | 5840 | 110960 | 2026-12-31
left_at_midnight terminal
  K | 178120 | 5840 | 356240 | 11680 | 110960 | 2026-12-31

past_runs document
  atlas/team/sft | sft | j0 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | 0.25 | COMPLETED | no
  atlas/team/sft | sft | j1 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | - | FAILED | yes
  atlas/team/sft | sft | j2 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | -0.1 | CANCELLED | no
  atlas/team/sft | sft | j3 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | 0 | COMPLETED | no
  atlas/team/sft | sft | j4 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | - | - | no
past_runs window
  sft | j0 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | 0.25 | Took longer
  sft | j1 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | - | Failed
  sft | j2 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | -0.1 | Cancelled
  sft | j3 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | 0 |
  sft | j4 | team | atlas | 2026-07-01 | 8 | 10 | 4 | 8 | - |

month_12 words
  [1.79876e+09 28105 0]
"""
BLOCKS = {block.split(" ", 1)[0]: block for block in EXPECTED.strip("\n").split("\n\n") if block}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_row_is_what_is_written_down_of_it(name: str) -> None:
    assert rendered(name) == BLOCKS[name]
