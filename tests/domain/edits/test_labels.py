"""Words for Undo: each verb has its own, and names what it was done to, how much and to when."""

from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import labels
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool
from tests.domain import worlds
from tests.domain.commitment.conftest import contract
from tests.domain.edits.loaded_project import KEYS, LONG, ROLLOUTS, loaded

OF: Project = worlds.plan_project()
ONE, TWO = ("c1/team/load-000",), ("c1/team/load-000", "c2/team/load-001")
DAY_S = 1_772_323_200  # 1 March 2026
WORK = PlannedWork(name="batch", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0)
K1 = contract("K1", 4, 2.0, 6, 730)
ALIKE, OWN = Same(SameKind.MODEL, "H100 SXM", "H100"), Same(SameKind.MODEL, "en", "en")
NAMELESS = Same(SameKind.CLUSTER, "", "main")
MODEL: Any = SimpleNamespace(name="Llama")
RULE = ClassRule(
    rule_id="r", field="name", pattern="rollout", pool=Pool.BURST, subtype="", confidence=1.0, reason=""
)
RUN: Any = SimpleNamespace(called="Llama, 15T tokens")
GROUPS: tuple[tuple[Callable[..., Message], tuple[tuple[tuple[Any, ...], tuple[str, ...]], ...]], ...] = (
    (
        labels.move_label,
        (((OF, ONE, Pool.BURST), ("load-000", "burst")), ((OF, TWO, Pool.BURST), ("2", "burst"))),
    ),
    (labels.label_label, (((OF, ONE, Pool.BURST), ("load-000", "burst")), ((OF, ONE, None), ("load-000",)))),
    (labels.dates_label, (((OF, ONE), ("load-000",)), ((OF, TWO), ("2",)), ((OF, ONE, True), ("load-000",)))),
    (labels.only_label, (((OF, ONE, Only("Ada")), ("Ada", "load-000")),)),
    (
        labels.share_label,
        (((Only("Ada"), 0.4), ("40%", "Ada")), ((Only("Ada"), None), ("Ada",)), ((Only("Bo"), 1.0), ("Bo",))),
    ),
    (labels.stop_team_label, (((OF, "a"), ("a",)), ((OF, ""), ()), ((OF, "a", DAY_S), ("a", "1 Mar 2026")))),
    (
        labels.stop_label,
        (((OF, ONE, OF.plan_window.end_s), ("load-000",)), ((OF, ONE, DAY_S), ("1 Mar 2026",))),
    ),
    (labels.ends_label, (((OF, ONE, DAY_S), ("load-000", "28 Feb 2026")),)),
    (labels.begins_label, (((OF, ONE, DAY_S), ("load-000", "1 Mar 2026")),)),
    (
        labels.planned_label,
        (
            (([WORK],), ("batch",)),
            (([WORK, WORK],), ("2",)),
            (([WORK], True), ("batch",)),
            (([WORK] * 3, True), ("3",)),
        ),
    ),
    (labels.drop_planned_label, ((([WORK],), ("batch",)), (([WORK, WORK],), ("2",)))),
    (labels.demand_change_label, (((0,), ()), ((1,), ("1",)), ((2,), ("2",)))),
    (labels.price_change_label, (((0,), ()), ((1,), ("1",)), ((2,), ("2",)))),
    (
        labels.need_label,
        (
            ((OF, ONE, "memory_gb_per_gpu", 40.0), ("40 GB", "load-000")),
            ((OF, ONE, "nodes", None), ("load-000",)),
            ((OF, ONE, "bare_metal", True), ("load-000",)),
            ((OF, ONE, "bare_metal", False), ("load-000",)),
            ((OF, ONE, "interconnect", "roce"), ("roce",)),
            ((OF, ONE, "kv_cache_gb", 4.0), ("KV", "4 GB")),
        ),
    ),
    (labels.import_rules_label, (((1,), ("1",)), ((12,), ("12",)))),
    (labels.note_label, (((OF, ONE[0], "x"), ("load-000",)), ((OF, ONE[0], "  "), ("load-000",)))),
    (labels.merge_cards_label, ((("a  b", 3), ("3", "a b")),)),
    (labels.price_case_label, (((PriceCase.LOW,), ("low",)), ((PriceCase.HIGH,), ("high",)))),
    (labels.offer_label, ((("y", "max_gpus", 8), ("y", "8")), (("y", "max_gpus", None), ("y",)))),
    (labels.offers_label, tuple(((verb, "y"), ("y",)) for verb in labels.OFFER_STEPS)),
    (labels.plan_label, tuple(((verb, "P"), ("P",)) for verb in labels.PLAN_STEPS)),
    (
        labels.mapping_label,
        (
            (("A", "B", 1.6), ("A", "B", "1.6")),
            (("A", "B", 1.6, Pool.BURST), ("A (Burst)", "1.6")),
            (("A", "B", None), ("A", "B")),
            (("A", "B", None, Pool.BURST), ("A (Burst)",)),
        ),
    ),
    (
        labels.same_label,
        (
            (([ALIKE],), ("H100 SXM", "H100")),
            (([ALIKE], True), ("H100 SXM",)),
            (([OWN],), ("en",)),
            (([OWN], True), ("en",)),
            (([NAMELESS],), ("main",)),
            (([NAMELESS], True), ("main",)),
            (([ALIKE, OWN],), ("2",)),
            (([],), ("0",)),
        ),
    ),
    (labels.notice_label, ((("K1", True), ("K1",)), (("K1", False), ("K1",)))),
    (
        labels.contract_label,
        (
            ((K1, contract("K1", 4, 2.5, 6, 730)), ("K1", "$2.5")),
            ((K1, contract("K1", 5, 2.5, 7, 730)), ("K1", "rate, GPUs, end")),
            ((K1, contract("K1", 5, 2.0, 6, 730)), ("K1", "GPUs")),
        ),
    ),
    (
        labels.rate_label,
        ((("K1", Decimal(2)), ("$2",)), (("K1", None), ("K1",)), (("K1", Decimal(2), "CHF"), ("CHF",))),
    ),
    (labels.gap_label, (((True,), ()), ((False,), ()))),
    (
        labels.saving_label,
        ((("autoscale", True), ()), (("autoscale", False), ()), (("right_size", True), ())),
    ),
    (labels.greenfield_label, (((True,), ()), ((False,), ()))),
    (labels.plan_from_label, (((None,), ()), ((DAY_S,), ("1 Mar 2026",)))),
    (labels.level_label, (((12, 10), ("12", "10")), ((12, 1), ("12", "1")))),
    (
        labels.hold_label,
        (((12, 10, True), ("12", "10")), ((12, 1, True), ("12", "1")), ((12, 10, False), ("12",))),
    ),
    (
        labels.assumption_label,
        (
            (("lambda", 0.03), ("3%",)),
            (("lambda", None), ()),
            (("spot", True), ()),
            (("spot", False), ()),
            (("horizon_months", 48), ("48",)),
            (("idle_shared_by", "gpu_hours"), ("gpu_hours",)),
        ),
    ),
    (labels.budget_label, ((("a", 5.0), ("a",)), (("a", None), ("a",)))),
    (labels.budgets_label, (((1,), ("1",)), ((12,), ("12",)))),
    (labels.business_label, (((1,), ("1",)), ((12,), ("12",)))),
    (labels.run_label, (((RUN,), ("15T",)), ((RUN, True), ("15T",)))),
    (labels.reason_label, (((worded("Move x"), "why"), ("move x",)), ((worded("Move x"), ""), ("move x",)))),
    (
        labels.traffic_label,
        (((OF, ONE[0], None), ("load-000",)), ((OF, ONE[0], RUN), ("load-000",)), ((OF, "", None), ())),
    ),
    (
        labels.served_model_label,
        (((OF, ONE[0], None), ("load-000",)), ((OF, ONE[0], MODEL), ("Llama", "load-000"))),
    ),
    (labels.week_label, (((OF, ONE[0], None), ("load-000",)), ((OF, ONE[0], RUN), ("load-000",)))),
    (
        labels.sized_row_label,
        (((OF, ONE[0], "", "", 0), ("load-000",)), ((OF, ONE[0], "H100", "BF16", 4), ("4 x H100, BF16",))),
    ),
    (labels.serving_term_label, (((OF, ONE[0], 0), ("load-000",)), ((OF, ONE[0], 12), ("12 months",)))),
    (
        labels.import_label,
        (
            ((["/a/jobs.csv"],), ("jobs.csv",)),
            ((["c:\\a\\x.csv"],), ("x.csv",)),
            ((["a", "b", "c"],), ("3",)),
        ),
    ),
)
CASES = [(label, given, parts) for label, rows in GROUPS for given, parts in rows]


