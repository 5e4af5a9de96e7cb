"""How texts of cells are read as values, and what random columns of such texts are taken for, as golden tables."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.values import (
    amounts,
    column_values,
    durations,
    gpu_counts,
    gpu_instances,
    gpu_names,
    host_lists,
    job_states,
    number_styles,
    numbers,
    slurm_resources,
    terms,
    times,
    unit_words,
    written_dates,
)
from gpuplanner.files.values.lookback_period import LogSpan, WindowRequest, choose_window
from tests.golden.tables import Table
from tests.shown import refusal, shown

FOLDER: Final = "tables_files_values"
Readers = Mapping[str, Callable[[str], Any]]

# --- One text ------------------------------------------------------------------------------------

TEXTS: Final[Mapping[str, tuple[str, ...]]] = {
    "durations": (
        "2-03:04:05",
        "03:04:05",
        "04:05",
        "04:05.678",
        "2-03",
        "2-24",
        "1-23:60",
        "61:00",
        "00:61:00",
        "00:00:60",
        "90",
        "1.5",
        "-1",
        "-1.5",
        "1e3",
        "2 days, 3:04:05",
        "1h 30m",
        "PT90M",
        "P1DT2H",
        "1.5 hours",
        "3 h 4 min 5 s",
        "UNLIMITED",
        "Partition_Limit",
        "4294967294",
        "100000000000",
        "100000000001",
        "2147483648",
        "2147483647",
        "12:30",
        "0",
        "",
        "soon",
        "1 day",
        "2d",
        "99999999-00",
        "24855-03:14:08",
        "366-00:00:00",
    ),
    "times": (
        "2026-01-31",
        "2026-01-31T05:00:00.9+01:00",
        "2026-01-31 05:00",
        "20260131T0500",
        "2026-02-29",
        "2026-01-31T05:00:00Z",
        "2026-01-31T05:00:00 UTC",
        "2026-01-31T05:00:00 CET",
        "2026-01-31 05:00:00 Europe/Berlin",
        "2026-03-29T02:30:00",
        "2026-10-25T02:30:00",
        "2026-10-25T02:59:59",
        "2026-10-25T03:00:00",
        "1899-12-31",
        "1900-01-01",
        "2199-12-31T23:59:59Z",
        "2200-01-01",
        "2026-01-31T24:00:00",
        "2026-01-31T05:00:00+14:30",
        "2026-01-31T05:00:00-05",
        "2026-01-31T05:00:00+25:00",
        "1767600000",
        "1767600000000",
        "1767600000000000",
        "1767600000000000000",
        "-2208988800",
        "-2208988801",
        "7258118399",
        "7258118400",
        "46140,5",
        "46140.5",
        "460",
        "31.1.2026 5:03",
        "1/31/26",
        "31/01/2026",
        "1/2/2026 10:30 PM",
        "2026/1/2",
        "Unknown",
        "never",
        "",
    ),
    "dates": (
        "31.1.2026",
        "1/2/2026",
        "13/2/2026",
        "2/13/2026",
        "1-2-2026",
        "1.2.26",
        "Q3 2026",
        "2026 Q1",
        "Q5 2026",
        "Mar 2026",
        "March 5, 2026",
        "5 March 2026",
        "5. März 2026",
        "5 mars 2026",
        "Sept 26",
        "Mar 5",
        "5 Mar",
        "2026-03",
        "2026/03",
        "03/2026",
        "46140",
        "25568",
        "70000",
        "2026",
        "H1 2026",
        "FY26",
        "2026-13-01",
        "31.2.2026",
        "2026-01-31T05:00:00",
        "mid 2026",
        "Ende 2026",
        "",
        "soon",
        "12/31/2026",
    ),
    "amounts": (
        "$2.75/hr",
        "1.234,56 €",
        "120k",
        "1.2 Mio.",
        "70 TEUR",
        "70 TUSD",
        "1,234",
        "1,23",
        "1.234",
        "8",
        "EUR 5",
        "5 euros",
        "A$3",
        "MX$4",
        "US$ 4",
        "4 us dollars",
        "EUR/GBP 5",
        "kr 5",
        "¥ 900",
        "RMB 900",
        "on request",
        "TBD",
        "free",
        "-2.5",
        "−2.5",
        "1'234.5",
        "1 234,5",
        "2.29 – 2.59",
        "from 2.29",
        "2.49+",
        "-2.29",
        "up to 5",
        "< 5",
        "2..3",
        "$2,500 per 1,000 GPU-hours",
        "5%",
        ".5",
        "1e3",
        "1,234.5",
        "1.234.567",
        "12,34,567",
        "$3 and $4",
        "12 months",
        "",
        "USD",
        "3 K",
        "2.1 $/GPU/h",
        "x" * 81 + " $",
    ),
    "counts": (
        "8",
        "0.5",
        "0,5",
        "0.4285",
        "0.0004",
        "0.0005",
        "8x H100",
        "8 x H100 SXM",
        "4×A100",
        "1,500",
        "-1",
        "1000000",
        "1000001",
        "gres/gpu=N/A",
        "",
        "many",
        "other devices: 8 habana.ai/gaudi",
        "1e2",
        "10000000",
        "16 GPUs",
    ),
    "resources": (
        "billing=6,gres/gpu:a100=1,gres/gpu=1,node=1",
        "gres/gpu=4,node=2",
        "gpu:a100:2(IDX:0-1)",
        "gpu",
        "gpu:2",
        "PER_NODE:gpu:2",
        "gres/gpu:a100_3g.20gb=2,node=1",
        "gres/gpu:a100=2,gres/gpu:h100=4",
        "gres/gpu:a100=2,gres/gpu:h100=2",
        "gres/gpu=N/A",
        "gres/gpu=1K",
        "gres/gpu=0.00K",
        "gres/gpu=0.5K",
        "gres/gpu=x",
        "1=8,1001=2",
        "1001=2",
        "cpu=8",
        "gres/mps:a100=50,node=1",
        "shard:4",
        "gres/gpu=1,gres/shard=4",
        "gres/mps=100",
        "7696487:4",
        "gpu:h100:8,tmpdisk:1",
        "gres/gpu:h100=2,gres/gpu=8",
        "gres/hpu=8",
        "gpu:a100_1g.5gb:3",
        "",
        "craynetwork:0",
        "gpu:tesla:0",
        "gres/gpu:v100:4,node=4",
        "gpu:(null):0",
    ),
    "hosts": (
        "n1",
        "n[1-3]",
        "n[01-03,7]",
        "gpu[1-2]-[a-b]",
        "n1,n2",
        "n[1-2],m3",
        "n[3-1]",
        "n[1-",
        "",
        "None assigned",
        "a[1-2]b[1-2]",
        "n[001-1000]",
        "n1;n2",
        "n1 n2",
        "n1+n2",
        "n1/0*8+n2/0*8",
        "(null)",
    ),
    "terms": (
        "12",
        "1 year",
        "3yr",
        "24 months",
        "12 Monate",
        "P1Y",
        "P18M",
        "1.5 years",
        "18 mo",
        "2 quarters",
        "26 weeks",
        "1 week",
        "month-to-month",
        "0",
        "-3",
        "400",
        "1200",
        "1201",
        "three years",
        "12-month",
        "1yr no upfront",
        "36mo",
        "reserved 3 years",
        "30 days",
        "365 days",
        "1 J.",
        "2,5 Jahre",
        "",
        "forever",
    ),
    "models": (
        "H100",
        "NVIDIA H100 80GB HBM3",
        "A100-SXM4-80GB",
        "AWS p5.48xlarge",
        "8x H100",
        "H100 or A100",
        "A100 p5.48xlarge",
        "Reserved capacity, H100 SXM, 12 mo",
        "$1.624 per On Demand Linux g5.4xlarge Instance Hour",
        "a3-highgpu-8g",
        "Standard_ND96isr_H100_v5",
        "ml.p4d.24xlarge",
        "p9.48xlarge",
        "8 GPUs",
        "GPU node",
        "CPU only",
        "Tesla V100",
        "MI300X",
        "NVIDIA H100 MIG 1g.10gb",
        "A100 3g.20gb",
        "H100-SHARED",
        "vGPU A40-8Q",
        "NVIDIA-A100-SXM4-80GB-MIG-3g.40gb",
        "H100.shared",
        "TPU v5e",
        "EBS volume gp3",
        "H100 GPU hour",
        "2 x A10 machine",
        "",
        "L40S accelerator",
        "A3 Mega Nvidia H100 80GB GPU running in Americas",
        "data transfer out from p5.48xlarge",
    ),
    "states": (
        "COMPLETED",
        "CD",
        "failed",
        "CANCELLED by 1000",
        "Running",
        "R",
        "PENDING",
        "Succeeded",
        "TIMEOUT",
        "OUT_OF_MEMORY",
        "NODE_FAIL",
        "PREEMPTED",
        "F",
        "x",
        "",
        "REQUEUED",
        "suspended",
        "done",
        "EXIT",
    ),
}
"""Texts as tools and people write them, and close to what is refused."""
READERS: Final[Mapping[str, Readers]] = {
    "durations": {
        "length": durations.read_duration,
        "minutes": partial(durations.read_duration, unit="min"),
        "limit": durations.read_time_limit,
        "hours": partial(durations.read_time_limit, unit="h"),
        "seconds": partial(durations.read_seconds, unit="h"),
        "hm": partial(column_values.length_s, unit="hm"),
    },
    "times": {
        "clock": times.read_time,
        "utc": times.utc_seconds,
        "berlin": partial(times.utc_seconds, timezone="Europe/Berlin"),
        **{
            unit: partial(column_values.instant_s, unit=unit)
            for unit in ("iso", "epoch_s", "epoch_ms", "epoch_us", "epoch_ns")
        },
        **{unit: partial(written_dates.iso_text, unit=unit) for unit in ("dmy", "mdy", "ymd", "serial")},
    },
    "dates": {
        "date": written_dates.read_date,
        "day first": partial(written_dates.read_date, order=written_dates.DAY_FIRST),
        "no year": partial(written_dates.read_date, order=written_dates.NO_YEAR),
        "months": written_dates.months_of_period,
        "lacks year": written_dates.lacks_year,
        "may lack": written_dates.may_lack_year,
    },
    "amounts": {
        "point": amounts.read_amount,
        "comma": lambda text: amounts.read_amount(text, amounts.COMMA).number,
        "currencies": amounts.currencies_in,
        "other": amounts.other_currency,
        "styles": amounts.styles_of,
        "two": amounts.is_two_numbers,
        "range": amounts.is_range,
        "kilohours": lambda text: amounts.with_kilohours(text) != text,
        "plain": lambda text: number_styles.plain_number(text, amounts.COMMA),
        "decimal": numbers.read_decimal,
    },
    "counts": {
        "gpus": gpu_counts.read_gpu_count,
        "milli": partial(gpu_counts.read_gpu_count, unit="milli"),
        "percent": partial(gpu_counts.read_gpu_count, unit="percent"),
        "written": gpu_counts.read_written_count,
    },
    "resources": {
        "tres": slurm_resources.read_tres,
        "gres": partial(slurm_resources.read_gres, nodes=2),
        "numbered": slurm_resources.is_numbered,
        "of GPUs": slurm_resources.is_of_gpus,
        "shares": lambda text: slurm_resources.with_shares(text) != text,
        "named": lambda text: slurm_resources.named_tres(text, {"1001": "gres/gpu", "1002": "gres/gpu:a100"}),
    },
    "hosts": {"hosts": host_lists.expand_hosts},
    "terms": {
        "months": terms.read_term,
        "years": partial(terms.read_term, unit=terms.YEARS),
        "within": terms.term_within,
        "unit": terms.names_its_unit,
    },
    "models": {
        "product": gpu_instances.find_gpu_product,
        "per GPU": partial(gpu_instances.find_gpu_product, is_per_gpu=True),
        "instance": gpu_instances.find_instance,
        "within": gpu_instances.model_within,
        "begun": gpu_names.name_begun_with,
        "sevenths": gpu_names.slice_sevenths,
        "shared": gpu_names.is_shared_name,
    },
    "states": {
        "state": job_states.read_state,
        "finality": lambda text: job_states.finality(job_states.read_state(text)),
    },
}


def texts_lines(subject: str) -> str:
    """Return a line for each text of a subject: what the readers that understand it say."""
    lines = []
    for text in TEXTS[subject]:
        results = {name: refusal(partial(read, text)) for name, read in READERS[subject].items()}
        understood = [
            f"{name} {result}"
            for name, result in results.items()
            if result not in ("None", "False", "''", "()", text)
        ]
        lines.append(f"{text[:70]!r}: {', '.join(understood) or '-'}")
    return "\n".join(lines)


# --- Columns of texts ----------------------------------------------------------------------------

COLUMN_READERS: Final[Mapping[str, Callable[[list[str]], Any]]] = {
    "time": column_values.as_time,
    "duration": column_values.as_duration,
    "minutes": partial(column_values.as_duration, stated="min"),
    "hm": partial(column_values.as_duration, stated="hm"),
    "gpus": column_values.as_gpus,
    "milli": partial(column_values.as_gpus, stated="milli"),
    "count": column_values.as_count,
    "activity": column_values.as_activity,
    "percent": partial(column_values.as_activity, stated="percent"),
    "state": column_values.as_state,
    "class": column_values.as_class,
    "model": column_values.as_gpu_model,
    "words": column_values.as_words,
    "id": column_values.as_id,
    "clocks": column_values.are_clocks,
    "days": column_values.are_days,
    "style": lambda texts: number_styles.column_style(texts, may_list=True),
    "order": written_dates.decide_order,
    "decided": amounts.decide_style,
}
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    **TEXTS,
    "classes": ("training", "Inference", "burst", "batch", ""),
    "lists of devices": ("0,1,2,3", "0,1", "0", "4,5,6,7", "[0, 1]", "GPU-aa;GPU-bb"),
    "shares": ("0.25", "0.9", "1", "0", "0.55", "1.0"),
    "percents": ("25", "90.5", "100", "0", "55", "120"),
    "many percents": ("25%", "90 %", "100%", "400"),
    "whole numbers": ("1", "2", "8", "16", "64"),
    "thousandths": ("1000", "8000", "500", "16000"),
    "epochs": ("1767600000", "1767603600", "1767607200"),
    "milliseconds": ("1767600000000", "1767603600123"),
    "clock times": ("10:30", "09:15:00 PM", "23:59"),
    "ids": ("4711", "4712", "4713_1", "4714.batch"),
    "decimals": ("64,0", "2,50", "8", "0,5"),
    "days first": ("31/01/2026", "1/2/2026", "15.3.2026"),
    "months first": ("1/31/2026 10:30", "1/2/2026 08:00", "12/24/2026 12:00"),
    "names": ("ann", "bob", "carol", "dave", "eve", "frank"),
}


def column_lines(case: str) -> str:
    """Return a random column of texts of one kind, some of them missing, and what it is taken for. case: kind, seed."""
    kind, _, seed = case.rpartition(" ")
    chance = random.Random(case)
    count = chance.choice((3, 5, 8))
    texts = [chance.choice(COLUMNS[kind]) for _ in range(count)]
    if int(seed) % 2:
        texts[chance.randrange(count)] = chance.choice(("", "n/a", "x", "-3"))
    lines = [shown(texts)]
    for name, read in COLUMN_READERS.items():
        result = refusal(partial(read, texts))
        if result not in ("None", "False", "ValueReading(share=0)", "ColumnStyle()"):
            lines.append(f"{name} {result}")
    return "\n".join(lines)


# --- Lookback periods, units ---------------------------------------------------------------------

_JULY_S: Final = 1_782_864_000
_DAY_S: Final = 86_400


def window_line(seed: int) -> str:
    """Return the window that is chosen for a random request and log."""
    chance = random.Random(f"window {seed}")
    first = _JULY_S - chance.choice((0, 5, 40, 95, 400)) * _DAY_S - chance.choice((0, 1800, 5000))
    last = _JULY_S + chance.choice((0, 3 * _DAY_S, 7200 + 1))
    span = LogSpan(
        first_start_s=chance.choice((first, first, None)),
        last_start_s=last - chance.choice((0, 3600)),
        last_end_s=chance.choice((last, last + 1799, None)),
        last_finished_s=chance.choice((last - 7200, last - _DAY_S, None)),
    )
    request = WindowRequest(
        start_s=chance.choice((None, None, first // 3600 * 3600, _JULY_S - 1)),
        end_s=chance.choice((None, None, _JULY_S, _JULY_S - 400 * _DAY_S)),
        days=chance.choice((None, None, 7, 0, 90, 20_000)),
        whole_log=chance.random() < 0.3,
    )
    window = refusal(lambda: choose_window(request, span, "Europe/Berlin"))
    return f"{shown(request)} of {shown(span)}: {window}, years {shown(request.years)}"


def window_lines(_: str) -> str:
    return "\n".join(map(window_line, range(40)))


def unit_lines(_: str) -> str:
    """Return the words of each unit, and the unit in which lengths are the spans between times."""
    units = ("second", "minute", "hour", "day", "week", "month", "year")
    lines = [f"{unit}: {refusal(partial(unit_words.number_words, unit))}" for unit in units]
    lines += [f"a price of a {unit}: {refusal(partial(unit_words.price_words, unit))}" for unit in units]
    for unit, times_s in (("s", 1), ("min", 60), ("h", 3600), ("d", 86_400)):
        for lengths in (
            ("60", "120", "90"),
            ("1", "2", "3"),
            ("60", "120", "9"),
            ("60", "120"),
            ("0", "0", "0"),
        ):
            spans = [int(length) * times_s + 1 for length in lengths]
            lines.append(f"{lengths} of {unit}: {shown(column_values.unit_of_lengths(lengths, spans))}")
    return "\n".join(lines)


def _check_zone(name: str) -> str:
    try:
        times.check_timezone(name)
    except PlannerError as error:
        return f"{name}: refused {error.code}"
    return f"{name}: {shown(times.clock_spans(name, _JULY_S, _JULY_S + 200 * _DAY_S))}"


def zone_lines(_: str) -> str:
    """Return the spans of time zones from July to January."""
    return "\n".join(
        map(_check_zone, ("Europe/Berlin", "UTC", "America/New_York", "Asia/Kathmandu", "Mars/Base", "CET"))
    )


TABLES: Final = {
    "texts.txt": Table(text_of=texts_lines, cases=tuple(TEXTS)),
    "columns.txt": Table(
        text_of=column_lines, cases=tuple(f"{kind} {seed}" for kind in COLUMNS for seed in range(4))
    ),
    "windows.txt": Table(text_of=window_lines, cases=("random requests",)),
    "units.txt": Table(text_of=unit_lines, cases=("words and lengths",)),
    "zones.txt": Table(text_of=zone_lines, cases=("July to January",)),
}
