"""Sheets of a workbook that were not read: the issue that names them, and how one is given."""

from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.intake import FileIntake, Issue, sent_in
from gpuplanner.files.importing.recognise import sheets_beside
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.own_workbook import own_workbook
from gpuplanner.files.tables.small_table import worded_message
from gpuplanner.lazy_dataclass import replace

OTHER_SHEETS: Final = "other_sheets"
PLAN_SHEETS: Final = "plan_sheets"
"""The issue of the sheets of a plan's workbook that are neither contracts nor offers: they are skipped."""


def with_sheets_named(file: FileIntake, source: Source) -> FileIntake:
    """A file with which sheet of its workbook was read and which were not, as an issue and as facts; these with the
    kind that they seem to be. Of the workbook of a plan, the sheets that are no list are an issue of their own.
    Errors: PlannerError file_unreadable.
    """
    is_named = any(issue.code == OTHER_SHEETS for issue in file.issues) or bool(sent_in(file))
    taken, kinds = ("", {}) if is_named else sheets_beside(source, file.kind)
    others = sorted((name for name in kinds if name != taken), key=lambda name: kinds[name] == "unknown")
    book = own_workbook(source) if kinds else None
    if book is not None:
        file = replace(
            file, issues=(*file.issues, _of_plan([name for name in book.sheets if name not in kinds]))
        )
    if not others:
        return replace(file, facts=(*file.facts, ("sheet", taken))) if book is not None else file
    shown = [
        joined((f"“{name}”", *(() if kinds[name] == "unknown" else (" (", kind_words(kinds[name]), ")"))))
        for name in others
    ]
    facts = (*file.facts, ("sheet", taken), ("other_sheets", [name for name in kinds if name != taken]))
    return replace(file, issues=(*file.issues, _not_read(taken, shown)), facts=facts)


def _of_plan(sheets: Sequence[str]) -> Issue:
    """The issue of the sheets of a plan's workbook that are no list, each by name."""
    names = joined((f"“{name}”" for name in sheets), ", ")
    return Issue(PLAN_SHEETS, len(sheets), None, worded_message(PLAN_SHEETS, [names]))


def _not_read(taken: str, others: Sequence[Text]) -> Issue:
    """The issue of sheets that were not read, the first of them by name, and how one is given."""
    names = joined(others[:5], ", ")
    if len(others) > 5:
        names += worded(" and {count} more", count=whole(len(others) - 5))
    words = [worded("“{taken}” was read, not {shown}", taken=taken, shown=names)]
    return Issue(OTHER_SHEETS, len(others), None, worded_message(OTHER_SHEETS, words))


def without_those_read(files: Sequence[FileIntake]) -> tuple[FileIntake, ...]:
    """The files, of which none says of a sheet that it was not read that another of them is; what is said of the sheets
    of a plan is said once of a workbook.
    """
    taken = {f"{file.path}/{sheet}" for file in files for name, sheet in file.facts if name == "sheet"}
    paths = {file.path for file in files} | taken
    told_of: set[str] = set()

    def told(file: FileIntake) -> FileIntake:
        """One of them, with what is left to be said of its sheets."""
        facts: dict[str, Any] = dict(file.facts)
        if any(issue.code == PLAN_SHEETS for issue in file.issues):
            again = PLAN_SHEETS if file.path in told_of else ""
            file = replace(file, issues=tuple(issue for issue in file.issues if issue.code != again))
            told_of.add(file.path)
        issues = [issue for issue in file.issues if issue.code != OTHER_SHEETS]
        every = facts.get("other_sheets", ())
        left = [f"“{name}”" for name in every if f"{file.path}/{name}" not in paths]
        more = (_not_read(facts["sheet"], left),) if left else ()
        return file if len(left) == len(every) else replace(file, issues=(*issues, *more))

    return tuple(map(told, files))
