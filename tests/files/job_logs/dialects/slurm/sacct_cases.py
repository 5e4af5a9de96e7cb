"""Exports of sacct and of what is like it, and what is said of their layout, as lines of a golden table."""

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpuplanner.files.job_logs.dialects.slurm import (
    sacct,
    sacct_fixed_width,
    sacct_layout,
    slurm2sql,
    slurm_database,
    squeue,
    xdmod,
)
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.sources.source import survey
from gpuplanner.files.values.word_lists import phrases
from tests.files.job_logs.job_tables import call_lines, head_lines, named
from tests.files.job_logs.slurm_texts import fixed_width
from tests.shown import shown

BEGIN, END = "2026-01-05T10:00:00", "2026-01-05T11:00:00"

# --- Columns of an export without header ---------------------------------------------------------


def _days(hour: int) -> list[str]:
    return [f"2026-01-{day:02}T{hour:02}:00:00" for day in range(1, 11)]


COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "JobID": [str(100 + number) for number in range(10)],
    "User": ["ann", "bob"] * 5,
    "State": ["COMPLETED", "FAILED", "CANCELLED by 7", "TIMEOUT", "RUNNING"] * 2,
    "Submit": _days(8),
    "Eligible": _days(9),
    "Start": _days(10),
    "End": _days(12),
    "Elapsed": ["02:00:00"] * 10,
    "Timelimit": ["1-00:00:00", "UNLIMITED"] * 5,
    "NodeList": ["n1", "None assigned"] * 5,
    "AllocTRES": ["cpu=8,gres/gpu=2,node=1"] * 10,
    "JobName": ["train_7b", "Llama eval", "run.sh", "a-b-c", "x-1"] * 2,
}
"""Ten records, by Slurm's names of their columns."""


def _records(names: Sequence[str] = tuple(COLUMNS), **changes: Sequence[str]) -> list[list[str]]:
    """Return the records of some columns. changes: the first texts of a column."""
    columns = [[*(more := changes.get(name, ())), *COLUMNS[name][len(more) :]] for name in names]
    return [list(cells) for cells in zip(*columns, strict=True)]


_STEPS: Final = ("100", "100.batch", "100.0", "101", "101.batch")
_STEP_NAMES: Final = ("train_7b", "batch", "python", "x", "batch")
LAYOUTS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "ten records": _records(),
    "nothing": [[""]],
    **{
        f"{count} of {name} odd": _records(**{name: [odd] * count})
        for name, odd in (
            ("JobID", "x"),
            ("State", "odd"),
            ("Start", "x"),
            ("End", "x"),
            ("Elapsed", "x"),
            ("Timelimit", "x"),
            ("AllocTRES", "x"),
            ("JobName", "3"),
        )
        for count in (1, 2)
    },
    **{f"{count} of Elapsed wrong": _records(Elapsed=["03:00:00"] * count) for count in (1, 2)},
    **{f"{name} empty": _records(**{name: [""] * 10}) for name in COLUMNS if name not in ("Start", "End")},
    **{f"without {name}": _records([one for one in COLUMNS if one != name]) for name in COLUMNS},
    "two times": _records(["JobID", "State", "Start", "End"]),
    "a time": _records(["JobID", "State", "End"]),
    "times mixed": _records(["End", "JobID", "State", "Eligible", "Start", "Submit"]),
    "five times": [[*cells, cells[6]] for cells in _records()],
    "times all alike": _records(["JobID", "State", "Start", "End"], End=_days(10)),
    "devices": [[*cells[:10], "gpu:2", cells[11]] for cells in _records()],
    "two lists": [[*cells, "cpu=9,mem=4G"] for cells in _records()],
    "resources by number": [[*cells[:10], "1=8,1001=2", cells[11]] for cells in _records()],
    "a resource by number": [[*cells[:10], "1001=2", cells[11]] for cells in _records()],
    "steps": _records(JobID=_STEPS, JobName=_STEP_NAMES),
    "steps with other names": _records(JobID=_STEPS, JobName=("a", "b", "c", "d", "e")),
    "steps named as ids": [[cells[0], *cells] for cells in _records(JobID=_STEPS, JobName=_STEP_NAMES)],
    "ids that repeat": _records(JobID=["109"]),
    "ids that repeat twice": _records(JobID=["109", "109"]),
    "ids that repeat four times": _records(JobID=["109"] * 4),
    "ids that repeat five times": _records(JobID=["109"] * 5),
    "ids that repeat, without resources": _records(["JobID", "State", "Start", "End"], JobID=["109", "109"]),
    "short ids": _records(JobID=["7"]),
    "short ids without resources": _records(["JobID", "State", "Start", "End"], JobID=["7"]),
    "ids in the second column": [[cells[1], cells[0], *cells[2:]] for cells in _records()],
    "names of users": _records(JobName=["ann", "bob", "cid", "dan", "eve"] * 2),
    "names half of users": _records(JobName=["ann", "bob", "a_b", "c_d"] * 2 + ["ann", "a_b"]),
    "names mostly not of users": _records(JobName=["ann", "bob", "a_b", "c_d", "e_f"] * 2),
    "one name": _records(JobName=["train_7b"] * 10),
    "two columns of names": [[*cells, f"{cells[-1]}_b"] for cells in _records()],
    "two columns of names, one of fewer": [
        [*cells, "a_b" if cells[1] == "ann" else "c_d"] for cells in _records()
    ],
    "a last column of numbers": [[*cells, "8"] for cells in _records()],
    "an empty last column": [[*cells, ""] for cells in _records()],
    "nearly empty last column": [[*cells, "8" if cells[0] == "100" else ""] for cells in _records()],
    "odd widths": [*_records(), ["1"], ["1", "2"]],
    "mostly narrow": [*_records()[:3], *[["1", "2"]] * 4],
}


