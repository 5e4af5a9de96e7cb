"""What a command prints: the answer within 45 lines and 100 columns, further tables by name, errors alone on stderr."""

import argparse
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpuplanner.cli import terminal
from gpuplanner.cli.arguments import COMMANDS, UsageError
from gpuplanner.cli.plan_tables import plan_text
from gpuplanner.cli.run import run
from gpuplanner.cli.terminal import LAYOUT, Answer, FileNote, Layout, Note, table
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import rows_of
from gpuplanner.lazy_dataclass import replace
from tests.golden.projects import PROJECTS, GoldenProject, saved

NOW_S = 1_790_856_000
LONG = "a-workload-with-a-name-that-is-longer-than-any-column-of-a-terminal-is-wide-by-a-good-deal"


@pytest.fixture
def narrow():
    """A terminal of 60 columns."""
    token = LAYOUT.set(Layout(60))
    yield
    LAYOUT.reset(token)


def words(**named: object) -> argparse.Namespace:
    return argparse.Namespace(**{"command": "audit", "show": None, "top": None, "wide": False} | named)


def rows_table(title: str, count: int = 60) -> str:
    rows = [(f"{title}-{at}", at) for at in range(count)][: LAYOUT.get().top]
    return f"\n{title}\n{table(('Name', 'GPUs'), rows)}"


ANSWER = Answer(
    document={
        "checks": [
            {"code": "below_40", "severity": "amber", "subject": "atlas", "message": "under 40% used"},
            {"code": "unserved", "severity": "red", "subject": "H200", "message": "9 GPUs are unserved"},
        ]
    },
    text=lambda: "Spend 1",
    error_lines=(
        Note("jobs.csv:5: bad_time: no time", "1 rejected as bad_time"),
        "jobs.csv: file_missing: gone",
    ),
    tables=(
        ("clusters", lambda: rows_table("Clusters")),
        ("leaks", lambda: rows_table("Leaks")),
        ("contracts", lambda: rows_table("Contracts")),
        ("heatmap", lambda: rows_table("Heatmap")),
    ),
)


def test_texts_stand_at_the_left_and_numbers_at_the_right() -> None:
    lines = table(("Name", "GPUs", "Why"), [("a", 12, "new"), ("bb", 3, "x")]).splitlines()
    assert lines == ["  Name  GPUs  Why", "  a       12  new", "  bb       3  x"]


def test_texts_are_shortened_and_numbers_never(narrow: None) -> None:
    head, row = table(("Name", "$ per month"), [(LONG, "1,234,567,890,123")]).splitlines()
    assert len(row) == 60 and row.endswith("1,234,567,890,123") and "\u2026" in row
    assert head.endswith("$ per month")


def test_headings_have_lines_where_the_table_is_too_wide(narrow: None) -> None:
    headings = ("Name", "Stranded spend of the audit, $ per month", "Stranded spend as metered, $ per month")
    lines = table(headings, [("a", "1", "2")]).splitlines()
    assert max(map(len, lines)) <= 60 and len(lines) > 2


def test_a_table_without_room_has_parts_below_each_other(narrow: None) -> None:
    """Twelve figures of ten digits: 12 x 12 + 6 of the name are three parts of four columns at 60."""
    headings = ["Name", *(f"Figure{at}" for at in range(12))]
    text = table(headings, [["atlas", *(10**9 + at for at in range(12))]])
    assert max(map(len, text.splitlines())) <= 60
    assert text.count("atlas") == text.count("Name") == 3
    assert [word for word in text.split() if word.isdigit()] == [str(10**9 + at) for at in range(12)]


def test_a_summary_leaves_out_the_last_columns_that_have_no_room() -> None:
    token = LAYOUT.set(Layout(60, None, True))
    text = table([f"Figure{at}" for at in range(12)], [[10**9 + at for at in range(12)]])
    LAYOUT.reset(token)
    assert "Figure0" in text and "Figure11" not in text and max(map(len, text.splitlines())) <= 60
    shown_columns = text.splitlines()[0].count("Figure")
    assert text.splitlines()[-1] == f"  and {12 - shown_columns} more columns: --wide"


