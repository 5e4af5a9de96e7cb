"""A plan as text in a terminal: layers, orders, award, backtest, track, and who pays."""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from gpuplanner.cli.arguments import PROJECT_SUFFIX, UsageError
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.inputs import stated_same, table_mappings, window_request
from gpuplanner.cli.option_values import parse_settings
from gpuplanner.cli.project_words import with_money
from gpuplanner.cli.reading import progress_on_terminal, read_options
from gpuplanner.cli.tables import cluster_name, dollars, dollars_of, percent, report_text, signed, titled
from gpuplanner.cli.terminal import LAYOUT, Tables, table
from gpuplanner.domain.audit.chargeback import Charges
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance, shared_words
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.unit_costs import BusinessCost, retraining_of
from gpuplanner.domain.award.award import Award
from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.advice_backtest import WAYS as BACKTEST_WAYS
from gpuplanner.domain.commitment.outlook_result import Outlook, Uncertainty
from gpuplanner.domain.commitment.outlook_words import (
    PATH_NAMES,
    WAYS,
    bought_words,
    cost_of_levels_sentences,
    paths_sentences,
    price_changes_sentences,
)
from gpuplanner.domain.commitment.plan.comparison import horizons_of, is_priced_ahead
from gpuplanner.domain.commitment.plan.orders import to_sign
from gpuplanner.domain.commitment.plan.totals import asked_words, cost_sum, plan_sum
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.savings import before_words, savings_story
from gpuplanner.domain.commitment.sentences import HORIZON_NAMES, HYPOTHETICAL
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.commitment.uncertainty.levels import cost_of_levels, values_of_row
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_audit
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.award import QUOTE
from gpuplanner.domain.figures.plan import AHEAD, PLAN, telling_share
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.figures.writing import ENGLISH, UNKNOWN, day
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import PartSum, lacking_sentences
from gpuplanner.domain.model.book.exchange import Currency
from gpuplanner.domain.model.book.price_history import PriceFall, fall_words, rate_change_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.tables import Tables as Shipped
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.queue.frontier import FrontierPoint
from gpuplanner.domain.queue.logged import QueueLog
from gpuplanner.domain.queue.rows import WHOLE, QueueRow, WaitsBy
from gpuplanner.domain.queue.sentences import (
    by_standing,
    longest_wait,
    plan_words,
    size_words,
    target_words,
    trust_words,
)
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports import cash, plan_layers, savings, training, use
from gpuplanner.domain.reports.award import LEFT_OUT, QUOTES, ROWS, UNDECIDED, VENDORS, headline, notes
from gpuplanner.domain.reports.changes import CHANGES, STEPS, TRACK_REPORTS, beside
from gpuplanner.domain.reports.changes import headline as track_headline
from gpuplanner.domain.reports.costs import (
    BUSINESS_COSTS,
    ENDPOINTS,
    EXPERIMENTS,
    MODELS,
    RETRAININGS,
    RUNS,
    report_of,
)
from gpuplanner.domain.reports.orders import NEXT_DECISIONS, SHOWN_ORDERS, VERDICT_ROWS
from gpuplanner.domain.reports.report import Column
from gpuplanner.domain.reports.waiting import LOG_WAITS, POOL_WAITS, SIZES, WINDOWS
from gpuplanner.domain.track.track import Track
from gpuplanner.files.importing.later_log import Later, LaterFiles, track_later
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.files.values.times import check_timezone
from gpuplanner.lazy_dataclass import dataclass, replace

# --- A plan as text a person reads in a terminal: layers, verdicts, orders, checks, what it comes to


