"""Rows of a bill: which of them are usage of machines with GPUs, and the run that each of these stands for."""

from collections.abc import Collection
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from gpuplanner.files.job_logs.dialects.bill_amounts import find_amounts
from gpuplanner.files.job_logs.dialects.bill_forms import (
    SUM_WORD,
    Bill,
    BillColumns,
    BillForm,
    Names,
    bill_header,
)
from gpuplanner.files.job_logs.dialects.bill_purposes import billed_by_kind, stated_figures, unread_gpus
from gpuplanner.files.job_logs.dialects.bill_times import DateOrder, date_order, read_bill_time
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.raw_table import RawTable, load_raw
from gpuplanner.files.sources.source import PARQUET, Source
from gpuplanner.files.system.engine import Engine, sql_text
from gpuplanner.files.tables.mapped_cells import adds_up
from gpuplanner.files.values.gpu_counts import GpuReading, from_number
from gpuplanner.files.values.gpu_instances import HINT, GpuProduct, find_gpu_product
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

# Usage of bills: a quantity, its unit and what one unit is, to GPUs.
_SECONDS_OF: Final = {"h": Fraction(3600), "m": Fraction(60), "s": Fraction(1), "ms": Fraction(1, 1000)}
_TIME_UNIT: Final = lazy_re(
    r"^(?:(?P<many>\d{1,5})[ /]?(?:none )?)?"
    r"(?:(?:gpu|instance|vm|node|machine|accelerator|unit|virtual machine)s?[ /*-]*)?"
    r"(?:per )?(?:(?P<unit>h|m|s)(?:ou?rs?|rs?|in(?:ute)?s?|ec(?:ond)?s?)?|(?P<milli>ms|milli(?:second)?s?))"
    r"(?: (?:instance|gpu|vm|node|machine)s?)?(?: \| .*)?$"
)
_GPU_UNIT: Final = lazy_re(r"\bgpus?\b")
_USAGE: Final = lazy_re(r"(?s)^(.*) x (\d+(?:/\d+)?) s x (\d+(?:/\d+)?) GPUs / (\d+) s$")


def read_time_unit(text: str) -> Fraction | None:
    """Seconds of machine time that one unit is; None where it is no time, such as GB or OCPU hours.

    >>> read_time_unit("10 Hours"), read_time_unit("GB-Hours"), read_time_unit("MS | INSTANCE")
    (Fraction(36000, 1), None, Fraction(1, 1000))
    """
    found = _TIME_UNIT.match(text.strip().lower())
    if found is None or (found["many"] and not int(found["many"])):
        return None
    return int(found["many"] or 1) * _SECONDS_OF["ms" if found["milli"] else found["unit"]]


def counts_gpus(unit: str) -> bool:
    """Whether a unit counts GPUs and not machines, as GPU hours do.

    >>> counts_gpus("GPU hours"), counts_gpus("Hrs")
    (True, False)
    """
    return _GPU_UNIT.search(unit.lower()) is not None


def usage_text(quantity: str, seconds: str, gpus: str, period_s: str) -> str:
    """SQL for the text that `read_usage` reads, of SQL for its parts.

    >>> usage_text("'3.5'", "'3600'", "'8'", "'86400'")
    "'3.5' || ' x ' || '3600' || ' s x ' || '8' || ' GPUs / ' || '86400' || ' s'"
    """
    return f"{quantity} || ' x ' || {seconds} || ' s x ' || {gpus} || ' GPUs / ' || {period_s} || ' s'"


def read_usage(text: str) -> GpuReading:
    """GPUs in use on average over a period, from `3.5 x 3600 s x 8 GPUs / 86400 s`, exact until it is rounded.

    Faults: bad_number for anything else and for what rounds to nothing, negative_gpus for a refund.

    >>> read_usage("3.5 x 3600 s x 8 GPUs / 86400 s").milli_gpus, read_usage("-1 x 3600 s x 8 GPUs / 3600 s").fault
    (1167, 'negative_gpus')
    """
    found = _USAGE.match(text)
    quantity = read_decimal(found[1]) if found else None
    if found is None or quantity is None or not int(found[4]):
        return GpuReading(fault="bad_number")
    milli_gpus = Fraction(quantity) * Fraction(found[2]) * Fraction(found[3]) * 1000 / int(found[4])
    if milli_gpus < 0:
        return GpuReading(fault="negative_gpus")
    whole = (2 * milli_gpus + 1) // 2
    return GpuReading(fault="bad_number") if whole == 0 and milli_gpus > 0 else from_number(Decimal(whole))


