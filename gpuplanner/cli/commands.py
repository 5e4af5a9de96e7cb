"""The commands: each takes the words of the call and gives back one answer."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpuplanner.cli import answer, audit_tables, inputs, tables
from gpuplanner.cli.arguments import PROJECT_SUFFIX, USAGE_EXIT, UsageError, build_parser
from gpuplanner.cli.documents.asked import asked_document
from gpuplanner.cli.documents.audit import audit_document, series_document
from gpuplanner.cli.documents.demand import demand_document
from gpuplanner.cli.documents.head import Document, head
from gpuplanner.cli.documents.outlook import FLIP_POINT, PRICE_CASE, PRICE_FALL, interruptions_entry
from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.cli.documents.unit_costs import business_document, charge_document, cost_document
from gpuplanner.cli.documents.waits import OF_POOL, queue_document, waits_entries
from gpuplanner.cli.file_results import (
    NOTHING_TO_DO_EXIT,
    asked_lines,
    intake_text,
    lines_of,
    rejected_lines,
    status_of,
)
from gpuplanner.cli.option_values import parse_prepaid, parse_sizes, parse_target
from gpuplanner.cli.plan_tables import award_text, backtest_text, cost_text, plan_text, queue_text, track_text
from gpuplanner.cli.progress import progress_on_terminal
from gpuplanner.cli.terminal import ALL, COLUMNS, Answer, Aside, Tables, check_names
from gpuplanner.domain.audit.chargeback import Charges
from gpuplanner.domain.audit.cost_result import ChargeBy, UnitCosts, Variance
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.audit.variance import variance
from gpuplanner.domain.award.deciding import decide
from gpuplanner.domain.award.offer_worths import offer_worths, with_offer_worths
from gpuplanner.domain.award.quote_worths import with_worth
from gpuplanner.domain.commitment.advice_backtest import TOO_SHORT, backtest_history, variants_of
from gpuplanner.domain.commitment.uncertainty.flips import flip_points, flip_sentence, price_sensitivity
from gpuplanner.domain.edits.decisions import with_numbers
from gpuplanner.domain.edits.money import counted_in
from gpuplanner.domain.evaluation import (
    Evaluation,
    advice_of,
    alone,
    business_of,
    charges_of,
    evaluate,
    evaluate_advice,
    evaluate_audit,
    history_in,
    unheard,
    with_months,
    with_outlook,
)
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.book.price_history import proposed_falls
from gpuplanner.domain.model.book.price_pairs import price_pairs
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.later_months import MANY_JOBS
from gpuplanner.domain.queue.logged import QueueLog
from gpuplanner.domain.queue.rows import log_waits
from gpuplanner.domain.queue.sentences import with_waiting
from gpuplanner.domain.queue.waiting import waiting_of, waiting_where_known
from gpuplanner.domain.reports.award import OFFER_WORTHS, PRICE_PAIRS
from gpuplanner.domain.reports.report import Report, entries, entry
from gpuplanner.domain.reports.savings import PROVIDERS_ALONE
from gpuplanner.files.calendar import write_calendar
from gpuplanner.files.export.cube_file import write_cube
from gpuplanner.files.export.focus import write_focus
from gpuplanner.files.lists.scheduler_limits import LIMITS
from gpuplanner.files.system.resources import (
    gpu_families,
    read_price_history,
    read_question_figures,
    read_question_forms,
    read_tables,
)
from gpuplanner.files.system.terminal_output import cut, one_line
from gpuplanner.files.system.user_files import resource_path
from gpuplanner.files.tables.odd_rates import market_of_offer
from gpuplanner.files.tables.provider_words import provider_named
from gpuplanner.lazy_dataclass import replace

if TYPE_CHECKING:
    from gpuplanner.domain.commitment.history import History
    from gpuplanner.files.request.request_file import Written


def _scenario_name(project: Project, words: argparse.Namespace) -> str:
    """The plan of the call, else the first of the project."""
    return words.scenario or project.scenarios[0].name


def _queue_of(project: Project, rows_dir: Path | None) -> QueueLog | None:
    """The queue of a project's log; None where its job rows are not kept, here or by an import."""
    from gpuplanner.files.importing.windowed_jobs import read_queue

    folder = inputs.rows_folder(project, rows_dir)
    if folder is None:
        return None
    with progress_on_terminal() as on_progress:
        return read_queue(folder, project, on_progress)