def test_the_summary_has_the_answer_warnings_and_the_way_to_the_rest() -> None:
    text = terminal.terminal_text(ANSWER, words(), ())
    lines = text.splitlines()
    assert len(lines) <= 45 and max(map(len, lines)) <= 100
    assert lines[0] == "Spend 1" and lines.index("Clusters") < lines.index("Contracts")
    counted = "! 1 error, 1 warning: 1 \u00d7 under 40% used, 1 \u00d7 demand not served (--show checks)"
    assert counted in lines and "! 1 rejected as bad_time" in lines
    assert "! H200: 9 GPUs are unserved" in lines
    assert "Heatmap" not in text and "--show" in lines[-2] and "--wide" in lines[-1]
    assert "file_missing" not in text  # an error, on standard error alone


def test_notes_wrap_and_are_never_cut() -> None:
    """Five notes of 40 words: the first three have 12 of the 14 lines; the two others are counted."""
    notes = tuple(Note(" ".join(f"n{at}w{word:03}xx" for word in range(40))) for at in range(5))
    lines = terminal.terminal_text(replace(ANSWER, document={}, error_lines=notes), words(), ()).splitlines()
    assert len(lines) <= 45 and max(map(len, lines)) <= 100 and "\u2026" not in "".join(lines[:-2])
    said = " ".join(lines).split()
    assert all(f"n{at}w{word:03}xx" in said for at in range(3) for word in range(40))
    assert "n3w000xx" not in said and "  2 more: --show checks,issues" in lines


def test_a_warning_about_a_file_is_one_line_once_and_totals_come_first() -> None:
    def note(code: str, said: str) -> FileNote:
        text = f"/data/in/sheet.csv: {code}: {said}"
        return FileNote(
            text, f"sheet.csv: {said}", "/data/in/sheet.csv", code, is_first=code == "totals_disagree"
        )

    totals = f"total: {'1 ' * 60}; choose"
    check = {
        "code": "totals_disagree",
        "severity": "amber",
        "subject": "/data/in/sheet.csv",
        "message": totals,
    }
    notes = (
        note("odd_rate", f"rate $99 {'far ' * 21}; state its unit"),
        note("totals_disagree", totals),
        note("undecided", "ambiguous cells; choose"),
    )
    told = replace(ANSWER, document={"checks": [check]}, error_lines=notes)
    text = terminal.terminal_text(told, words(), ())
    warned = [line for line in text.splitlines() if line.startswith("! ")]
    assert warned == [
        f"! sheet.csv: total: {'1 ' * 60}"[:99] + "\u2026",
        "! 1 warning: 1 \u00d7 totals disagree (--show checks)",
        f"! sheet.csv: rate $99 {'far ' * 21}"[:99] + "\u2026",
        "! sheet.csv: ambiguous cells; choose",
    ]
    assert "/data/in" not in text and "  In full: --show issues" in text.splitlines()
    wide = terminal.terminal_text(told, words(wide=True), ())
    assert f"! sheet.csv: {totals}" in wide.splitlines()


def test_a_warning_without_room_leaves_out_its_remedy_first() -> None:
    brief = f"jobs.csv: 2 rows {'x' * 70}; correct them"
    notes = (FileNote("", brief, "jobs.csv", "negative_gpus"),)
    text = terminal.terminal_text(replace(ANSWER, document={}, error_lines=notes), words(), ())
    assert f"! jobs.csv: 2 rows {'x' * 70} \u2026" in text.splitlines()


def test_a_subject_is_named_once() -> None:
    check = {"code": "cluster_without_log", "severity": "red", "subject": "granite"}
    checks = [
        check | {"message": worded("{cluster} is idle", cluster="granite")},
        check | {"message": "granites idle"},
    ]
    text = terminal.terminal_text(replace(ANSWER, document={"checks": checks}, error_lines=()), words(), ())
    assert "! granite is idle" in text.splitlines()
    assert "! granite: granites idle" in text.splitlines()


def test_every_table_of_a_summary_keeps_a_few_rows() -> None:
    """A row alone is listed: its count would take the same line."""
    listed = [
        line.split()[0] for line in terminal.terminal_text(ANSWER, words(), ()).splitlines() if line.strip()
    ]
    for name in ("Clusters", "Leaks", "Contracts"):
        assert {f"{name}-{at}" for at in range(terminal.FEW_ROWS)} <= set(listed)