_DETAIL: Final = (
    r"(?i)(?:ServiceType|UsageType|VMSize|Instance_?Type|GPU_?Count)[\"'']?\s*[:=]\s*[\"'']?[^\"'',;{}]+"
)
_NAME_TAGS: Final = ("name", "workload", "application", "app", "project")
_CLASS_TAGS: Final = "class|pool|workload[-_ ]?(?:class|type)"
_NAIVE: Final = worded("times without a time zone were read as UTC, as usual in bills")
_NO_GPUS: Final = worded("this bill has no GPU usage. Use a job log, or the GPU account's bill")
_ISO: Final = "%Y-%m-%dT%H:%M:%SZ"
_SUM_CELL: Final = rf"(^|\|)\W*{SUM_WORD}\W*(\||$)"
_SUMS_AT_MOST: Final = 10_000


def load_bill(form: BillForm, source: Source, engine: Engine, table: str) -> Bill:
    """The records of a bill, its times read and its GPU usage found. Errors: PlannerError file_unreadable."""
    delimiter, headings = bill_header(source.head, wanted(form))
    records = load_raw(engine, source, f"{table}_records", headings, delimiter=delimiter, is_whole=True)
    raw = _without(engine, records, f"{table}_raw", records.ragged.long.tolist())
    columns = BillColumns(headings)
    start = columns.text(form.start) or "cast(null as varchar)"
    end = columns.text(form.end)
    interval = columns.text(form.interval)
    if interval is not None:
        start = f"coalesce({start}, nullif(split_part({interval}, '/', 1), ''))"
        end = f"coalesce({end or 'null'}, nullif(split_part({interval}, '/', 2), ''))"
    bill = Bill(
        form=form,
        records=records,
        raw=raw,
        columns=columns,
        gpu=f"{table}_gpu",
        times=f"{table}_times",
        start=start,
        end=end or (start if form.is_daily else "cast(null as varchar)"),
        order=DateOrder(),
    )
    bill = _without_sums(engine, _read_times(engine, bill), f"{table}_charges")
    _find_products(engine, bill, f"{table}_products")
    _find_runs(engine, bill, f"{table}_products")
    return bill


def _without(engine: Engine, raw: RawTable, name: str, lines: Collection[int]) -> RawTable:
    """The records without these lines: of too many cells, whose figures may stand under other headings, or sums."""
    if not lines:
        return raw
    engine.keep(f"{name}_without", {"line": [*lines]}, {"line": "bigint"})
    engine.run(
        f'create or replace view "{name}" as select * from "{raw.name}" anti join "{name}_without" using (line)'
    )
    return replace(raw, name=name)


def _without_sums(engine: Engine, bill: Bill, name: str) -> Bill:
    """Its charges without the rows that add them up: those named so that are of no resource, or without a time."""
    cells = ", ".join(f"coalesce(c{at}, '')" for at in range(len(bill.columns.headings)))
    resource = bill.columns.text(bill.form.resource) or "null"
    names = ("c0", *bill.columns.texts((*bill.form.service, *bill.form.charge, *bill.form.products)))
    is_sum = f"regexp_matches(lower(concat_ws('|', {', '.join(names)})), {sql_text(_SUM_CELL)}) and {resource} is null"
    has_time = f'{bill.start} in (select text from "{bill.times}" where at_s is not null)'
    rows = engine.all(
        f"""select line, coalesce({has_time}, false), coalesce({is_sum}, false), {cells} from "{bill.raw.name}"
            where not coalesce({has_time}, false) or coalesce({is_sum}, false) order by line limit {_SUMS_AT_MOST}"""
    )
    sums = {
        line: cells for line, is_timed, is_sum, *cells in rows if is_sum or (not is_timed and adds_up(cells))
    }
    return replace(bill, raw=_without(engine, bill.raw, name, sums), sums=sums)


def wanted(form: BillForm) -> Names:
    """Every heading that a form knows, to find the delimiter by.

    In no order; a heading may come twice.
    """
    quantities = (name for pair in form.quantities for names in pair for name in names)
    return (*form.start, *form.end, *form.charge, *form.currency, *form.service, *quantities)