@pytest.mark.parametrize(("label", "given", "parts"), CASES)
def test_a_label_names_what_was_done(
    label: Callable[..., Message], given: tuple[Any, ...], parts: tuple[str, ...]
) -> None:
    text = str(label(*given))
    assert all(part in text for part in parts) and "/a/" not in text and "\\" not in text


@pytest.mark.parametrize(("label", "rows"), GROUPS)
def test_what_was_done_otherwise_is_called_otherwise(label: Callable[..., Message], rows: Any) -> None:
    assert len({str(label(*given)) for given, _ in rows}) == len(rows)


def test_a_rule_moves_up_or_down() -> None:
    texts = {places: str(labels.move_rule_label(RULE, places)) for places in (-1, 1, 2)}
    assert texts[1] == texts[2] != texts[-1] and all("rollout" in text for text in texts.values())
    assert (
        len(
            {
                str(label(RULE))
                for label in (labels.add_rule_label, labels.change_rule_label, labels.remove_rule_label)
            }
        )
        == 3
    )


@pytest.mark.parametrize(
    ("label", "given", "others", "is_alike"),
    [
        (labels.dates_label, (OF, ONE), (OF, TWO), True),
        (labels.dates_label, (OF, ONE, True), (OF, TWO, True), True),
        (labels.share_label, (Only("Ada"), None), (Only("Ada"), 1.0), True),
        (labels.share_label, (Only("Ada"), None), (Only("Ada"), 0.99), False),
        (labels.stop_label, (OF, ONE), (OF, ONE, OF.plan_window.end_s), True),
        (labels.stop_label, (OF, ONE), (OF, ONE, DAY_S), False),
        (labels.planned_label, ([WORK],), ([WORK, WORK],), False),
        (labels.planned_label, ([WORK, WORK], True), ([WORK, WORK],), True),
        (labels.mapping_label, ("A", "B", None), ("A", "B", None, Pool.BURST), True),
        (labels.same_label, ([NAMELESS],), ([ALIKE],), True),
        (labels.same_label, ([NAMELESS],), ([NAMELESS], True), False),
    ],
)
def test_words_are_alike_where_the_same_was_done(
    label: Callable[..., Message], given: Any, others: Any, *, is_alike: bool
) -> None:
    assert (label(*given).template == label(*others).template) is is_alike


