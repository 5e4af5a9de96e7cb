"""All reports, for who goes through every one of them: tests, and the reference of documents."""

from typing import Final

from gpuplanner.domain.figures.figure import Subject
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.reports.contracts import CONTRACTS
from gpuplanner.domain.reports.report import Report

REPORTS: Final[tuple[tuple[Subject, Report], ...]] = ((CONTRACT, CONTRACTS),)
"""A report and what its rows are."""