def _read_times(engine: Engine, bill: Bill) -> Bill:
    """Each distinct text of a time once, in the order of day and month that all dates of the file tell."""
    texts = [
        text
        for (text,) in engine.all(
            f'select {bill.start} as t from "{bill.raw.name}" union select {bill.end} from "{bill.raw.name}"'
        )
        if text is not None
    ]
    evidence = list(texts)
    for other in bill.columns.texts(bill.form.other_dates):
        evidence += [
            text for (text,) in engine.all(f'select distinct {other} from "{bill.raw.name}"') if text
        ]
    order = date_order(evidence)
    read = [read_bill_time(text, order) for text in texts]
    engine.keep(
        bill.times,
        {
            "text": texts,
            "at_s": [at.utc_s if at else None for at in read],
            "is_naive": [at.is_naive if at else False for at in read],
        },
        {"text": "varchar", "at_s": "bigint", "is_naive": "boolean"},
    )
    return replace(bill, order=order)


def product_words(bill: Bill) -> str:
    """SQL: all that a row says about what was used; of details only what names a machine."""
    details = [
        f"array_to_string(regexp_extract_all({text}, '{_DETAIL}'), ' ; ')"
        for text in bill.columns.texts(bill.form.details)
    ]
    return f"concat_ws(' | ', '', {', '.join((*details, *bill.columns.texts(bill.form.products))) or 'null'})"


def _quantity(bill: Bill) -> tuple[str, str]:
    """SQL for how much was used and for its unit: the first pair of which a row states the quantity."""
    quantity, unit = "cast(null as varchar)", "cast(null as varchar)"
    for of_quantity, of_unit in reversed(bill.form.quantities):
        text = bill.columns.text(of_quantity)
        if text is None:
            continue
        units = bill.columns.texts(of_unit)
        joined = f"nullif(concat_ws(' | ', {', '.join(units)}), '')" if units else "cast(null as varchar)"
        unit = f"case when {text} is not null then {joined} else {unit} end"
        quantity = f"coalesce({text}, {quantity})"
    return quantity, unit


def _is_usage(bill: Bill) -> str:
    """SQL of whether a row is usage: its charge has the words of usage and none of those of fees and credits."""
    only = bill.columns.has_words(bill.form.only, otherwise=True)
    return f"{only} and not {bill.columns.has_words(bill.form.without, otherwise=False)}"


def _find_products(engine: Engine, bill: Bill, products: str) -> None:
    """A table of what each distinct pair of words and unit is, those that are GPU time only."""
    _, unit = _quantity(bill)
    pairs = engine.all(
        f"""select distinct words, unit from (
            select {product_words(bill)} as words, coalesce({unit}, '') as unit from "{bill.raw.name}"
            where {_is_usage(bill)}
        ) where regexp_matches(lower(words || ' ' || unit), {sql_text(HINT)})"""
    )
    found = [(words, unit, *_product(bill.form, words, unit)) for words, unit in pairs]
    kept = [(words, unit, product, seconds) for words, unit, product, seconds in found if product is not None]
    columns = {
        "words": [words for words, *_ in kept],
        "unit": [unit for _, unit, *_ in kept],
        "instance_type": [product.instance_type for _, _, product, _ in kept],
        "gpu_model": [product.gpu_model for _, _, product, _ in kept],
        "gpus": [str(product.gpus) if product.gpus is not None else None for _, _, product, _ in kept],
        "gpus_near": [float(product.gpus) if product.gpus is not None else None for _, _, product, _ in kept],
        "seconds_per_unit": [None if seconds is None else str(seconds) for *_, seconds in kept],
        "seconds_near": [None if seconds is None else float(seconds) for *_, seconds in kept],
    }
    types = dict.fromkeys(columns, "varchar") | {"gpus_near": "double", "seconds_near": "double"}
    engine.keep(products, columns, types)


def _product(form: BillForm, words: str, unit: str) -> tuple[GpuProduct | None, Fraction | None]:
    """What words and a unit stand for, and the seconds of a unit; a unit that is not stated is unknown."""
    seconds = read_time_unit(unit or form.unit)
    if seconds is None and (unit or form.unit):
        return None, None
    is_per_gpu = counts_gpus(unit) or bool(form.machine_unit and form.machine_unit not in unit.lower())
    product = find_gpu_product(words, is_per_gpu=is_per_gpu)
    if product is not None and not counts_gpus(unit) and form.other_unit and form.other_unit in unit.lower():
        product = GpuProduct(product.instance_type, product.gpu_model, None)
    return product, seconds


