"""Method: what the book works out itself, what it takes from the app, and how to read it."""

from collections.abc import Sequence

from gpuplanner.domain.demand.rule_proposals import rule_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.log.data_quality import GAP_RULE, DataQuality
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.workbook.inputs.month_left_over import live_growth
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.expressions import DASH

SHEET = "Method"


def write_method(book: Book, inputs: Inputs) -> None:
    """Write the sheet; lines about what this very project has come last."""
    row = book.title(SHEET, "Method")
    book.sheets[SHEET].set_column(0, 0, 30)
    book.sheets[SHEET].set_column(1, 1, 110)
    book.sheets[SHEET].freeze_panes(2, 0)
    for heading, lines in (
        *_SECTIONS,
        *((("Class rules of your own", rule_lines(inputs.project.rules)),) if inputs.project.rules else ()),
        ("Data quality of the log", quality_lines(inputs.project.jobs.quality)),
        ("In this book", _notes(inputs)),
    ):
        book.write(SHEET, row, 0, heading, "strong.wrapped")
        for line in lines:
            book.write(SHEET, row, 1, line, "wrapped")
            book.sheets[SHEET].set_row(row, 15 * (1 + len(line) // 115))
            row += 1
        row += 1


def rule_lines(rules: Sequence[ClassRule]) -> tuple[str, ...]:
    """The planner's own rules, in the order in which they decide."""
    return (
        "The first that matches a workload decides its class; labels stand above them, the shipped rules below.",
        *(
            f"{place}. {rule_words(rule)}{f': {rule.subtype}' if rule.subtype else ''}"
            for place, rule in enumerate(rules, 1)
        ),
    )


_SECTIONS = (
    (
        "What to change",
        (
            (
                "Yellow cells are inputs: GPUs, rates and dates on Contracts, rates on Prices, sizes of "
                "layers on Commitment, and the assumptions that say so."
            ),
            (
                "Utilization, cost, lock-in and every figure of the Summary follow. Checks then says "
                "“changed” beside totals that no longer are the app's."
            ),
            (
                "The advice does not follow: Summary names what was changed, Exported has what it was. Grey cells "
                "shape what the app alone works out: change them there and export again."
            ),
            (
                "The figures of the Summary and every assumption are named cells: plan_usd_per_month, "
                "assume_wacc and so on."
            ),
        ),
    ),
    (
        "Cents and whole amounts",
        (
            (
                "Cells hold exact amounts and show whole amounts, each rounded for itself. The app, the brief and the "
                "command line write whole amounts that add up to the rounded total (largest remainder), so a single "
                "row can differ there by $1. Totals are the same everywhere."
            ),
        ),
    ),
    (
        "What needs the app",
        (
            (
                "The sizes of the layers: what to commit for how long is a recursion over demand levels "
                "and sixty months, no work for a spreadsheet. After a change here the sizes stay; the "
                "app may advise others."
            ),
            (
                "Moving a workload to another pool, its class, and today's $ of each workload: they need "
                "its hours, which are not in the book. Change it in the app and export again."
            ),
            (
                "Growth, volatility, churn, price fall and cost of capital shape the advice. The Summary speaks of "
                "the first month, at today's demand; Comparison follows price fall and growth: each month's demand "
                "meets the contracts of that month hour by hour, and the layers keep their sizes."
            ),
            (
                "Which contracts run through which month: Comparison follows their GPUs and rates. Where an end or a "
                "start is moved past a month, the months it touches say so with a dash."
            ),
            "Orders, verdicts, order-by dates and the columns of Prices that say who may use which offer.",
            (
                "An offer that sells at most so many GPUs: its share among pools is the app's. A layer "
                "on such an offer keeps that offer's rate."
            ),
            (
                "Jobs of unknown GPU model on a cluster with several models: the split follows the "
                "contracts here too, but each workload's share of it, and the model that unserved demand "
                "counts with, are as exported."
            ),
            (
                "The plan with all workloads of a model in one pool has its own layers at the foot of "
                "Commitment. Their sizes are inputs too; the app would advise them anew after a change, so the "
                "cost of separation here is that of the sizes shown."
            ),
        ),
    ),
    (
        "Today",
        (
            (
                "Demand in an hour is GPUs times the exact time they were held, over all jobs. Known GPU "
                "models are served first, by contracts of that model on their cluster, then unknown ones "
                "by what is left."
            ),
            (
                "Merit order: committed contracts first, then the lower rate, then the contract's name. "
                "So the idle contract is the most expensive one. What nobody serves is overflow."
            ),
            (
                "Spend today = (paid + overflow at the cheapest on-demand rate eligible for its class and "
                "model) as a month of 730 hours."
            ),
            (
                "Paid = useful + allocated idle + unallocated. Useful needs activity for every GPU job "
                "of a cluster; else it is unknown, shown as a dash, never 0 and never 100%."
            ),
            (
                "Stranded (audit) = (1 - utilization in non-training hours) x the cluster's cost. "
                "Stranded (metered) = the sum over non-training hours of rate x idle capacity; this one "
                "adds up to the invoice."
            ),
            "A non-training hour of a cluster is one without GPU time of jobs classed training.",
        ),
    ),
    (
        "Twelve months",
        (
            (
                "Do nothing: every contract row that runs through the month, and what they leave over at the "
                "cheapest on-demand rate. Both plans: existing contracts, what is signed, and the rest at the usage "
                "rate. A month is 730 hours; demand is that of the window, prices fall as assumed."
            ),
            (
                "As advised: GPUs, months and terms of the orders and follow-ups are the app's and stay whatever is "
                "changed here; their rates, payments upfront and the price fall are those of this book, and what they "
                "leave of its demand is paid by the hour. A rate that is changed moves the months by the GPU-hours "
                "that it is paid for; whether the app would then advise other orders, the app says."
            ),
            (
                "Layers held: the layers of Commitment, with sizes typed there, are kept for all twelve months and "
                "renewed when they end, at the prices of that month."
            ),
            (
                "What a budget gives up is the app's, from which GPU to which, on Commitment and Comparison: nobody "
                "serves it and it costs nothing. Its GPU-hours follow from Demand, and are held to the app's."
            ),
        ),
    ),
    (
        "Buying",
        (
            (
                "Requests for quote are files of their own, one a vendor, with nothing of this book in them. Import "
                "what vendors answer in the app, where each quote is an offer like any other: Quotes lists it beside "
                "the row that it is for. GPUs asked for are whole nodes; the $ are of the GPUs of the plan."
            ),
            (
                "Orders, below the sums of Commitment: one that is signed now has the GPUs of its layer and the offer "
                "that is the cheapest there, so it follows sizes, rates and payments upfront; one that is signed later "
                "has the app's offer and GPUs, at the rates of this book. Advice, Quotes and FOCUS show these orders."
            ),
            (
                "FOCUS has the same layers as contract commitments of FOCUS 1.3, status Proposed. Periods are calendar "
                "months from the start; the cost is GPUs x (hours of the period x rate + payment upfront), at the rate "
                "of the month in which it is signed."
            ),
        ),
    ),
    (
        titles.THE_PLAN,
        (
            (
                "Existing contracts that run through the first month serve first: inference, training, "
                "burst; pinned contracts before free ones. What they leave over is what new layers stand "
                "on."
            ),
            (
                "A layer of N GPUs above the layers under it is busy for the mean over hours of the "
                "demand between its two edges. Committed: N x rate x 730 per month, used or not. Paid by "
                "use: busy x usage rate x 730."
            ),
            (
                "Usage rate of a pool: the mean over its workloads, weighted by GPU-hours, of the "
                "cheapest rate each may use: on demand, or spot at its effective rate."
            ),
            (
                "Spot, effective = rate / (1 - lost), lost = d/tau + (tau/2 + R)/M with M = time between "
                "interruptions of a node / nodes; where the longest job is shorter than tau, lost = (L/2 "
                "+ R)/M."
            ),
            (
                "Plan = all layers + existing contracts that stand idle. Savings = next month with nothing signed "
                "- plan; what fell away by itself is no saving. "
                "Effective savings rate = 1 - plan / all on demand."
            ),
            "Effective utilization of the plan = mean GPUs / (existing GPUs + new commitments + GPUs paid by use).",
            "Lock-in = $ times the months they are bound, over $. A contract without an end counts with its notice.",
        ),
    ),
    (
        "What to keep in mind",
        (
            "Hourly means hide spikes within an hour. A contract that ends inside a month leaves that month unserved.",
            (
                "A dash is a figure that is not known, for want of a rate or of activity. It is never "
                "counted as 0, and every total with it is unknown."
            ),
            (
                "Months have 730 hours; Advice has the twelve of them by calendar month, too. All times are UTC. An "
                "end is exclusive."
            ),
            (
                "Numbers within formulas are of arithmetic and time (24 hours a day, 168 a week), keys of rows, and "
                "limits below a hundred-thousandth, under which a difference is none. What is assumed, and what the "
                "method fixes, stands in named cells of Assumptions."
            ),
        ),
    ),
)


def quality_lines(quality: DataQuality | None) -> list[str]:
    """What the log says and what it leaves out, a line each; over the whole log, not only the window."""
    if quality is None:
        return ["Not known: the log was imported before this was counted, or there is none."]

    shares = quality.shares

    def share(key: str) -> str:
        """A share in percent; a dash for unknown."""
        value = shares[key]
        return DASH if value is None else f"{value:.1%}"

    lines = [
        f"{quality.jobs:,} jobs; {share('time_coverage')} of the {quality.hours:,} hours from the first to the "
        "last event have a job.",
        f"Of jobs: {share('id_coverage')} have an id, {share('name_coverage')} a name, "
        f"{share('user_coverage')} a user or account; {share('naive_time_share')} have times without a "
        f"zone, {share('zero_length_share')} have no length.",
        f"Of GPU-hours: {share('gpu_model_coverage')} have a GPU model, {share('activity_coverage')} an "
        "activity.",
        f"Gaps: {quality.gap_hours:,} hours. A gap is {GAP_RULE}.",
    ]
    lines += [
        f"Gap of {gap.hours:,} hours: {iso_utc(gap.start_s)} to {iso_utc(gap.end_s)}." for gap in quality.gaps
    ]
    lines += [
        f"Suspicious value, {value.field}: {value.value}, in {value.count:,} rows or places."
        for value in quality.suspicious
    ]
    if quality.long_running:
        lines.append(f"Jobs said to be running for over two months: {quality.long_running:,}.")
    if quality.clock_skew:
        lines.append(f"Rows that end less than an hour before they start: {quality.clock_skew:,}.")
    return lines


def _notes(inputs: Inputs) -> list[str]:
    """What is particular to this plan, a sentence each.

    What a reader must know to work the figures out again.
    """
    project, notes = inputs.project, []
    if inputs.scenario.greenfield:
        notes.append(
            "Greenfield: the plan leaves existing contracts out; spend now and doing nothing keep them."
        )
    if inputs.scenario.hand_layers:
        pools = sorted({f"{pool} {model_words(model)}" for pool, model in inputs.scenario.hand_layers})
        notes.append("Sizes set by hand in the app: " + ", ".join(pools) + ".")
    if inputs.scenario.advised_around:
        pools = sorted({f"{pool} {model_words(model)}" for pool, model in inputs.scenario.advised_around})
        notes.append("Of these, only some terms are held and the rest is advised: " + ", ".join(pools) + ".")
    limited = [offer.offer_id for offer in project.offers if offer.max_gpus is not None]
    if limited:
        notes.append("Offers with a maximum, shared among pools by the app: " + ", ".join(limited) + ".")
    if project.mappings:
        worth = (
            f"1 {one.offer_model} does the work of {one.ratio:g} {one.gpu_model}" for one in project.mappings
        )
        notes.append(
            "GPU models that may serve others (ratios on Prices): "
            + ", ".join(worth)
            + ". GPUs and rates of a layer "
            "are for the row's model; what is paid for and requested is whole GPUs of the offer's."
        )
    untyped = sorted({key[0] for key in inputs.plan if key[1] is None})
    if untyped:
        notes.append("Clusters with jobs of unknown GPU model: " + ", ".join(untyped) + ".")
    if inputs.assumptions.recency_half_life_days is not None:
        notes.append(
            "Hours are weighted by recency (column Weight of Demand); GPU-hours, means, p95 and "
            "peaks of Pools never are."
        )
    if inputs.evaluation.outlook is None:
        notes.append(
            "Written before the outlook was there: the cost of separation is unknown. Export again to have it."
        )
    exported = sorted({pair[0] for pair in inputs.pairs} - live_growth(inputs))
    if exported:
        notes.append(
            f"Growth of {', '.join(exported)} is as exported: contracts serve it on too many clusters for a formula "
            "of one month. Change it in the app."
        )
    if inputs.is_dated:
        notes.append(
            "A plan with dates: the sheet Dates says who is there when; each month has columns of its own on Demand, "
            "one in which somebody begins, ends or steps is the mean of its parts. Factors of demand, and which model "
            "serves jobs of unknown model, are as exported."
        )
    missing = [row.contract_id for row in project.contracts if not row.rate]
    missing += [offer.offer_id for offer in project.offers if not offer.rate]
    if missing:
        notes.append("Rates that need a quote: " + ", ".join(missing) + ".")
    return notes or ["Nothing out of the ordinary."]
