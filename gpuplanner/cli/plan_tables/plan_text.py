"""A plan as text in a terminal: layers, verdicts, orders, checks and totals."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from gpuplanner.cli.audit_tables import titled
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.tables import dollars, dollars_of, listed_rows, percent, report_text, signed
from gpuplanner.cli.terminal import Tables, table
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.asked_rows import usual_days
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import Outlook, Uncertainty
from gpuplanner.domain.commitment.plan.comparison import horizons_of, is_priced_ahead
from gpuplanner.domain.commitment.plan.orders import orders_by_row, to_sign
from gpuplanner.domain.commitment.plan.totals import asked_words, cost_sum, plan_sum
from gpuplanner.domain.commitment.quote_wait import WaitForQuotes
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.savings import before_words, savings_story
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.commitment.uncertainty.level_costs import cost_of_levels, values_of_row
from gpuplanner.domain.commitment.words.horizons import HORIZON_NAMES
from gpuplanner.domain.commitment.words.level_costs import cost_of_levels_sentences
from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.commitment.words.price_paths import (
    PATH_NAMES,
    WAYS,
    paths_sentences,
    price_changes_sentences,
)
from gpuplanner.domain.commitment.words.savings import bought_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import AHEAD, PLAN, telling_share
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.figures.writing import ENGLISH, UNKNOWN, day
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import PartSum, lacking_sentences
from gpuplanner.domain.model.book.price_history import PriceFall, fall_words, rate_change_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports import cash, plan_layers, savings, training, use
from gpuplanner.domain.reports.orders import NEXT_DECISIONS, SHOWN_ORDERS, VERDICT_ROWS
from gpuplanner.files.system.terminal_output import one_line


def plan_tables(evaluation: Evaluation, document: Document, read_s: int | None = None) -> Tables:
    """The plan: totals, where savings come from, decisions, layers by pool, verdicts, orders, cash, price paths.

    document: that of the plan, whose totals are written here. read_s: the day on which they are read, epoch seconds;
    None: the plan's first. Errors: ValueError without advice.
    """
    advice = evaluation.advised
    limits = evaluation.outlook if evaluation.outlook is not None and evaluation.outlook.limits else None
    written_s = seen_in(evaluation.project, read_s).written_s
    decisions = evaluation.listed_decisions_on(written_s)
    wait = evaluation.wait_for_quotes(usual_days(written_s))
    return (
        ("totals", lambda: _totals_text(evaluation, document)),
        ("totals", lambda: _horizons_text(evaluation)),
        *_story_tables(evaluation),
        ("decisions", lambda: "\n".join(filter(None, (decisions_text(decisions), quotes_text(wait))))),
        ("layers", lambda: f"{titled(plan_layers.PLAN_LAYERS, advice)}\n  {LAYERS_NOTE}"),
        ("layers", lambda: _by_hand_text(evaluation)),
        ("limits", lambda: titled(savings.LIMITS, limits) if limits else ""),
        ("contracts", lambda: _verdicts_text(evaluation)),
        ("energy", lambda: _energy_text(evaluation)),
        ("orders", lambda: titled(SHOWN_ORDERS, evaluation)),
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
    due = to_sign(advice.orders, project.plan_window.end_s)
    now, count = (len(orders_by_row(orders)) for orders in (due, advice.orders))
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


def find_first_saving(advice: Advice) -> int:
    """The first month, from 1, in which the plan costs another sum than doing nothing; 1 where none does."""
    months = [(row.do_nothing_usd, row.plan_usd) for row in advice.comparison]
    return next((at for at, usd in enumerate(months, 1) if None in usd or len(set(map(dollars, usd))) > 1), 1)


def _ahead_text(evaluation: Evaluation, band: Uncertainty) -> str:
    """A line each for doing nothing, the plan, its savings and its range: next month, in month 12, in twelve months.

    Savings that start later have the month in which they do instead of a 0.
    """
    rows = horizons_of(evaluation.advised, evaluation.before)
    keys = ("do_nothing", *(("before", "plan", "changed") if evaluation.before else ("plan",)), "saved")
    lines = [[AHEAD[key].title, *(dollars(getattr(row, key)) for row in rows)] for key in keys]
    if evaluation.before:  # the difference of the amounts above it
        lines[keys.index("changed")][1:] = [signed(row.whole_changed) for row in rows]
    if (first := find_first_saving(evaluation.advised)) > 1:
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


def decisions_text(decisions: Sequence[NextDecision]) -> str:
    """The next decisions with their day and amounts; empty without any."""
    reasons = (
        one_line(f"  {decision_number(decision.number)} {decision.reason}.")
        for decision in listed_rows(NEXT_DECISIONS, decisions)
        if decision.reason
    )
    return "\n".join(filter(None, (titled(NEXT_DECISIONS, decisions, SINGLE), *reasons)))


def quotes_text(wait: WaitForQuotes | None) -> str:
    """What waiting for quotes costs, what they may bring, and what is cheaper; empty where no order waits."""
    sentences = () if wait is None else filter(None, (wait.text, wait.may_bring_text, wait.bridge_text))
    return "\n".join(one_line(f"  {sentence}.") for sentence in sentences)


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
        *_spend_parts(evaluation.audit, has_bills=bool(evaluation.project.jobs.billed)),
        (PLAN["do_nothing"].title, dollars_of(cost_sum(advice, "do_nothing"))),
        (PLAN["plan"].title, dollars_of(planned)),
        (PLAN["savings_vs_do_nothing"].title, dollars(totals["savings_vs_do_nothing_usd_per_month"])),
        (before_words(evaluation.project.has_spend), dollars(totals["savings_usd_per_month"])),
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


def _spend_parts(audit: Audit, *, has_bills: bool) -> list[tuple[str, str]]:
    """What the clusters cost and what overflowed, as the window writes them: both add up to the spend."""
    if audit.effective_utilization is None:
        return []  # nothing is known to be paid for
    paid, over = audit.whole_spend
    of_paid = "  paid for contracts and billed use" if has_bills else "  paid for contracts"
    return [(of_paid, dollars_of(paid)), ("  overflow, at on-demand rates", dollars_of(over))]


def _story_tables(evaluation: Evaluation) -> Tables:
    """Where the savings come from, step by step, what they would buy, and what separate pools cost and avoid."""
    has_today = evaluation.project.has_spend
    story = savings_story(evaluation.advised, evaluation.outlook, evaluation.audit, has_today)
    first = find_first_saving(evaluation.advised)

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