@pytest.mark.parametrize(
    ("label", "given", "word"),
    [
        (labels.label_label, (OF, ONE, None), "Remove"),
        (labels.dates_label, (OF, ONE), "Set dates of"),
        (labels.dates_label, (OF, ONE, True), "Clear"),
        (labels.share_label, (Only("Ada"), None), "limit"),
        (labels.stop_team_label, (OF, ""), "without a team"),
        (labels.stop_team_label, (OF, "a"), "team a"),
        (labels.planned_label, ([WORK], True), "Change"),
        (labels.demand_change_label, (0,), "Remove"),
        (labels.price_change_label, (0,), "Remove"),
        (labels.need_label, (OF, ONE, "nodes", None), "Reset"),
        (labels.need_label, (OF, ONE, "bare_metal", True), "yes"),
        (labels.need_label, (OF, ONE, "memory_gb_per_gpu", 40.0), "memory"),
        (labels.need_label, (OF, ONE, "memory_gb_per_gpu", 2 / 3), " 0.6666666667 GB"),  # ten digits
        (labels.move_rule_label, (RULE, -1), "up"),
        (labels.move_rule_label, (RULE, 1), "down"),
        (labels.need_label, (OF, ONE, "bare_metal", False), "no"),
        (labels.note_label, (OF, ONE[0], " "), "Remove"),
        (labels.mapping_label, ("A", "B", None), "Stop"),
        (labels.same_label, ([ALIKE], True), "Stop"),
        (labels.same_label, ([OWN],), "own"),
        (labels.same_label, ([OWN], True), "Ask"),
        (labels.notice_label, ("K1", False), "not"),
        (labels.gap_label, (True,), "missing"),
        (labels.gap_label, (False,), "idle"),
        (labels.saving_label, ("autoscale", True), "Accept"),
        (labels.saving_label, ("autoscale", False), "back"),
        (labels.greenfield_label, (True,), "without"),
        (labels.plan_from_label, (None,), "log"),
        (labels.hold_label, (12, 10, False), "Unpin"),
        (labels.assumption_label, ("lambda", None), "not set"),
        (labels.assumption_label, ("lambda", 0.03), " 3%"),
        (labels.assumption_label, ("lambda", 2 / 300), " 0.6666666667%"),
        (labels.assumption_label, ("horizon_months", 2 / 3), " 0.6666666667 "),
        (labels.assumption_label, ("spot", True), "yes"),
        (labels.assumption_label, ("spot", False), "no"),
        (labels.budget_label, ("a", None), "Remove"),
        (labels.run_label, (RUN, True), "Remove"),
        (labels.reason_label, (worded("Move x"), ""), "Remove"),
        (labels.reason_label, (worded("Move x"), "why"), "why"),
        (labels.traffic_label, (OF, ONE[0], None), "Remove"),
        (labels.traffic_label, (OF, ONE[0], RUN), "Read"),
        (labels.served_model_label, (OF, ONE[0], None), "Remove"),
        (labels.week_label, (OF, ONE[0], None), "Remove"),
        (labels.week_label, (OF, ONE[0], RUN), "Read"),
        (labels.sized_row_label, (OF, ONE[0], "", "", 0), "least"),
        (labels.serving_term_label, (OF, ONE[0], 0), "on demand"),
        (labels.traffic_label, (OF, "", None), "inference"),
        (labels.import_label, (["jobs.csv"],), "jobs.csv"),
        (labels.import_label, (["a", "b"],), "2 files"),
    ],
)
def test_a_label_has_the_word_of_its_verb(
    label: Callable[..., Message], given: tuple[Any, ...], word: str
) -> None:
    assert word in str(label(*given))