def plan_tables(evaluation: Evaluation, document: Document) -> Tables:
    """The plan: totals, where savings come from, decisions, layers by pool, verdicts, orders, cash, price paths.

    document: that of the plan, whose totals are written here. Errors: ValueError without advice.
    """
    advice = evaluation.advised
    limits = evaluation.outlook if evaluation.outlook is not None and evaluation.outlook.limits else None
    return (
        ("totals", lambda: _totals_text(evaluation, document)),
        ("totals", lambda: _horizons_text(evaluation)),
        *_story_tables(evaluation),
        ("decisions", lambda: decisions_text(evaluation)),
        ("layers", lambda: f"{titled(plan_layers.PLAN_LAYERS, advice)}\n  {LAYERS_NOTE}"),
        ("layers", lambda: _by_hand_text(evaluation)),
        ("limits", lambda: titled(savings.LIMITS, limits) if limits else ""),
        ("contracts", lambda: _verdicts_text(evaluation)),
        ("energy", lambda: _energy_text(evaluation)),
        ("orders", lambda: titled(SHOWN_ORDERS, advice)),
        *(
            (NAME_OF_PAID.get(key, "cash"), partial(titled, report, evaluation))
            for key, report in cash.READ_WITH_PLAN.items()
        ),
        ("prices", lambda: _paths_text(evaluation)),
    )


LAYERS_NOTE: Final = (
    "In the first month. Existing contracts: mean rate of all clusters. Later orders: --show orders."
)
NAME_OF_PAID: Final = {"term_match": "terms", "mix": "mix"}
"""Tables of what is paid that are asked for by a name of their own."""


def plan_head(evaluation: Evaluation) -> str:
    """What is spent with and without the plan: next month, in month 12, and in twelve months."""
    advice, project = evaluation.advised, evaluation.project
    band = evaluation.outlook.uncertainty if evaluation.outlook else Uncertainty()
    planned, totals = plan_sum(advice), advice.totals
    term, term_now = (ENGLISH.number(of, 1) for of in (totals.lock_in_months, totals.lock_in_now_months))
    now, count = len(to_sign(advice.orders, project.plan_window.end_s)), len(advice.orders)
    parts = [
        f"Plan from {day(project.plan_window.end_s)}, 12 months \u00b7 {evaluation.scenario}",
        str(HYPOTHETICAL) if evaluation.is_hypothetical else "",
        _ahead_text(evaluation, band) if is_priced_ahead(advice) else _spend_text(evaluation),
        _missing_text(project, evaluation.audit.spend_parts, planned, asked_words(advice)),
    ]
    if advice.orders:
        known = [cost_sum(advice, key) for key in ("liability_now", "liability")]
        usd = [f"at least {amount(of.known)}" if of.is_at_least else amount(of.total) for of in known]
        owed = f"total commitment now {usd[0]}, in all {usd[1]}"
        parts.append(f"  {count:,} order{'s' * (count != 1)}, {now:,} to place within a month; {owed}")
    parts.append(f"  {PLAN['lock_in_months'].title} {term} months, now {term_now}")
    return "\n".join(part for part in parts if part)


def _first_saving(advice: Advice) -> int:
    """The first month, from 1, in which the plan costs another sum than doing nothing; 1 where none does."""
    months = [(row.do_nothing_usd, row.plan_usd) for row in advice.comparison]
    return next((at for at, usd in enumerate(months, 1) if None in usd or len(set(map(dollars, usd))) > 1), 1)


def _ahead_text(evaluation: Evaluation, band: Uncertainty) -> str:
    """A line each for doing nothing, the plan, its savings and its range: next month, in month 12, in twelve months.

    Savings that start later have the month in which they do instead of a 0.
    """
    rows = horizons_of(evaluation.advised, evaluation.before)
    keys = ("do_nothing", *(("before", "plan", "changed") if evaluation.before else ("plan",)), "saved")
    written = {"changed": signed}
    lines = [
        [AHEAD[key].title, *(written.get(key, dollars)(getattr(row, key)) for row in rows)] for key in keys
    ]
    if (first := _first_saving(evaluation.advised)) > 1:
        lines[-1][1] = f"from month {first}"
    next_month = (band.p10_usd_per_month, band.p90_usd_per_month)
    ends = (next_month, (None, None), (band.year_p10_usd, band.year_p90_usd))
    ranges = ["" if None in of else "\u2013".join(dict.fromkeys(map(dollars, of))) for of in ends]
    lines += [["The plan, P10 to P90", *ranges]] * any(ranges)
    return "\n" + table(("$", *(HORIZON_NAMES[row.horizon] for row in rows)), lines)


