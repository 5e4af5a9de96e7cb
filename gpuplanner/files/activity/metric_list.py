"""The list of metrics that dcgm-exporter is told to show: names, no measurements."""

import re
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.files.activity.metrics import METRICS, metric_key
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.row_ends import RowEnds

FORMAT: Final = "dcgm_metric_list"
WHY: Final = worded("it is a list of metrics for dcgm-exporter: names, no measurements")

_METRIC: Final = re.compile(
    r"^\s*(?P<name>(?:DCGM|DCP)_\w+)\s*,\s*(?:gauge|counter|label|histogram)\s*,", re.I
)


def sniff(head: str) -> float:
    """How surely a beginning is such a list."""
    lines = [line.lstrip("# ") for line in head.splitlines() if line.strip()]
    found = sum(_METRIC.match(line) is not None for line in lines)
    return 0.96 if found and found > 0.3 * len(lines) else 0.0


def describe(source: Source) -> FileIntake:
    """Every line that is not blank: a metric (accepted), or a comment (ignored) or neither (ignored).

    Facts: the metrics by name, and how many are switched off in comments.
    """
    names: list[str] = []
    comments = off = others = 0
    with source.text_lines() as lines:
        for line in lines:
            if not line.strip():
                continue
            if line.lstrip().startswith("#"):
                comments += 1
                off += _METRIC.match(line.lstrip("# \t")) is not None
            elif found := _METRIC.match(line):
                names.append(found["name"])
            else:
                others += 1
    facts = (
        ("what", WHY),
        ("lines", source.lines),
        ("metrics", len(names)),
        ("comment_lines", comments),
        ("metrics_off", off),
        ("activity_metrics", [name for name in names if metric_key(name) in METRICS]),
    )
    ends = RowEnds(read=len(names) + comments + others, ignored=comments + others)
    return ends.intake(source, "unknown", FORMAT, facts)
