"""Cover and Method: what the book is, its light and key figures, how to use it, what it works out itself."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.demand.rule_preview import rule_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.intake import GAP_RULE, DataQuality
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.workbook.answers.summary_sheet import HEADLINE, at_least_words, write_headline
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS, Inputs, model_words
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content
from gpuplanner.files.workbook.kit.cells import day_number, written_date
from gpuplanner.files.workbook.kit.checks import Light, add_change_color, add_light_colors
from gpuplanner.files.workbook.kit.expressions import DASH, Expr
from gpuplanner.files.workbook.kit.looks import MEANINGS, SHEETS, Kind, Sheet
from gpuplanner.version import __version__

SHEET: Final = "Cover"
COLUMNS: Final = 5
WIDTH: Final = 21
LETTERS_ACROSS: Final = 92
"""Of a line over the last four columns."""
LINE: Final = 14.5
CHANGES_SHOWN: Final = 8

USE: Final = (
    "Begin with Summary; its column Explained on leads to the sheet where the parts of a figure stand.",
    "Change yellow cells alone. Figures follow at once; the light and the line below it say what is no longer the "
    "advice of the app.",
    "Sizes of layers, orders and verdicts are advised by the app: what is grey is changed there, and the book exported "
    "again.",
    "Requests for quote are files of their own. This book holds your rates and costs: it is not for vendors.",
    "Before you sign: the light is green, and inputs are as exported. A dash is unknown, and never counted as 0.",
)

GREEN: Final = "green"
LEGEND: Final = (
    ("2.10", "rate.input.legend", "Input: yours to change. Formulas follow it, and the light says so."),
    ("2.10", "rate.fixed.legend", "Input of the app: locked. Change it in the app and export again."),
    (
        "2.10",
        "rate.legend",
        "Formula, or a value from the log or the app: locked. Black figures are never typed over.",
    ),
    (
        GREEN,
        "strong.legend",
        "Check: agrees with the app. changed: an input was changed. red: the book is damaged.",
    ),
    ("", "own.legend", "Yours to fill in: no figure depends on it."),
)
"""A sample, its style, what it means."""


def write_cover(book: Book, inputs: Inputs, figures: Mapping[str, Expr], light: Light) -> None:
    """Write the sheet. figures: cells of the Summary by their names."""
    sheet = book.sheets[SHEET]
    sheet.set_column(0, COLUMNS - 1, WIDTH)
    sheet.set_portrait()
    sheet.fit_to_pages(1, 1)
    sheet.has_own_pages = True
    row = _head(book, inputs, light)
    sheet.set_row(row, 30)
    row = write_headline(book, SHEET, figures, row, "heading", 28)
    least = at_least_words(inputs.advice)
    of_plan = least.get(HEADLINE[0][1]) if inputs.advice.totals.plan is None else None
    for note in (SERVES_LESS if inputs.serves_less else None, of_plan and f"Plan: {of_plan}."):
        if note:
            _across(book, row - 1, 0, note, "note.wrapped", LETTERS_ACROSS + 26)
            row += 1
    row = _lines(book, "How to use it", USE, row)
    row = _contents(book, row)
    row = _legend(book, row)
    row = _facts(book, inputs, row)
    _changes(book, inputs, row)


def _head(book: Book, inputs: Inputs, light: Light) -> int:
    """Project and plan, what it is, and the light; the answer is the next free row, as of all parts here."""
    sheet, window = book.sheets[SHEET], inputs.project.window
    sheet.set_row(0, 40)
    book.write(SHEET, 0, 0, AsWritten(inputs.project.title or "GPU capacity plan"), "cover")
    sheet.set_row(1, 22)
    book.write(SHEET, 1, 0, f"GPU capacity and commitments: {inputs.scenario.name}", "subtitle")
    about = (
        f"From {window.hours:,} logged hours, {written_date(window.start_s)} – {written_date(window.end_s - 1)} (UTC), "
        "what GPUs cost today, which to commit to for how long, and what that saves. Money follows the inputs of this "
        "book by live formulas; Hardware, Training, Waiting, Inference and Placement are values of the app. "
        f"Written {written_date(inputs.generated_at_s)} by gpuplanner {__version__}."
    )
    _across(book, 2, 0, about, "note.wrapped", LETTERS_ACROSS + 26)
    sheet.set_row(4, 22)
    book.write(SHEET, 4, 0, "Checks", "strong")
    book.write(SHEET, 4, 1, light.checks, "light")
    add_light_colors(book, SHEET, 4, 1, 4, 1)
    book.write(SHEET, 5, 0, "Inputs", "strong.top")
    sheet.merge_range(5, 1, 5, COLUMNS - 1, "", book.style("wrapped"))
    book.write(SHEET, 5, 1, light.changes, "wrapped")
    sheet.set_row(5, 2 * LINE)
    add_change_color(book, SHEET, 5, 1)
    return 7


def _lines(book: Book, heading: str, lines: Sequence[str], row: int) -> int:
    book.write(SHEET, row, 0, heading, "section")
    for place, line in enumerate(lines, start=1):
        _across(book, row + place, 0, f"{place}. {line}", "wrapped", LETTERS_ACROSS + 26)
    return row + len(lines) + 2


def _contents(book: Book, row: int) -> int:
    """Every sheet with a link to it, its kind and what it holds."""
    sheet = book.sheets[SHEET]
    book.write(SHEET, row, 0, "Contents", "section")
    for column, heading in enumerate(("Sheet", "Kind, cells", "What it holds", "", "")):
        book.write(SHEET, row + 1, column, heading, "heading" if column != 2 else "heading.indent")
    row += 2
    contents = [one for one in SHEETS if one.name in book.sheets]
    for place, one in enumerate(contents):
        at = row + place
        sheet.write_url(at, 0, f"internal:'{one.name}'!A1", book.style("link"), one.name)
        book.write(SHEET, at, 1, f"{one.kind}, {_may_change(one)}", f"kind_{one.kind}")
        book.write(SHEET, at, 2, one.holds, "text.indent")
    return row + len(contents) + 1


def _may_change(one: Sheet) -> str:
    """What a reader may change of a sheet."""
    if not one.is_protected:
        return "open"
    return "yellow open" if one.kind is Kind.INPUT else "locked"


def _legend(book: Book, row: int) -> int:
    """Samples of the cells of this book, drawn with their own styles, and the colours of tabs."""
    book.write(SHEET, row, 0, "Key", "section")
    row += 1
    for sample, style, words in LEGEND:
        book.put_cell(SHEET, row, 0, float(sample) if sample[:1].isdigit() else sample, style)
        _across(book, row, 1, words, "wrapped.indent", LETTERS_ACROSS)
        if sample == GREEN:
            add_light_colors(book, SHEET, row, 0, row, 0)
        row += 1
    for kind in Kind:
        book.write(SHEET, row, 0, f"tab: {kind}", f"kind_{kind}")
        _across(book, row, 1, MEANINGS[kind], "wrapped.indent", LETTERS_ACROSS)
        row += 1
    return row + 1


def _facts(book: Book, inputs: Inputs, row: int) -> int:
    """Version, money and units, and whom to ask; the last is for the sender to fill in."""
    project = inputs.project
    book.write(SHEET, row, 0, "About this version", "section")
    facts: tuple[tuple[str, Content, str], ...] = (
        ("Program", f"gpuplanner {__version__}", "text.indent"),
        ("Written (UTC)", day_number(inputs.generated_at_s), "moment.now.indent"),
        ("Currency", f"{project.currency}: every amount of the book", "text.indent"),
        (
            "Units",
            "GPU-hours; months of 730 hours unless a column says calendar month; times UTC",
            "text.indent",
        ),
        ("Prepared by", "", "own"),
        ("Questions to", "", "own"),
    )
    for place, (title, value, style) in enumerate(facts, start=1):
        book.write(SHEET, row + place, 0, title, "strong")
        if style == "own":
            book.sheets[SHEET].merge_range(row + place, 1, row + place, COLUMNS - 1, "", book.style("own"))
        book.write(SHEET, row + place, 1, value, style)
    return row + len(facts) + 2


def _changes(book: Book, inputs: Inputs, row: int) -> None:
    """The log of decisions of the plan, latest first, below the making of this book."""
    book.write(SHEET, row, 0, "Changes, latest first", "section")
    book.write(SHEET, row + 1, 0, "When (UTC)", "heading")
    _across(book, row + 1, 1, "What was decided, and why", "heading.indent", LETTERS_ACROSS)
    row += 2
    decisions = inputs.scenario.decisions[::-1]
    lines: list[tuple[float, Text, str]] = [(day_number(inputs.generated_at_s), "This book was written", "")]
    lines += [(day_number(one.at_s), one.what, str(one.reason)) for one in decisions[:CHANGES_SHOWN]]
    for at, what, why in lines:
        book.write(SHEET, row, 0, at, "moment.now.top")
        words = book.in_currency(what) if isinstance(what, Message) else what
        _across(
            book, row, 1, AsWritten(f"{words}: {why}" if why else words), "wrapped.indent", LETTERS_ACROSS
        )
        row += 1
    more = len(decisions) - CHANGES_SHOWN
    if more > 0:
        book.write(SHEET, row, 1, f"{more} earlier: Provenance has all", "muted")


def _across(book: Book, row: int, column: int, words: str, style: str, letters: int) -> None:
    """A text from a column to the last one, as many lines high as it needs. letters: that go in a line."""
    book.sheets[SHEET].merge_range(row, column, row, COLUMNS - 1, "", book.style(style))
    book.write(SHEET, row, column, words, style)
    book.sheets[SHEET].set_row(row, LINE * ceil(len(words) / letters) + 1.5)


METHOD = "Method"


def write_method(book: Book, inputs: Inputs) -> None:
    """Write the sheet; lines about what this very project has come last."""
    row = book.title(METHOD, "Method")
    book.sheets[METHOD].set_column(0, 0, 30)
    book.sheets[METHOD].set_column(1, 1, 110)
    book.sheets[METHOD].freeze_panes(2, 0)
    for heading, lines in (
        *_sections(),
        *((("Class rules of your own", rule_lines(inputs.project.rules)),) if inputs.project.rules else ()),
        ("Data quality of the log", quality_lines(inputs.project.jobs.quality)),
        ("In this book", _notes(inputs)),
    ):
        book.write(METHOD, row, 0, heading, "strong.wrapped")
        for line in lines:
            book.write(METHOD, row, 1, line, "wrapped")
            book.sheets[METHOD].set_row(row, 15 * (1 + len(line) // 115))
            row += 1
        row += 1


def _sections() -> Iterator[tuple[str, list[str]]]:
    """What is said of every book, by heading."""
    for section in _SECTIONS.strip().split("\n\n"):
        heading, *paragraphs = section.split("\n- ")
        yield heading, [" ".join(one.split()) for one in paragraphs]


def rule_lines(rules: Sequence[ClassRule]) -> tuple[str, ...]:
    """The planner's own rules, in the order in which they decide."""
    return (
        "The first that matches a workload decides its class; labels stand above them, the shipped rules below.",
        *(
            f"{place}. {rule_words(rule)}{f': {rule.subtype}' if rule.subtype else ''}"
            for place, rule in enumerate(rules, 1)
        ),
    )


