"""sinfo as it is pasted: columns in any order, with what is used, without a header, two models in a node."""

from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_contracts
from tests.files.lists.test_node_lists import capacity_by_model

USED_FIRST = """HOSTNAMES GRES_USED GRES STATE
gn01 gpu:h100:3(IDX:0-2) gpu:h100:8 mixed
gn02 gpu:h100:0(IDX:N/A) gpu:h100:8 idle
c1 (null) (null) idle
"""


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (USED_FIRST, {"h100": 16}),
        (USED_FIRST.partition("\n")[2], {"h100": 16}),
        # 4 x 8 and 2 x 4; the used ones come last and are none of what there is
        (
            "gn[01-04] gpu:h100:8(S:0-1) gpu:h100:3(IDX:0-2) mix\ngn05,gn06 gpu:a100:4 gpu:a100:0(IDX:N/A) idle\n",
            None,
        ),
        ("gn01|gpu:h100:8|idle*\ngn02|gpu:h100:8|alloc\n", {"h100": 16}),
        ("NODELIST GRES\ngn01 gpu:a100:4,gpu:v100:2\ngn02 gpu:a100:4\n", {"a100": 8, "v100": 2}),
        ("NODELIST GRES\ngn01,gn02 gpu:a100:4\n", {"a100": 8}),
    ],
)
def test_sinfo_in_any_order(tmp_path: Path, text: str, held: dict[str | None, float] | None) -> None:
    assert capacity_by_model(tmp_path, text) == (held or {"h100": 32, "a100": 8})


def test_a_column_of_clusters_is_theirs(tmp_path: Path) -> None:
    path = tmp_path / "nodes.txt"
    path.write_text(
        "CLUSTER PARTITION NODELIST GRES\nhydra h100 hyd-n[01-02] gpu:h100:8\nlerna a100 ler-n01 gpu:a100:8\n"
    )
    held = {one.cluster: one.gpus for one in import_contracts([str(path)]).contracts}
    assert held == {"hydra": 16, "lerna": 8}


def test_two_models_of_one_node_are_two_lines_and_one_node(tmp_path: Path) -> None:
    text = "NodeName=g1\n   Gres=gpu:a100:4,gpu:v100:2\n   CfgTRES=cpu=64,gres/gpu=6,gres/gpu:a100=4,gres/gpu:v100=2\n"
    assert capacity_by_model(tmp_path, text) == {"a100": 4, "v100": 2}
    (file,) = check_file(str(tmp_path / "inventory.txt"))
    facts = dict(file.facts)
    assert (facts["nodes"], facts["gpus"], facts["nodes_by_gpus"]) == (1, 6, {"6": 1})


def test_a_type_that_no_table_knows_keeps_its_name_and_is_asked_about(tmp_path: Path) -> None:
    assert capacity_by_model(tmp_path, "NODELIST GRES\ngn01 gpu:zorro:4\n") == {"zorro": 4}
    (file,) = check_file(str(tmp_path / "inventory.txt"))
    (said,) = (str(issue.message) for issue in file.issues if issue.code == "undecided")
    assert "--same model:zorro=zorro" in said


def test_columns_that_were_cut_off_say_how_to_print_them(tmp_path: Path) -> None:
    text = "HOSTNAMES           GRES                STATE\ngn01                gpu:nvidia_h100_80g5idle\n"
    assert capacity_by_model(tmp_path, text) == {}
    (file,) = check_file(str(tmp_path / "inventory.txt"))
    assert "Gres:80" in str(next(issue.message for issue in file.issues if issue.code == "missing_column"))


def test_a_queue_of_jobs_is_no_list_of_nodes(tmp_path: Path) -> None:
    path = tmp_path / "queue.txt"
    path.write_text("101 gpu:8 ann RUNNING gn01\n102 gpu:1 bob RUNNING gn02\n", encoding="utf-8")
    (file,) = check_file(str(path))
    assert file.kind != "nodes"


def test_sinfo_saved_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "sinfo.csv"
    path.write_text(
        'NODELIST,GRES,STATE\ngpu[01-02],gpu:h100:8(S:0-1),idle\ng3,"gpu:a100:4,gpu:v100:2",down*\n'
    )
    (file,) = check_file(str(path))
    facts = dict(file.facts)
    assert (file.format, facts["nodes"], facts["gpus_by_model"]) == (
        "sinfo",
        3,
        {"a100": 4, "h100": 16, "v100": 2},
    )


def test_of_two_columns_of_gres_the_smaller_is_what_is_used(tmp_path: Path) -> None:
    lines = ("mix|100|g1|b*|gpu:a100:8|gpu:a100:3", "idle|100|g2|b*|gpu:a100:8|gpu:a100:0", "idle|9|c1|b*||")
    swapped = ["|".join((*line.split("|")[:4], *line.split("|")[:3:-1])) for line in lines]
    for text in ("\n".join(lines), "\n".join(swapped)):
        assert capacity_by_model(tmp_path, f"{text}\n") == {"a100": 16}


def test_of_two_columns_of_states_the_first_counts(tmp_path: Path) -> None:
    """StateLong before StateCompact: a node that is not there yet has no GPUs."""
    text = "g1|FUTURE|futr|gpu:h100:8\ng2|idle|idle|gpu:h100:4\n"
    assert capacity_by_model(tmp_path, text) == {"h100": 4}
