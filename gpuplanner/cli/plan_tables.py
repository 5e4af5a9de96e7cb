"""A plan as text a person reads in a terminal: layers, verdicts, orders, checks, what it comes to."""

from collections.abc import Sequence

from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.tables import audit_text
from gpuplanner.cli.text_tables import dollars, dollars_of, percent, report_text, table
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.comparison.horizons import is_priced_ahead
from gpuplanner.domain.commitment.plan.totals import asked_words, plan_sum
from gpuplanner.domain.commitment.uncertainty.level_values import cost_of_levels, values_of_row
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan
from gpuplanner.domain.commitment.words.level_words import cost_of_levels_sentences
from gpuplanner.domain.commitment.words.path_words import (
    PATH_NAMES,
    WAYS,
    paths_sentences,
    price_changes_sentences,
)
from gpuplanner.domain.commitment.words.savings_words import bought_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.writing import ENGLISH, day
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.price_history import PriceFall, fall_words, rate_change_words
from gpuplanner.domain.model.part_sum import PartSum, missing_sentence
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.energy import ENERGY_OF_PLAN
from gpuplanner.domain.reports.plan.horizons import HORIZONS, QUESTION
from gpuplanner.domain.reports.plan.limits import LIMITS
from gpuplanner.domain.reports.plan.orders import ORDERS, VERDICT_ROWS
from gpuplanner.domain.reports.plan.plan_layers import PLAN_LAYERS
from gpuplanner.domain.reports.plan.savings import SAVINGS, SEPARATION_LINES, before_words, savings_story
from gpuplanner.files.system.terminal_text import one_line


def plan_text(evaluation: Evaluation, document: Document) -> str:
    """The plan: totals, layers by pool, verdicts, orders.

    document: that of the plan, whose totals are written here. Errors: AssertionError without advice.
    """
    advice = evaluation.advice
    assert advice is not None
    totals = document["totals"]
    today, planned = evaluation.audit.spend_parts, plan_sum(advice)
    headline = [
        ("Spend today", dollars_of(today)),
        *_spend_parts(evaluation.audit),
        (PLAN["do_nothing"].title, dollars(totals["do_nothing_usd_per_month"])),
        (PLAN["plan"].title, dollars_of(planned)),
        (PLAN["savings_vs_do_nothing"].title, dollars(totals["savings_vs_do_nothing_usd_per_month"])),
        (before_words(bool(evaluation.project.contracts)), dollars(totals["savings_usd_per_month"])),
        (titles.COST_OF_SEPARATION, dollars(totals["cost_of_separation_usd_per_month"])),
        (PLAN["on_demand_equivalent"].title, dollars(totals["on_demand_equivalent_usd_per_month"])),
        (PLAN["effective_savings_rate"].title, percent(totals["effective_savings_rate"])),
    ]
    parts = [
        audit_text(evaluation),
        _plan_from_text(evaluation.project)
        + "\nThe plan ($ per month)\n"
        + table(("", "$ per month"), headline),
        _missing_text(evaluation.project, today, planned, asked_words(advice)),
        _horizons_text(evaluation),
        _story_text(evaluation),
        f"\n{PLAN_LAYERS.title}\n{report_text(PLAN_LAYERS, advice)}",
        _by_hand_text(evaluation),
    ]
    if evaluation.outlook is not None and evaluation.outlook.limits:
        parts.append(f"\n{LIMITS.title}\n{report_text(LIMITS, evaluation.outlook)}")
    if advice.verdicts:
        parts.append("\nContracts\n" + report_text(VERDICT_ROWS, evaluation) + f"\n  {VERDICT_ROWS.note}")
    energy = advice.energy
    if energy.by_pool and (energy.kwh_per_month is not None or energy.peak_kw is not None):
        peak = f"  Largest hour of twelve months: {ENGLISH.one_decimal(energy.peak_kw)} kW"
        parts.append(f"\n{ENERGY_OF_PLAN.title}\n{report_text(ENERGY_OF_PLAN, energy)}\n{peak}")
    if advice.orders:
        parts.append("\nOrders\n" + report_text(ORDERS, advice))
    parts.append(_paths_text(evaluation))
    return "\n".join(str(part) for part in parts if part)


def _horizons_text(evaluation: Evaluation) -> str:
    """What the plan comes to in each horizon, beside the plan before the question where one is asked; empty unknown."""
    advice = evaluation.advice
    if advice is None or not is_priced_ahead(advice):
        return ""
    report = HORIZONS if evaluation.before is None else QUESTION
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
    return f"\nWhat the terms hang on (expected $ over {months} months, discounted){costs}\n{said}"


def _missing_text(project: Project, today: PartSum, planned: PartSum, asked: Text) -> str:
    """What of the spend has no price or is asked about, and what to do; empty where all of it is known."""
    lines = [
        one_line(f"  {name}: {missing_sentence(of)}.")
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
        values = values_of_row(pool, outlook.level_values) if outlook and pool.set_by_hand else None
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
    return [("  paid for contracts", dollars(paid)), ("  overflow, at on-demand rates", dollars(over))]


def _story_text(evaluation: Evaluation) -> str:
    """Where the savings come from, step by step, what they would buy, and what separate pools cost and avoid."""
    assert evaluation.advice is not None
    has_today = bool(evaluation.project.contracts)
    story = savings_story(evaluation.advice, evaluation.outlook, evaluation.audit, has_today)
    unknown = [f"  {row.called}: {row.what}" for row in (*story.steps, story.total) if row.exact is None]
    return "\n".join(
        (
            f"\n{SAVINGS.title} ($ per month)",
            report_text(SAVINGS, story),
            *map(one_line, unknown),
            f"  {bought_words(story.buy)}",
            f"\n{SEPARATION_LINES.title}",
            report_text(SEPARATION_LINES, story),
            f"  {SEPARATION_LINES.note}",
        )
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


def interruptions_text(document: Document) -> str:
    """What files of interruptions say of spot nodes; empty where none was given.

    document: that of the plan.
    """
    found = document.get("interruptions")
    if found is None:
        return ""
    hours = found["spot_node_mtbf_hours"]
    if hours is None:
        many = f"{found['interruptions']:,} in {found['node_hours']:,.0f} node-hours"
        return f"\nSpot: interruptions observed: {many}; that proposes no time between them"
    taken = "the plan has it" if found["is_taken"] else "the plan has another, as it was set"
    return one_line(f"Spot: a node is taken every {hours:.1f} h ({found['source']}); {taken}")


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