def _spend_text(evaluation: Evaluation) -> str:
    """Today's spend and the plan, where nothing is priced ahead."""
    rows = (
        ("Spend today", dollars_of(evaluation.audit.spend_parts)),
        (PLAN["plan"].title, dollars_of(plan_sum(evaluation.advised))),
    )
    return "\n" + table(("", "$ per month"), rows)


SINGLE: Final = " (savings of each alone; they do not add up)"


def decisions_text(evaluation: Evaluation) -> str:
    """The next decisions with their day and amounts; empty without any."""
    outlook = evaluation.outlook
    return titled(NEXT_DECISIONS, outlook.open_decisions, SINGLE) if outlook else ""


def _verdicts_text(evaluation: Evaluation) -> str:
    """What becomes of contracts; empty without any."""
    if not evaluation.advised.verdicts:
        return ""
    return f"\nContracts\n{report_text(VERDICT_ROWS, evaluation)}\n  {VERDICT_ROWS.note}"


def _energy_text(evaluation: Evaluation) -> str:
    """What the plan takes by pool, and the largest hour; empty where nothing of it is known."""
    energy = evaluation.advised.energy
    if not energy.by_pool or (energy.kwh_per_month is None and energy.peak_kw is None):
        return ""
    peak = f"  Largest hour of twelve months: {ENGLISH.one_decimal(energy.peak_kw)} kW"
    return f"{titled(use.ENERGY_OF_PLAN, energy)}\n{peak}"


def _totals_text(evaluation: Evaluation, document: Document) -> str:
    """Spend today, doing nothing and the plan, and what of them is unknown."""
    advice = evaluation.advised
    totals = document["totals"]
    today, planned = evaluation.audit.spend_parts, plan_sum(advice)
    rate = totals["effective_savings_rate"]
    is_nothing_saved = rate is not None and telling_share(rate) is None
    headline = [
        ("Spend today", dollars_of(today)),
        *_spend_parts(evaluation.audit),
        (PLAN["do_nothing"].title, dollars_of(cost_sum(advice, "do_nothing"))),
        (PLAN["plan"].title, dollars_of(planned)),
        (PLAN["savings_vs_do_nothing"].title, dollars(totals["savings_vs_do_nothing_usd_per_month"])),
        (before_words(bool(evaluation.project.contracts)), dollars(totals["savings_usd_per_month"])),
        (titles.COST_OF_SEPARATION, dollars(totals["cost_of_separation_usd_per_month"])),
        (PLAN["on_demand_equivalent"].title, dollars(totals["on_demand_equivalent_usd_per_month"])),
        (PLAN["effective_savings_rate"].title, "below -100%" if is_nothing_saved else percent(rate)),
    ]
    parts = (
        _plan_from_text(evaluation.project),
        "\nThe plan ($ per month)\n" + table(("", "$ per month"), headline),
        _missing_text(evaluation.project, today, planned, asked_words(advice)),
    )
    return "\n".join(part for part in parts if part)


def _horizons_text(evaluation: Evaluation) -> str:
    """What the plan comes to in each horizon, beside the plan before the question where one is asked; empty unknown."""
    advice = evaluation.advice
    if advice is None or not is_priced_ahead(advice):
        return ""
    report = savings.HORIZONS if evaluation.before is None else savings.QUESTION
    return f"\n{report.title}\n{report_text(report, evaluation)}\n  {report.note}"


def _paths_text(evaluation: Evaluation) -> str:
    """What the terms hang on: what each way of signing costs on each path of prices; empty while unknown."""
    paths = evaluation.outlook.price_paths if evaluation.outlook else ()
    if not paths or not evaluation.project.offers:
        return ""
    rows = [
        (PATH_NAMES[one.path], *(dollars(getattr(one, way)) for way in WAYS), dollars(one.regret_usd))
        for one in paths
    ]
    plan = evaluation.figures.basis.plan
    months = evaluation.project.assumptions_in(plan).horizon_months
    heads: tuple[Text, ...] = ("Prices", *WAYS.values(), "Advice, cost of being wrong")
    sentences = (*paths_sentences(paths, months), *price_changes_sentences(plan.price_changes))
    said = "\n".join(one_line(f"  {line}") for line in sentences)
    is_known = any(getattr(one, way) is not None for one in paths for way in WAYS)
    costs = f"\n{table(heads, rows)}" if is_known else ""
    return f"\nHow the terms depend on prices (expected $ over {months} months, discounted){costs}\n{said}"


