"""What an import says in words of what was read: what it comes to, what is in the way, what to look out for."""

from dataclasses import replace
from typing import Any

from gpuplanner.app.importing import ImportRequest
from gpuplanner.ui import numbers
from gpuplanner.ui.import_report import is_refused
from gpuplanner.ui.window_words import in_window_words


def import_remedy(read: Any) -> str:
    """What to do where nothing could be read."""
    if not read.refused:
        return "See why each row was not taken, at the right."
    return numbers.sentence(in_window_words(f"{read.refused[0].what}; {read.refused[0].remedy}")) + "."


def without_refused(request: ImportRequest, read: Any) -> tuple[ImportRequest, Any]:
    """What is taken in: a file that gave nothing is no source of the project."""
    refused = {file.path for file in read.intake if is_refused(file)}
    if not refused:
        return request, read
    kept = {
        field: tuple(path for path in getattr(request, field) if path not in refused)
        for field in ("job_paths", "contract_paths", "price_paths")
    }
    intake = tuple(file for file in read.intake if file.path not in refused)
    return replace(request, **kept), replace(read, intake=intake)


def alike_clusters(names: set[str]) -> str:
    """Names of clusters that differ in capitals or blanks only: said, for contracts serve the cluster they name."""
    by_letters: dict[str, list[str]] = {}
    for name in sorted(names - {""}):
        by_letters.setdefault(name.strip().casefold(), []).append(name)
    return "".join(
        f" {' and '.join(alike)} are taken as {len(alike)} clusters; write one name where they are one."
        for alike in by_letters.values()
        if len(alike) > 1
    )


def import_summary(request: ImportRequest, read: Any) -> str:
    """3,210 jobs in 33 workloads - 3 Jul - 30 Sep 2026 - 5 contracts."""
    parts = []
    if request.job_paths:
        parts.append(
            f"{numbers.counted(read.accepted_jobs, 'job')} in {numbers.counted(len(read.workloads), 'workload')}"
        )
        if read.window is not None:
            parts.append(numbers.span(read.window.start_s, read.window.end_s))
    if request.contract_paths:
        parts.append(numbers.counted(len(read.contracts), "contract"))
    if request.price_paths:
        parts.append(numbers.counted(len(read.offers), "offer"))
    return numbers.MIDDOT.join(parts) + "."
