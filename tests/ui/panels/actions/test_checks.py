"""Checks: what is missing comes first, whatever its severity, and opens what can say it."""

from decimal import Decimal

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.message import worded, worded_both
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.ui.panels.actions.checks import ChecksPanel, check_rows

SAID = worded("something is so")
RATED = Contract("rated", "c", "H100", 8000, Decimal("2.75"), 0, 9)
UNRATED = Contract("unrated", "c", "H100", 8000, None, 0, 9)
CHECKS = (
    Check("contention", "red", "atlas", SAID),
    Check("below_40", "amber", "rated", SAID),
    Check("cluster_without_contract", "amber", "borealis", SAID),
    Check("gpu_model_unstated", "info", "atlas", SAID),
    Check("quote_needed", "info", "unrated", SAID),
    Check("quote_needed", "info", "an-offer", SAID),
    Check("short_log", "info", "log", SAID),
)


def test_what_is_missing_comes_first_and_the_rest_by_severity() -> None:
    rows = check_rows(CHECKS, {}, (RATED, UNRATED))
    headings = [str(row.title) for row in rows if row.is_heading]
    assert headings == ["Missing 3", "Errors 1", "Warnings 1", "Info 2"]
    assert [row.key for row in rows if not row.is_heading][:3] == ["borealis", "atlas", "unrated"]
    assert sorted(row.key for row in rows if not row.is_heading) == sorted(str(one.subject) for one in CHECKS)


def test_a_check_of_a_plan_names_no_option_where_the_window_has_a_control() -> None:
    ask = worded_both("Say so: {same}", "Match names", same="--same 'cluster:a=b c'")
    checks = (Check("idle_beside_orders", "amber", "H100", worded("36 GPUs stand idle. {ask}", ask=ask)),)
    (note,) = [str(row.note) for row in check_rows(checks, {}, ()) if not row.is_heading]
    assert note.startswith("36 GPUs ") and note.endswith(". Match names.")
    assert "--same" not in note and "Say so" not in note


def test_names_that_do_not_match_come_before_all_that_hangs_on_them() -> None:
    rows = check_rows((Check("gpu_model_unpriced", "red", "Frob", SAID), *CHECKS,
                       Check("models_unmatched", "amber", "names", SAID)), {}, (RATED, UNRATED))  # fmt: skip
    assert [row.key for row in rows if not row.is_heading][:5] == [
        "names", "borealis", "atlas", "Frob", "unrated"
    ]  # fmt: skip


def test_a_rate_that_was_said_is_no_longer_missing_and_still_opens_its_editor() -> None:
    rows = check_rows((Check("rate_said", "info", "unrated", SAID),), {}, (UNRATED,))
    assert [(str(row.title), row.kind) for row in rows[:1]] == [("Info 1", "")] and rows[1].kind == "editor"


@pytest.mark.parametrize(
    ("code", "signal"),
    [
        ("gpu_model_unstated", "import_asked"),
        ("cluster_without_contract", "contracts_asked"),
        ("quote_needed", "editor_asked"),
        ("models_unmatched", "names_asked"),
        ("gpu_model_unpriced", "models_asked"),
    ],
)
def test_what_is_missing_opens_what_can_say_it(qtbot: QtBot, code: str, signal: str) -> None:
    panel = ChecksPanel()
    qtbot.addWidget(panel)
    _, row = check_rows((Check(code, "info", "unrated", SAID),), {}, (UNRATED,))
    with qtbot.waitSignal(getattr(panel, signal), timeout=1000):
        panel.open_subject(row.kind, row.key)
    assert row.tip


def test_contracts_that_name_no_cluster_open_the_names_and_a_cluster_without_jobs_the_import() -> None:
    """A file was asked for, where Match names has the row that says which cluster it is."""
    for cluster, kind in (("", "names"), ("wien", "import")):
        (_, row) = check_rows((Check("cluster_without_log", "amber", cluster, SAID),), {}, (RATED,))
        assert row.kind == kind


def test_checks_that_say_the_same_are_one_with_their_number() -> None:
    equal = [Check("quote_needed", "info", f"offer-{number}", SAID) for number in range(11)]
    (_, row) = check_rows((*equal,), {}, ())
    assert str(row.title).endswith(": 11") and str(row.note).startswith("offer-0, offer-1, ")
    paid = [Check("below_40", "amber", name, SAID, 5.0) for name in "ab"]
    assert [row.amount for row in check_rows((*paid,), {}, ())[1:]] == ["5", "5"]


def test_under_a_heading_of_dollars_every_row_has_an_amount_or_a_dash() -> None:
    checks = Check("below_40", "amber", "a", SAID, 5.0), Check("short_log", "amber", "log", SAID)
    heading, *rows = check_rows(checks, {}, ())
    assert heading.amount == "$ per month" and [row.amount for row in rows] == ["5", "\u2014"]
