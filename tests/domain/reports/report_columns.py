"""Columns of all reports: in which media each is shown, and how, as lines of a golden table."""

import importlib
import pkgutil
from collections.abc import Iterator

from gpuplanner.domain import reports
from gpuplanner.domain.reports.report import Column, Medium, Report


def reports_by_module() -> dict[str, dict[str, Report]]:
    """Return the reports that each module of the room declares, by module and name."""
    declared = {}
    for info in pkgutil.iter_modules(reports.__path__):
        module = importlib.import_module(f"{reports.__name__}.{info.name}")
        own = {name: value for name, value in vars(module).items() if isinstance(value, Report)}
        if own:
            declared[info.name] = own
    return declared


REPORTS = reports_by_module()


def columns_text(module: str) -> str:
    """Return the columns of each report of a module, in the order of each medium."""
    lines = []
    for name, report in REPORTS[module].items():
        limits = ", ".join(f"{medium.value} {rows}" for medium, rows in report.limits.items())
        marks = ["adds up"] * report.adds_up + [f"at most {limits}"] * bool(limits)
        marks += [f"total in {_media(report.total_media)}"] * (report.total is not None)
        marks += [f"order in {_media(report.order)}"] * bool(report.order)
        lines.append(" | ".join((name, _media(report.media), *marks)))
        lines += [f"  {line}" for line in _column_lines(report.columns)]
    return "\n".join(lines)


def _media(media: object) -> str:
    """Return the names of media; `all` for all of them."""
    shown = [medium.value for medium in Medium if medium in media]  # type: ignore[operator]
    return "all" if len(shown) == len(Medium) else " ".join(shown)


def _column_lines(columns: tuple[Column, ...]) -> Iterator[str]:
    for column in columns:
        marks = [word for word in ("adds_up", "is_in_full", "is_rare", "is_list") if getattr(column, word)]
        marks += [
            f"{word} {figure.key}"
            for word, figure in (("flag", column.flag), ("mark", column.mark))
            if figure is not None
        ]
        yield " | ".join(
            (column.name or "-", column.json_name or "-", _media(column.media), column.form, *marks)
        )
