"""A spell ends after it begins."""

import pytest

from gpuplanner.domain.model.plan.spells import Spell, check_spell
from tests.domain.model.refusals import is_right


@pytest.mark.parametrize(
    ("spell", "right"),
    [
        (Spell(None, None), True),
        (Spell(5, None), True),
        (Spell(None, 5), True),
        (Spell(5, 6), True),
        (Spell(5, 5), False),
        (Spell(6, 5), False),
    ],
)
def test_a_spell_ends_after_it_begins(spell: Spell, *, right: bool) -> None:
    assert is_right(check_spell, "key", spell) is right
