"""Method and checks: the status of the book, the method, the key of colors, links, files, and the changed inputs."""

from collections.abc import Iterator, Sequence
from pathlib import PureWindowsPath
from typing import Final

from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.demand.rule_preview import rule_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.intake import GAP_RULE, DataQuality, FileIntake
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.system.user_files import resource_path, rows_of
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.cells import written_date
from gpuplanner.files.workbook.kit.checks import CHANGES, Light, add_light_fills
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, formula
from gpuplanner.files.workbook.kit.front_page import FrontPage, PageForm
from gpuplanner.files.workbook.kit.sheets import MEANINGS, METHOD_AND_CHECKS, SHEETS, SOURCES, Group

WIDTHS: Final = (27.0, 15.0, 15.0, 36.0, 63.0)
LEFT, RIGHT = (0, 2), (3, 4)
"""First and last column of the two halves of the page."""
FILES_AT_MOST: Final = 6
SHA_LETTERS: Final = 32
LINE: Final = 16.5
"""Points of a row of the page."""
_ROWS: Final = rows_of("method_page.csv")
SENTENCES: Final = tuple(row["words"] for row in _ROWS if row["kind"] == "sentence")
KEY: Final = tuple((row["sample"], row["style"], row["words"]) for row in _ROWS if row["kind"] == "cell")
"""A sample of a cell, its style and its meaning."""


def write_method(book: Book, inputs: Inputs, light: Light, form: PageForm) -> None:
    """Write the page, and below it the changed inputs and the whole method."""
    page = FrontPage(book, form, METHOD_AND_CHECKS, WIDTHS)
    sentence = "How to read this book, whether it agrees with the app, and its files."
    row = page.title("Method and checks", sentence)
    row = _status(page, light, row)
    row = max(_groups(page, light, row), _sentences(page, inputs, row)) + 1
    row = max(_key(page, row), _links(page, row)) + 1
    row = _files(page, inputs, row)
    page.finish(row - 1)
    row = _changed_inputs(page, light, row + 1)
    _method(page, inputs, row)


def _status(page: FrontPage, light: Light, row: int) -> int:
    """Write the control light, its sentence and the changed inputs; the second row below them."""
    page.write(row, 0, "Control light", "line.strong")
    page.book.sheets[page.sheet].merge_range(row, 1, row, 2, "", page.book.style("front.light_fill"))
    page.write(row, 1, light.word, "light_fill")
    add_light_fills(page.book, page.sheet, row, 1, row, 1)
    page.across(row, 3, 4, _status_sentence(light), "line.middle.indent")
    page.write(row + 1, 0, "Inputs", "line.strong")
    changes = page.across(row + 1, 1, 4, light.changed_words, "line.middle.indent")
    page.book.name(CHANGES, changes)
    return row + 3


def _status_sentence(light: Light) -> Expr:
    """Return the sentence of the status as a formula."""
    given = {"failed": light.failed, "changed": light.changed, "number": light.number}
    return formula(
        'IF({failed}>0,{failed}&" checks fail. Do not use this book.",IF({changed}>0,{changed}&'
        '" inputs differ from the export. The orders are advice for the exported inputs.",'
        '"All "&{number}&" checks agree with the app."))',
        **given,
    )


def _groups(page: FrontPage, light: Light, row: int) -> int:
    """Write the number of checks of each group, and how many of them agree; the row below."""
    row = page.section(row, "Checks", *LEFT)
    for column, heading in enumerate(("Group", "Checks", "Agree")):
        page.write(row, column, heading, f"front_heading{'.right' if column else ''}")
    for place, (part, (count, agree)) in enumerate(light.parts.items(), start=1):
        page.write(row + place, 0, part, "line")
        page.write(row + place, 1, count, "line.hours")
        page.write(row + place, 2, agree, "line.hours")
    return row + len(light.parts) + 1


