"""Mappings of GPU models are of models as they are spelled."""

import pytest

from gpuplanner.domain.edits import model_mappings
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.small_inputs import OF


def test_a_mapping_is_of_models_as_they_are_spelled() -> None:
    of = model_mappings.set_mapping(OF, "h100", " a100 ", 0.5)
    assert of.mappings == (ModelMapping("H100", "A100", 0.5),)
    both = model_mappings.set_mapping(of, "H100", "A100", 0.7, Pool.BURST)
    assert {pair.pool: pair.ratio for pair in both.mappings} == {None: 0.5, Pool.BURST: 0.7}
    again = model_mappings.set_mapping(both, "H100", "A100", 0.6).mappings
    assert {pair.pool: pair.ratio for pair in again} == {None: 0.6, Pool.BURST: 0.7}
    assert model_mappings.set_mapping(both, "H100", "A100", None).mappings == (
        ModelMapping("H100", "A100", 0.7, Pool.BURST),
    )
    for models, known in (((), ("none",)), (("A100", "H100"), ("A100, H100",))):
        with pytest.raises(PlannerError) as error:
            model_mappings.spelled("x", set(models), worded("no offer has"))
        assert str(error.value.remedy).endswith(known)