def _monitored(**changes: str) -> list[str]:
    """Return a record of the layout that monitoring tools ask for."""
    said = {
        "JobID": "7",
        "State": "COMPLETED",
        "Start": BEGIN,
        "End": END,
        "JobName": "a",
        "AllocTRES": "cpu=1",
    }
    return [(said | changes).get(name, "") for name in sacct_layout.KNOWN_LAYOUTS[0]]


MONITORED: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "ten": [_monitored()] * 10,
    "ten with an empty column": [[*_monitored(), ""]] * 10,
    "ten with two more": [[*_monitored(), "", ""]] * 10,
    "one is longer": [*[_monitored()] * 9, [*_monitored(), "x"]],
    "one is shorter": [*[_monitored()] * 9, _monitored()[:-1]],
    **{
        f"{count} with {name} {text}": [*[_monitored()] * (10 - count), *[_monitored(**{name: text})] * count]
        for name, text in (("JobID", "x"), ("State", "odd"), ("Start", "x"), ("End", "x"), ("End", "Unknown"))
        for count in (1, 2)
    },
}


def _layout_line(records: Sequence[Sequence[str]]) -> str:
    columns = sacct_layout.guess_layout(records)
    if columns is None:
        return "-"
    if tuple(filter(None, columns)) in sacct_layout.KNOWN_LAYOUTS:
        return f"that of monitoring tools{', and an empty column' * (columns[-1] == '')}"
    return "|".join(columns)


def _layout_lines(inputs: Mapping[str, Sequence[Sequence[str]]]) -> str:
    return "\n".join(f"{name}: {_layout_line(records)}" for name, records in inputs.items())


def random_layouts_text(_: str) -> str:
    """Return what random columns in a random order, some of their texts lost, are taken for."""
    lines = []
    for seed in range(40):
        chance = random.Random(f"layout {seed}")
        names = ["JobID", "State", *chance.sample([*COLUMNS], chance.randrange(4, 10))]
        names = chance.sample([*dict.fromkeys(names)], len(set(names)))
        records = _records(names)[: chance.choice((1, 3, 10))]
        for _ in range(chance.choice((0, 0, 1, 4))):
            cells = chance.choice(records)
            cells[chance.randrange(len(names))] = chance.choice(("", "x", "7", "Unknown", "a b"))
        lines.append(f"{'|'.join(names)}: {_layout_line(records)}")
    return "\n".join(lines)


# --- Ids, times, headers, delimiters -------------------------------------------------------------