def _missing_text(project: Project, today: PartSum, planned: PartSum, asked: Text) -> str:
    """What of the spend has no price or is asked about, and what to do; empty where all of it is known."""
    lines = [
        one_line(f"  {name}: {lacking_sentences(of)}")
        for name, of in (("Spend today", today), (titles.THE_PLAN, planned))
        if any(of.missing)
    ]
    if asked:
        lines.append(one_line(f"  The plan: {asked}."))
    if not project.offers:
        lines.append("  No prices were given: give --prices FILE, or --prices builtin for the public list.")
    return "\n".join(lines)


def _plan_from_text(project: Project) -> str:
    """The day that was chosen for the plan to begin; empty where that is the end of the window."""
    begins = project.plan_window
    return "" if begins is project.window else f"\nPlan from  {day(begins.end_s)}, UTC\n"


def _by_hand_text(evaluation: Evaluation) -> str:
    """What levels set by hand cost beside the advice, row by row; empty where none are."""
    advice, outlook = evaluation.advice, evaluation.outlook
    lines = []
    for pool in advice.pools if advice and outlook else ():
        values = values_of_row(pool, outlook.level_values) if outlook and pool.by_hand.is_set else None
        cost = None if values is None else cost_of_levels(pool, values)
        if values is not None and cost is not None:
            name = f"{pool.pool.capitalize()} {pool.gpu_model or 'unknown model'}"
            lines += [one_line(f"  {name}: {line}") for line in cost_of_levels_sentences(cost, values)]
    return "\nLevels set by you\n" + "\n".join(lines) if lines else ""


def _spend_parts(audit: Audit) -> list[tuple[str, str]]:
    """What the clusters cost and what overflowed, as the window writes them: both add up to the spend."""
    if audit.effective_utilization is None:
        return []  # nothing is known to be paid for
    paid, over = audit.whole_spend
    return [("  paid for contracts", dollars_of(paid)), ("  overflow, at on-demand rates", dollars_of(over))]


def _story_tables(evaluation: Evaluation) -> Tables:
    """Where the savings come from, step by step, what they would buy, and what separate pools cost and avoid."""
    has_today = bool(evaluation.project.contracts)
    story = savings_story(evaluation.advised, evaluation.outlook, evaluation.audit, has_today)
    first = _first_saving(evaluation.advised)

    def steps_text() -> str:
        if first > 1:
            return f"\n{savings.SAVINGS.title}\n  Savings start in month {first}."
        if story.total.exact is None:
            why = next(one_line(row.meaning) for row in story.steps if row.exact is None)
            return f"\n{savings.SAVINGS.title}\n  Unknown{why.removeprefix(UNKNOWN)}"
        if not any(round(row.exact or 0) for row in story.steps):
            return ""
        steps = titled(savings.SAVINGS, story, " ($ in the first month)")
        return f"{steps}\n  {bought_words(story.buy)}"

    accept, separate = " ($ per month; --accept STEP takes one in)", savings.SEPARATION_LINES
    return (
        ("savings", steps_text),
        ("offered", lambda: f"{titled(savings.OFFERED, story, accept)}\n  {savings.OFFERED.note}"),
        ("separation", lambda: f"{titled(separate, story)}\n  {separate.note}"),
    )


def price_falls_text(falls: Sequence[PriceFall], delta: float) -> str:
    """What the histories of rates propose as price fall; empty where they are no year of any GPU model.

    delta: price fall that the plan has, a ratio a month.
    """
    if not falls:
        return ""
    head = f"\nPrice fall that dated rates propose (the plan has {rate_change_words(delta)} per month)"
    lines = [one_line(f"  {fall_words(one)}; --set delta={100 * one.proposed:.1f}%") for one in falls]
    return "\n".join((head, *lines))


