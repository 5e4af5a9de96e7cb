"""Checks: what is missing comes first, whatever its severity, and opens what can say it."""

from decimal import Decimal

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.message import worded, worded_both
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.ui.panels.actions.checks import ChecksPanel, check_rows

SAID = worded("something is so")
RATED = Contract(
    contract_id="rated",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8000,
    rate_usd_per_gpu_hour=Decimal("2.75"),
    start_s=0,
    end_s=9,
)
UNRATED = Contract(
    contract_id="unrated",
    cluster="c",
    gpu_model="H100",
    milli_gpus=8000,
    rate_usd_per_gpu_hour=None,
    start_s=0,
    end_s=9,
)
CHECKS = (
    Check(code="contention", severity="red", subject="atlas", message=SAID),
    Check(code="below_40", severity="amber", subject="rated", message=SAID),
    Check(code="cluster_without_contract", severity="amber", subject="borealis", message=SAID),
    Check(code="gpu_model_unstated", severity="info", subject="atlas", message=SAID),
    Check(code="quote_needed", severity="info", subject="unrated", message=SAID),
    Check(code="quote_needed", severity="info", subject="an-offer", message=SAID),
    Check(code="short_log", severity="info", subject="log", message=SAID),
)


def test_what_is_missing_comes_first_and_the_rest_by_severity() -> None:
    rows = check_rows(CHECKS, {}, (RATED, UNRATED))
    headings = [str(row.title) for row in rows if row.is_heading]
    assert headings == ["Missing 3", "Errors 1", "Warnings 1", "Info 2"]
    assert [row.key for row in rows if not row.is_heading][:3] == ["borealis", "atlas", "unrated"]
    assert sorted(row.key for row in rows if not row.is_heading) == sorted(str(one.subject) for one in CHECKS)


def test_a_check_of_a_plan_names_no_option_where_the_window_has_a_control() -> None:
    ask = worded_both("Say so: {same}", "Match names", same="--same 'cluster:a=b c'")
    checks = (
        Check(
            code="idle_beside_orders",
            severity="amber",
            subject="H100",
            message=worded("36 GPUs stand idle. {ask}", ask=ask),
        ),
    )
    (note,) = [str(row.note) for row in check_rows(checks, {}, ()) if not row.is_heading]
    assert note.startswith("36 GPUs ") and note.endswith(". Match names.")
    assert "--same" not in note and "Say so" not in note


def test_names_that_do_not_match_come_before_all_that_hangs_on_them() -> None:
    rows = check_rows(
        (
            Check(code="gpu_model_unpriced", severity="red", subject="Frob", message=SAID),
            *CHECKS,
            Check(code="models_unmatched", severity="amber", subject="names", message=SAID),
        ),
        {},
        (RATED, UNRATED),
    )
    assert [row.key for row in rows if not row.is_heading][:5] == [
        "names",
        "borealis",
        "atlas",
        "Frob",
        "unrated",
    ]


def test_a_rate_that_was_said_is_no_longer_missing_and_still_opens_its_editor() -> None:
    rows = check_rows(
        (Check(code="rate_said", severity="info", subject="unrated", message=SAID),), {}, (UNRATED,)
    )
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
    _, row = check_rows((Check(code=code, severity="info", subject="unrated", message=SAID),), {}, (UNRATED,))
    with qtbot.waitSignal(getattr(panel, signal), timeout=1000):
        panel.open_subject(row.kind, row.key)
    assert row.tip


def test_contracts_that_name_no_cluster_open_the_names_and_a_cluster_without_jobs_the_import() -> None:
    """A file was asked for, where Match names has the row that says which cluster it is."""
    for cluster, kind in (("", "names"), ("wien", "import")):
        (_, row) = check_rows(
            (Check(code="cluster_without_log", severity="amber", subject=cluster, message=SAID),),
            {},
            (RATED,),
        )
        assert row.kind == kind


def test_checks_that_say_the_same_are_one_with_their_number() -> None:
    equal = [
        Check(code="quote_needed", severity="info", subject=f"offer-{number}", message=SAID)
        for number in range(11)
    ]
    (_, row) = check_rows((*equal,), {}, ())
    assert str(row.title).endswith(": 11") and str(row.note).startswith("offer-0, offer-1, ")
    paid = [
        Check(code="below_40", severity="amber", subject=name, message=SAID, usd_per_month=5.0)
        for name in "ab"
    ]
    assert [row.amount for row in check_rows((*paid,), {}, ())[1:]] == ["5", "5"]


def test_under_a_heading_of_dollars_every_row_has_an_amount_or_a_dash() -> None:
    checks = (
        Check(code="below_40", severity="amber", subject="a", message=SAID, usd_per_month=5.0),
        Check(code="short_log", severity="amber", subject="log", message=SAID),
    )
    heading, *rows = check_rows(checks, {}, ())
    assert heading.amount == "$ per month" and [row.amount for row in rows] == ["5", "\u2014"]
