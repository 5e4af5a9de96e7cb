"""Pages of a brief on what is there today: spend, leaks, costs; on serving models; on training runs; on waiting."""

from collections.abc import Iterator, Sequence
from math import inf, isfinite
from typing import Final

import numpy as np

from gpuplanner.domain.audit.quarter import quarter
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.spend.stranded import why_readings_differ
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.utilization.contracts_apart import any_paid, contracts_apart
from gpuplanner.domain.brief import pages
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import amount, change, day, percent, whole, worded_whole
from gpuplanner.domain.figures.window import SERIES
from gpuplanner.domain.fit.sized_endpoints import size_endpoint
from gpuplanner.domain.message import Message, Part, Text, capital, joined, lowered, worded, worded_count
from gpuplanner.domain.model import amounts, cube
from gpuplanner.domain.model.amounts import sum_text
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import has_calendar
from gpuplanner.domain.queue.sentences import by_standing, trust_words, wait_lines
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports import serving
from gpuplanner.domain.reports.clusters import CLUSTERS, CONTRACTS, few_hours_words, in_force_now
from gpuplanner.domain.reports.leaks import LEAKS, leak_list
from gpuplanner.domain.reports.mix import FLAT_RATES, PUBLIC, STEPS
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.domain.reports.serving_words import sentences_of
from gpuplanner.domain.reports.training import TRAINING_RUNS
from gpuplanner.domain.reports.waiting import POOL_WAITS, SIZES, WINDOWS
from gpuplanner.domain.serving.placement import placement_of
from gpuplanner.domain.serving.serving_gpus import ServingTables
from gpuplanner.domain.training.answer import Answer, name_of
from gpuplanner.domain.training.choices import Choice
from gpuplanner.lazy_dataclass import replace

MOST_CLUSTERS: Final = 6
MOST_CONTRACTS: Final = 5
MOST_NAMES: Final = 3
MOST_MONTHS: Final = 12


def today_page(evaluation: Evaluation) -> pages.Page:
    """Who uses what, and what it costs.

    What contracts cost is unknown where none was given, or none ran while the log did; the title says so.
    """
    audit, project = evaluation.audit, evaluation.project
    classes = [
        joined((percent(share.share, 1), pool), " ")
        for pool in POOLS
        if (share := audit.classes.get(pool)) is not None
    ]
    sentences: list[Text] = [
        worded(
            "{jobs} of {workloads} used {hours} GPU-hours in the lookback period: {classes}.",
            jobs=pages.counted(project.jobs.gpu_jobs, "GPU job"),
            workloads=pages.counted(len(project.workloads), "workload"),
            hours=whole(project.jobs.gpu_hours),
            classes=pages.listed(classes),
        ),
        describe_spend(evaluation),
        *note_periods_apart(project),
    ]
    flagged: list[Text] = [row.contract_id for row in audit.contracts if row.below_40_percent]
    if flagged:
        named = pages.listed(flagged)
        if len(flagged) > MOST_NAMES:
            more = worded("{count} more", count=whole(len(flagged) - MOST_NAMES))
            named = pages.listed([joined(flagged[:MOST_NAMES], ", "), more])
        contracts = pages.counted(len(flagged), "contract")
        sentences.append(worded("{contracts} under 40% used: {named}.", contracts=contracts, named=named))
    rows = (
        (pages.TextBlock("", tuple(sentences)), demand_chart(evaluation)),
        (_clusters(evaluation),),
        (_contracts(evaluation),),
    )
    return pages.Page(key="today", kicker=worded("Today"), title=today_title(evaluation), rows=rows)


def today_title(evaluation: Evaluation) -> Message:
    """What the clusters cost a month, and how much of what is paid is used."""
    audit, project = evaluation.audit, evaluation.project
    if not project.has_spend:
        return worded("No contracts imported: today's GPU cost is unknown")
    if not any_paid(project):
        return worded("No contract overlaps the log: today's GPU cost is unknown")
    use = worded("utilization is unknown")
    if audit.effective_utilization is not None:
        use = worded("{share} of paid GPU-hours are used", share=percent(audit.effective_utilization, 1))
    costs = amounts.part_sum((row.cluster, row.cost_per_month) for row in audit.clusters)
    if (now := in_force_now(audit, project)) is not None:
        use = worded("{use}; active contracts cost {now}", use=use, now=amount(now))
    return worded_whole(
        len(audit.clusters),
        "{count} cluster costs {usd} per month, {use}",
        "{count} clusters cost {usd} per month, {use}",
        usd=sum_text(audit.spend_parts if audit.spend is None else costs),
        use=use,
    )