def spot_text(document: Document, outlook: Outlook | None) -> str:
    """What files of interruptions say of spot nodes, and long training there; empty without either.

    document: that of the plan.
    """
    found = document.get("interruptions")
    runs = titled(training.SPOT_RUNS, outlook)
    if found is None:
        return runs
    lines = [
        one_line(f"Spot: {one['gpu_model']} nodes of {one['provider']}: {_taken(one)}")
        for one in found["by_model"]
    ]
    hours = found["spot_node_mtbf_hours"]
    if hours is not None:
        taken = "the plan has it" if found["is_taken"] else "the plan has another, as it was set"
        lines.append(one_line(f"Spot: a node is taken every {hours:.1f} h ({found['source']}); {taken}"))
    elif found["node_hours"] or not lines:
        lines.append(f"\nSpot: interruptions observed: {_taken(found)}")
    return "".join((*lines, runs))


def _taken(found: Document) -> str:
    """How often nodes were taken; where it proposes no time between two, what was counted."""
    hours = found["spot_node_mtbf_hours"]
    many = f"{found['interruptions']:,} in {found['node_hours']:,.0f} node-hours"
    return f"{many}; that proposes no time between them" if hours is None else f"every {hours:.1f} h ({many})"


def price_sensitivity_text(cases: Sequence[CasePlan]) -> str:
    """The plan at low, mid and high rates, and the layers that change with them.

    Below the table each layer whose GPUs are not those at mid.
    """
    rows = [
        (
            one.case.value,
            dollars(one.plan_usd_per_month),
            dollars(one.do_nothing_usd_per_month),
            dollars(one.savings_vs_do_nothing_usd_per_month),
            f"{one.at_mid:,} of {one.priced_offers:,}",
        )
        for one in cases
    ]
    heads = (
        "Rates",
        "Plan, $ per month",
        PLAN["do_nothing"].title,
        PLAN["savings_vs_do_nothing"].title,
        "Offers at their mid rate",
    )
    lines = ["Low, mid and high rates", table(heads, rows)]
    for one in cases:
        for row in one.changed_layers:
            name = f"{row.pool} {row.gpu_model or 'unknown model'}, {row.term}"
            lines.append(one_line(f"  {one.case}: {name}: {row.gpus:g} GPUs, not {row.gpus_mid:g}"))
    return "\n".join(lines)


# --- The answer of `award` as text: who gets what, the vendors, and what each quote saves and is worth

HOW_TO_ASK = (
    "There is nothing to award: the plan has no order that vendors quote. Where it has: export --rfq DIR asks "
    "vendors, and their answers come back with --prices."
)


def award_text(award: Award) -> str:
    """The headline; where nothing is asked for, how to ask."""
    return one_line(f"{headline(award)}." if award.rows else f"{HOW_TO_ASK} {award.unasked}".strip())


def award_tables(award: Award) -> Tables:
    """The tables of an award; where nothing is asked for, what waits for the buyer all the same."""
    named = {"rows": ROWS, "clarify": UNDECIDED, "vendors": VENDORS, "quotes": QUOTES, "left_out": LEFT_OUT}
    mark = f"\n* {QUOTE['is_far_from_market'].glossary}"
    return (
        *(
            (name, partial(titled, report, award))
            for name, report in named.items()
            if award.rows or report is UNDECIDED
        ),
        ("quotes", lambda: mark if any(quote.is_far_from_market for quote in award.quotes) else ""),
        ("notes", lambda: "\n".join(one_line(str(note)) for note in notes(award))),
    )


# --- The answer of `backtest` as text ------------------------------------------------------------

TITLES = {**plain_table("backtest_way"), "on_demand": titles.ON_DEMAND}


def backtest_text(answer: advice_backtest.Backtest) -> str:
    """Whether the advice would have paid, and the sum of each rule of purchase; without folds why."""
    lines = [one_line(advice_backtest.verdict_of(answer))]
    if answer.folds:
        lines.append(one_line(advice_backtest.caveat_of(answer)))
    return "\n".join(lines)