_SECTIONS: Final = f"""
What to change
- Yellow cells are inputs: GPUs, rates and dates on Contracts, rates on Prices, GPUs, offer, term, start and
  end of the orders on Commitment, and the assumptions that say so.
- Utilization, cost, lock-in and every figure of the Summary follow. Checks then says “changed” beside
  totals that no longer are the app's.
- The advice does not follow: Summary names what was changed, Exported has what it was. Grey cells shape
  what the app alone works out: change them there and export again.
- The figures of the Summary and every assumption are named cells: plan_usd_per_month, assume_wacc and so
  on.

Cents and whole amounts
- Cells hold exact amounts and show whole amounts, each rounded for itself. The app, the brief and the
  command line write whole amounts that add up to the rounded total (largest remainder), so a single row can
  differ there by $1. Totals are the same everywhere.

What needs the app
- Which orders there are: what to commit for how long is a recursion over demand levels and sixty months, no
  work for a spreadsheet. After a change here the orders stay; the app may advise others.
- Moving a workload to another pool, its class, and today's $ of each workload: they need its hours, which
  are not in the book. Change it in the app and export again.
- Which hardware fits, when training is done, how many GPUs serve a model and who is served from where:
  Hardware, Training, Waiting, Inference and Placement have it as values.
- Growth, volatility, churn, price fall and cost of capital shape the advice. The Summary speaks of the
  first month, at today's demand; Comparison follows price fall and growth: each month's demand meets the
  contracts of that month hour by hour, and the orders keep their GPUs.
- Which contracts run through which month: Comparison follows their GPUs and rates. Where an end or a start
  is moved past a month, the months it touches say so with a dash.
- Verdicts, and the columns of Prices that say who may use which offer.
- An offer that sells at most so many GPUs: which GPUs pay by use at which rate, and which nobody serves, is
  the app's, from which GPU to which, on Comparison.
- Planned work that ends: what its orders serve and what it pays by use is the app's, and so are the days
  and GPUs of its orders.
- Jobs of unknown GPU model on a cluster with several models: the split follows the contracts here too, but
  each workload's share of it, and the model that unserved demand counts with, are as exported.
- The plan with all workloads of a model in one pool: the cost of separation is as exported.

Today
- Demand in an hour is GPUs times the exact time they were held, over all jobs. Known GPU models are served
  first, by contracts of that model on their cluster, then unknown ones by what is left.
- Merit order: committed contracts first, then the lower rate, then the contract's name. So the idle
  contract is the most expensive one. What nobody serves is overflow.
- Spend today = (paid + overflow at the cheapest on-demand rate eligible for its class and model) as a month
  of 730 hours.
- Paid = useful + allocated idle + unallocated. Useful needs activity for every GPU job of a cluster; else
  it is unknown, shown as a dash, never 0 and never 100%.
- Stranded (audit) = (1 - utilization in non-training hours) x the cluster's cost. Stranded (metered) = the
  sum over non-training hours of rate x idle capacity; this one adds up to the invoice.
- A non-training hour of a cluster is one without GPU time of jobs classed training.

Twelve months
- Do nothing: every contract row that runs through the month, and what they leave over at the cheapest
  on-demand rate. The plan: existing contracts, what is ordered, and the rest at the usage rate. A month is
  730 hours; demand is that of the window, prices fall as assumed.
- As advised: each month is a sum over the orders of Commitment: GPUs x hours of it between start and end x
  the rate of the month of the start, what is paid upfront spread over its hours. What they leave of this
  book's demand is paid by the hour. GPUs, offer, term, start and end are yours to move; whether the app
  would then advise other orders, the app says.
- An order serves the GPUs of demand that it is advised for while it runs. With more GPUs it serves what is
  above them too, and orders above it move up; of GPUs that two orders hold at one time each serves its
  share. An order that continues another starts where that ends, with its GPUs and its offer.
- What a budget gives up is the app's, from which GPU to which, on Commitment and Comparison: nobody serves
  it and it costs nothing. Its GPU-hours follow from Demand, and are held to the app's.

Buying
- Requests for quote are files of their own, one a vendor, with nothing of this book in them. Import what
  vendors answer in the app, where each quote is an offer like any other: Quotes lists it beside the row
  that it is for. GPUs asked for are whole nodes; the $ are of the GPUs of the plan.
- Orders, on Commitment, have the app's offers at the rates and payments upfront of this book; their days to
  order move with their starts. Advice, Quotes and FOCUS show these orders.
- FOCUS has the same layers as contract commitments of FOCUS 1.3, status Proposed. Periods are calendar
  months from the start; the cost is GPUs x (hours of the period x rate + payment upfront), at the rate of
  the month in which it is signed.

{titles.THE_PLAN}
- Existing contracts that run through the first month serve first: inference, training, burst; pinned
  contracts before free ones. What they leave over is what new layers stand on.
- A layer is what the orders of one offer hold in month 0, from their start on: $ of their hours, and the
  mean over hours of the demand between their edges as what is busy. Paid by use: what no order holds x
  usage rate.
- Usage rate of a pool: the mean over its workloads, weighted by GPU-hours, of the cheapest rate each may
  use: on demand, or spot at its effective rate.
- Spot, effective = rate / (1 - lost), lost = d/tau + (tau/2 + R)/M with M = time between interruptions of a
  node / nodes; where the longest job is shorter than tau, lost = (L/2 + R)/M.
- Plan = all layers + existing contracts that stand idle. Savings = next month with nothing signed - plan;
  what fell away by itself is no saving. Effective savings rate = 1 - plan / all on demand.
- Effective utilization of the plan = mean GPUs served / (existing + new commitments + GPUs by use).
- Lock-in = $ times the months they are bound, over $. A contract without an end counts with its notice.

What to keep in mind
- Hourly means hide spikes within an hour. Pages are A3; of Checks the light and what fails is printed.
- A contract is followed to other days; a month that it then cuts anew is a dash, explained on Comparison.
- A word in a yellow cell is named by the light; totals are dashes until a number stands there.
- A dash is a figure that is not known, for want of a rate or of activity. It is never counted as 0, and
  every total with it is unknown.
- Months have 730 hours; Advice has the twelve of them by calendar month, too. All times are UTC. An end is
  exclusive.
- Numbers within formulas are of arithmetic and time (24 hours a day, 168 a week), keys of rows, and limits
  below a hundred-thousandth, under which a difference is none. What is assumed, and what the method fixes,
  stands in named cells of Assumptions.
"""
"""A heading, and each paragraph under it behind a dash; sections are parted by an empty line."""


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
            f"1 {one.offer_model} does the work of {one.ratio:g} {one.gpu_model}"
            + (f" ({one.pool})" if one.pool else "")
            for one in project.mappings
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
    notes.append(
        "The sheet Dates has the parts that contracts, workloads and steps cut the months into, and who is there when; "
        "Demand has it hour by hour as values. Factors of demand, which model serves jobs of unknown model, and what "
        "separate pools cost are as exported."
    )
    missing = [row.contract_id for row in project.contracts if not row.rate]
    missing += [offer.offer_id for offer in project.offers if not offer.rate]
    if missing:
        notes.append("Rates that need a quote: " + ", ".join(missing) + ".")
    return notes or ["Nothing out of the ordinary."]