IDS: Final = (
    ("JobID", ["1", "2"]),
    ("JobID", ["1.0", "2.0"]),
    ("JobID", ["1.0", "1.1"]),
    ("jobidraw", ["1.0", "1.1"]),
    ("id", ["1.0", "1.1"]),
    ("id", ["1", "1.0"]),
    ("id", ["1.0", "2"]),
    ("id", ["1.batch"]),
    ("id", ["1_2.extern"]),
    ("id", ["1.python"]),
    ("JobID", []),
)
JOB_IDS: Final = (
    ["1", "2"],
    ["1", "1.batch"],
    ["1_2", "3"],
    ["1_[2-4]"],
    ["1.0", "2.0"],
    ["x", "1.batch"],
    [*["1"] * 8, "1.batch", "x"],
    [*["1"] * 7, "1.batch", "x", "y"],
    ["", "1_2"],
    [],
)
TIMES: Final = (
    BEGIN,
    f"{BEGIN}Z",
    "2026-01-05",
    "Unknown",
    " none ",
    "",
    "x",
    "1767600000",
    "N/A",
    f" {BEGIN}",
)
_HEADER: Final = "JobID|State|Start|End|AllocTRES"
HEADERS: Final[Mapping[str, str]] = {
    "nothing": "",
    "header": _HEADER,
    "below a prompt": f"$ sacct\n\n{_HEADER}\n1|x",
    "a command": "sacct --format=JobID,State,Start,End\n",
    "a command with blanks": "JobID,State -P,Start,End\n",
    "a command, then a header": f"sacct --format=JobID,State,Start\n{_HEADER}",
    "commented": f"# {_HEADER}",
    "commented twice": f"##{_HEADER}",
    "ending with a delimiter": f"{_HEADER}|",
    "widths": "JobID%20|State%-10|Start|End",
    "quoted": '"JobID","State","Start"',
    "raw ids": "jobidraw;STATE;start",
    "two known": "JobID|State|x",
    "three known": "JobID|State|Start",
    "no id": "State|Start|End|jobid2",
    "another delimiter": "JobID~State~Start",
    "a long delimiter": "JobID::State::Start",
    "tabs": "JobID\tState\tStart",
    "carets": "JobID^|^State^|^Start",
    "semicolons and bars": "JobID;|;State;|;Start",
    "blanks": "JobID State Start",
    "at line 100": "x\n" * 99 + _HEADER,
    "at line 101": "x\n" * 100 + _HEADER,
}
SIGNS: Final[Mapping[str, str]] = {
    "nothing": "",
    "bars": "1|a|b\n2|c|d\n3",
    "carets": "1^|^a\n",
    "semicolons and bars": "1;|;a\n",
    "tildes": "1~a~b\n2~c~d\n",
    "tildes and a bar": "1~a~b|c\n2~c~d\n",
    "more bars in one line": "1~a|b|c|d\n2~c~d\n",
    "the last is cut off": "1~a~b\n2~c~d\n3",
    "no records": "a~b\n",
    "below other lines": "x!!!\n1~a\n2~b\n",
    "quoted": '"1"~a\n',
    "one line": "1~a~b",
}
_FREE: Final = ("JobID", "JobName", "State", "Start", "End", "ExitCode", "SubmitLine")
_WHOLE: Final = ["7", "a", "COMPLETED", BEGIN, END, "0:0", "srun"]
TOGETHER: Final[Mapping[str, tuple[Sequence[str], list[str]]]] = {
    "whole": (_FREE, _WHOLE),
    "short": (_FREE, _WHOLE[:4]),
    "in the name": (_FREE, ["7", "a", "b", *_WHOLE[2:]]),
    "twice in the name": (_FREE, ["7", "a", "b", "c", *_WHOLE[2:]]),
    "in the command": (_FREE, [*_WHOLE, "more", "and more"]),
    "in both": (_FREE, ["7", "a", "b", *_WHOLE[2:], "more"]),
    "empty at the end": (_FREE, [*_WHOLE, ""]),
    "empty twice, in the name": (_FREE, ["7", "a", "b", *_WHOLE[2:], "", ""]),
    "in the state": (_FREE, [*_WHOLE[:2], "COMPLETED", "odd", *_WHOLE[3:]]),
    "in the state, empty at the end": (_FREE, [*_WHOLE[:2], "COMPLETED", "odd", *_WHOLE[3:], ""]),
    "no free text": (_FREE[2:5], ["COMPLETED", BEGIN, END, "more"]),
    "no free text, empty at the end": (_FREE[2:5], ["COMPLETED", BEGIN, END, ""]),
    "quoted": (_FREE, ['"7"', '"a', 'b"', '"COMPLETED"', *_WHOLE[3:]]),
    **{
        f"{name} is {text!r}": (("JobName", name), ["a", "b", text])
        for name, texts in {
            "Start": ("1767600000.0", "x", ""),
            "State": ("odd", "", "PENDING"),
            "ElapsedRaw": ("3600", "1.5K", "x"),
            "Elapsed": ("1-00:00:00", "1 h", "UNLIMITED"),
            "AllocTRES": ("", "cpu=1", "cpu"),
            "ExitCode": ("1:0", "1"),
            "JobID": ("12_3", "", "a"),
        }.items()
        for text in texts
    },
}
_ORDERED: Final = ("JobID", "Start", "End", "SubmitLine")
_R1, _R2 = ["1", BEGIN, END, "srun"], ["2", BEGIN, END, "srun"]
LINES: Final[Mapping[str, tuple[Sequence[str], str, list[list[str]], Mapping[str, Any]]]] = {
    "records": (_ORDERED, "|", [_R1, _R2], {}),
    "below a header": (_ORDERED, "|", [["x"], [*_ORDERED], _R1], {"header_line": 2}),
    "a header again": (
        _ORDERED,
        "|",
        [_R1, [*_ORDERED], ["jobid%9", '"START"', "End", "SubmitLine"], _R2],
        {},
    ),
    "ending with a delimiter": (
        _ORDERED,
        "|",
        [[*_R1, ""], _R2, [*_R1[:3], "a", "b"], [""], ["3", ""]],
        {"ends_with_delimiter": True},
    ),
    "ending with no delimiter": (_ORDERED, "|", [[*_R1, ""], [*_R2[:3], ""]], {}),
    "a command goes on": (_ORDERED, "|", [_R1, ["and more"], ["and", "more"], _R2, ["more"]], {}),
    "a comment between": (_ORDERED, "|", [_R1, ["# more"], ["more"], _R2], {}),
    "a start goes on": (_ORDERED, "|", [["1", BEGIN], [END, "srun"], _R2], {}),
    "broken in three": (_ORDERED, "|", [["1"], [BEGIN, END], ["", "srun"], _R2], {}),
    "too wide together": (_ORDERED, "|", [["1", BEGIN], ["a", END, "srun", "x"], _R2], {}),
    "a line before": (_ORDERED, "|", [["x"], ["more"], _R1], {}),
    "no free text at the end": (_ORDERED[:3], "|", [_R1[:3], ["more"], _R2[:3]], {}),
    "one column": (("JobID",), "|", [["1"], ["x"], ["2"]], {}),
    "100 lines": (_ORDERED, "|", [_R1, *[["m"]] * 100], {}),
    "101 lines": (_ORDERED, "|", [_R1, *[["m"]] * 101], {}),
    "lists with commas": (
        ("JobID", "AllocTRES", "NodeList", "End"),
        ",",
        [
            ["1", "cpu=4", "gres/gpu=2", "n[1", "3]", END],
            ["1", "cpu=4", "n1", END],
            ["2", "cpu=4", "cpu=8", "n1", END],
            ["3", "cpu=4", "mem=4G", "cpu=1", "node=1"],
        ],
        {},
    ),
}


