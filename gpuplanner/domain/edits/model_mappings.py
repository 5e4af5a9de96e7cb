"""Mappings of GPU models: which may do the work of which, and what one GPU is worth."""

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.only import LEAST_RATIO, ModelMapping, check_mapping
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace


def set_mapping(
    project: Project, gpu_model: str, offer_model: str, ratio: float | None, pool: Pool | None = None
) -> Project:
    """Offers of one model may serve demand for another: one GPU of them is worth `ratio`; None: they may not.

    pool: whose demand alone; None: that of all.

    Names match without regard to case and are kept as the project spells them. Errors: PlannerError where no job or
    contract has the first model or no offer the second, or the ratio is out of range.
    """
    wanted = spelled(gpu_model, demand_models(project), worded("no job or contract has"))
    offered = spelled(offer_model, {offer.gpu_model for offer in project.offers}, worded("no offer has"))
    kept = {pair.key: pair for pair in project.mappings}
    made = ModelMapping(wanted, offered, ratio or LEAST_RATIO, pool)
    kept.pop(made.key, None)
    if ratio is not None:
        kept[made.key] = check_mapping(replace(made, ratio=ratio))
    return with_values(project, mappings=tuple(kept[key] for key in sorted(kept)))


def remove_mapping(project: Project, mapping: ModelMapping) -> Project:
    """The project without a mapping, also one of models that an import no longer brings.

    The project itself where it has no such mapping.
    """
    return with_values(project, mappings=tuple(pair for pair in project.mappings if pair != mapping))


def demand_models(project: Project) -> set[str]:
    """GPU models that jobs or contracts name: those for which there may be demand.

    As the project spells them; what the log leaves unknown is not among them.
    """
    contracts = {contract.gpu_model for contract in project.contracts if contract.gpu_model is not None}
    return contracts | set(project.cube.gpu_models)


def spelled(name: str, known: set[str], who: Message) -> str:
    """A GPU model as the project spells it, without regard to case. Errors: PlannerError where nobody has it: `who`.

    who: the beginning of the message, as "no job or contract names".
    """
    match = next((model for model in sorted(known) if model.casefold() == name.strip().casefold()), None)
    if match is None:
        choices = ", ".join(sorted(known)) or "none"
        problem = worded("{who} the GPU model {name}", who=who, name=repr(name))
        raise refusal(name, problem, worded("use one of {known}", known=choices))
    return match
