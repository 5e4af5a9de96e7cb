"""Files of planned work: hours of the week in words, dates, lengths, and what is refused."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.edits.money import counted_in, with_exchange
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import ALWAYS, PlannedWork
from gpuplanner.domain.model.project import BusinessFigure, Limit, Project
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.budgets import BUDGETS
from gpuplanner.files.lists.business_figures import BUSINESS
from gpuplanner.files.lists.class_rules import RULES, rules_text, write_rules
from gpuplanner.files.lists.planned_work import hours_of, hours_text, import_planned
from gpuplanner.files.lists.scheduler_limits import LIMITS
from gpuplanner.files.system.resources import resource_path
from gpuplanner.files.tables.small_table import TablesRead

# --- Files of planned work: hours of the week in words, dates, lengths, and what is refused ------

HEADER = "name,pool,gpu_model,gpus,begins,ends,hours,length_hours,latest_finish,cluster,team\n"


def read(
    folder: Path, *lines: str, timezone: str | None = None
) -> tuple[tuple[PlannedWork, ...], dict[str, int]]:
    path = folder / "planned.csv"
    path.write_text(HEADER + "\n".join(lines) + "\n", "utf-8")
    found = import_planned([str(path)], timezone)
    (file,) = found.intake
    assert file.kind == "planned" and file.rows_read == len(lines)
    assert file.rows_read == file.rows_accepted + file.rows_rejected + file.rows_duplicate
    return found.works, {issue.code: issue.count for issue in file.issues}


def test_every_column(tmp_path: Path) -> None:
    works, issues = read(
        tmp_path,
        "next-model,Training,H100,64,2026-12-01,2027-03-01T06:00:00Z,,,,atlas,research",
        "chat-eu,inference,H200,12.5,,,mon-fri 08-20,,,,",
        "fit,burst,H100,16,2026-10-15T00:00:00,,,500,2026-11-20,,lab",
    )
    by_name = {work.name: work for work in works}
    assert issues == {} and [work.key for work in works] == sorted(work.key for work in works)
    model, chat, fit = (by_name[name] for name in ("next-model", "chat-eu", "fit"))
    assert (model.key, model.pool, model.gpus) == ("atlas/research/next-model", Pool.TRAINING, 64.0)
    assert (model.begins_s, model.ends_s, model.hours) == (1796083200, 1803880800, ALWAYS)
    assert (chat.key, chat.begins_s, chat.ends_s, len(chat.hours)) == ("//chat-eu", None, None, 60)
    assert fit.spell(0).ends_s == 1792022400 + 500 * 3600 and fit.latest_finish_s == 1795132800


def test_times_without_a_zone_are_of_the_zone_asked_for(tmp_path: Path) -> None:
    (work,), _ = read(tmp_path, "a,burst,H100,1,2026-12-01,,,,,,", timezone="Europe/Oslo")
    assert work.begins_s == 1796083200 - 3600


def test_what_cannot_be_read_is_rejected_and_said(tmp_path: Path) -> None:
    works, issues = read(
        tmp_path,
        "a,burst,H100,1,,,,,,,",
        "a,burst,H100,2,,,,,,,",
        "a,Burst,H100,1.0,,,always,,,,",
        "b,serving,H100,1,,,,,,,",
        "c,burst,H100,none,,,,,,,",
        "d,burst,H100,1,2026-12-01,2026-11-01,,,,,",
        "e,burst,H100,1,,,weekdays,,,,",
        "f,burst,H100,1,,,always,40,,,",
        "g,burst,H100,0,,,,,,,",
        "h,burst,H100,1,soon,,,,,,",
        "i,burst,H100,,,,,,,,",
        "j,burst,H100,1,2026-12-01,2026-12-09,,40,,,",
        "k,burst,H100,1,,unknown,,,,,",
    )
    assert [(work.name, work.gpus) for work in works] == [("a", 1.0)]
    assert issues == {
        "name_taken": 1, "unknown_value": 1, "bad_number": 5, "end_before_start": 1, "bad_time": 2, "missing_column": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("column", "text", "code", "remedy"),
    [
        *(("length_hours", text, "bad_number", "write whole hours") for text in ("100.5", "abc", "-5", "0.5", "0")),
        ("gpus", "1e9", "bad_number", "write a number over 0"),
        ("gpus", "nan", "bad_number", "write a number over 0"),
        ("hours", "mon 20-08", "bad_number", "write always, mon-fri 08-20"),
        ("latest_finish", "2026-13-01", "bad_time", "use ISO 8601 times, such as 2026-01-31T05:00:00Z"),
        ("pool", "foo", "unknown_value", "write training, inference or burst"),
    ],
)  # fmt: skip
def test_a_rejected_row_names_its_column_its_value_and_what_to_write(
    tmp_path: Path, column: str, text: str, code: str, remedy: str
) -> None:
    row = {"name": "a", "pool": "burst", "gpu_model": "H100", "gpus": "1", column: text}
    path = tmp_path / "planned.csv"
    path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n", "utf-8")
    found = import_planned([str(path)])
    (file,) = found.intake
    (rejected,), (issue,) = file.rejected, file.issues
    assert found.works == () and (rejected.code, issue.code, issue.count) == (code, code, 1)
    for message in (rejected.message, issue.message):
        assert f"{column} is {text!r}" in str(message) and remedy in str(message)


def test_columns_that_are_not_known_are_said(tmp_path: Path) -> None:
    path = tmp_path / "planned.csv"
    path.write_text("\nname,pool,gpu_model,gpus,begins,colour\na,burst,H100,1,,red\n", "utf-8")
    assert recognise(str(path)).kind == "planned"
    for file in (*check_file(str(path)), *import_planned([str(path)]).intake):
        (issue,) = file.issues
        assert (issue.code, issue.count, issue.first_row) == ("unknown_column", 1, 2)
        assert (
            "colour" in str(issue.message) and "begins" not in str(issue.message) and file.rows_accepted == 1
        )


def planned_of(tmp_path: Path, **cells: str) -> tuple[list[tuple[int | None, int | None]], dict[str, int]]:
    """Length and distance of the starts of one row of planned work, and issues by code."""
    row = {"name": "a", "pool": "burst", "gpu_model": "H100", "gpus": "1", **cells}
    path = tmp_path / "planned.csv"
    path.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n", "utf-8")
    found = import_planned([str(path)])
    (file,) = found.intake
    return [(one.length_hours, one.every_hours) for one in found.works], {
        one.code: one.count for one in file.issues
    }


def test_a_run_that_starts_again_needs_a_length_that_fits_between(tmp_path: Path) -> None:
    weekly = {"length_hours": "40", "every_hours": "168"}
    assert planned_of(tmp_path, **weekly, ends="2026-12-01") == ([(40, 168)], {})
    assert planned_of(tmp_path, length_hours="40", every_hours="40") == ([(40, 40)], {})
    for wrong in (
        {"every_hours": "168"},
        {**weekly, "every_hours": "39"},
        {**weekly, "every_hours": "168.5"},
        {**weekly, "every_hours": "0"},
        {**weekly, "hours": "mon 00-24"},
        {**weekly, "latest_finish": "2026-12-01"},
    ):
        assert planned_of(tmp_path, **wrong) == ([], {"bad_number": 1}), wrong


def test_cells_beyond_the_last_column_are_of_no_column(tmp_path: Path) -> None:
    works, issues = read(tmp_path, "a,burst,H100,1,,,sat,sun 00-24,,,,", "b,burst,H100,1,,,,,,,,x")
    assert works == () and issues == {"bad_number": 1, "long_row": 1}


@pytest.mark.parametrize(
    ("text", "count", "first"),
    [
        ("always", 168, 0),
        ("mon-fri 08-20", 60, 8),
        ("sat,sun 00-24", 48, 120),
        ("Fri-Mon 22-24", 8, 22),
        ("wed 0-1", 1, 48),
    ],
)
def test_hours_of_the_week(text: str, count: int, first: int) -> None:
    assert (len(hours_of(text)), hours_of(text)[0]) == (count, first)


@pytest.mark.parametrize("text", ["mon", "mon 20-08", "mon 08-25", "mo-fr 08-20", "08-20", "mon 08-20 utc"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(PlannerError):
        hours_of(text)


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("job_id,gpus\n1,2\n", "utf-8")
    read = import_planned([str(path)])
    assert read.works == () and [fault.code for fault in read.refused] == ["missing_column"]
    assert [(file.kind, file.rows_read) for file in read.intake] == [("planned", 0)]


@pytest.mark.parametrize("header", ["name,pool,gpu_model,gpus", HEADER.strip()])
def test_a_file_is_known_by_its_columns_and_described(tmp_path: Path, header: str) -> None:
    path = tmp_path / "any.csv"
    path.write_text(f"{header}\na,burst,H100,4\nb,burst,H200,8\na,burst,H100,4\nc,other,H100,1\n", "utf-8")
    assert recognise(str(path)).kind == "planned"
    (file,) = check_file(str(path))
    assert (file.kind, file.rows_read, file.rows_accepted, file.rows_duplicate, file.rows_rejected) == (
        "planned", 4, 2, 1, 1,
    )  # fmt: skip
    assert dict(file.facts) == {"workloads": 2, "gpus": 12.0, "gpu_models": ["H100", "H200"]}


def test_work_of_two_files_is_counted_once(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for path in paths:
        path.write_text(f"{HEADER}a,burst,H100,1,,,,,,,\n", "utf-8")
    read = import_planned([str(path) for path in paths])
    assert len(read.works) == 1
    assert [(file.rows_accepted, file.rows_duplicate) for file in read.intake] == [(1, 0), (0, 1)]


def test_work_of_two_files_that_differs_is_not_lost_in_silence(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.csv", "b.csv")]
    for gpus, path in enumerate(paths, 1):
        path.write_text(f"{HEADER}a,burst,H100,{gpus},,,,,,,\n", "utf-8")
    read = import_planned([str(path) for path in paths])
    assert [work.gpus for work in read.works] == [1.0]
    assert [(file.rows_accepted, file.rows_rejected) for file in read.intake] == [(1, 0), (0, 1)]
    assert [issue.code for issue in read.intake[1].issues] == ["name_taken"]


@pytest.mark.parametrize(
    "text", ["always", "mon-fri 08-20", "sat,sun 00-24", "wed 00-01", "mon,wed,fri 09-17"]
)
def test_hours_are_written_as_they_are_read(text: str) -> None:
    assert hours_text(hours_of(text)) == text and hours_text((0, 30)) == ""


# --- Files of budgets: what is read, what is refused, and that they stay with a project ----------

LINES = ("vision,60000", "speech,1200.5", "vision,5", "hr,", "ops,-1", ",7", "free,0")


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "budgets.csv"
    made.write_text("Team,usd_per_month\n" + "\n".join(LINES) + "\n", "utf-8")
    return str(made)


def test_the_first_of_a_team_counts_and_what_is_no_budget_is_rejected(path):
    read = BUDGETS.read_files([path])
    assert dict(read.values) == {"vision": 60_000, "speech": 1_200.5, "free": 0}
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (7, 3, 3, 1)
    assert {issue.code: issue.count for issue in file.issues if "duplicate" not in issue.code} == {
        "missing_column": 2,
        "bad_number": 1,
    }


def test_a_file_is_known_by_its_columns(path):
    assert recognise(path).kind == "budgets"
    (file,) = check_file(path)
    assert (file.kind, dict(file.facts)) == ("budgets", {"teams": 3, "usd_per_month": 61_200.5})


def test_a_file_without_its_columns_is_refused(tmp_path):
    made = tmp_path / "budgets.csv"
    made.write_text("team,amount\nvision,5\n", "utf-8")
    read = BUDGETS.read_files([str(made)])
    assert not read.values and [fault.code for fault in read.refused] == ["missing_column"]


def test_budgets_of_a_project():
    nothing = Project(window=Window(0, 1), cube=empty_cube(1))
    given = edits.money.add_budgets(nothing, {"vision": 60_000.0, " hr ": 5})
    assert dict(given.budgets) == {"hr": 5.0, "vision": 60_000.0}
    assert edits.money.add_budgets(given, {"hr": 5}) is given
    assert dict(edits.money.set_budget(given, "hr", None).budgets) == {"vision": 60_000.0}
    assert edits.money.set_budget(given, "nobody else", None) is given
    for team, usd in (("", 1.0), ("a", -1.0), ("a", float("nan")), ("a", 1e13), ("a" * 201, 1.0)):
        with pytest.raises(PlannerError):
            edits.money.set_budget(given, team, usd)


def test_budgets_stand_in_the_money_of_the_project():
    project = edits.money.set_budget(Project(window=Window(0, 1), cube=empty_cube(1)), "hr", 540.0)
    with pytest.raises(PlannerError):
        edits.money.report_in(project, "EUR")
    rated = with_exchange(project, [ExchangeRate("EUR", Decimal("1.08"), "2026-10-01")])
    assert dict(counted_in(rated, "EUR").budgets) == {"hr": pytest.approx(500)}
    assert dict(counted_in(replace(project), "SEK").budgets) == {"hr": None}


def test_an_amount_is_read_as_it_is_typed(tmp_path):
    made = tmp_path / "budgets.csv"
    made.write_text('team,usd_per_month\na,"20,000"\nb,"$1,200.50"\nc,20k\nd,20 EUR\ne,5%\n', "utf-8")
    read = BUDGETS.read_files([str(made)])
    assert dict(read.values) == {"a": 20_000, "b": 1_200.5, "c": 20_000}
    assert read.intake[0].rows_rejected == 2


# --- Files of limits: what is read, and what is refused with its place, fault and remedy


def test_limits_are_read_and_bad_rows_say_where_what_and_what_to_do(tmp_path):
    made = tmp_path / "limits.csv"
    rows = ("ann,,,,,4,", ",ml,,,H100,64,2", ",ml,,,,,3", "*,,normal,gpu,,0,", "ann,,,,,8,", "bob,,,,,lots,",
            "bob,,,,,-1,", ",ml,high,,,,0", ",,,,H100,4,", "bob,,,,,,")  # fmt: skip
    made.write_text(
        "user,account,qos,partition,gpu_model,max_gpus,shares\n" + "\n".join(rows) + "\n", "utf-8"
    )
    assert recognise(str(made)).kind == "limits"
    read = LIMITS.read_files([str(made)])
    assert tuple(read.values) == (
        Limit(user="ann", max_gpus=4),
        Limit(account="ml", gpu_model="H100", max_gpus=64, shares=2),
        Limit(account="ml", shares=3),
        Limit(user="*", qos="normal", partition="gpu", max_gpus=0),
    )
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (10, 4, 5, 1)
    said = {row.row: str(row.message) for row in file.rejected}
    assert [*said] == [7, 8, 9, 10, 11]
    assert "max_gpus is 'lots'" in said[7] and "write a number" in said[7]
    assert "max_gpus is '-1'" in said[8] and "shares is '0'" in said[9]
    assert "user, account, qos, partition" in said[10] and "max_gpus, shares" in said[11]


@pytest.mark.parametrize("row", [",*,,,,,9", ",,q,,,,9", ",ml,,batch,,,9"])
def test_shares_are_of_one_user_or_one_account(tmp_path, row):
    made = tmp_path / "limits.csv"
    made.write_text(f"user,account,qos,partition,gpu_model,max_gpus,shares\n,ml,,,,4,\n{row}\n", "utf-8")
    (file,) = LIMITS.read_files([str(made)]).intake
    assert (file.rows_accepted, file.rows_rejected) == (1, 1)


def test_a_table_without_a_number_is_no_file_of_limits(tmp_path):
    made = tmp_path / "limits.csv"
    made.write_text("user,gpus\nann,4\n", "utf-8")
    read = LIMITS.read_files([str(made)])
    assert not read.values and [fault.code for fault in read.refused] == ["missing_column"]


# --- Files of business figures: what is read, what is refused, and that they are known by their columns

BUSINESS_LIST_LINES = (
    "2026-08,orders,1000",
    "2026-08-15,orders,5",
    "2026-09-01,orders,1100.5",
    "soon,orders,1",
    "2026-09,users,0",
    "2026-09,,7",
)


def test_rows_of_a_file(tmp_path):
    path = tmp_path / "business.csv"
    path.write_text("Month,figure,Value\n" + "\n".join(BUSINESS_LIST_LINES) + "\n", "utf-8")
    read = BUSINESS.read_files([str(path)])
    assert read.values == (
        BusinessFigure("orders", "2026-08", 1000.0),
        BusinessFigure("orders", "2026-09", 1100.5),
    )
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (6, 2, 3, 1)
    assert recognise(str(path)).kind == "business"
    (checked,) = check_file(str(path))
    assert (checked.kind, dict(checked.facts)) == ("business", {"figures": 1, "months": 2})
    path.write_text("month,name,count\n2026-08,orders,5\n", "utf-8")
    assert [fault.code for fault in BUSINESS.read_files([str(path)]).refused] == ["missing_column"]


# --- Class rules as CSV: what is written is read back, every bad row is said, no cell is a formula

ROLLOUTS = ClassRule(
    rule_id="burst-rollout",
    field="name",
    pattern="rollouts?",
    pool=Pool.BURST,
    subtype="rollouts",
    confidence=0.97,
    reason="",
)


def read_of_rules_file(tmp_path: Path, text: str) -> TablesRead[ClassRule]:
    path = tmp_path / "rules.csv"
    path.write_text(text, encoding="utf-8")
    return RULES.read_files([str(path)])


def test_only_field_pattern_and_pool_are_needed_in_any_order_and_case(tmp_path: Path) -> None:
    (rule,) = read_of_rules_file(tmp_path, "\ufeffPool;Pattern;Field\nBurst;Rollouts?;Name\n").values
    assert rule == ClassRule(
        rule_id="burst-Rollout",
        field="name",
        pattern="Rollouts?",
        pool=Pool.BURST,
        subtype="",
        confidence=0.97,
        reason="",
    )


def test_every_row_has_one_end_and_every_bad_one_is_said_with_its_number_and_remedy(tmp_path: Path) -> None:
    made = read_of_rules_file(
        tmp_path,
        "rule_id,field,pattern,pool,subtype,confidence,reason\n"
        "a,name,rollouts?,burst,,0.5,\n"
        "b,name,.*,burst,,,\n"
        "\n"
        "c,cluster,x,burst,,,\n"
        "d,name,sft,fast,,,\n"
        "e,name,,burst,,,\n"
        "a,name,other,burst,,,\n"
        "f,owner,ann,training,,much,\n"
        f"g,name,word,training,{'x' * 300},,\n",
    )
    assert [(rule.rule_id, rule.confidence) for rule in made.values] == [("a", 0.95), ("f", 0.97)]
    (file,) = made.intake
    assert (file.kind, file.format) == ("rules", "class_rules")
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (8, 2, 5, 1)
    said = {row.row: (row.code, row.message) for row in file.rejected}
    assert {row: code for row, (code, _) in said.items()} == {
        3: "bad_pattern",
        5: "bad_rule",
        6: "bad_rule",
        7: "missing_column",
        10: "bad_rule",
    }
    assert "position 1" in str(said[3][1])
    assert "leave it out" in str(said[3][1])
    assert "name, queue, owner" in str(said[5][1])
    assert {issue.code: issue.count for issue in file.issues} == {
        "bad_number": 1,
        "bad_pattern": 1,
        "bad_rule": 3,
        "missing_column": 1,
    }


def test_a_file_without_the_columns_is_refused_and_the_others_are_read(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    write_rules([ROLLOUTS], good)
    bad.write_text("name,class\nx,burst\n", encoding="utf-8")
    made = RULES.read_files([str(bad), str(good)])
    assert made.values == (ROLLOUTS,)
    assert [refused.code for refused in made.refused] == ["missing_column"]
    assert [file.rows_accepted for file in made.intake] == [0, 1]
    with pytest.raises(PlannerError, match="file_missing"):
        RULES.read_files([str(tmp_path / "none.csv")])


def test_of_one_id_in_two_files_the_first_is_kept(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.csv", "two.csv")]
    write_rules([ROLLOUTS], paths[0])
    write_rules(
        [
            ClassRule(
                rule_id="burst-rollout",
                field="name",
                pattern="other",
                pool=Pool.TRAINING,
                subtype="",
                confidence=0.97,
                reason="",
            )
        ],
        paths[1],
    )
    assert RULES.read_files([str(path) for path in paths]).values == (ROLLOUTS,)


@pytest.mark.long
def test_a_file_of_rules_is_known_by_its_columns(tmp_path: Path) -> None:
    write_rules([ROLLOUTS], tmp_path / "shared.csv")
    found = recognise(str(tmp_path / "shared.csv"))
    assert (found.kind, found.format) == ("rules", "class_rules")
    assert recognise(str(resource_path("class_rules.csv"))).kind == "rules"
    made = RULES.read_files([str(resource_path("class_rules.csv"))])
    assert made.intake[0].rows_rejected == 0
    assert all(rule.confidence >= 0.95 for rule in made.values)


def test_no_cell_begins_a_formula() -> None:
    evil = ClassRule(
        rule_id="=cmd|' /C calc'!A0",
        field="name",
        pattern="+rollout",
        pool=Pool.BURST,
        subtype="@x",
        confidence=0.97,
        reason=" =1+1",
    )
    cells = rules_text([evil]).splitlines()[1].split(",")
    assert [cell[0] for cell in (cells[0], cells[2], cells[4], cells[6])] == ["'"] * 4


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)


@given(
    st.lists(
        st.builds(
            ClassRule,
            rule_id=WORDS,
            field=st.sampled_from(("name", "queue", "owner")),
            pattern=st.sampled_from(("rollouts?", "tokeni[sz]e|eval", "agent roll*", "-rollout", "=sum")),
            pool=st.sampled_from(POOLS),
            subtype=WORDS,
            confidence=st.sampled_from((0.95, 0.97, 1.0)),
            reason=WORDS,
        ),
        max_size=5,
        unique_by=lambda rule: rule.rule_id,
    )
)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rules: list[ClassRule]
) -> None:
    path = tmp_path_factory.mktemp("rules") / "rules.csv"
    write_rules(rules, path)
    assert RULES.read_files([str(path)]).values == tuple(rules)


def test_a_file_that_cannot_be_written_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(PlannerError, match="file_unreadable"):
        write_rules([ROLLOUTS], tmp_path / "no folder" / "rules.csv")
    (tmp_path / "taken").mkdir()
    with pytest.raises(PlannerError):
        write_rules([ROLLOUTS], tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
