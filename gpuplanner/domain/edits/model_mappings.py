"""What a planner says of GPU models: which may do the work of which, and what one GPU of them is worth."""

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.model_mapping import ModelMapping, check_mapping
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project


def set_mapping(project: Project, gpu_model: str, offer_model: str, ratio: float | None) -> Project:
    """Offers of one model may serve demand for another: one GPU of them is worth `ratio`; None: they may not.

    Names match without regard to case and are kept as the project spells them. Errors: PlannerError where no job or
    contract has the first model or no offer the second, or the ratio is out of range.
    """
    wanted = spelled(gpu_model, demand_models(project), worded("no job and no contract has"))
    offered = spelled(offer_model, {offer.gpu_model for offer in project.offers}, worded("no offer has"))
    kept = {(one.gpu_model, one.offer_model): one for one in project.mappings}
    if ratio is None:
        kept.pop((wanted, offered), None)
    else:
        kept[wanted, offered] = check_mapping(ModelMapping(wanted, offered, ratio))
    return with_values(project, mappings=tuple(kept[pair] for pair in sorted(kept)))


def remove_mapping(project: Project, mapping: ModelMapping) -> Project:
    """The project without a mapping, also one of models that an import no longer brings.

    The project itself where it has no such mapping.
    """
    return with_values(project, mappings=tuple(one for one in project.mappings if one != mapping))


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
    found = next((model for model in sorted(known) if model.casefold() == name.strip().casefold()), None)
    if found is None:
        there = ", ".join(sorted(known)) or "none"
        raise PlannerError(
            name,
            "usage",
            worded("{who} the GPU model {name}", who=who, name=repr(name)),
            worded("use one of: {there}", there=there),
        )
    return found
