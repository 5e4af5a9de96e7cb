"""Single texts that the judges of rows read, and what each is, for a golden table: many are just at a bound."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from gpuplanner.files.job_logs.judging import column_names, dialect, odd_texts, stated_totals, tres_names
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.job_logs.judging.job_store import IGNORED_CODES, code_number
from gpuplanner.files.job_logs.judging.row_validation import Judged, none_ran
from gpuplanner.files.sources.raw_table import RawTable
from tests.files.read_tables import file_lines
from tests.files.sources_of_text import text_source
from tests.shown import message_values, refusal_lines, shown

Calls = Iterator[tuple[str, Callable[[], object]]]


def judged_lines(case: str) -> str:
    """Return a line for each text of a subject: the text, and what it is read as."""
    return refusal_lines(SUBJECTS[case]())


# --- JSON ----------------------------------------------------------------------------------------


def _deep(levels: int) -> Mapping[str, object]:
    value: object = 1
    for _ in range(levels):
        value = {"a": value}
    return {"b": value}


OBJECTS: Final[Mapping[str, Mapping[str, object]]] = {
    "nested": {"spec": {"gpus": 2}, "hosts": ["a", "b"], "state": None, "ok": True, "no": False, "x": 1.5},
    "objects in a list": {"steps": [{"id": 1}, {"id": 2}, 3]},
    "lists in a list": {"steps": [[1, 2], [3]]},
    "empty": {"a": {}, "b": [], "c": ""},
    "11 levels": _deep(11),
    "12 levels": _deep(12),
    "16 items": {"a": [{"b": n} for n in range(16)]},
    "17 items": {"a": [{"b": n} for n in range(17)]},
    "1024 keys": {f"k{n}": n for n in range(1024)},
    "1025 keys": {f"k{n}": n for n in range(1025)},
}
_JOB: Final = {"gpus": 2, "start": "2026-01-05", "end": "2026-01-06"}
DOCUMENTS: Final[Mapping[str, str]] = {
    "lines": '{"a": 1}\n{"a": 2}\n',
    "one line": '{"a": 1}\n',
    "one line with a list": '{"meta": 1, "items": [{"a": 1}, {"a": 2}]}\n',
    "one line with a list two keys deep": '{"x": {"items": [{"a": 1}, {"a": 2}]}}\n',
    "an array": '[{"a": 1}, {"a": 2}]',
    "an array of numbers": "[1, 2]",
    "half of the lines": '{"a": 1}\nx\n',
    "a line that begins otherwise": '[1]\n{"a": 1}\n{"a": 2}\n',
    "half of the lines, the first not": '[1]\n{"a": 1}\n',
    "a document over lines": '{\n "jobs": [\n {"a": 1},\n {"a": 2}\n ]\n}\n',
    "two lists, the second of jobs": json.dumps({"other": [{"x": 1}] * 3, "jobs": [_JOB]}, indent=1),
    "two lists of jobs": json.dumps({"jobs": [_JOB], "more": [_JOB]}, indent=1),
    "jobs three keys deep": json.dumps({"a": {"b": {"jobs": [_JOB]}}, "z": [{"y": 1}] * 3}, indent=1),
    "jobs four keys deep": json.dumps({"a": {"b": {"c": {"jobs": [_JOB]}}}, "z": [{"y": 1}] * 3}, indent=1),
    "a job around jobs": json.dumps({**_JOB, "jobs": [_JOB]}, indent=1),
    "jobs with a duration": json.dumps(
        {"x": [{"gpus": 2, "start": 1, "duration": 5}], "y": [{"z": 1}] * 3}, indent=1
    ),
    "jobs without an end": json.dumps({"x": [{"gpus": 2, "start": 1}], "y": [{"z": 1}] * 3}, indent=1),
    "objects one after another": '{\n "a": 1\n}\n{\n "a": 2\n}\n',
    "an object with a list in each": json.dumps([{"a": [{"b": 1}, {"b": 2}]}], indent=1),
    "two objects with lists": '{\n "a": [{"b": 1}, {"b": 2}]\n}\n{\n "a": [{"b": 3}]\n}\n',
    "words": "hello\n",
    "20 lines, 11 of objects": "[1]\n" + '{"a": 1}\n' * 11 + "[1]\n" * 8 + '{"a": 1}\n' * 20,
    "20 lines, 10 of objects": "[1]\n" + '{"a": 1}\n' * 10 + "[1]\n" * 9 + '{"a": 1}\n' * 20,
}


def _json() -> Calls:
    for name, value in OBJECTS.items():
        yield name, lambda value=value: _short(dialect.flat(value))
    for name, text in DOCUMENTS.items():
        yield f"form of {name}", partial(dialect.json_form, text_source(text, "jobs.json"))
    for name in ("lines", "an array", "a document over lines", "half of the lines", "words"):
        source = text_source(DOCUMENTS[name], "jobs.json")
        yield (
            f"records of {name}",
            lambda source=source: list(dialect.job_records(source, dialect.json_form(source) or "lines")),
        )
    yield "keys", partial(dialect.keys_of, [{"a": "1"}, {"b": "2", "a": "3"}])
    for count in (1024, 1025):
        yield (
            f"{count} keys of records",
            lambda count=count: len(dialect.keys_of([{f"k{n}": ""} for n in range(count)])),
        )
    known = {"gpus": ("gpus", "gpucount"), "end": ("end",), "start": ("start", "begin")}
    for columns in (("GPU Count", "Start"), ("gpu_count", "GPUs", "Begin", "START"), ("x",), ("end", "End")):
        yield f"places in {columns}", partial(dialect.located, columns, known)


def _short(texts: Mapping[str, str]) -> str:
    """Return a few texts in full, of many the number and the last."""
    return shown(texts) if len(texts) < 8 else f"{len(texts)} keys, the last {[*texts.items()][-1]}"


# --- Resources by number -------------------------------------------------------------------------

TRES_TABLES: Final[Mapping[str, str]] = {
    "sound": "Type|Name|ID\ncpu||1\ngres|gpu|1001\ngres|gpu:a100|1002\ngres|gpumem|1003\n",
    "with a sign at the end": "Type|Name|ID|\ncpu||1|\ngres|gpu|1001|\n",
    "above a log": "Type|Name|ID\ngres|gpu|1001\n\nJobID|State\n1|COMPLETED\n",
    "four signs": "Type|Name|ID\na|b|c|d|5\n",
    "one sign": "Type|Name|ID\ngres|gpu\n",
    "no header": "gres|gpu|1001\n",
    "a long number": "Type|Name|ID\ngres|gpu|1234567890\ngres|gpu|123456789\n",
    "small letters": "type | name | id\n GRES | GPU | 1001 \n",
    "nothing": "",
}


def _tres() -> Calls:
    for words in (
        ("gpu=1001",),
        ("gpu=1001,gpu:a100=1002", "gres/gpu=7"),
        ("GPU=1",),
        ("gpu=",),
        ("cpu=1",),
        ("gpu=1234567890",),
        (),
    ):
        yield f"{words}", partial(tres_names.parse_tres, words)
    for name, text in TRES_TABLES.items():
        yield (
            f"table {name}",
            lambda text=text: (
                tres_names.is_tres_table(text),
                tres_names.sniff(text),
                tres_names.tres_in(text),
                tres_names.gpus_among(tres_names.tres_in(text)),
            ),
        )
    sound = text_source(TRES_TABLES["sound"], "tres")
    yield "description", lambda: (*file_lines(tres_names.describe(sound)), tres_names.describe(sound).facts)
    yield "description of nothing", lambda: next(file_lines(tres_names.describe(text_source("\n", "none"))))
    paths = [
        str(text_source(text, "tres").at)
        for text in (TRES_TABLES["sound"], "x\n", TRES_TABLES["with a sign at the end"])
    ]
    yield "files", partial(tres_names.tres_of_files, [*paths, "not-there"])
    for texts in (
        ("1=8,1001=2", "1002=3"),
        ("999=1,1000=1",),
        tuple(f"{n}=1" for n in range(1000, 1012)),
        (),
    ):
        yield f"numbers of {texts[:3]}", lambda texts=texts: message_values(tres_names.numbers_words(texts))


# --- Times, headings, figures --------------------------------------------------------------------

TIMES: Final = (
    "1769835600",
    "1769835600.5",
    "-1",
    "soon",
    "",
    "2026-01-05",
    "20260105T100000Z",
    "1e9",
    "2026-01-05 10:00 CET",
)
FIGURES: Final = (
    *(
        "Monthly charge",
        "Jahreskosten (EUR)",
        "TCV",
        "Total GPUs",
        "Term (months)",
        "GPU hours",
        "used gpu hours",
    ),
    *(
        "Total",
        "Sum",
        "Total value",
        "GPU-Stunden",
        "Number of GPUs",
        "GPUs",
        "Price",
        "Total price per month",
        "MRC",
    ),
    *(
        "Annual total",
        "Total jobs",
        "hours",
        "",
        "Total GPU hours",
        "Contract value",
        "per year",
        "total cost",
    ),
)


def _times() -> Calls:
    for text in TIMES:
        for unit in (None, "epoch_s", "epoch_ms", "min"):
            yield f"{text!r} in {unit}", partial(odd_texts.read_odd_time, text, unit)
    for text in FIGURES:
        yield f"figure {text!r}", partial(stated_totals.figure_named, text)
    for heading in ("numGPUs", "Wall time [h]", "JobID", "GPU%", "gpu-count (all)", "A100GPUs", "x2y", ""):
        yield f"words of {heading!r}", partial(column_names.words_of, heading)


# --- Logs without a run --------------------------------------------------------------------------

PENDING, NEVER = map(code_number, IGNORED_CODES)
ENDS: Final[Sequence[tuple[Mapping[int, int], int]]] = (
    ({}, 0),
    ({}, 3),
    ({0: 1}, 3),
    ({0: 1}, 0),
    ({PENDING: 2}, 0),
    ({PENDING: 2, NEVER: 1}, 4),
    ({NEVER: 2}, 1),
    ({NEVER: 2, 0: 1}, 1),
    ({PENDING: 2, code_number("bad_time"): 1}, 0),
    ({0: 1, code_number("bad_time"): 1}, 0),
    ({0: 1, code_number("bad_time"): 2}, 5),
    ({0: 2, code_number("bad_time"): 2, PENDING: 9}, 5),
)


def _ends() -> Calls:
    raw = RawTable(name="x", columns=("a",), delimiter=",")
    for by_code, lines in ENDS:
        judged = Judged(by_code, lines, (), stated_totals.StatedTotals())
        for is_bill in (False, True):
            table = JobTable(raw=raw, fields={}, are_ignored_rows=is_bill)
            yield f"{by_code} and {lines} lines{', a bill' * is_bill}", partial(_end, table, judged)


def _end(table: JobTable, judged: Judged) -> str:
    issue = none_ran(table, judged)
    said = "-" if issue is None else f"{issue.code} {issue.count}: {message_values(issue.message)}"
    return f"{said}, ignored {judged.ignored}, mostly rejected {judged.are_mostly_rejected}"


SUBJECTS: Final[Mapping[str, Callable[[], Calls]]] = {
    "JSON": _json,
    "resources by number": _tres,
    "times and figures": _times,
    "logs without a run": _ends,
}