def reduce(words: argparse.Namespace, now_s: int) -> Answer:
    """Job logs -> demand cube summary, over the whole log unless bounds are given.

    now_s: not used. Errors: UsageError for an unknown engine or an output that is named twice; PlannerError
    where a file cannot be read or written.
    """
    if words.engine not in ("duckdb", "spark"):
        raise UsageError(f"--engine {words.engine!r}; write --engine duckdb or spark")
    answer.check_outputs(words)
    loaded = inputs.load(words, whole_log=True)
    project = loaded.project
    if project is None:
        return answer.nothing_done(words, loaded, answer.NO_JOB)
    document = head("reduce") | demand_document(project, answer.demand_sha256(project))
    if words.out:
        document |= {"out": [str(path) for path in write_cube(project, Path(words.out))]}
    return Answer(
        document=document,
        text=lambda: intake_text(project.intake) + "\n\n" + audit_tables.demand_text(project),
        error_lines=answer.error_lines(loaded),
        exit_status=status_of(loaded),
    )


def audit(words: argparse.Namespace, now_s: int) -> Answer:
    """The quarter's audit.

    Status 1 without a job. Errors: UsageError; PlannerError where a file cannot be read.
    """
    with inputs.job_rows(words) as rows_dir:
        loaded = inputs.load(words, rows_dir=rows_dir)
        project = loaded.project
        if project is None:
            return answer.nothing_done(words, loaded, answer.NO_JOB)
        evaluation = evaluate_audit(project, _scenario_name(project, words), read_tables())
        evaluation = with_months(evaluation, inputs.months_in(project, rows_dir), read_tables())
        log = _queue_of(project, rows_dir)
    waits = None if log is None else log_waits(Queueing(evaluation, log))
    costs, changes, who_pays = _costs(words, evaluation)
    business = business_of(evaluation)
    document = (
        answer.demand_head("audit", loaded, project)
        | audit_document(evaluation)
        | series_document(evaluation)
        | cost_document(costs, changes, project.window)
        | charge_document(who_pays, has_names=words.by is not None)
        | business_document(business)
        | {"waits": waits_entries(waits)}
    )

    listed = (
        *_tables_of_both(evaluation, (costs, changes, who_pays)),
        ("waits", lambda: queue_text.waits_text(waits, log)),
    )
    return answer.answered(loaded, document, partial(audit_tables.audit_head, evaluation), listed)


def _costs(words: argparse.Namespace, evaluation: Evaluation) -> tuple[UnitCosts, Variance, Charges]:
    """What single things cost, what changed between the two periods of the call, and who pays by what it says."""
    periods = inputs.compared_periods(words.compare, evaluation.project.window)
    past = past_of(evaluation.project, evaluation.audit)
    by = ChargeBy(words.by or ChargeBy.TEAM)
    return (unit_costs(past), variance(past, *periods), charges_of(evaluation, by, past))


def _tables_of_both(evaluation: Evaluation, costs: tuple[UnitCosts, Variance, Charges]) -> Tables:
    """The tables of the audit, which a plan has too. costs: as `_costs` gives them."""
    unit, changes, who_pays = costs
    return (
        *audit_tables.audit_tables(evaluation),
        ("months", lambda: audit_tables.series_text(evaluation)),
        *cost_text.cost_tables(unit, changes, evaluation.project.window),
        ("chargeback", lambda: cost_text.charge_text(who_pays)),
        ("business", lambda: cost_text.business_text(business_of(evaluation))),
    )


def plan(words: argparse.Namespace, now_s: int) -> Answer:
    """The audit, the pools and the commitment advice.

    Status 1 without a job. Errors: UsageError; PlannerError where a file cannot be read.
    """
    with inputs.job_rows(words) as rows_dir:
        loaded = inputs.load(words, rows_dir=rows_dir)
        if loaded.project is None:
            return answer.nothing_done(words, loaded, answer.NO_JOB)
        log = _queue_of(loaded.project, rows_dir)
        is_whole = bool({"waits", ALL} & {*check_names(words)})
        result, evaluation, _ = _plan_answer(
            words, loaded, loaded.project, rows_dir, log, now_s, is_whole=is_whole
        )
    if words.price_sensitivity:
        result = _with_price_sensitivity(result, evaluation)
    if words.one_provider:
        result = _with_one_provider(result, evaluation)
    if words.worth:
        result, _ = _with_worths(result, evaluation)
    return _with_flips(result, evaluation) if words.flips else result


