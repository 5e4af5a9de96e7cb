"""Notes of a row: why its advice is limited."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from gpuplanner.domain.commitment.plan.row_notes import level_beyond_sentence, level_beyond_words, note_of
from gpuplanner.domain.commitment.recursion.slice_policy import LimitedUse
from gpuplanner.domain.commitment.result import Flex, LevelBeyondOffers
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import offer
from tests.domain.commitment.plan.small_plan import STANDARD


def note(hours: int = 200, has_runs: bool = False, reached: Any = (), **values: Any) -> str:
    """Of a row of two slices with a committed offer and a rate by use."""
    row = {
        "slices": 2,
        "gpu_model": "H100",
        "pool": Pool.TRAINING,
        "flex": Flex(rate=6.0, category=STANDARD, offer_id="od", spot_share=0.0),
        "use": None,
        "hand": None,
        "offers": (offer("y1", 12, 2.0),),
        "ratios": {},
        "busy": SimpleNamespace(today=lambda _: np.array([1.0, 0.5])),
    }
    signed = {
        "now": values.pop("now", np.array([0, -1])),
        "orders": SimpleNamespace(offer=np.array([[0 if values.get("offers", True) else -1, -1]])),
    }
    planned: Any = SimpleNamespace(row=SimpleNamespace(**(row | values)), signed=SimpleNamespace(**signed))
    ground: Any = SimpleNamespace(eligible={}, window=SimpleNamespace(hours=hours))
    return str(note_of(ground, planned, reached, has_runs))


def test_notes_say_why_advice_is_limited() -> None:
    unsold = Flex(rate=None, category=STANDARD, offer_id=None, spot_share=0.0)
    assert note() == ""
    plain = {note(slices=0), note(slices=0, has_runs=True)}
    assert len(plain) == 2 and "" not in plain
    assert "Ada" in note(gpu_model="H100 @ Ada")
    assert "H100" in note(flex=unsold) and "no advice" in note(flex=unsold)
    assert "no advice" not in note(flex=unsold, now=np.array([0, 0]))
    idle = SimpleNamespace(today=lambda _: np.array([1.0, 0.0]))
    assert "no advice" not in note(flex=unsold, busy=idle)
    assert "GPUs of its model" in note(flex=unsold, gpu_model=None)
    nobody = note(flex=unsold, use=LimitedUse(np.zeros((1, 2)), np.zeros(2, np.int64), ()))
    assert "unserved" in nobody and "H100" not in nobody
    assert note(offers=()) != ""
    few, other = offer("y1", 12, 2.0, max_gpus=7), offer("y2", 12, 2.0, max_gpus=9)
    assert "7" in note(reached=(few,)) and "y1" in note(reached=(few,)) and note(reached=(other,)) == ""
    assert note(168) != "" and note(169) == ""
    assert note(168, offers=()).count("; ") == 1


def test_what_offers_have_of_a_level_in_words() -> None:
    level = LevelBeyondOffers(term_months=36, gpus=40, offered_gpus=24, offers=1)
    texts = {
        str(level_beyond_words(of))
        for of in (
            level,
            replace(level, offers=2),
            replace(level, is_left=True),
            replace(level, offered_gpus=0),
        )
    }
    assert texts == {"the offer has 24", "the offers have 24", "the offer has 24 left", "no offer has them"}
    said = str(level_beyond_sentence(level))
    assert [word for word in said.replace(":", "").split() if word.isdigit()] == ["40", "36", "24"]