def _find_runs(engine: Engine, bill: Bill, products: str) -> None:
    """The table of GPU usage.

    Within a period of an hour machines run whole for as long as was used; over a longer one their average runs,
    rounded up to thousandths and ended that much earlier. So GPU time stays what was billed, to the second.
    """
    form, columns = bill.form, bill.columns
    quantity, unit = _quantity(bill)
    last = f" + {DAY_S}" if form.is_daily and columns.text(form.end) is None else ""

    def text(names: Names) -> str:
        """The SQL text of the first of these columns that is there, null if none is."""
        return columns.text(names) or "cast(null as varchar)"

    tags = text(form.tags)
    named = [f"nullif(trim(regexp_extract({tags}, '{_tag(tag)}', 1)), '')" for tag in _NAME_TAGS]
    label = f"lower(coalesce({text(form.label)}, trim(regexp_extract({tags}, '{_tag(_CLASS_TAGS)}', 1))))"
    key = ", ".join(f"coalesce({part}, '')" for part in columns.texts(form.key)) or "''"
    row_hash = "hash(" + ", ".join(f"c{index}" for index in range(len(columns.headings))) + ")"
    engine.run(  # first which rows: what follows is too expensive for all of them
        f"""create or replace table "{products}_lines" as
        select line, instance_type, gpu_model, gpus, gpus_near, seconds_per_unit, seconds_near from (
            select line, {product_words(bill)} as words, coalesce({unit}, '') as unit, {quantity} as quantity
            from "{bill.raw.name}" where {_is_usage(bill)}
        ) join "{products}" using (words, unit) where not coalesce(try_cast(quantity as double) = 0, false)"""
    )
    engine.run(
        f"""create or replace table "{bill.gpu}" as
        with used as (
            select p.*, {quantity} as quantity, {bill.start} as start_text, {bill.end} as end_text,
                {_region(text(form.region), form)} as cluster, {text(form.account)} as account,
                {text(form.line_id)} as line_id, coalesce({text(form.resource_name)}, {", ".join(named)}) as name,
                case when {label} in ('training', 'inference', 'burst') then {label} end as label,
                case when {text(form.resource)} is not null then concat_ws('|', {key}) end as row_key,
                {row_hash} as row_hash
            from "{bill.raw.name}" join "{products}_lines" p using (line)
        ), timed as (
            select u.*, s.at_s as start_s, e.at_s{last} as end_s, try_cast(quantity as double) as quantity_near,
                quantity_near * seconds_near as used_s, end_s - start_s as period_s,
                used_s * gpus_near * 1000 as milli_gpu_s,
                coalesce(case when quantity_near > 0 and period_s between 1 and {HOUR_S}
                    then least(greatest(1, round(used_s / greatest(1, ceil(used_s / period_s - 1e-6)))), period_s)
                when quantity_near > 0 and period_s > 0 then least(period_s, greatest(1,
                    round(milli_gpu_s / greatest(1, ceil(milli_gpu_s / period_s - 1e-6)))))
                when quantity_near > 0 and period_s = 0 then least(greatest(1, round(used_s)), 1e9)
                end, period_s) as run_near_s, cast(run_near_s as bigint) as run_s
            from used u
            left join "{bill.times}" s on s.text = u.start_text left join "{bill.times}" e on e.text = u.end_text
        )
        select * exclude (row_hash), coalesce(line_id, row_key || '|' || row_number() over (
                partition by row_key, start_text order by line)) as job_id,
            line_id is null and row_number() over (
                partition by row_key, start_text, row_hash order by line) > 1 as is_repeated,
            coalesce(strftime(make_timestamp(start_s * 1000000), '{_ISO}'), start_text) as start_said,
            coalesce(strftime(make_timestamp((start_s + run_s) * 1000000), '{_ISO}'),
                strftime(make_timestamp(end_s * 1000000), '{_ISO}'), end_text) as end_said,
            case when gpus is null then coalesce(quantity, 'unknown') || ' of ' || instance_type
                    || ', whose GPUs are not known'
                when seconds_per_unit is null then coalesce(quantity, 'unknown') || ' of an unknown unit'
                else {usage_text("coalesce(quantity, 'unknown')", "seconds_per_unit", "gpus", "coalesce(run_s, 1)")}
                end as gpus_said
        from timed"""
    )