def _with_worths(result: Answer, evaluation: Evaluation) -> tuple[Answer, Evaluation]:
    """The plan with up to which rate each term on offer is worth signing."""
    worths = offer_worths(evaluation) or ()
    result = _with_report(
        result, "worth_signing", "worth", OFFER_WORTHS, worths, "No offer has a term and a rate."
    )
    return result, with_offer_worths(evaluation, worths)


def _with_price_sensitivity(result: Answer, evaluation: Evaluation) -> Answer:
    """The plan with itself at low, mid and high rates."""
    planned, basis = evaluation.in_parts, evaluation.figures.basis
    cases = price_sensitivity(planned.project, basis.plan, evaluation.figures.workload_pools, planned.audit)
    document = {"price_sensitivity": [entry(PRICE_CASE, case) for case in cases]}
    return _with_table(result, document, "sensitivity", lambda: plan_text.price_sensitivity_text(cases))


def _with_table(result: Answer, document: Document, name: str, text: Callable[[], str]) -> Answer:
    """An answer with one more table, which the call asked for by an option."""
    listed = (*result.tables, (name, text))
    return replace(result, document=result.document | document, tables=listed)


def _with_one_provider(result: Answer, evaluation: Evaluation) -> Answer:
    """The plan with each provider alone: two plans are worked out for each."""
    offers = evaluation.project.offers_in(evaluation.figures.basis.plan)
    pairs = {"price_pairs": entries(PRICE_PAIRS, price_pairs(offers))}
    result, alone_rows = replace(result, document=result.document | pairs), alone(evaluation)
    return _with_report(
        result, "one_provider", "providers", PROVIDERS_ALONE, alone_rows, "No offer names its provider."
    )


def _with_report(
    result: Answer, field: str, name: str, of: Report, rows: Sequence[object], none: str
) -> Answer:
    """An answer with one more report. field: of the document; name: of the table; none: the text without rows."""

    def text() -> str:
        return f"\n{of.title}\n{tables.report_text(of, rows)}\n  {of.note}" if rows else f"\n{none}"

    return _with_table(result, {field: entries(of, rows)}, name, text)


def _with_flips(result: Answer, evaluation: Evaluation) -> Answer:
    """The plan with the points at which it changes: many plans are worked out for them."""
    basis = evaluation.figures.basis
    planned = evaluation.in_parts
    points = flip_points(
        planned.project, basis.plan, evaluation.figures.workload_pools, classes=planned.audit.classifications
    )
    sentences = [one_line(f"  {flip_sentence(point)}") for point in points] or [
        "  no assumption in reach changes it"
    ]
    document = {"flip_points": [entry(FLIP_POINT, point) for point in points]}
    return _with_table(result, document, "flips", lambda: "\n".join(["Where the advice changes", *sentences]))


