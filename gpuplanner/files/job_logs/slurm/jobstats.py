"""What jobstats leaves in a job's AdminComment: `JS1:` and packed JSON with the utilization of each GPU."""

import base64
import binascii
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

ACTIVITY: Final = "GPUActivity"
"""Our heading of the column that holds a job's mean GPU utilization, 0 to 100."""

_MARK: Final = "JS1:"
_PACKED_AT_MOST: Final = 2**18
_UNPACKED_AT_MOST: Final = 2**22  # a job on a thousand nodes takes 300 kB
_GZIP_WINDOW: Final = 31
_ROWS_AT_ONCE: Final = 1000


def gpu_percent(text: str) -> float | None:
    """The mean utilization over all GPUs of a job, 0 to 100; None where it is not known, as in `JS1:Short`."""
    if not text.startswith(_MARK) or len(text) > _PACKED_AT_MOST:
        return None
    try:
        packed = base64.b64decode("".join(text.removeprefix(_MARK).split()), validate=True)
        unpacked = zlib.decompressobj(_GZIP_WINDOW).decompress(packed, _UNPACKED_AT_MOST)
        summary = json.loads(unpacked)
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        return None
    nodes = summary.get("nodes") if isinstance(summary, dict) else None
    figures = [
        figure
        for node in (nodes.values() if isinstance(nodes, dict) else ())
        if isinstance(node, dict) and isinstance(node.get("gpu_utilization"), dict)
        for figure in node["gpu_utilization"].values()
        if isinstance(figure, int | float) and 0 <= figure <= 100
    ]
    return round(sum(figures) / len(figures), 3) if figures else None


def activity_text(admin_comment: object) -> str:
    """That mean as text, empty where it is unknown."""
    percent = gpu_percent(admin_comment.strip()) if isinstance(admin_comment, str) else None
    return "" if percent is None else str(percent)


def with_activity(engine: Engine, source: Source, table: JobTable, comment: str) -> JobTable:
    """A log whose jobs have such comments, with what they say as its field `activity`; as it is where none has.

    comment: the engine's name of the column. Each distinct comment is unpacked once.
    """
    raw = table.raw
    wanted = f"starts_with({comment}, '{_MARK}') and not {table.is_ignored}"
    (count,) = engine.one(f'select count(*) from "{raw.name}" where {wanted}')
    if not count:
        return table

    def read() -> Iterator[tuple[int, tuple[str, str]]]:
        """Each different comment with the activity it states, numbered from 1.

        Read in blocks, as there may be millions.
        """
        with engine.connection.cursor() as cursor:
            cursor.execute(f'select distinct {comment} from "{raw.name}" where {wanted}')
            number = 0
            while rows := cursor.fetchmany(_ROWS_AT_ONCE):
                for (text,) in rows:
                    number += 1
                    yield number, (text, activity_text(text))

    name = f"{raw.name}_activity"
    read_texts = load_records(engine, source, f"{name}_texts", ("text", "percent"), read())
    engine.run(
        f'create or replace table "{name}" as select c0 as js1_text, c1 as js1_percent from "{read_texts.name}"'
    )
    percent = f'(select js1_percent from "{name}" where js1_text = {comment})'
    return replace(table, fields={**table.fields, "activity": percent})
