"""Cards of one name: what tells them apart stands beside the name, and beside no other."""

from types import SimpleNamespace
from typing import Any

from gpuplanner.ui.card_names import names_apart
from gpuplanner.ui.telling_names import telling_ends


def card(key: str, name: str, cluster: str, owner: str) -> Any:
    return SimpleNamespace(key=key, name=name, cluster=cluster, owner=owner)


def test_a_long_name_keeps_the_end_that_no_other_name_has() -> None:
    names = ["aurora-large-pretrain", "aurora-base-pretrain", "aurora-base-sft", "base-pretrain", "sft"]
    assert telling_ends(names) == {
        "aurora-large-pretrain": ("\u2026large-pretrain",),
        "aurora-base-sft": ("\u2026base-sft",),
    }


def test_cluster_or_owner_or_both_stand_beside_a_name_that_is_shared() -> None:
    cards = [
        card("1", "train", "west", "ml"),
        card("2", "train", "east", "ml"),
        card("3", "chat", "west", "ml"),
        card("4", "chat", "west", ""),
        card("5", "eval", "west", "ml"),
        card("6", "eval", "east", "bio"),
        card("7", "alone", "west", "ml"),
    ]
    assert names_apart(cards) == {
        "1": "west",
        "2": "east",
        "3": "ml",
        "4": "no owner",
        "5": "west/ml",
        "6": "east/bio",
    }