def _plan_answer(
    words: argparse.Namespace,
    loaded: inputs.Loaded,
    project: Project,
    rows_dir: Path,
    log: QueueLog | None,
    now_s: int,
    *,
    is_whole: bool,
) -> tuple[Answer, Evaluation, Queueing | None]:
    """The answer of plan and of export, the evaluation behind it, and its log as it was replayed. The text is made only
    where it is asked for. log: its queue; None where its rows are not kept. now_s: the day on which it is read, epoch
    seconds. is_whole: whether a log of many jobs, too, is replayed on the GPUs of every month; otherwise it is only for
    decisions due within 14 days.
    """
    with progress_on_terminal() as on_progress:
        evaluation = evaluate(project, _scenario_name(project, words), read_tables(), on_progress or unheard)
    if loaded.before is not None and evaluation.scenario != TODAY:
        evaluation = replace(evaluation, before=advice_of(loaded.before, evaluation.scenario, read_tables()))
    evaluation = with_months(evaluation, inputs.months_in(project, rows_dir), read_tables())
    queueing = None if log is None else Queueing(evaluation, log)
    is_short = log is not None and len(log.kind) <= MANY_JOBS
    waiting = waiting_where_known(
        queueing, sizes=0, outlook=evaluation.outlook, is_whole=is_whole or is_short
    )
    rows = None if waiting is None else waiting.replayed
    evaluation = with_waiting(evaluation, waiting)
    costs, changes, who_pays = _costs(words, evaluation)
    business = business_of(evaluation)
    document = (
        answer.demand_head(words.command, loaded, project)
        | audit_document(evaluation)
        | series_document(evaluation)
        | cost_document(costs, changes, project.window)
        | charge_document(who_pays, has_names=words.by is not None)
        | plan_document(evaluation, now_s)
        | business_document(business)
    )
    falls = proposed_falls(project.offers, project.earlier_offers, read_price_history())
    document |= {
        "price_falls": [entry(PRICE_FALL, fall) for fall in falls],
        "interruptions": interruptions_entry(project, evaluation.figures.basis.plan),
        "waits": waits_entries(None if queueing is None else log_waits(queueing)),
        "waiting": None if rows is None else [entry(OF_POOL, row) for row in rows],
    }

    delta = project.assumptions_in(evaluation.figures.basis.plan).delta
    listed = (
        *_tables_of_both(evaluation, (costs, changes, who_pays)),
        *plan_text.plan_tables(evaluation, document, now_s),
        ("prices", lambda: plan_text.price_falls_text(falls, delta)),
        ("spot", lambda: plan_text.spot_text(document, evaluation.outlook)),
        ("waits", lambda: queue_text.waiting_text(waiting, evaluation.outlook, log)),
    )

    lines = answer.error_lines(loaded, evaluation.advice)
    head_text = partial(plan_text.plan_head, evaluation)
    result = answer.answered(loaded, document, head_text, listed, lines)
    return result, evaluation, queueing


def _walked(words: argparse.Namespace) -> "tuple[inputs.Loaded, History | None]":
    """All of a log to walk over; None without a job. Errors: UsageError; PlannerError where a file cannot be read."""
    with inputs.job_rows(words) as rows_dir:
        loaded = inputs.load(words, whole_log=True, rows_dir=rows_dir)
        if loaded.project is None:
            return loaded, None
        past = inputs.past_logs(loaded.project, rows_dir)
        name = _scenario_name(loaded.project, words)
        return loaded, history_in(loaded.project, name, read_tables(), past)


def backtest(words: argparse.Namespace, now_s: int) -> Answer:
    """Would this advice have paid? A walk forward over the whole log unless bounds are given.

    Status 1 where the log has no month to pay for. Job rows are kept only for as long as the call runs.
    Errors: UsageError; PlannerError where a file cannot be read.
    """
    from gpuplanner.cli.documents.backtests import backtest_document

    loaded, history = _walked(words)
    project = loaded.project
    if project is None or history is None:
        return answer.nothing_done(words, loaded, answer.NO_JOB)
    result = backtest_history(history)
    variants = variants_of(history)
    document = answer.demand_head("backtest", loaded, project) | backtest_document(
        result, variants, project.window.hours
    )
    listed = backtest_text.backtest_tables(result, variants)
    tested = answer.answered(loaded, document, lambda: backtest_text.backtest_text(result), listed)
    if result.folds:
        return tested
    lines = (*tested.error_lines, f"gpuplanner: backtest: {TOO_SHORT}")
    return replace(tested, error_lines=lines, exit_status=status_of(loaded, NOTHING_TO_DO_EXIT))