def _sentences(page: FrontPage, inputs: Inputs, row: int) -> int:
    """Write how the figures are made; the row below."""
    window = inputs.project.window
    target = page.book.sheets[page.sheet]
    row = page.section(row, "How the figures are made", *RIGHT) + 1
    for place, sentence in enumerate(SENTENCES):
        words = sentence.format(
            first_day=written_date(window.start_s),
            last_day=written_date(window.end_s - 1),
            hours=f"{window.hours:,}",
        )
        page.across(row + place, *RIGHT, words, "line.middle.indent")
        target.set_row(row + place, LINE)
    return row + len(SENTENCES)


def _key(page: FrontPage, row: int) -> int:
    """Write samples of cells and tabs with their meanings; the row below."""
    row = page.section(row, "Cells", *LEFT)
    for sample, style, words in KEY:
        content = float(sample) if sample[:1].isdigit() and " " not in sample else sample
        page.book.put_cell(page.sheet, row, 0, content, f"front.{style}")
        page.write(row, 1, words, "line.indent")
        page.write(row, 2, "", "line")
        row += 1
    for group in Group:
        page.write(row, 0, "", f"tab_{group}")
        page.write(row, 1, MEANINGS[group], "line.indent")
        page.write(row, 2, "", "line")
        row += 1
    return row


def _links(page: FrontPage, row: int) -> int:
    """Write a link to each sheet that is not printed, with its content; the row below."""
    target = page.book.sheets[page.sheet]
    row = page.section(row, "Sheets behind these", *RIGHT)
    for sheet in SHEETS:
        if sheet.is_printed or sheet.name not in page.book.sheets:
            continue
        link = page.book.style("front.line.link.indent")
        target.write_url(row, 3, f"internal:'{sheet.name}'!A1", link, sheet.name)
        page.write(row, 4, sheet.holds, "line.middle.indent")
        row += 1
    return row


def _files(page: FrontPage, inputs: Inputs, row: int) -> int:
    """Write the files of the book with their fingerprints; the row below."""
    row = page.section(row, "Made from")
    for column, heading in enumerate(
        ("File", "Rows read", "Rejected", "SHA-256", "Agrees with its own totals")
    ):
        place = ("", ".right", ".right", ".indent", ".indent")[column]
        page.write(row, column, heading, f"front_heading{place}")
    files = inputs.project.intake
    for file in files[:FILES_AT_MOST]:
        row += 1
        name = PureWindowsPath(file.path).name
        page.write(row, 0, name, "line.strong.wrapped_mid")
        page.fit(row, [(name, WIDTHS[0], True)])
        page.write(row, 1, file.rows_read, "line.hours")
        page.write(row, 2, file.rows_rejected, "line.hours")
        page.write(
            row, 3, f"{file.sha256[:SHA_LETTERS]}…" if file.sha256 else DASH, "line.front_note.middle.indent"
        )
        page.write(row, 4, _own_totals(file), "line.front_note.middle.indent")
    if len(files) > FILES_AT_MOST:
        row += 1
        page.write(row, 0, f"{len(files) - FILES_AT_MOST} more on {SOURCES}", "line")
    return row + 1


def _own_totals(file: FileIntake) -> str:
    """Return whether the rows of a file agree with the totals in the file."""
    stated = file.reconciliation
    if not stated:
        return "No totals in the file"
    agree = sum(figure.agrees for figure in stated)
    return "Yes" if agree == len(stated) else f"{len(stated) - agree} of {len(stated)} totals differ"


def _changed_inputs(page: FrontPage, light: Light, row: int) -> int:
    """Write the first changed inputs, each as exported and now; the second row below."""
    row = page.section(row, "First changed inputs")
    for first, heading in ((0, "Input and cell"), (3, "As exported"), (4, "Now")):
        page.write(row, first, heading, "front_heading")
    for column in (1, 2):
        page.write(row, column, "", "front_heading")
    for place, (words, was, now) in enumerate(light.changed_cells, start=1):
        page.across(row + place, 0, 2, words, "line")
        page.write(row + place, 3, was, "line.number")
        page.write(row + place, 4, now, "line.number")
    return row + len(light.changed_cells) + 2