WORDS = (
    (edits.labels.move_label(loaded(), KEYS[:1], Pool.BURST), "Move agent-rollouts to burst"),
    (edits.labels.move_label(loaded(), KEYS, Pool.TRAINING), "Move 3 workloads to training"),
    (edits.labels.label_label(loaded(), KEYS[:1], Pool.BURST), "Label agent-rollouts as burst"),
    (
        edits.labels.need_label(loaded(), KEYS[:1], "memory_gb_per_gpu", 40.0),
        "Set memory per GPU of agent-rollouts to 40 GB",
    ),
    (
        edits.labels.need_label(loaded(), KEYS[:1], "kv_cache_gb", 4.5),
        "Set KV cache of agent-rollouts to 4.5 GB",
    ),
    (edits.labels.need_label(loaded(), KEYS[:2], "bare_metal", False), "Set bare metal of 2 workloads to no"),
    (
        edits.labels.need_label(loaded(), KEYS[:1], "interconnect", "roce"),
        "Set interconnect of agent-rollouts to roce",
    ),
    (edits.labels.need_label(loaded(), KEYS[:1], "nodes", None), "Reset nodes of agent-rollouts"),
    (edits.labels.label_label(loaded(), KEYS[:1], None), "Remove label of agent-rollouts"),
    (edits.labels.pin_label(loaded(), ["gone/a/b"]), "Pin gone/a/b"),
    (edits.labels.unpin_label(loaded(), KEYS[2:]), "Unpin vllm-chat"),
    (edits.labels.merge_cards_label(" Chat  tier ", 3), "Merge 3 cards into Chat tier"),
    (edits.labels.take_apart_label("Chat tier"), "Take Chat tier apart"),
    (edits.labels.SEPARATE_LABEL, "Separate automatically"),
    (edits.labels.level_label(12, 10), "Set 12-month level to 10 GPUs"),
    (edits.labels.level_label(1, 1), "Set 1-month level to 1 GPU"),
    (edits.labels.advice_label(Pool.BURST), "Reset burst to the advice"),
    (edits.labels.assumption_label("lambda", 0.03), "Change attrition to 3%"),
    (edits.labels.assumption_label("wacc", 0.075), "Change cost of capital to 7.5%"),
    (edits.labels.assumption_label("horizon_months", 48), "Change planning horizon to 48 months"),
    (edits.labels.assumption_label("growth_burst", None), "Change growth, burst to not set"),
    (
        edits.labels.assumption_label("training_checkpoints", True),
        "Change training writes checkpoints to yes",
    ),
    (edits.labels.plan_label("Rename", "Plan B"), "Rename Plan B"),
    (edits.labels.import_label(["C:\\logs\\jobs.csv"]), "Import jobs.csv"),
    (edits.labels.import_label(["a", "b"]), "Import 2 files"),
    (edits.labels.add_rule_label(ROLLOUTS), "Add rule: names with “rollout” are burst"),
    (edits.labels.change_rule_label(LONG), "Change rule: queue “long” is training"),
    (edits.labels.remove_rule_label(LONG), "Remove rule: queue “long” is training"),
    (edits.labels.move_rule_label(ROLLOUTS, -1), "Move rule up: names with “rollout” are burst"),
    (edits.labels.import_rules_label(1), "Import 1 rule"),
)


@pytest.mark.parametrize(("said", "expected"), WORDS)
def test_what_undo_says(said: str, expected: str) -> None:
    assert str(said) == expected