def queue(words: argparse.Namespace, now_s: int) -> Answer:
    """How long the jobs of the log wait on the GPUs of today, of the plan and on other sizes.

    Status 1 without a job, or where its rows are gone. Errors: UsageError; PlannerError where a file cannot be read.
    """
    target = None if words.target is None else parse_target(words.target)
    sizes = parse_sizes(words.sizes)
    with inputs.job_rows(words) as rows_dir:
        loaded = inputs.load(words, rows_dir=rows_dir)
        project = loaded.project
        log = None if project is None else _queue_of(project, rows_dir)
    if project is None or log is None:
        return answer.nothing_done(words, loaded, answer.NO_ROWS if project else answer.NO_JOB)
    read = LIMITS.read_files(words.limits).or_refused()
    loaded = replace(loaded, intake=(*loaded.intake, *read.intake))
    limits = tuple(read.values) if words.limits else project.queue_limits
    is_fair = words.order == "fairshare" if words.order else project.is_fair_share
    intake = (*project.intake, *read.intake)
    project = replace(project, intake=intake, queue_limits=limits, is_fair_share=is_fair)
    with progress_on_terminal() as on_progress:
        evaluation = evaluate_advice(project, _scenario_name(project, words), read_tables())
        hear, together = on_progress or unheard, (words.together,)
        queueing = Queueing(evaluation, log)
        waiting = waiting_of(queueing, sizes, target, hear, together=together)
        of_log = log_waits(queueing.of_today, is_whole=True)
        waiting = waiting.calibrated_capacity if words.calibrate else waiting
    document = answer.demand_head("queue", loaded, project) | queue_document(waiting, of_log)
    listed = queue_text.queue_tables(waiting, of_log)
    lines = answer.error_lines(loaded, evaluation.advice)
    return answer.answered(loaded, document, lambda: queue_text.queue_text(waiting), listed, lines)


def place(words: argparse.Namespace, now_s: int) -> Answer:
    """Placement of a service: the way to the top 80% of its users, and the best sites for each number of them.

    Status 1 without users or sites, 3 where a file of them cannot be read.
    Errors: UsageError; PlannerError where a project cannot be read.
    """
    from gpuplanner.cli.place import load_places, nothing_to_place, place_document, place_tables, place_text

    loaded = load_places(words)
    document = head("place", loaded.currency) | place_document(
        loaded.intake, loaded.places, loaded.assumptions, loaded.tokens_read
    )
    if not loaded.places.can_be_placed:
        intake = loaded.intake
        return Answer(
            document=document,
            text=lambda: intake_text(intake),
            error_lines=(*lines_of(loaded), f"gpuplanner: place: {nothing_to_place(intake)}"),
            exit_status=status_of(loaded) or NOTHING_TO_DO_EXIT,
        )
    return answer.answered(loaded, document, lambda: place_text(loaded), place_tables(loaded))


def award(words: argparse.Namespace, now_s: int) -> Answer:
    """Who gets what of the orders of the plan, what each quote saves and at what rate it would be worth signing.

    Status 1 without a job. now_s: nothing is ordered before it. Errors: UsageError; PlannerError where a file cannot be
    read.
    """
    from gpuplanner.cli.documents.awards import award_document

    prepaid = parse_prepaid(words.max_prepaid)
    loaded = inputs.load(words)
    project = loaded.project
    if project is None:
        return answer.nothing_done(words, loaded, answer.NO_JOB)
    usd = exchange_between(USD, project.currency, project.exchange)
    if prepaid is not None and usd is None:
        raise UsageError(
            f"--max-prepaid: no rate of exchange of {project.currency} is stated; state it with --fx"
        )
    most = None if prepaid is None or usd is None else prepaid * float(usd)
    with progress_on_terminal() as on_progress:
        hear = on_progress or unheard
        evaluation = evaluate(project, _scenario_name(project, words), read_tables(), hear)
        decided = decide(evaluation, now_s, market_of_offer, most)
        evaluated = None if decided is None else with_worth(decided, evaluation, on_progress=hear)
    assert evaluated is not None  # nobody cancels it
    document = answer.demand_head("award", loaded, project) | award_document(evaluated)
    lines, listed = answer.error_lines(loaded, evaluation.advice), award_text.award_tables(evaluated)
    return answer.answered(loaded, document, lambda: award_text.award_text(evaluated), listed, lines)


