"""Class rules as CSV: what is written is read back, every bad row is reported, no cell is a formula."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import POOLS, ClassRule, Pool
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.class_rules import RULES, rules_text, write_rules
from gpuplanner.files.system.resources import resource_path
from gpuplanner.files.tables.small_table import TablesRead

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