def listed_rows(text: str, title: str) -> int:
    return sum(line.split()[0].startswith(f"{title}-") for line in text.splitlines() if line.strip())


def test_the_clusters_keep_ten_rows_and_leaks_then_contracts_give_way() -> None:
    """45 lines less 3 below, and 3 around the rows of each table, are 33: 7 for the head and 10 + 8 + 8 rows."""
    for head, rows in (
        (7, [10, 8, 8]),
        (9, [10, 6, 8]),
        (12, [10, 3, 8]),
        (14, [10, 3, 6]),
        (19, [10, 2, 2]),
    ):
        figures = "\n".join(f"figure {at}" for at in range(head))
        text = terminal.terminal_text(
            replace(ANSWER, document={}, error_lines=(), text=figures.__str__), words(), ()
        )
        assert [listed_rows(text, name) for name in ("Clusters", "Leaks", "Contracts")] == rows
        assert len(text.splitlines()) == 45


def test_a_low_screen_leaves_other_tables_out_and_keeps_ten_clusters() -> None:
    notes = tuple(Note(f"note {at} " + "x" * 270) for at in range(4))
    tall = replace(
        ANSWER, document={}, error_lines=notes, text=lambda: "\n".join(f"figure {at}" for at in range(14))
    )
    text = terminal.terminal_text(tall, words(), ())
    assert len(text.splitlines()) <= 45 and listed_rows(text, "Clusters") == 10
    assert any(line.endswith("--show leaks,contracts") for line in text.splitlines())


def test_clusters_asked_for_with_other_tables_keep_ten_rows() -> None:
    names = ("clusters", "leaks", "contracts", "heatmap")
    text = terminal.terminal_text(ANSWER, words(show=",".join(names)), names)
    assert listed_rows(text, "Clusters") >= 10
    five = replace(ANSWER, tables=(*ANSWER.tables[:1], *(("leaks", ANSWER.tables[1][1]) for _ in range(9))))
    text = terminal.terminal_text(five, words(), ("clusters", "leaks"))
    assert listed_rows(text, "Clusters") == 10 and listed_rows(text, "Leaks") < 9 * 10
    assert listed_rows(terminal.terminal_text(five, words(top="3"), ("clusters",)), "Clusters") == 3


def test_savings_that_start_later_say_when() -> None:
    """The plan costs what doing nothing does in two months; then it saves; half a dollar is no saving."""
    usd = [(100.0, 100.0), (100.0, 100.4), (100.0, 60.0), (100.0, 50.0)]
    months = [SimpleNamespace(do_nothing_usd=nothing, plan_usd=plan) for nothing, plan in usd]
    assert plan_text.find_first_saving(SimpleNamespace(comparison=months)) == 3  # type: ignore[arg-type]
    assert plan_text.find_first_saving(SimpleNamespace(comparison=months[:2])) == 1  # type: ignore[arg-type]


def test_every_check_has_a_title_in_words() -> None:
    rows = rows_of("check_texts.csv")
    assert rows and all(row["title"] and "_" not in row["title"] for row in rows)
    assert {row["severity"] for row in rows} == set(terminal.GRADES)


def test_all_has_every_table_with_every_row() -> None:
    text = terminal.terminal_text(ANSWER, words(), ("all",))
    for title in ("Clusters", "Leaks", "Contracts", "Heatmap"):
        assert f"{title}-59" in text
    assert "jobs.csv:5: bad_time: no time" in text


def test_a_name_shows_its_table_and_top_its_first_rows() -> None:
    text = terminal.terminal_text(ANSWER, words(top="3"), ("heatmap",))
    assert "Heatmap-2" in text and "Heatmap-3" not in text and "Clusters" not in text


def test_a_name_fits_the_screen_and_all_does_not_leave_rows_out() -> None:
    assert len(terminal.terminal_text(ANSWER, words(), ("heatmap",)).splitlines()) <= terminal.LINES
    assert "Heatmap-40" in terminal.terminal_text(ANSWER, words(top="60"), ("heatmap",))