def _check_export(words: argparse.Namespace) -> None:
    """Refuse a call that names no file to write, or a project by another ending. Errors: UsageError."""
    wanted = ("out", "focus", "calendar", "statement", "rfq", "brief", "save_to")
    if not any(getattr(words, name) for name in wanted):
        raise UsageError(
            "export: write --out PLAN.xlsx, --focus FILE.csv, --calendar FILE.ics, --statement FILE.csv, --rfq DIR, "
            "--brief FILE.pdf, --project FILE.gpuplan, or several"
        )
    if words.save_to is not None and not words.save_to.lower().endswith(PROJECT_SUFFIX):
        raise UsageError(
            f"--project {words.save_to!r} is no {PROJECT_SUFFIX} file; end its name in {PROJECT_SUFFIX}"
        )


def export(words: argparse.Namespace, now_s: int) -> Answer:
    """Workbook, FOCUS rows, requests for quote, board brief; the answer is that of plan, with the files written.

    Errors: UsageError where the call names no file to write.
    """
    _check_export(words)
    answer.check_brief(words)
    answer.check_outputs(words)
    terms = answer.check_request(words, now_s)
    from gpuplanner.cli.documents.requests import approval_document, request_document
    from gpuplanner.files.workbook.write import write_workbook

    notes = dict[str, Text]()
    lines: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    asked: Written | None = None
    with inputs.job_rows(words) as rows_dir:
        loaded = inputs.load(words, in_dollars=False, rows_dir=rows_dir)
        if loaded.project is None:
            return answer.nothing_done(words, loaded, answer.NO_JOB)
        log = _queue_of(loaded.project, rows_dir)
        project, has_pages = loaded.project, words.out is not None or bool(words.brief)
        work = partial(
            _plan_answer, words, loaded, rows_dir=rows_dir, log=log, now_s=now_s, is_whole=has_pages
        )
        result, evaluation, queueing = work(project)
        other = result
        if words.json and project.currency != USD:  # the files are in the money of the project
            other, _, _ = work(counted_in(project, USD))
        if words.rfq is not None:  # first: a request without a vendor is refused before any file is written
            asked, lines = answer.write_rfq(evaluation, words, now_s, terms)
            requests = tuple(map(str, asked.paths))
            notes |= dict.fromkeys(requests[-1:], asked.said)
        if words.save_to is not None:
            lines += answer.save_named(
                answer.with_places(
                    with_numbers(loaded.project, evaluation.scenario, evaluation.outlook), words
                ),
                Path(words.save_to),
                now_s,
                inputs.rows_folder(loaded.project, rows_dir),
            )
    if words.worth:
        result, evaluation = _with_worths(result, evaluation)
    waiting = waiting_where_known(queueing, outlook=evaluation.outlook) if has_pages else None
    several: dict[str, object] = {"briefs": list(words.brief)} if words.brief else {}
    if words.out is not None:
        with progress_on_terminal() as on_progress:
            several["book"] = write_workbook(
                evaluation,
                Path(words.out),
                now_s,
                on_progress,
                is_told=words.json,
                waiting=waiting,
                paper=words.paper,
            )
    if words.focus is not None:
        notes[words.focus] = write_focus(evaluation, Path(words.focus), now_s).signed_words
    if words.calendar is not None:
        write_calendar(evaluation, Path(words.calendar), now_s)
    if words.statement is not None:
        with progress_on_terminal() as on_progress:
            answer.write_statements(evaluation, Path(words.statement), words.paper, now_s, on_progress)
    if asked is not None:
        several["requests"] = list(requests)
    if words.brief:
        with progress_on_terminal() as on_progress:
            answer.write_briefs(evaluation, words.brief, words.paper, now_s, on_progress, waiting)
    files = {"workbook": words.out, "focus": words.focus, "calendar": words.calendar}
    files |= {"statement": words.statement, "project": words.save_to}
    written = {name: path for name, path in files.items() if path is not None}
    wrote = (*written.values(), *requests, *words.brief)
    text = "\n".join(
        line for path in wrote for line in (one_line(f"Wrote {path}"), *_indented(notes.get(path)))
    )
    messages = (*result.error_lines, *map(Aside, lines))
    if evaluation.advice is not None:
        several["approval"] = approval_document(evaluation, now_s, other.document["orders"])
    if asked is not None and evaluation.advice is not None:
        several["request"] = asked.request and request_document(
            asked.request, evaluation.advice.orders, other.document["orders"]
        )
    return Answer(
        document=other.document | written | several,
        text=lambda: text,
        error_lines=messages,
        exit_status=other.exit_status,
        currency=loaded.currency,
    )