def _region(text: str, form: BillForm) -> str:
    """SQL for a region in one spelling: Azure writes EastUS, eastus and East US."""
    return f"replace(lower({text}), ' ', '')" if form.format == "azure" else text


def _tag(name: str) -> str:
    """A pattern for the value of a tag, in JSON or in key=value."""
    return rf"(?i)(?:^|[\"''{{,;/: ])(?:user[:_])?(?:{name})[\"'']?\s*[:=]\s*[\"'']?([^\"'',;}}]+)"


def bill_jobs(form: BillForm, source: Source, engine: Engine, table: str) -> JobTable:
    """GPU usage of a bill as runs over its charge periods; every other row is ignored, a bad time rejected.

    A run's GPUs are the mean over its period: quantity x unit x GPUs of the machine, by its length.
    Errors: PlannerError, as `load_bill`.
    """
    bill = load_bill(form, source, engine, table)
    bad = f'select text from "{bill.times}" where at_s is null'
    is_long = (
        f'line in (select line from "{table}_raw_without")' if len(bill.records.ragged.long) else "false"
    )
    engine.run(
        f"""create or replace view "{table}" as
        select r.*, g.line is not null as is_gpu, {is_long} as is_long,
            coalesce(g.start_said, {bill.start}) as start_said, coalesce(g.end_said, {bill.end}) as end_said,
            g.* exclude (line, start_said, end_said)
        from "{bill.records.name}" r left join "{bill.gpu}" g using (line)"""
    )
    is_bad = f"coalesce(start_said in ({bad}), false) or coalesce(end_said in ({bad}), false)"
    if bill.sums:
        is_bad = f"({is_bad}) and line not in ({', '.join(map(str, bill.sums))})"
    (faulty,) = engine.one(f"select count(*) from ({bad})")
    return JobTable(
        raw=replace(bill.records, name=table, regular=None),
        fields={
            "job_id": "job_id",
            "cluster": "cluster",
            "name": "coalesce(name, instance_type)",
            "account": "account",
            "gpu_model": "gpu_model",
            "gpus": "gpus_said",
            "start": "start_said",
            "end": "end_said",
            "label": "label",
        },
        is_ignored="not is_gpu and not is_long" + f" and not ({is_bad})" * bool(faulty),
        are_ignored_rows=True,
        read_gpus=read_usage,
        issues=_issues(engine, bill, source),
        facts=billed_by_kind(engine, bill, product_words(bill)),
        figures=stated_figures(engine, bill),
        billed=find_amounts(engine, bill, product_words(bill), f"{table}_billed"),
    )


def _issues(engine: Engine, bill: Bill, source: Source) -> tuple[Issue, ...]:
    """What is wrong with a bill as a whole, each with its count and first line.

    No GPUs, dates, zones, repeats.
    """
    issues = []

    def note(code: str, condition: str, message: Message | None = None) -> None:
        """Adds an issue if any row meets the condition."""
        count, first = engine.one(f'select count(*), min(line) from "{bill.raw.name}" where {condition}')
        if count:
            issues.append(Issue(code, count, first, message or issue_message(code)))

    (gpu_rows,) = engine.one(f'select count(*) from "{bill.gpu}"')
    unread = unread_gpus(engine, bill, product_words(bill), _is_usage(bill))
    if unread is not None:
        issues.append(unread)
    if not gpu_rows and unread is None:
        (rows,) = engine.one(f'select count(*) from "{bill.raw.name}"')
        issues.append(Issue("no_gpus", rows, None, _NO_GPUS))
    if not bill.order.is_told:
        note("ambiguous_date", f"regexp_matches(coalesce({bill.start}, {bill.end}), '^[0-9]{{1,2}}[/-]')")
    naive = f'select text from "{bill.times}" where is_naive'
    if source.kind != PARQUET:  # a typed time has no text that could state a zone
        note("naive_time_assumed_utc", f"{bill.start} in ({naive}) or {bill.end} in ({naive})", _NAIVE)
    note(
        "possible_duplicate",
        f'line in (select line from "{bill.gpu}" where is_repeated and job_id is not null)',
    )
    return tuple(issues)
