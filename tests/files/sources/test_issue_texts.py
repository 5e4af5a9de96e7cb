"""Short texts of issues: with the figures of the message, else the whole message."""

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_summary


def test_a_short_text_has_the_figure_of_the_message() -> None:
    problem, remedy = ISSUE_TEXTS["before_window"]
    found = worded("{gpu_hours} GPU-h from {day} on", gpu_hours="36,616.6", day="27 Jul 2026")
    issue = Issue("before_window", 907, 5, joined((joined((problem, found), ": "), remedy), "; "))
    assert issue_summary(issue).startswith("36,616.6 GPU-h ") and "27 Jul" not in issue_summary(issue)


def test_without_its_figure_or_a_short_text_the_message_is_whole() -> None:
    for code in ("before_window", "clipped"):
        issue = Issue(code, 1, None, worded("hours before"))
        assert issue_summary(issue) == "hours before"