def note_periods_apart(project: Project) -> list[Text]:
    """Of when log and contracts are, where they are of two times."""
    apart = contracts_apart(project.contracts, project.window)
    if apart is None:
        return []
    log = worded(
        "The log covers {first} – {last}",
        first=day(project.window.start_s),
        last=day(project.window.end_s - 1),
    )
    if not has_calendar(project.window.end_s):
        log = worded("The log's time counts from 0")
    begin = day(apart.begin_s)
    if apart.end_s is None:
        when = worded("the contracts start on {begin}", begin=begin)
    else:
        when = worded("the contracts cover {begin} – {end}", begin=begin, end=day(apart.end_s - 1))
    return [worded("{log}, {contracts}: today's figures exclude them.", log=log, contracts=when)]


def describe_spend(evaluation: Evaluation) -> Message:
    """Spend in a sentence; without contracts what all of it would cost on demand."""
    project, audit = evaluation.project, evaluation.audit
    usd, has_contracts = audit.spend, any_paid(project)
    if usd is None and has_contracts and audit.spend_parts.is_at_least and not audit.asked_contracts:
        return worded(
            "Spend today is at least {usd} per month: no rate of {names}.",
            usd=amount(audit.spend_parts.known),
            names=joined(audit.spend_parts.missing[:MOST_NAMES], ", "),
        )
    if usd is None and has_contracts:
        return worded("Spend today unknown: a rate is missing.")
    if usd is None:
        return worded("All-on-demand cost unknown: a rate is missing.")
    if not has_contracts:
        return worded("All on demand would cost {usd} per month.", usd=amount(usd))
    if project.jobs.billed:
        return worded(
            "Spend today is {usd} per month: contracts, bills, and overflow on demand.", usd=amount(usd)
        )
    return worded("Spend today is {usd} per month: contracts, and overflow on demand.", usd=amount(usd))


def demand_chart(evaluation: Evaluation) -> pages.DemandChart:
    """Demand by pool of the plan, as daily means; a last day that is not whole counts its own hours."""
    series = []
    for pool in POOLS:
        hourly = evaluation.figures.hourly[pool] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        starts = np.arange(0, len(hourly), cube.DAY_HOURS)
        lengths = np.minimum(len(hourly) - starts, cube.DAY_HOURS)
        series.append((pool, np.add.reduceat(hourly, starts) / lengths if len(hourly) else hourly))
    window = evaluation.project.window
    dated_s = window.start_s if has_calendar(window.end_s) else None
    title = worded("Demand, mean GPUs per day, by plan pool")
    if evaluation.scenario == TODAY:
        title = worded("Demand, mean GPUs per day, by pool")
    return pages.DemandChart(title, dated_s, tuple(series))


def _clusters(evaluation: Evaluation) -> pages.TableBlock:
    """The clusters that cost most."""
    return pages.report_block(
        CLUSTERS,
        evaluation.audit,
        worded("Clusters, most expensive first"),
        {"cluster": 2.2, "cost_per_month": 1.2, "stranded_audit": 1.4, "stranded_metered": 1.4},
        MOST_CLUSTERS,
        "Audit",
    )


def _contracts(evaluation: Evaluation) -> pages.TableBlock:
    """The contracts that leave most unused."""
    return pages.report_block(
        CONTRACTS,
        evaluation.audit,
        worded("Contracts, highest idle cost first"),
        {"contract_id": 1.8, "cluster": 1.4, "break_even_utilization": 1.2, "unused_per_month": 1.2},
        MOST_CONTRACTS,
        "Contracts",
    )


NO_TWO_WHOLE: Final = worded("The log has fewer than two whole months")


def months_page(evaluation: Evaluation) -> tuple[pages.Page, ...]:
    """The last twelve months of the log beside each other, and published figures; none where it has not two."""
    rows = (evaluation.months or ())[-MOST_MONTHS:]
    if len(rows) < 2:
        return ()
    lines = tuple(
        pages.Line(
            SERIES[key].title, tuple(row.figures[key] for row in rows), is_main=key == "stranded_audit"
        )
        for key in ("paid_per_month", "stranded_audit", "stranded_metered")
    )
    title, whole_ones = NO_TWO_WHOLE, [row for row in rows if not row.is_cut]
    if len(whole_ones) > 1:  # a month of some days is none to compare with
        first, last = whole_ones[0], whole_ones[-1]
        title = worded(
            "Inference went from {before} to {after} of spend, use from {first} to {last}",
            before=percent(first.usd_share(Pool.INFERENCE), 1),
            after=percent(last.usd_share(Pool.INFERENCE), 1),
            first=percent(first.utilization, 1),
            last=percent(last.utilization, 1),
        )
    names = tuple(row.month for row in rows)
    past = past_of(evaluation.project, evaluation.audit)
    blocks = (
        (pages.MonthsChart(worded("The log by month, $ per month of 730 h"), names, lines),),
        (pages.report_block(MONTHS, replace(evaluation, months=rows), MONTHS.title, {"month_name": 1.6}),),
        (pages.report_block(PUBLIC, past, PUBLIC.title, {"title": 2.2, "source": 2.2}),),
    )
    return (pages.Page(key="months", kicker=MONTHS.title, title=title, rows=blocks),)


