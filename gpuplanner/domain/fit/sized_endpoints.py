"""Sizing an endpoint of a project: its load, its cost on every row, and what it is compared with."""

from collections.abc import Mapping, Sequence

from gpuplanner.domain.fit.best_rows import best_row
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.hardware import main_models
from gpuplanner.domain.fit.needs import load_of_endpoint
from gpuplanner.domain.fit.provisioned import plain_name, provisioned_cost
from gpuplanner.domain.fit.serving_costs import ServingCost, cost_rows, terms_of_offers
from gpuplanner.domain.fit.shorter_ways import shorter_ways, way_of
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import NOTHING_CHOSEN, Places, ServedModel, ServingChoice
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.serving.load import Load, shape_of_week
from gpuplanner.domain.serving.placement import placement_of
from gpuplanner.domain.serving.ratios import Compared, compared, corrections, speed_ratios
from gpuplanner.domain.serving.replicas import terms_of
from gpuplanner.domain.serving.serving_gpus import ServingTables, serving_gpus
from gpuplanner.domain.serving.sizing import Correction, RowId, rated_rows, size_rows
from gpuplanner.lazy_dataclass import replace


def shape_in_log(project: Project, key: str) -> tuple[float, ...]:
    """GPU time of an endpoint by hour of the week, as the log has it; empty without any."""
    place = next((place for place, workload in enumerate(project.workloads) if workload.key == key), None)
    return (
        () if place is None else shape_of_week(project.cube.hourly_of(place).tolist(), project.window.start_s)
    )


def size_endpoint(
    project: Project, key: str, assumptions: Assumptions, offers: Sequence[Offer], tables: ServingTables
) -> EndpointSizing | None:
    """The sizing of an endpoint; None where its model or its requests are not known.

    key: as in `load_of_endpoint`. offers: those of the price book in force, which price the rows and may name
    further GPU models. The way to the users is that of the project's sites
    of today where they are known.
    Source: docs/formulas/sizing.md.
    """
    choice = project.serving.get(key, NOTHING_CHOSEN)
    load = load_of_endpoint(project, key, assumptions)
    if load is None or (choice.model is None and not choice.rates):
        return None
    return size_choice(
        key, choice, load, assumptions, project.places, offers, tables, held=gpus_in_log(project, key)
    )


def gpus_in_log(project: Project, key: str) -> tuple[str, float] | None:
    """The GPU model of most of an endpoint's GPU time, and GPUs in the mean; None where the log has it not."""
    places = (place for place, workload in enumerate(project.workloads) if workload.key == key)
    place = next(places, None)
    name = None if place is None else main_models(project)[place]
    if place is None or name is None:
        return None
    return name, project.workloads[place].gpu_hours / project.window.hours


def size_choice(
    key: str,
    choice: ServingChoice,
    load: Load,
    assumptions: Assumptions,
    places: Places,
    offers: Sequence[Offer],
    tables: ServingTables,
    *,
    models: Mapping[str, ServedModel | None] | None = None,
    replicas: int | None = None,
    held: tuple[str, float] | None = None,
) -> EndpointSizing:
    """The sizing of a model, or of stated rates, under a load. models: of the names in measurements, None: all of the
    model that is sized. replicas: how many are held, where the planner says so. held: GPU model and GPUs of today that
    ratios are against; None: the drawn row's.

    Source: docs/formulas/sizing.md.
    """
    terms, model = terms_of(assumptions, way_of(places)), choice.model
    by_unit = [offer for offer in offers if offer.tokens_per_minute_per_unit]
    offers = [offer for offer in offers if not offer.tokens_per_minute_per_unit]
    gpus = serving_gpus(tables, offers)
    points: tuple[Compared, ...] = ()
    of_model: tuple[Compared, ...] = ()
    own: Mapping[RowId, Correction] = {}
    if model is None or choice.rates:
        terms = replace(terms, spare=terms.spare or 0)  # none that nobody asked for
        if not load.are_tokens_known:  # those of a language model are assumed of nothing else
            load = replace(load, context_tokens=0.0, generated_tokens=0.0, longest_tokens=0.0)
        rows = rated_rows(load, dict(choice.rates), terms, replicas)
    else:
        named = dict.fromkeys((point.model for point in choice.measured), model) if models is None else models
        points = compared(choice.measured, named, tables)
        own = corrections(points, model, named)
        of_model = tuple(point for point in points if named.get(point.measured.model) == model)
        rows = size_rows(model, load, gpus, terms, tables.calibration, replicas, own)
    costs = cost_rows(rows, load, offers, choice.term_months)
    states = assumptions.serving_usd_per_request is not None and places.can_be_placed
    ways = shorter_ways(placement_of(places), load, assumptions) if states else ()
    best = best_row(costs)
    least = None if choice.term_months is None else best_row(cost_rows(rows, load, offers, None))
    if least is not None and best is not None and (least.cost_per_month or 0) >= (best.cost_per_month or 0):
        least = None
    made = EndpointSizing(
        key=key,
        choice=choice,
        load=load,
        terms=terms,
        costs=costs,
        best=best,
        offered_terms=terms_of_offers(offers),
        places=places,
        assumptions=assumptions,
        measured=points,
        shorter_ways=ways,
        cheaper=least,
    )
    if model is None or choice.rates:
        return made
    sold = (
        (o, o.tokens_per_minute_per_unit)
        for o in by_unit
        if plain_name(o.gpu_model) == plain_name(model.name)
    )
    made = replace(
        made,
        provisioned=tuple(
            provisioned_cost(made, o, tokens) for o, tokens in sold if tokens and load.tokens_per_month
        ),
    )
    if made.drawn is None:
        return made
    against: ServingCost = made.drawn
    held_gpus: float | None = against.gpus_peak
    if held is not None and (today := made.cheapest_on(held[0])) is not None:
        against, held_gpus = today, held[1]
    rates = {cost.row.gpu_model: cost.rate for cost in costs if cost.rate is not None}
    ratios = tuple(
        replace(ratio, gpus=held_gpus, rate=rates.get(ratio.gpu_model))
        for ratio in speed_ratios(against.row, model, load, gpus, terms, tables.calibration, own, of_model)
    )
    return replace(made, ratios=ratios)