def _method(page: FrontPage, inputs: Inputs, row: int) -> None:
    """Write the whole method; the notes on this plan come last."""
    row = page.section(row, "Method in full")
    own_rules = (
        (("Class rules of your own", rule_lines(inputs.project.rules)),) if inputs.project.rules else ()
    )
    for heading, lines in (
        *_sections(),
        *own_rules,
        ("Data quality of the log", quality_lines(inputs.project.jobs.quality)),
        ("In this book", _notes(inputs)),
    ):
        page.write(row, 0, heading, "strong.wrapped")
        for line in lines:
            page.across(row, 1, 4, line, "wrapped")
            row += 1
        row += 1


def _sections() -> Iterator[tuple[str, list[str]]]:
    """Yield the method of every book by heading. In the file a dash begins a paragraph, an empty line a section."""
    method = resource_path("method.txt").read_text(encoding="utf-8").format(plan=titles.THE_PLAN)
    for section in method.strip().split("\n\n"):
        heading, *paragraphs = section.split("\n- ")
        yield heading, [" ".join(paragraph.split()) for paragraph in paragraphs]


def rule_lines(rules: Sequence[ClassRule]) -> tuple[str, ...]:
    """The planner's own rules, in the order in which they decide."""
    return (
        "The first matching rule decides the class of a workload. Labels come before these rules, shipped rules after "
        "them.",
        *(
            f"{place}. {rule_words(rule)}{f': {rule.subtype}' if rule.subtype else ''}"
            for place, rule in enumerate(rules, 1)
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
            f"{HYPOTHETICAL} The plan leaves existing contracts out; spend now and doing nothing keep them."
        )
    if inputs.scenario.hand_layers:
        pools = sorted({f"{pool} {model_words(model)}" for pool, model in inputs.scenario.hand_layers})
        notes.append("Sizes set by hand in the app: " + ", ".join(pools) + ".")
    if inputs.scenario.advised_around:
        pools = sorted({f"{pool} {model_words(model)}" for pool, model in inputs.scenario.advised_around})
        notes.append("Of these, the app advises the other terms: " + ", ".join(pools) + ".")
    limited = [offer.offer_id for offer in project.offers if offer.max_gpus is not None]
    if limited:
        notes.append("Offers with a maximum, shared among pools by the app: " + ", ".join(limited) + ".")
    if project.mappings:
        worth = (
            f"1 {mapping.offer_model} does the work of {mapping.ratio:g} {mapping.gpu_model}"
            + (f" ({mapping.pool})" if mapping.pool else "")
            for mapping in project.mappings
        )
        notes.append(
            "GPU models that may serve others (ratios on Offer inputs): "
            + ", ".join(worth)
            + ". GPUs and rates of a layer "
            "are for the row's model; what is paid for and requested is whole GPUs of the offer's."
        )
    untyped = sorted({key.cluster for key in inputs.plan if key.gpu_model is None})
    if untyped:
        notes.append("Clusters with jobs of unknown GPU model: " + ", ".join(untyped) + ".")
    if inputs.assumptions.recency_half_life_days is not None:
        notes.append(
            "Hours are weighted by recency (column Weight of Calc demand). GPU-hours, means, p95 and peaks of Calc "
            "pools are not weighted."
        )
    notes.append(
        "Calc pools has the parts of the months between dates of contracts, workloads and steps, and Calc demand the "
        "demand of each hour. Factors of demand, models of jobs of unknown model and the cost of separate pools are "
        "values as exported."
    )
    missing = [row.contract_id for row in project.contracts if not row.rate]
    missing += [offer.offer_id for offer in project.offers if not offer.rate]
    if missing:
        notes.append("Rates that need a quote: " + ", ".join(missing) + ".")
    return notes or ["No special settings."]
