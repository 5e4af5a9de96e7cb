"""Offers for one workload, best light first."""

from collections.abc import Sequence

from gpuplanner.domain.fit.fit_rows import FitRow, fit_rows, worst_light
from gpuplanner.domain.fit.hardware import hardware_of_offer, with_own_memory
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, ratio_for
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OfferFit:
    """One workload on one offer. light None: no row of it has a light."""

    offer_id: str
    light: Light | None
    rows: tuple[FitRow, ...]


def offers_for(
    fit: WorkloadFit, offers: Sequence[Offer], mappings: Sequence[ModelMapping] = ()
) -> tuple[OfferFit, ...]:
    """A workload on every offer of its GPU model or of one mapped to it (on all where it is unknown), best first.

    As in the plan, an offer of the model that it runs on today is at worst amber for memory of training.
    """
    fits = []
    for offer in offers:
        if ratio_for(mappings, fit.gpu_model, offer.gpu_model, fit.pool) is not None:
            renews = fit.gpu_model == offer.gpu_model
            hardware = hardware_of_offer(offer)
            if renews:
                hardware = with_own_memory(hardware, fit.hardware[0].usable_gb)
            rows = fit_rows(fit.pool, fit.needs, hardware, renews=renews)
            fits.append(OfferFit(offer.offer_id, worst_light(rows), rows))
    return tuple(sorted(fits, key=lambda fit: (-1 if fit.light is None else fit.light, fit.offer_id)))


def offers_by_light(
    fits: Sequence[WorkloadFit], offers: Sequence[Offer], mappings: Sequence[ModelMapping] = ()
) -> list[dict[Light | None, list[str]]]:
    """Ids of the offers by their light, for each workload in order; equal needs are looked at once.

    One mapping for each of `fits`, offers in the order of `offers_for`. None: nobody can tell.
    """
    known: dict[object, dict[Light | None, list[str]]] = {}
    answer = []
    for fit in fits:
        key = (fit.pool, fit.gpu_model, tuple((needed.value, needed.source) for needed in fit.needs.values()))
        if key not in known:
            by_light: dict[Light | None, list[str]] = {}
            for offer_fit in offers_for(fit, offers, mappings):
                by_light.setdefault(offer_fit.light, []).append(offer_fit.offer_id)
            known[key] = by_light
        answer.append(known[key])
    return answer
