"""Mappings of GPU models are of models as they are spelled."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import model_mappings
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.loaded_project import loaded
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


@pytest.mark.parametrize("ratio", [0.0, -1.0, 101.0, float("nan"), True])
def test_a_ratio_out_of_range_is_refused(ratio: float) -> None:
    newer = edits.offers.add_offers(loaded(), [replace(loaded().offers[0], offer_id="o2", gpu_model="H200")])
    with pytest.raises(PlannerError, match="out of range"):
        edits.model_mappings.set_mapping(newer, "H100", "H200", ratio)


def test_mappings_are_sorted_taken_away_and_kept_by_an_import_that_brings_no_such_model() -> None:
    newer = [replace(loaded().offers[0], offer_id=name, gpu_model=name) for name in ("H200", "B200")]
    both = edits.model_mappings.set_mapping(edits.offers.add_offers(loaded(), newer), "H100", "H200", 1.6)
    both = edits.model_mappings.set_mapping(both, "H100", "b200", 2.5)
    assert both.mappings == (ModelMapping("H100", "B200", 2.5), ModelMapping("H100", "H200", 1.6))
    assert edits.inputs.import_inputs(both, offers=loaded().offers).mappings == both.mappings
    back = edits.model_mappings.set_mapping(both, "H100", "B200", None)
    assert back.mappings == (ModelMapping("H100", "H200", 1.6),)
    assert edits.model_mappings.remove_mapping(back, back.mappings[0]).mappings == ()
    of_one = edits.model_mappings.set_mapping(back, "H100", "H200", 1.8, Pool.INFERENCE)
    assert of_one.mappings == (*back.mappings, ModelMapping("H100", "H200", 1.8, Pool.INFERENCE))
    assert edits.model_mappings.set_mapping(of_one, "H100", "H200", None).mappings == of_one.mappings[1:]
    other_case = [replace(newer[0], offer_id="o3", gpu_model="h200")]
    assert {one.gpu_model for one in edits.inputs.import_inputs(both, offers=other_case).offers} == {"H200"}
