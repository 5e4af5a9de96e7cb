"""Words of contracts: their GPUs, what happens without notice, and the notice that ends them."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.words import contracts
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.window import instant_s
from tests.domain import worlds

CONTRACT = next(row for row in worlds.plan().project.contracts if row.end_s is not None)


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"end_s": None}, contracts.RUNS_ON),
        ({"renews_months": 0}, contracts.EXPIRES),
        ({"renews_months": None}, contracts.NOT_STATED),
    ],
)
def test_what_happens_without_notice_is_what_the_contract_states(
    terms: dict[str, Any], words: Message
) -> None:
    assert contracts.without_notice_words(replace(CONTRACT, **terms)) is words


def test_a_renewal_has_its_months() -> None:
    words = contracts.without_notice_words(replace(CONTRACT, renews_months=6))
    assert isinstance(words, Message) and str(words.values["months"]) == "6"


def test_a_notice_names_the_contract_its_gpus_and_its_last_day() -> None:
    words = contracts.notice_words(CONTRACT, instant_s("2027-01-03")).values
    assert (words["contract"], str(words["day"])) == (CONTRACT.contract_id, "2 Jan 2027")
    assert str(words["gpus"]).split()[1] == CONTRACT.gpu_model