def backtest_tables(
    answer: advice_backtest.Backtest, variants: tuple[advice_backtest.Variant, ...]
) -> Tables:
    """Each month, what was wrong there, and which settings would have paid."""
    return (
        ("folds", lambda: _folds_text(answer) if answer.folds else ""),
        (
            "reasons",
            lambda: "\n".join(
                one_line(f"  {day(fold.paid_for[0])}: {reason}")
                for fold in answer.folds
                for reason in advice_backtest.fold_reasons(fold)
            ),
        ),
        ("settings", lambda: _settings_text(answer, variants) if answer.folds and variants else ""),
    )


def _folds_text(answer: advice_backtest.Backtest) -> str:
    """Folds and their sums, $ of each month."""
    rows = [
        (day(fold.paid_for[0]), *(dollars(fold.usd[way]) for way in BACKTEST_WAYS)) for fold in answer.folds
    ]
    rows.append(("All", *(dollars(answer.totals[way]) for way in BACKTEST_WAYS)))
    return (
        "Backtest, $ of each month of 730 h; 7, 28, 56 days, peak and mean buy the shortest term; 'any': the term "
        "that is cheapest\n" + table(("Month from", *(str(TITLES[source]) for source in BACKTEST_WAYS)), rows)
    )


def _settings_text(answer: advice_backtest.Backtest, variants: tuple[advice_backtest.Variant, ...]) -> str:
    """What other settings of the advice would have cost."""
    settings = [
        (
            variant.title,
            ", ".join(f"{name}={value}" for name, value in variant.settings.items()) or UNKNOWN,
            dollars(variant.usd),
            ENGLISH.number(answer.over_hindsight(variant.usd), 3),
        )
        for variant in variants
    ]
    rows = table(("Setting", "--set", "$", "x hindsight"), settings, left=2)
    return f"Settings of the advice on this log\n{rows}\n{one_line(advice_backtest.suggestion_of(variants))}"


# --- The answer of `queue`: rows of waits as tables, sizes, a target, and how far to trust them


def queue_text(waiting: Waiting) -> str:
    """How long nine of ten jobs wait, the longest first, the target, and how far to trust the replay."""
    rows, gpus = (waiting.replayed, "the plan") if waiting.is_planned else (waiting.today, "today")
    longest = sorted(rows, key=longest_wait, reverse=True)
    pools = [f"{POOL_TITLES[row.pool]} {ENGLISH.one_decimal(row.waits.p90_h)} h" for row in longest]
    models = ", all GPU models" if len({row.gpu_model for row in waiting.by_model}) > 1 else ""
    head = f"P90 wait on the GPUs of {gpus}{models}: {', '.join(pools)}."
    target = [one_line(target_words(waiting.target, waiting.frontier))] if waiting.target else []
    sentences = (*size_words(waiting)[:1], *plan_words(waiting))
    in_short = [f"{_waits_by_pool(waiting, NOT_IN_SHORT)}\n"] if LAYOUT.get().is_summary else []
    return "\n".join((head, *target, *in_short, *(one_line(words) for words in sentences)))


NOT_IN_SHORT: Final = ("gpu_model", "jobs", "mean_h", "sent_out_jobs", "waited_with_room")


def _waits_by_pool(waiting: Waiting, left_out: Sequence[str] = ("gpu_model",)) -> str:
    """Waits of pools as logged and replayed, the pool that waits longest first. left_out: columns, by name."""
    every = {
        "log": waiting.measured,
        "today": waiting.today,
        # copies: a plan that has the GPUs of today has the very rows of today
        "plan": [replace(row) for row in waiting.replayed] if waiting.is_planned else (),
    }
    gpus = {id(row): name for name, rows in every.items() for row in rows}
    longest = {row.pool: -longest_wait(row) for row in waiting.replayed}
    unsorted = (row for rows in every.values() for row in rows)
    rows = sorted(unsorted, key=lambda row: longest.get(row.pool, 0.0))
    column = Column(key="gpus", title="GPUs", form="name", value=lambda row: gpus[id(row)])
    pool, *others = (each for each in POOL_WAITS.columns if each.name not in left_out)
    return report_text(replace(POOL_WAITS, columns=(pool, column, *others)), rows)


