"""The node list of Alibaba's trace openb."""

from typing import Final

from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.delimited import has_columns, header_columns
from gpuplanner.lazy_dataclass import replace

_OPENB: Final = ("sn", "cpu_milli", "memory_mib", "gpu", "model")


def sniff_openb(head: str) -> float:
    """How sure it is that this is the node list of Alibaba's trace openb, by its columns."""
    return 0.95 if has_columns(head, *_OPENB) else 0.0


def openb_rows(source: Source, *_: object) -> small_table.Rows:
    """Each node of openb with its line; the model is a name, not a count."""
    for line, row, text in small_table.rows_below(source, header_columns(source.head).columns):
        texts = {
            "name": row.text("sn") or "",
            "gpus": row.text("gpu") or "",
            "gpu_model": row.text("model") or "",
        }
        yield line, replace(row, texts=texts), text