def _ordered_line(
    columns: Sequence[str], delimiter: str, lines: list[list[str]], more: Mapping[str, Any]
) -> str:
    """Return the records of lines with their numbers, and which lines are ragged."""
    ragged = RaggedLines()
    rows = ((number, [*cells]) for number, cells in enumerate(lines, 1))
    found = sacct_layout.ordered(rows, columns, delimiter, ragged=ragged, **more)
    texts = [f"{number} {'|'.join(cells).replace(' m' * 100, ' …')}" for number, cells in found]
    return f"{'; '.join(texts)}, short {[*ragged.short]}, long {[*ragged.long]}"


# --- Fixed width ---------------------------------------------------------------------------------

_WIDTHS: Final = (
    ("JobID", 8),
    ("JobName", 10),
    ("User", 6),
    ("State", 10),
    ("Start", 19),
    ("End", 19),
    ("AllocTRES", 20),
)
_PLACED: Final = ("9401", "train", "ann", "COMPLETED", BEGIN, END, "cpu=8,gres/gpu=2")
_ROWS: Final = tuple((str(9401 + number), *_PLACED[1:]) for number in range(12))


def _table(*rows: Sequence[str], widths: Sequence[tuple[str, int]] = _WIDTHS) -> str:
    return fixed_width(widths, rows or _ROWS)