def stranded_page(evaluation: Evaluation) -> pages.Page:
    """What is paid and idle, in both readings, and the leaks behind it.

    Where a reading is unknown the title says so.
    """
    above = [
        joined((row.cluster, lowered(why)), ": ") if row.cluster else why
        for row in evaluation.audit.clusters
        if (why := why_readings_differ(row.stranded_metered, row.stranded_audit, row.unallocated_per_month))
    ]
    words = (
        worded("Metered: paid but not allocated in hours without training; adds up to the invoice."),
        worded("Audit estimate: idle share of those hours × total cost; not invoiced."),
        *above[:1],
    )
    rows = (
        (bridge_chart(evaluation.audit), pages.TextBlock(worded("Two measures of stranded spend"), words)),
        (_leaks(evaluation),),
    )
    return pages.Page(key="stranded", kicker=worded("Stranded"), title=stranded_title(evaluation), rows=rows)


def stranded_title(evaluation: Evaluation) -> Message:
    """Stranded spend in both readings, or why it is unknown."""
    bridge, project = evaluation.audit.bridge, evaluation.project
    metered, reading = amount(bridge.stranded_metered), amount(bridge.stranded_audit)
    if bridge.stranded_metered is None or not project.has_spend:
        if not project.has_log:
            return worded("Stranded cost unknown: {why}", why=worded("no log"))
        if project.has_spend:
            return worded(
                "Stranded cost unknown: {why}", why=worded("a cluster has no contract, or a contract no rate")
            )
        return worded("Stranded cost unknown: {why}", why=worded("contracts and rates are missing"))
    if not any_paid(project):
        return worded("Stranded cost unknown: {why}", why=worded("no contract overlaps the log"))
    unused, read = evaluation.audit.unused_per_month, bridge.stranded_audit
    most = inf if unused is None else unused + 0.5  # a reading above all there is: no headline
    if read is None or read > most:
        few = few_hours_words(evaluation.audit.clusters)
        stranded = worded(
            "Of {unused} idle cost per month, {metered} is stranded (metered)",
            metered=metered,
            unused=amount(unused),
        )
        unknown = (
            worded("audit estimate unknown ({few})", few=few) if few else worded("audit estimate unknown")
        )
        return joined((stranded, unknown), "; ") if read is None else stranded
    return worded(
        "{metered} per month is stranded (metered), the audit estimate {reading}",
        metered=metered,
        reading=reading,
    )


def bridge_chart(audit: Audit) -> pages.BridgeChart:
    """Whole dollars that add up from each bar on zero to the next; of what is paid what it is at least."""

    def less(usd: float | None) -> float | None:
        return None if usd is None else -usd

    bridge = audit.bridge
    paid, metered, reading = bridge.cost_per_month, bridge.stranded_metered, bridge.stranded_audit
    steps = [less(bridge.allocated_per_month), less(bridge.idle_while_training)]
    served, idle = amounts.largest_remainder(
        steps, round(metered) - round(paid) if paid and metered and None not in steps else None
    )
    scaled = bridge.scaled_to_all_hours
    scaled_text = change(round(reading) - round(metered) if reading and metered else scaled)
    metered_name, audit_name = worded("(metered)"), worded("(audit estimate)")
    written = sum_text(audit.paid_parts, whole) if paid is None else whole(paid)
    bars = (
        pages.Bar(name=titles.PAID, note=worded("$ per month"), usd=paid, kind="start", text=written),
        pages.Bar(
            name=titles.ALLOCATED, note=worded("to jobs"), usd=steps[0], kind="step", text=change(served)
        ),
        pages.Bar(
            name=worded("Idle while"),
            note=worded("training ran"),
            usd=steps[1],
            kind="step",
            text=change(idle),
        ),
        pages.Bar(
            name=worded("Stranded"), note=metered_name, usd=metered, kind="result", text=whole(metered)
        ),
        pages.Bar(
            name=worded("Scaled to"), note=worded("all hours"), usd=scaled, kind="scaled", text=scaled_text
        ),
        pages.Bar(name=worded("Stranded"), note=audit_name, usd=reading, kind="result", text=whole(reading)),
    )
    return pages.BridgeChart(worded("From the bill to stranded spend, $ per month"), bars)