def test_a_file_behind_show_is_a_usage_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "demo.gpuplan"
    path.touch()
    with pytest.raises(UsageError, match="that is a file, not a table"):
        terminal.check_names(words(show=str(path)))


@pytest.mark.parametrize(
    ("given", "says"),
    [({"show": "heatmop"}, "Did you mean heatmap"), ({"show": "all", "top": "x"}, "--top 20")],
)
def test_what_is_no_name_and_no_number_is_a_usage_error(given: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        terminal.check_names(words(**given))


@pytest.mark.parametrize("call", [("audit", "--show"), ("audit", "--show", "list")])
def test_the_names_are_listed_without_reading_a_file(
    capsys: pytest.CaptureFixture[str], call: tuple[str]
) -> None:
    assert run(call, NOW_S) == 0
    said = capsys.readouterr()
    names = [line.split()[0] for line in said.out.splitlines()[1:]]
    assert {"clusters", "heatmap", "prices", "all"} <= set(names) and said.err == ""


def test_the_registry_has_each_name_once_and_commands_that_there_are() -> None:
    rows = rows_of("terminal_tables.csv")
    assert {row["command"] for row in rows} <= {*COMMANDS, "every"} and all(row["about"] for row in rows)
    assert max(Counter((row["command"], row["name"]) for row in rows).values()) == 1


def test_a_check_code_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("check", "--explain", "below_40"), NOW_S) == 0
    assert "under 40%" in capsys.readouterr().out
    assert run(("check", "--explain", "below_41"), NOW_S) == 2


CALLS = ("audit", "plan", "award", "place", "check", "reduce")


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS)
def test_the_demo_fits(demo_path: Path, capsys: pytest.CaptureFixture[str], call: str) -> None:
    assert run([call, str(demo_path)], NOW_S) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert len(lines) <= 45 and max(map(len, lines)) <= 100 and said.err == ""


@pytest.mark.long
@pytest.mark.parametrize("golden", PROJECTS, ids=lambda golden: golden.name)
def test_the_golden_projects_fit(
    golden: GoldenProject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines, columns, and nothing on standard error that standard output has too."""
    path = str(saved(golden, tmp_path / "given"))
    for call in CALLS:
        capsys.readouterr()
        run([call, path], NOW_S)
        said = capsys.readouterr()
        lines = said.out.splitlines()
        assert len(lines) <= 45 and max(map(len, lines), default=0) <= 100, (call, said.out)
        assert not {line for line in said.err.splitlines() if line in lines}, (call, said.err)


@pytest.mark.long
def test_all_of_a_plan_has_the_audit_too_and_every_name_is_listed(
    demo_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", str(demo_path), "--show", "all"], NOW_S) == 0
    text = capsys.readouterr().out
    for title in (
        "Clusters",
        "Leaks",
        "Hardware fit",
        "Layers",
        "Orders",
        "Cash by quarter",
        "Next decisions",
    ):
        assert title in text


def test_the_names_of_assumptions_are_listed_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "--set", "help"], NOW_S) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("lambda, delta, ") and len(lines) <= 45 and max(map(len, lines)) <= 100


def test_the_steps_of_the_quarter_fit_with_their_figures_whole(
    demo_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", str(demo_path), "--show", "quarter"], NOW_S) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    below = len(lines) - lines[::-1].index("")  # the first of the next actions
    audit, latency, *others = lines[below - 5 : below - 1]
    assert all(line[-1].isdecimal() for line in (audit, *others))
    assert not latency[-1].isdecimal()  # it has no dollars


def test_training_lists_eight_rows_at_most(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "--model", "Llama-3-8B", "--tokens", "1B", "--prices", "builtin"], NOW_S) == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(at for at, line in enumerate(lines) if "GPU model" in line)
    assert next(at for at, line in enumerate(lines) if "and " in line and "--top" in line) - head <= 10
    assert len(lines) <= 45 and max(map(len, lines)) <= 100


@pytest.mark.long
def test_the_self_test_has_a_line_a_check_within_the_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["self-test"], NOW_S) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line[:4].strip() for line in lines} == {"ok"} and max(map(len, lines)) <= 100