def _without(text: str, *lines: int) -> str:
    return "".join(line for number, line in enumerate(text.splitlines(keepends=True)) if number not in lines)


_SOUND: Final = _table()
_NO_DASHES, _NO_HEADER = _without(_SOUND, 1), _without(_SOUND, 0, 1)
_NARROW: Final = tuple((name, width) for name, width in _WIDTHS if name in ("JobID", "State", "Start", "End"))
_NARROW_ROWS: Final = tuple((str(9401 + n), "COMPLETED", BEGIN, END) for n in range(12))
PLACED: Final[Mapping[str, str]] = {
    "nothing": "",
    "dashes": _SOUND,
    "below a prompt": f"$ sacct\n{_SOUND}",
    "dashes at line 100": "x\n" * 98 + _SOUND,
    "dashes at line 101": "x\n" * 99 + _SOUND,
    "without dashes": _NO_DASHES,
    "without dashes below a prompt": f"$ sacct\n\n{_NO_DASHES}",
    "header at line 100": "x\n" * 99 + _NO_DASHES,
    "header at line 101": "x\n" * 100 + _NO_DASHES,
    "without header": _NO_HEADER,
    "below blank lines": f"\n\n{_NO_HEADER}",
    "bars": _HEADER.replace("|", " | ") + "\n1 | x\n",
    "bars alone": "1|2|3|4\n",
    "no ids": "x 1 2 3\n",
    "four columns": _without(_table(*_NARROW_ROWS, widths=_NARROW), 0, 1),
    "three columns": _without(_table(*(row[:3] for row in _NARROW_ROWS), widths=_NARROW[:3]), 0, 1),
    "two known columns and dashes": _table(("1", "x"), widths=(("JobID", 8), ("State", 9))),
    "three known columns and dashes": _table(
        ("1", "x", "y"), widths=(("JobID", 8), ("State", 9), ("Start", 19))
    ),
    "no id and dashes": _table(("1", "x", "y"), widths=(("User", 8), ("State", 9), ("Start", 19))),
    "four words and an id": "JobID Start State x\n1 a b c\n",
    "words without start": "JobID End State User\n1 a b c\n",
    "words with commas": "JobID,Start, JobID Start State User\n1 a b c\n",
    "a name with blanks": _NO_DASHES.replace("   train", "a  train", 1),
    "two headings in one": _NO_DASHES.replace("train ", "trainX"),
    "a line out of line": f"{_NO_HEADER}9499 {'x' * 60} {BEGIN}\n",
}


