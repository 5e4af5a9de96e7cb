"""An award of stated rows and offers."""

from collections.abc import Sequence
from typing import Any

from gpuplanner.domain.award.award import Award, award_of
from gpuplanner.domain.model.book.offer import Offer
from tests.domain.award.conftest import CONDITIONS


def award(rows: Sequence[Any], offers: Sequence[Offer]) -> Award:
    found = award_of(rows, offers, CONDITIONS)
    assert found is not None
    return found