def queue_tables(waiting: Waiting, of_log: Sequence[WaitsBy] | None) -> Tables:
    """Waits as they were, on the GPUs of today and of the plan, then sizes. of_log: the log's own waits."""

    def sizes_text(heading: Text, points: Sequence[FrontierPoint]) -> str:
        if LAYOUT.get().is_summary:
            points = sorted((size for size in points if size.marks), key=longest_wait, reverse=True)
        return f"\n{heading}\n{report_text(SIZES, points)}" if points else ""

    return (
        ("pools", lambda: f"\nWaits by pool, in the log and replayed\n{_waits_by_pool(waiting)}"),
        ("models", lambda: f"\nThe last by GPU model\n{report_text(POOL_WAITS, waiting.by_model)}"),
        *(("sizes", partial(sizes_text, *standing)) for standing in by_standing(waiting.frontier)),
        ("hours", lambda: titled(WINDOWS, waiting.windows)),
        ("waits", lambda: titled(LOG_WAITS, [row for row in of_log or () if row.by in WHOLE])),
        ("trust", lambda: "\n".join(one_line(f"  {words}") for words in trust_words(waiting))),
    )


NOT_SUBMITTED: Final = "unknown, as the log does not say when jobs were submitted."
NOT_KEPT: Final = "unknown, as the job rows of the log are not kept here. Give --jobs instead of the project."


def waits_text(waits: Sequence[WaitsBy] | None, log: QueueLog | None) -> str:
    """The log's own waits, without those by hour of the week."""
    if waits is None:
        return f"Waits as they were: {NOT_SUBMITTED if log else NOT_KEPT}\n"
    rows = [row for row in waits if row.by != "hour_of_week"]
    return f"{LOG_WAITS.title}\n{report_text(LOG_WAITS, rows)}\n"


def waiting_text(rows: Sequence[QueueRow] | None, log: QueueLog | None) -> str:
    """Waits on the GPUs of the plan."""
    if rows is None:
        return f"Waits on the GPUs of the plan: {NOT_SUBMITTED if log else NOT_KEPT}\n"
    if not rows:
        return ""
    return (
        f"Waits on the GPUs of the plan, replayed; see the command queue\n{report_text(POOL_WAITS, rows)}\n"
    )


# --- The answer of `track`: a saved plan opened, the log that came read beside it, and what moved the plan as text


@dataclass(frozen=True, slots=True, eq=False)
class Tracked:
    """What one call compared. found: None where nothing of the log lies in the time that is compared."""

    later: Later
    found: Track | None
    currency: Currency


def tracked(words: argparse.Namespace, tables: Shipped) -> Tracked:
    """Open the plan, read what came, and compare. Errors: UsageError; PlannerError where a file cannot be read."""
    for option, is_given in (("PLAN.gpuplan", words.project), ("--jobs NEW", words.jobs)):
        if not is_given:
            raise UsageError(f"track needs {option}; write track PLAN.gpuplan --jobs NEW")
    if not words.project.lower().endswith(PROJECT_SUFFIX):
        raise UsageError(f"{words.project!r} is not a {PROJECT_SUFFIX} file; save the plan, then track it")
    if parse_settings(words.set):
        raise UsageError("track holds the plan as it was saved; of --set it takes reporting_currency alone")
    bounds = window_request(words, whole_log=False)
    check_timezone(words.timezone)
    project, currency = with_money(open_project(Path(words.project)), words, in_dollars=words.json)
    name = words.scenario or project.scenarios[0].name
    if name not in [plan.name for plan in project.scenarios]:
        raise UsageError(
            f"no plan is called {name!r}; there is {', '.join(p.name for p in project.scenarios)}"
        )
    files = LaterFiles(
        jobs=words.jobs,
        contracts=table_mappings(words, "contracts") or words.contracts,
        prices=words.prices,
        options=read_options(words),
        said=stated_same(words).said,
    )

    def evaluated() -> Evaluation:
        """The plan with its advice; its outlook is not asked for."""
        evaluation = evaluate_audit(project, name, tables)
        return replace(evaluation, advice=advise_plan(project, evaluation.figures))

    with progress_on_terminal() as on_progress:
        later, found = track_later(project, evaluated, files, tables, bounds, on_progress)
    return Tracked(later, found, currency)


