"""The forms of Grid Engine's accounting: lines with colons, blocks of qacct, objects; each as text by field."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import text_of
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.files.values.written_dates import iso_of
from gpuplanner.lazy_re import lazy_re

Said = Mapping[str, str]
"""Text by the names of accounting(5); RAW, and IGNORED, where a record is none of a job."""

COLUMNS: Final = phrases(
    "qname|hostname|group|owner|job_name|job_number|account|priority|submission_time|start_time|end_time"
    "|failed|exit_status|ru_wallclock|ru_utime|ru_stime|ru_maxrss|ru_ixrss|ru_ismrss|ru_idrss|ru_isrss"
    "|ru_minflt|ru_majflt|ru_nswap|ru_inblock|ru_oublock|ru_msgsnd|ru_msgrcv|ru_nsignals|ru_nvcsw"
    "|ru_nivcsw|project|department|granted_pe|slots|task_number|cpu|mem|io|category|iow|pe_taskid|maxvmem"
    "|arid|ar_submission_time|job_class|qdel_info"
)
"""What a line has, in this order; later versions have more behind it."""

BEYOND: Final = "beyond"
"""The name of what stands behind the columns that are known."""

_TIMES: Final = ("submission_time", "start_time", "end_time")
_NEEDED: Final = COLUMNS.index("category") + 1
_LEAST_IN_A_LINE: Final = 16
_BLOCK_KEYS: Final = {
    "jobname": "job_name",
    "jobnumber": "job_number",
    "taskid": "task_number",
    "qsub_time": "submission_time",
}
_RULE: Final = lazy_re(r"^={10,}\s*$")
_SGE_PAIR: Final = lazy_re(r"^(?P<key>[a-z][\w.]*)\s+(?P<value>\S.*?)?\s*$")
_CLOCKS: Final = ("%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S")
_LINES_OF_AN_SGE_JOB_AT_MOST: Final = 500
_MILLIS_FROM, _MICROS_FROM = 12, 15  # digits


def is_accounting(head: str) -> bool:
    """Whether lines are records with colons: numbers where a job, its times and its exit stand.

    More than half of the first twenty lines must be.
    """
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("#")][:20]
    return bool(lines) and 2 * sum(map(_is_record, lines)) > len(lines)


def _is_record(line: str) -> bool:
    """Whether a line is of the accounting file: cells enough, with numbers for the job and all its times."""
    cells = line.split(":")
    if len(cells) < _LEAST_IN_A_LINE:
        return False
    said = dict(zip(COLUMNS, cells, strict=False))
    return all(said[name].strip().isdecimal() for name in ("job_number", *_TIMES))


def is_qacct(head: str) -> bool:
    """Whether a text begins what qacct prints of jobs."""
    keys = {pair["key"] for line in head.splitlines()[:80] if (pair := _SGE_PAIR.match(line))}
    return {"qname", "hostname", "owner", "jobnumber", "start_time"} <= keys


def accounting_entries(lines: Iterable[str]) -> Iterator[tuple[int, Said]]:
    """Every line of an accounting file; comments above its records are its header, others are ignored.

    Numbered as in the file. A line with too few cells keeps its text, to be rejected.
    """
    is_header = True
    for number, line in enumerate(lines, 1):
        text = line.strip("\r\n\ufeff ")
        if text.startswith("#") and not is_header:
            yield number, {dialect.RAW: text, dialect.IGNORED: "1"}
        if not text or text.startswith("#"):
            continue
        is_header = False
        cells = text.split(":")
        if len(cells) < _NEEDED:
            yield number, {dialect.RAW: text}
            continue
        said = dict(zip(COLUMNS, cells, strict=False))
        said[BEYOND] = ":".join(cells[len(COLUMNS) :])
        yield number, _with_seconds(said)


def json_entries(value: object) -> Said:
    """An object of accounting.jsonl.

    What is no object keeps its text; fields beyond the accounting file's are kept together.
    """
    if not isinstance(value, dict):
        return {dialect.RAW: text_of(value)}
    said = {str(key): text_of(one) for key, one in value.items()}
    said[BEYOND] = " ".join(text for key, text in said.items() if key not in COLUMNS)
    return _with_seconds(said)


def _with_seconds(said: dict[str, str]) -> Said:
    """Newer versions write milliseconds, or microseconds, since 1970; what is no time stays as it is."""
    for name in _TIMES:
        text = said.get(name, "").strip()
        if text.isdecimal() and len(text) >= _MILLIS_FROM:
            said[name] = text[: -6 if len(text) >= _MICROS_FROM else -3]
    return said


def qacct_entries(lines: Iterable[str]) -> Iterator[tuple[int, Said]]:
    """Every block between lines of `=`, at the line where it begins; the totals at the end are ignored."""
    block: dict[str, str] = {}
    begun, first = 0, ""

    def done() -> Iterator[tuple[int, Said]]:
        """The block that ends here with the line it began on; a block that is no job keeps its first line."""
        if begun:
            yield (
                begun,
                block
                if "job_number" in block
                else {dialect.RAW: first, dialect.IGNORED: "" if "qname" in block else "1"},
            )

    for number, line in enumerate(lines, 1):
        text = line.strip("\r\n\ufeff")
        found = _SGE_PAIR.match(text)
        is_next = found is not None and found["key"] == "qname" and "qname" in block
        if _RULE.match(text) or is_next:
            yield from done()
            block, begun = {}, 0
        if _RULE.match(text) or not text.strip():
            continue
        if not begun:
            begun, first = number, text
        if found is not None and number - begun < _LINES_OF_AN_SGE_JOB_AT_MOST:
            key = _BLOCK_KEYS.get(found["key"], found["key"])
            value = found["value"] or ""
            block.setdefault(key, _iso(value) if key in _TIMES else value)
            if key not in COLUMNS:
                block[BEYOND] = f"{block.get(BEYOND, '')} {value}"
    yield from done()


def _iso(text: str) -> str:
    """`Mon Mar 21 14:53:46 2011`, `03/21/2011 14:53:46.123` as ISO 8601 on the cluster's own clock."""
    return iso_of(lazy_re(r"\.\d+$").sub("", " ".join(text.split())), _CLOCKS) or text