def _indented(words: Text | None) -> tuple[str, ...]:
    """What is said of a file, under its name."""
    return () if words is None else (one_line(f"  {words}"),)


def size(words: argparse.Namespace, now_s: int) -> Answer:
    """Inference sizing: GPUs for a model and its traffic. Status 1 where a file is readable and of no use.

    Errors: UsageError; PlannerError where a file cannot be read.
    """
    from gpuplanner.cli.size import (
        NOT_SIZED,
        OF_NO_USE,
        points_of,
        points_text,
        size_document,
        size_tables,
        size_text,
        sized,
    )

    if words.points:
        points = points_of(words.points)
        return Answer(document=head("size") | {"points": points}, text=lambda: points_text(points))
    try:
        result = sized(words)
    except PlannerError as fault:
        if fault.code not in OF_NO_USE:
            raise
        document = head("size") | NOT_SIZED
        return Answer(
            document=document,
            text=lambda: "Nothing was sized.",
            error_lines=(str(fault),),
            exit_status=NOTHING_TO_DO_EXIT,
        )
    document = head("size", result.currency) | size_document(result.intake, result.sizing)
    return answer.answered(result, document, lambda: size_text(result), size_tables(result))


def train(words: argparse.Namespace, now_s: int) -> Answer:
    """A training run on every GPU model, or what the formula says of measured runs (--points).

    Errors: UsageError; PlannerError where a file cannot be read.
    """
    from gpuplanner.cli import train

    if words.points:
        points, intake = train.read_trained_points(words.points)
        document = head("train") | train.points_document(points, intake)
        lines = (*rejected_lines(intake), *asked_lines(intake))
        return Answer(
            document=document, text=lambda: train.trained_points_text(document["points"]), error_lines=lines
        )
    result = train.trained(words, now_s)
    document = head("train", result.currency) | train.train_document(result)
    return answer.answered(result, document, lambda: train.train_text(result), train.train_tables(result))


def demo(words: argparse.Namespace, now_s: int) -> Answer:
    """Write the demo inputs, a project and its workbook into a folder.

    Files of these names that are not of a demo are kept beside. Errors: UsageError; PlannerError
    file_unreadable.
    """
    from gpuplanner.cli.self_test import demo_days, rows_folder, write_demo_folder

    paths, lines = write_demo_folder(Path(words.folder), demo_days(words.ending, now_s), now_s, rows_folder())
    document = head("demo") | {"files": [str(path) for path in paths]}
    return Answer(
        document=document,
        text=lambda: "\n".join(one_line(f"Wrote {path}") for path in paths),
        error_lines=lines,
    )


def ask(words: argparse.Namespace, now_s: int) -> Answer:
    """What is asked in words of a saved plan. Status 2 where it is not understood: then the three nearest are said.

    Errors: UsageError; PlannerError where the project cannot be read.
    """
    from gpuplanner.domain.ask import answers, changes, reading

    scenario = [] if words.scenario is None else ["--scenario", words.scenario]
    plan_words = build_parser().parse_args(
        ["plan", words.project, *scenario, *(["--json"] if words.json else [])],
        copy(words),  # what a script has read stays
    )
    loaded = inputs.load(plan_words)
    project, tables_read, forms = loaded.project, read_tables(), read_question_forms()
    assert project is not None  # a project file has one, or cannot be read
    name = _scenario_name(project, plan_words)
    if name == TODAY:
        raise UsageError(f"{TODAY} is read only; name a plan with --scenario")
    evaluation = evaluate_advice(project, name, tables_read)
    asked = changes.asked_of(evaluation, gpu_families(), tables_read.node_gpus, provider_named)
    try:
        meant = changes.understood(words.question, forms, asked)
        if isinstance(meant, changes.Question):
            read: Mapping[str, Callable[[], object]] = {
                **dict.fromkeys(
                    ("waits", "waited", "team_waits", "size"),
                    lambda: (log := _queue_of(project, None)) and Queueing(evaluation, log),
                ),
                "worth": lambda: offer_worths(evaluation),
                "history": lambda: (
                    with_months(evaluation, inputs.months_in(project, None), tables_read).months
                ),
                "backtest": lambda: (history := _walked(plan_words)[1]) and backtest_history(history),
                "award": lambda: decide(evaluation, now_s, market_of_offer),
            }
            answered = answers.answer_question(
                meant, with_outlook(evaluation), read_question_figures(), read.get(meant.form, lambda: None)()
            )
        else:
            after = advice_of(meant.edit(project), name, tables_read)
            answered = changes.answer_change(meant, evaluation.advised, after)
    except reading.NotUnderstoodError as fault:
        document = asked_document(words.question, None, fault.what, fault.instead)
        examples = [f"  {one}" for one in fault.instead]
        lines = "\n".join([f"{one_line(fault.what)}. Try:", *examples])
        return Answer(
            document=head("ask", loaded.currency) | document, text=lambda: lines, exit_status=USAGE_EXIT
        )
    document = head("ask", loaded.currency) | asked_document(words.question, answered, answered.sentence, ())
    return Answer(document=document, text=lambda: one_line(answered.sentence), currency=loaded.currency)