def _leaks(evaluation: Evaluation) -> pages.TableBlock:
    """Leaks with what the total counts of them."""
    shares = {"title": 1.6, "where": 1.9, "leaked_per_month": 0.8, "counted_per_month": 1.0, "action": 4.2}
    leaks = leak_list(evaluation.project, evaluation.audit)
    return pages.report_block(LEAKS, leaks, worded("Leaks, most expensive first"), shares)


MOST_PLACES: Final = 6


def quarter_pages(evaluation: Evaluation) -> Iterator[pages.Page]:
    """Two steps of this quarter: latency to users, and today's work at flat rates; none that lacks a file."""
    audit, project = evaluation.audit, evaluation.project
    _, latency, _, rates = quarter(project, audit)
    placement = None if latency.missing else placement_of(project.places)
    legs = [] if placement is None else [leg for leg in placement.today.current.service.legs if leg.is_top]
    if placement is not None and any(leg.site_id is not None for leg in legs):
        sets = sorted(serving.sets_and_cheapest(placement), key=lambda row: row.key.startswith("best"))
        users = worded("The nearest 80% of users")
        yield pages.Page(
            key="latency",
            kicker=STEPS[1],
            title=latency.result,
            rows=(
                (
                    pages.report_block(
                        serving.SITE_SETS, sets, serving.SITE_SETS.title, {"sites": 2.0}, MOST_PLACES
                    ),
                ),
                (pages.report_block(serving.CITIES, legs, users, {}, MOST_PLACES),),
            ),
        )
    if not rates.missing:
        past, spent = past_of(project, audit), audit.spend_parts
        table = pages.report_block(FLAT_RATES, past, FLAT_RATES.title, {"lacks": 2.0}, MOST_PLACES)
        today = (worded("Spend today"), "", percent(1.0), "", sum_text(spent, whole))
        title = capital(rates.result)
        if rates.usd_per_month is not None and rates.answer.same_work_now is not None:
            title = worded(
                "{provider} for {usd} per month; the same work today: {today}",
                provider=title,
                usd=amount(rates.usd_per_month),
                today=amount(rates.answer.same_work_now),
            )
        yield pages.Page(key="rates", kicker=STEPS[3], title=title, rows=((replace(table, total=today),),))


MOST_ENDPOINTS: Final = 8
BESIDE_THE_LOG: Final = worded("not in the log")


def sized_endpoints(evaluation: Evaluation, tables: ServingTables) -> tuple[serving.NamedSizing, ...]:
    """Endpoints with a model and requests, those that cost most first.

    Each as the panel Inference has it under the assumptions and offers of the plan. Slow: some ms an endpoint.
    """
    project = evaluation.project
    if evaluation.scenario == TODAY:
        assumptions, offers = project.assumptions, project.offers
    else:
        plan = project.scenario(evaluation.scenario)
        assumptions, offers = project.assumptions_in(plan), project.offers_in(plan)
    names = {workload.key: workload.name for workload in project.workloads}
    sized = [
        serving.NamedSizing(names.get(sizing.key) or sizing.key or BESIDE_THE_LOG, sizing)
        for key in project.serving
        if (sizing := size_endpoint(project, key, assumptions, offers, tables)) is not None
    ]
    return tuple(sorted(sized, key=lambda row: (-(serving_usd(row) or 0.0), row.sizing.key)))


def inference_page(sizings: Sequence[serving.NamedSizing]) -> pages.Page:
    """The page of endpoints that were sized, one at least."""
    shares = {"name": 2.0, "sized_on": 1.6}
    table = pages.report_block(
        serving.ENDPOINTS_IN_SHORT, sizings, worded("Sized for peak requests"), shares, MOST_ENDPOINTS
    )
    rows: tuple[tuple[pages.Block, ...], ...] = ((table,),)
    first, drawn = sizings[0], sizings[0].sizing.drawn
    if drawn is not None:
        sentences = sentences_of(first.sizing, drawn)
        rows = (*rows, (pages.TextBlock(first.name, sentences),))
    return pages.Page(key="inference", kicker=worded("Inference"), title=serving_title(sizings), rows=rows)


def serving_usd(row: serving.NamedSizing) -> float | None:
    return None if row.sizing.drawn is None else row.sizing.drawn.cost_per_month