def track_text(found: Track) -> str:
    """The difference in a sentence."""
    return one_line(f"{track_headline(found)}.")


def track_tables(track: Track) -> Tables:
    """The steps by pool and model, what is left of each contract, and what is to be known of both."""
    notes = [one_line(f"{beside(track)}.")] if str(beside(track)) else []
    notes += [one_line(f"Note: {note}.") for note in track.notes]
    return (
        ("steps", lambda: report_text(STEPS, track)),
        *(
            ("contracts", partial(titled, report, track))
            for report in TRACK_REPORTS[1:]
            if report.rows(track)
        ),
        ("contracts", lambda: "\n".join(f"  {report.note}" for report in TRACK_REPORTS[1:] if report.note)),
        ("notes", lambda: "\n".join(notes)),
    )


# --- Unit costs, variance and chargeback as text that a person reads in a terminal ---------------


def cost_tables(costs: UnitCosts, variance: Variance, window: Window) -> Tables:
    """The most expensive runs, models, endpoints and experiments, and what changed between two periods.

    window: that periods are counted in.
    """
    of_a_run = f" ($ of the run; one ends after {costs.run_gap_hours:g} h without GPU time)"
    premium = (
        f"  Consolidation premium at equal terms, $ per month: {dollars(costs.premium.usd_per_month)} = rate premium "
        f"{dollars(costs.premium.rate_usd_per_month)} + idle premium {dollars(costs.premium.idle_usd_per_month)}"
    )
    return (
        ("costs", lambda: titled(RUNS, costs, of_a_run)),
        *(("costs", partial(titled, report, costs)) for report in (MODELS, ENDPOINTS)),
        ("costs", lambda: premium if ENDPOINTS.rows(costs) else ""),
        ("costs", lambda: titled(EXPERIMENTS, costs)),
        ("runs", lambda: titled(RETRAININGS, retraining_of(costs.runs, window))),
        ("changes", lambda: _variance_text(variance, window)),
    )


def business_text(rows: Sequence[BusinessCost]) -> str:
    """Spend for one of the business figures, and why some of it is unknown; empty where none are given."""
    if not rows:
        return ""
    whys = dict.fromkeys(
        one_line(f"  {row.name}, {row.month}: {row.unknown}") for row in rows if str(row.unknown)
    )
    table = report_text(BUSINESS_COSTS, rows)
    return "\n".join((f"\n{BUSINESS_COSTS.title}", table, *whys, f"  {BUSINESS_COSTS.note}"))


def charge_text(charges: Charges) -> str:
    """Who pays for the window, and how idle GPUs were shared; empty where there is nothing to pay."""
    if not charges.rows:
        return ""
    report = report_of(charges)
    used_up = "".join(
        f"\n  {one_line(str(row.called))}: the budget is used up in the month from {day(row.used_up_s)}"
        for row in charges.rows
        if row.used_up_s is not None
    )
    unit = f"$ in the lookback period; {shared_words(charges.rule)}"
    return f"\n{report.title} ({unit})\n{report_text(report, charges)}{used_up}"


def _variance_text(variance: Variance, window: Window) -> str:
    """Clusters and their total, notes on what could not be told apart, and the mix."""
    before, after = (_period_text(period, window) for period in (variance.before, variance.after))
    said = (f"  {cluster_name(row.cluster)}: {row.note}" for row in variance.clusters if row.note)
    notes = "".join(f"\n{one_line(line)}" for line in said)
    if variance.mix_per_month is not None and len(variance.clusters) > 1:
        notes += f"\n  Of the volume, {signed(variance.mix_per_month)} is work that went to other clusters"
    return f"\n{CHANGES.title}, {before} to {after} ($ per month)\n{report_text(CHANGES, variance)}{notes}"


def _period_text(period: Period, window: Window) -> str:
    """First and last day of a period."""
    first, last = (window.start_s + hour * HOUR_S for hour in (period.first, period.last))
    return f"{day(first)} \u2013 {day(last - 1)}"