def schema(words: argparse.Namespace, now_s: int) -> Answer:
    """The JSON Schema of a command's document. Errors: UsageError for an unknown command, with the nearest."""
    known = json.loads(resource_path("json_schemas.json").read_text(encoding="utf-8"))
    if words.of not in known:
        nearest = get_close_matches(words.of, known, n=1, cutoff=0.0)[0]
        raise UsageError(f"schema {words.of}: no such command. Did you mean {nearest}?")
    return Answer(document=known[words.of], text=lambda: "")


def self_test(words: argparse.Namespace, now_s: int) -> Answer:
    """Check this installation, one line per check; exit status 1 where one fails.

    Everything is written into a folder that is gone afterwards.
    """
    from gpuplanner.cli.self_test import CHECKED, run_checks

    results = run_checks(now_s)
    document = head("self-test") | {"checks": [entry(CHECKED, row) for row in results]}
    lines = [one_line(f"{'ok  ' if row.passed else 'FAIL'}  {row.name}: {row.detail}") for row in results]
    lines = lines if words.wide else [cut(line, COLUMNS) for line in lines]  # one line per check
    return Answer(
        document=document,
        text=lambda: "\n".join(lines),
        exit_status=0 if all(row.passed for row in results) else 1,
    )


def track(words: argparse.Namespace, now_s: int) -> Answer:
    """A saved plan against a later log. Status 1 where none of it lies after the plan begins, or a file is of no use.

    now_s: of the workbook. Errors: UsageError; PlannerError where a file cannot be read or written.
    """
    from gpuplanner.cli.documents.tracks import track_document

    answer.check_outputs(words)
    result = track_text.tracked(words, read_tables())
    loaded = inputs.Loaded(
        project=result.later.project,
        intake=result.later.intake,
        refused=result.later.refused,
        currency=result.currency,
    )
    rows_found = result.found
    if loaded.project is None or rows_found is None:
        why = "; ".join(map(str, result.later.notes)) or answer.NO_JOB
        return answer.nothing_done(words, loaded, answer.NOT_COMPARED if loaded.refused else why)
    document = answer.demand_head("track", loaded, loaded.project) | track_document(rows_found)
    wrote = ""
    if words.out is not None:
        from gpuplanner.files.workbook.write import write_track

        write_track(rows_found, loaded.project.currency, Path(words.out), now_s)
        document["workbook"], wrote = words.out, one_line(f"\nWrote {words.out}")
    listed = track_text.track_tables(rows_found)
    return answer.answered(loaded, document, lambda: track_text.track_text(rows_found) + wrote, listed)


RUN_BY_NAME: Final[dict[str, Callable[[argparse.Namespace, int], Answer]]] = {
    "demo": demo,
    "reduce": reduce,
    "audit": audit,
    "plan": plan,
    "award": award,
    "queue": queue,
    "size": size,
    "train": train,
    "backtest": backtest,
    "place": place,
    "export": export,
    "track": track,
    "ask": ask,
    "schema": schema,
    "self-test": self_test,
}