def serving_title(sizings: Sequence[serving.NamedSizing]) -> Message:
    """What is held for the peak and what it costs; at least, where an amount is not known."""
    known = [usd for row in sizings if (usd := serving_usd(row)) is not None]
    gpus = sum(row.sizing.drawn.gpus_peak or 0 for row in sizings if row.sizing.drawn is not None)
    values: dict[str, Part] = {
        "gpus": whole(gpus),
        "count": pages.counted(len(sizings), "endpoint"),
        "usd": amount(sum(known)),
    }
    if len(known) == len(sizings):
        return worded_count(
            gpus,
            "{gpus} GPU for {count}: {usd} per month",
            "{gpus} GPUs for {count}: {usd} per month",
            **values,
        )
    return worded_count(
        gpus,
        "{gpus} GPU for {count}: at least {usd} per month",
        "{gpus} GPUs for {count}: at least {usd} per month",
        **values,
    )


MOST_RUNS: Final = 3
MOST_MODELS: Final = 5
WIDTHS: Final = {"gpu_model": 1.4, "light": 1.4}


def training_page(answers: Sequence[Answer]) -> pages.Page:
    """Of every run the way of fewest $; a table by GPU model of the first ones."""
    notes: list[Text] = [
        *(joined((describe_training(answer), ".")) for answer in answers),
        worded("Hours and range: from others' published runs."),
    ]
    tables = [
        pages.report_block(
            TRAINING_RUNS,
            tuple(answer.best_of_each.values()),
            answer.stated.called,
            WIDTHS,
            MOST_MODELS,
            "Training",
        )
        for answer in answers[:MOST_RUNS]
    ]
    first = answers[0]
    title = describe_training(first) if len(answers) == 1 else training_title(answers)
    rows: tuple[tuple[pages.Block, ...], ...] = (
        (pages.TextBlock("", tuple(notes if len(answers) > 1 else notes[1:])),),
        *((table,) for table in tables),
    )
    return pages.Page(key="training", kicker=worded("Training runs"), title=title, rows=rows)


def training_title(answers: Sequence[Answer]) -> Message:
    """What all runs cost together; what is not known says so."""
    usd = [answer.best.usd if answer.best is not None else None for answer in answers]
    known = [cost for cost in usd if cost is not None]
    if len(known) < len(usd):
        return worded("The cost of {count} training runs is partly unknown", count=whole(len(answers)))
    return worded("{count} training runs cost {usd}", count=whole(len(answers)), usd=amount(sum(known)))


def describe_training(answer: Answer) -> Message:
    """Where it is done for the fewest $, in how many hours."""
    best, called = answer.best, answer.stated.called
    if best is None or best.finish is None or not isfinite(best.finish.hours):
        if answer.asked.deadline_h is None:
            return worded("{name}: no tested GPU can train it", name=called)
        return worded("{name}: no tested GPUs meet the deadline", name=called)
    finish = best.finish
    hours = worded(
        "{hours} hours ({low} to {high})",
        hours=whole(finish.whole_hours),
        low=whole(finish.whole_low),
        high=whole(finish.whole_high),
    )
    return worded(
        "{name}: {gpus} in {hours}, {usd}",
        name=called,
        gpus=worded("{count} \u00d7 {model}", count=whole(best.run.gpus), model=name_of(best)),
        hours=hours,
        usd=write_training_cost(best),
    )


def write_training_cost(choice: Choice) -> Text:
    if choice.usd is None:
        return worded("at an unknown price")
    return worded("{usd}", usd=amount(choice.usd))


def waiting_page(waiting: Waiting) -> pages.Page:
    """Who waits how long on the plan and today, what marked sizes cost, and how far to trust it."""
    blocks: list[pages.Block] = [
        pages.report_block(POOL_WAITS, rows, title, {})
        for title, rows in (
            (worded("Replaying the log on the plan's GPUs"), waiting.replayed if waiting.is_planned else ()),
            (worded("Replaying the log on today's GPUs"), waiting.today),
            (worded("Actual waits"), waiting.measured),
        )
        if rows
    ]
    marked = [fleet for fleet in waiting.frontier if fleet.marks and fleet.waits.p90_h]
    blocks += [pages.report_block(SIZES, points, title, {}) for title, points in by_standing(marked)]
    if waiting.windows:
        blocks.append(pages.report_block(WINDOWS, waiting.windows, WINDOWS.title, {}))
    # one paragraph: a line each ran over the foot of the page
    blocks.append(pages.TextBlock("", (joined(trust_words(waiting), " "),)))
    return pages.Page(
        key="waiting",
        kicker=worded("Waiting"),
        title=wait_lines(waiting)[0],
        rows=tuple((block,) for block in blocks),
    )