def placed_text(_: str) -> str:
    """Return the columns of tables by their dashes, by their place in the head and in the file."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="log-") as folder:
        path = Path(folder) / "log"
        for name, text in PLACED.items():
            path.write_text(text, encoding="utf-8", newline="")
            parts = {
                "by dashes": partial(sacct_fixed_width.columns_of, text),
                "by place": partial(sacct_fixed_width.columns_by_place, text),
                "of all": lambda: sacct_fixed_width.columns_of_all(survey(str(path))),
            }
            said = {what: _places(call()) for what, call in parts.items()}
            heading = " heading" * sacct_fixed_width.has_heading(text)
            told = "; ".join(f"{what} {places}" for what, places in said.items() if places)
            lines.append(f"{name}:{heading} {told or '-'}")
    return "\n".join(lines)


def _places(columns: Sequence[sacct_fixed_width.Column]) -> str:
    return " ".join(f"{column.name}:{column.begin}-{column.end}" for column in columns)


def grown_text(_: str) -> str:
    """Return the columns of files, with a header but no dashes, that change below their first lines."""
    later = {
        "the same": _PLACED,
        "longer ids": ("1234567", *_PLACED[1:]),
        "longer names": ("1500", "long-name1", *_PLACED[2:]),
        "a column that was empty": ("1500", "train", "somebo", *_PLACED[3:]),
        "a name of two bytes": ("1500", "läng-name", *_PLACED[2:]),
        "without a time": ("1234567", "train", "ann", "COMPLETED", "", "", ""),
        "no id": ("x234567", *_PLACED[1:]),
    }
    lines = []
    with tempfile.TemporaryDirectory(prefix="log-") as folder:
        path = Path(folder) / "log"
        for name, row in later.items():
            for begun in (498, 499, 500):
                early = ("1000", _PLACED[1], "", *_PLACED[3:])
                text = _without(_table(*[early] * begun, row), 1)
                path.write_text(text, encoding="utf-8", newline="")
                of_all = _places(sacct_fixed_width.columns_of_all(survey(str(path)))[:3])
                by_head = _places(sacct_fixed_width.columns_by_place(text)[:3])
                lines.append(f"{name}, line {begun + 2}: {of_all}; by its head {by_head}")
    return "\n".join(lines)


_PLACES: Final = sacct_fixed_width.columns_of(_SOUND)
_LINE: Final = _SOUND.splitlines()[2]
SPLIT: Final[Mapping[str, str]] = {
    "a record": _LINE,
    "longer at its end": f"{_LINE.rstrip()},gres/gpu:a100=2",
    "short": _LINE[:40],
    "empty": "",
    "tabs": _LINE.replace("  ", "\t ", 1),
    "by bytes": fixed_width(_WIDTHS, [("9401", "träin", *_PLACED[2:])]).splitlines()[2],
    "by letters": _LINE.replace("train", "träin"),
    "out of line": f"1234567890123{_LINE[13:]}",
    "between two columns": _LINE[:8] + "x" + _LINE[9:],
}


def split_text(_: str) -> str:
    """Return the texts of lines by column."""
    return call_lines(lambda line: sacct_fixed_width.split(line, _PLACES), SPLIT)


_ID_WIDTHS: Final = (("JobID", 6), ("Start", 19), ("State", 9), ("AllocTRES", 16))
FIXED: Final[Mapping[str, tuple[str, bool]]] = {
    "a table": (f"x\n{_SOUND}\n{_LINE}\n", True),
    "without header": (_NO_HEADER, False),
    "a header that comes again": (_table(_PLACED) + _table(_PLACED), True),
    "a header without dashes": (_without(_table(_PLACED), 1), True),
    "no header where one is": (_table(_PLACED), False),
    "out of line": (f"{_table(_PLACED)}1234567890123{_LINE[13:]}\n", True),
    "a form feed": (_table(_PLACED).replace("\n", "\f\r\n"), True),
}


def fixed_text(_: str) -> str:
    """Return the records of tables, the first of them."""
    lines = []
    for name, (text, has_header) in FIXED.items():
        found = list(sacct_fixed_width.records(text.split("\n"), _PLACES, has_header=has_header))
        told = "; ".join(f"{number} {'|'.join(cells)}" for number, cells in found[:3])
        lines.append(f"{name}: {len(found)}: {told}")
    return "\n".join(lines)


CUT: Final[Mapping[str, tuple[Sequence[tuple[str, int]], Sequence[Sequence[str]]]]] = {
    "ids": (
        _ID_WIDTHS,
        [(one, BEGIN, "COMPLETED", "gres/gpu=1") for one in ("123456", "1234567", "12345.0", "123_1.batch")],
    ),
    "ids with a plus of their own": (_ID_WIDTHS, [("123+", BEGIN, "COMPLETED", "gres/gpu=1")]),
    "raw ids": (
        (*_ID_WIDTHS, ("JobIDRaw", 8)),
        [
            ("123_4567", BEGIN, "x", "a=1", "1240"),
            ("123_4567", BEGIN, "x", "a=1", ""),
            ("123_4567", BEGIN, "x", "a=1", "123456789"),
        ],
    ),
    "users": (
        (*_ID_WIDTHS, ("User", 5)),
        [("123_4567", BEGIN, "x", "a=1", "ann"), ("123_4567", BEGIN, "x", "a=1", "")],
    ),
    "names": (
        (*_ID_WIDTHS, ("JobName", 7)),
        [("123_4567", BEGIN, "x", "a=1", name) for name in ("batch", "extern", "train")],
    ),
    "raw ids alone": (
        (("JobIDRaw", 8), *_ID_WIDTHS[1:]),
        [("123456789", BEGIN, "x", "a=1"), ("12345678", BEGIN, "x", "a=1")],
    ),
    "asked for": (
        (("JobID", 6), ("Start", 19), ("ReqTRES", 8), ("AllocTRES", 8)),
        [("1234567", BEGIN, "cpu=1", "cpu=2")],
    ),
}


def cut_text(_: str) -> str:
    """Return the records of tables whose ids are cut off."""
    lines = []
    for name, (widths, rows) in CUT.items():
        text = fixed_width(widths, rows)
        found = sacct_fixed_width.records(text.splitlines(), sacct_fixed_width.columns_of(text))
        lines.append(f"{name}: {'; '.join('|'.join(cells) for _, cells in found)}")
    return "\n".join(lines)


# --- How sure each is ----------------------------------------------------------------------------

_ASKED: Final = phrases(
    "JobID|JobIDRaw|JobName|User|Group|Account|State|Timelimit|Elapsed|Submit|Start|End|Partition|ExitCode|NodeList"
    "|Priority|ReqNodes|NNodes|AllocNodes|ReqTRES|AllocTRES|NTasks|NCPUS|ReqCPUS|AllocCPUS|CPUTime|TotalCPU|UserCPU"
    "|SystemCPU|MinCPU|MinCPUNode|MinCPUTask|ReqMem|AveRSS|MaxRSS|MaxPages|MaxVMSize|Comment|SubmitLine"
)
_OWN: Final = "JobID,JobStep,Time,ArrayTaskID,GpuEff"
_BARE: Final = "\n".join("|".join(cells) for cells in _records())
_QUEUE: Final = "JOBID|NAME|USER|ST|START_TIME|TIME|NODES|TRES_ALLOC"


def _shredded(layout: Sequence[str] = xdmod.LAYOUTS[0], **changes: str) -> str:
    said = {
        **dict.fromkeys(("Submit", "Eligible", "Start", "End"), BEGIN),
        "JobID": "7",
        "JobIDRaw": "7",
        "State": "COMPLETED",
        "AllocTRES": "cpu=8,gres/gpu=2",
        "ReqTRES": "cpu=16,gres/gpu=4",
        "ReqGRES": "gpu:2",
        "Timelimit": "1-00:00:00",
        "ReqMem": "64Gn",
        "Cluster": "fox",
        "Partition": "gpu",
        "QOS": "normal",
        "Account": "ml",
        "Group": "staff",
        "User": "ann",
        "UID": "1001",
        "GID": "100",
        "NNodes": "1",
        "NCPUS": "8",
        "ReqCPUS": "8",
        "Elapsed": "01:00:00",
        "ExitCode": "0:0",
        "NodeList": "n1",
        "JobName": "a",
    }
    return "|".join((said | changes).get(name, "") for name in layout)


HEADS: Final[Mapping[str, str]] = {
    "nothing": "",
    "sacct": _HEADER,
    "sacct without GPUs": "JobID|State|Start|End",
    "sacct without end": "JobID|State|Start|AllocTRES",
    "sacct of fixed width": _SOUND,
    "sacct of fixed width, no dashes": _NO_DASHES,
    "sacct of fixed width, no header": _NO_HEADER,
    "sacct without header": _BARE,
    "sacct without header and times": "\n".join("|".join(cells[:3]) for cells in _records()),
    "slurm2sql": "|".join(_ASKED),
    **{f"slurm2sql, {count} columns": "|".join([*_ASKED[: count - 3], *_ASKED[-3:]]) for count in (34, 35)},
    **{
        f"slurm2sql without {name}": "|".join(one for one in _ASKED if one != name)
        for name in ("NTasks", "Comment", "SubmitLine")
    },
    "slurm2sql and more": "|".join([*_ASKED, "Reservation"]),
    "slurm2sql, ending with a delimiter": "|".join([*_ASKED, ""]),
    "table of slurm2sql": f"{_OWN},State,Start,End",
    "table of slurm2sql, three added": f"{_OWN},State,Start,End".replace("GpuEff", "x"),
    "table of slurm2sql, four asked": f"{_OWN},State,Start",
    "table of slurm2sql, three asked": f"{_OWN},State,Priority2".replace("State", "NodeList"),
    "table of slurm2sql, few asked": f"{_OWN},Start,x,y",
    "squeue": _QUEUE,
    "squeue in blanks": _QUEUE.replace("|", "  "),
    "squeue below a blank line": f"\n \n{_QUEUE}",
    **{
        f"squeue without {name}": _QUEUE.replace(name, "x")
        for name in ("JOBID", "START_TIME", "ST|", "TRES_ALLOC")
    },
    **{
        f"squeue with {name}": _QUEUE.replace("TRES_ALLOC", name) for name in ("GRES", "TRES_PER_JOB", "TRES")
    },
    "squeue with long states": _QUEUE.replace("|ST|", "|State|"),
    "xdmod": _shredded(),
    "database": "id_job,time_start,time_end,gres_used",
    **{
        f"database without {name}": "id_job,time_start,time_end,gres_used".replace(name, "x")
        for name in ("id_job", "time_start", "time_end", "gres_used")
    },
}
SNIFFS: Final[Mapping[str, Callable[[str], float]]] = {
    "sacct": sacct.sniff,
    "slurm2sql": slurm2sql.sniff_slurm2sql,
    "squeue": squeue.sniff,
    "xdmod": xdmod.sniff_xdmod,
    "database": slurm_database.sniff_database,
}


def heads_text(_: str) -> str:
    """Return how sure each is of a head."""
    return head_lines(HEADS, SNIFFS)


_ODD: Final = _shredded(State="odd")
SHREDDED: Final[Mapping[str, str]] = {
    "nothing": "",
    **{f"layout {number}": _shredded(layout) for number, layout in enumerate(xdmod.LAYOUTS)},
    **{
        f"{name} {text!r}": _shredded(**{name: text})
        for name, text in (
            ("JobID", "x"),
            ("JobID", "7_[1-3]"),
            ("Start", "x"),
            ("Submit", "Unknown"),
            ("End", "1767600000"),
            ("State", "odd"),
            ("State", "CANCELLED by 7"),
            ("UID", "ann"),
            ("AllocTRES", "2"),
            ("JobName", "a|b"),
        )
    },
    "short": _shredded().rpartition("|")[0],
    "one of ten is odd": "\n".join([_ODD, *[_shredded()] * 9]),
    "two of ten are odd": "\n".join([_ODD, _ODD, *[_shredded()] * 8]),
    "20 of 200 are odd": "\n".join([*[_ODD] * 20, *[_shredded()] * 180]),
    "21 of 201 are odd": "\n".join([*[_ODD] * 20, *[_shredded()] * 180, _ODD]),
    "21 of 200 are odd": "\n".join([*[_ODD] * 21, *[_shredded()] * 179]),
    "ending with a delimiter": f"{_shredded()}|",
    "nine of ten end so": "\n".join([*[f"{_shredded()}|"] * 9, _shredded()]),
    "eight of ten end so": "\n".join([*[f"{_shredded()}|"] * 8, *[_shredded()] * 2]),
    "more at the end": f"{_shredded()}|x",
}


def _shredded_line(text: str) -> str:
    layout = xdmod.layout_of(text)
    if layout is None:
        return "-"
    ending = " and an empty column" * (layout[-1] == "")
    return f"layout {xdmod.LAYOUTS.index(tuple(filter(None, layout)))}{ending}"


FUNCTIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "columns": lambda _: _layout_lines(LAYOUTS),
    "columns of monitoring tools": lambda _: _layout_lines(MONITORED),
    "random columns": random_layouts_text,
    "steps among ids": lambda _: call_lines(lambda case: sacct_layout.has_steps(*case), named(IDS)),
    "ids of Slurm": lambda _: call_lines(
        sacct_layout.are_job_ids, {shown(texts): texts for texts in JOB_IDS}
    ),
    "times": lambda _: call_lines(sacct_layout.is_time, named(TIMES)),
    "headers": lambda _: call_lines(sacct_layout.find_header, HEADERS),
    "delimiters": lambda _: call_lines(sacct_layout.delimiter_of, SIGNS),
    "free texts": lambda _: call_lines(
        lambda case: "|".join(sacct_layout.free_texts_together(case[0], "~")([*case[1]])), TOGETHER
    ),
    "lines": lambda _: call_lines(lambda case: _ordered_line(*case), LINES),
    "places": placed_text,
    "places that grow": grown_text,
    "lines by place": split_text,
    "records of fixed width": fixed_text,
    "ids that are cut off": cut_text,
    "heads": heads_text,
    "layouts of xdmod": lambda _: "\n".join(
        f"{name}: {_shredded_line(text)}" for name, text in SHREDDED.items()
    ),
}
