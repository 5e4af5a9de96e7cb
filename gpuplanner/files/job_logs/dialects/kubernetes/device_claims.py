"""Devices that Kubernetes hands out by resource claims: the GPUs of each claim, and of how many pods it is."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.sources.json_values import object_at, objects_in, text_of
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.lazy_re import lazy_re

CLAIM: Final = "ResourceClaim"
KINDS: Final = (CLAIM, "ResourceClaimTemplate", "ResourceSlice", "DeviceClass")
"""Objects of an export that tell of devices, and are no pods."""

_OF_POD: Final = "resource.kubernetes.io/pod-claim-name"
_GPU: Final = lazy_re(r"(?i)gpu|\bmig\b|\.nvidia\.com$|\.amd\.com$")
_OTHER: Final = lazy_re(r"(?i)nic|net|rdma|roce|sriov|compute-domain|imex|channel")
_SLICE: Final = lazy_re(r"(?i)(?<!\d)(\d)g[._-]?\d+gb")
_PRODUCT: Final = lazy_re(r"productName\s*==\s*[\"']([^\"']+)[\"']")

Name = tuple[str, str]
"""A namespace and a name in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Devices:
    """The GPUs of one claim. is_share_unknown: parts of a GPU or an open number, counted as whole ones."""

    gpus: Fraction
    gpu_model: str = ""
    is_share_unknown: bool = False


@dataclass(slots=True)
class Claims:
    """All claims of an export. of_pods: by namespace, pod and the name that the claim has in it, its own name.

    parts: what of a claim's devices each of its pods is counted with.
    """

    named: dict[Name, Devices] = field(default_factory=dict)
    templates: dict[Name, Devices] = field(default_factory=dict)
    of_pods: dict[tuple[str, str, str], str] = field(default_factory=dict)
    products: dict[tuple[str, str], str] = field(default_factory=dict)
    parts: dict[Name, Fraction] = field(default_factory=dict)

    def take(self, item: Mapping[str, Any]) -> None:
        """Keep what one object tells; slices of resources have to come before the claims."""
        metadata, spec = object_at(item, "metadata"), object_at(item, "spec")
        name = text_of(metadata.get("namespace")), text_of(metadata.get("name"))
        kind = item.get("kind")
        if kind == CLAIM:
            self.named[name] = _devices(spec, object_at(item, "status"), self.products)
            in_pod = text_of(object_at(metadata, "annotations").get(_OF_POD))
            for owner in objects_in(metadata, "ownerReferences"):
                self.of_pods[name[0], text_of(owner.get("name")), in_pod] = name[1]
        elif kind == "ResourceClaimTemplate":
            self.templates[name] = _devices(object_at(spec, "spec"), {}, {})
        elif kind == "ResourceSlice":
            pool = text_of(object_at(spec, "pool").get("name"))
            for device in objects_in(spec, "devices"):
                attributes = object_at(device, "attributes") or object_at(device, "basic", "attributes")
                product = text_of(object_at(attributes, "productName").get("string"))
                self.products[pool, text_of(device.get("name"))] = product

    def of_claim(self, pod: Mapping[str, Any], claim: Mapping[str, Any]) -> Devices | None:
        """The GPUs that a pod has by one of its claims; None where the export does not tell them."""
        name = self.name_of(pod, claim)
        devices = self.named.get(name)
        if devices is not None:
            part = self.parts.get(name, Fraction(1))
            return Devices(
                gpus=devices.gpus * part,
                gpu_model=devices.gpu_model,
                is_share_unknown=devices.is_share_unknown,
            )
        return self.templates.get((name[0], text_of(claim.get("resourceClaimTemplateName"))))

    def name_of(self, pod: Mapping[str, Any], claim: Mapping[str, Any]) -> Name:
        """The namespace and the name of a claim of a pod, also of one that was made for it from a template."""
        metadata, in_pod = object_at(pod, "metadata"), text_of(claim.get("name"))
        namespace = text_of(metadata.get("namespace"))
        own = next(
            (
                text_of(each.get("resourceClaimName"))
                for each in objects_in(pod, "status", "resourceClaimStatuses")
                if text_of(each.get("name")) == in_pod
            ),
            "",
        )
        made = self.of_pods.get((namespace, text_of(metadata.get("name")), in_pod), "")
        return namespace, text_of(claim.get("resourceClaimName")) or own or made

    def share(self, spans: Mapping[Name, Sequence[tuple[str, str]]]) -> None:
        """Divide claims that several pods have. spans: starts and ends of the pods that ran, by claim."""
        self.parts = {name: part_of_each(times) for name, times in spans.items() if len(times) > 1}


def part_of_each(spans: Iterable[tuple[str, str]]) -> Fraction:
    """What of a claim each of its pods is counted with, so that its devices count once: the time that any of them ran
    over that of all together. spans: starts and ends in ISO 8601; an empty end: it runs.

    >>> part_of_each([("2026-03-01T00:00:00Z", "2026-03-01T10:00:00Z")] * 2)
    Fraction(1, 2)
    """
    known = [(utc_seconds(start), utc_seconds(end)) for start, end in spans]
    last_s = max((instant for span in known for instant in span if instant is not None), default=0) + HOUR_S
    times = sorted(
        (start, last_s if end is None else end)
        for start, end in known
        if start is not None and (end is None or end > start)
    )
    alone_s = sum(end - start for start, end in times)
    together_s, reached_s = 0, 0
    for start, end in times:
        together_s += max(0, end - max(start, reached_s))
        reached_s = max(reached_s, end)
    return Fraction(together_s, alone_s) if alone_s else Fraction(1)


def _devices(
    spec: Mapping[str, Any], status: Mapping[str, Any], products: Mapping[tuple[str, str], str]
) -> Devices:
    """The GPUs of a claim: the devices that it was given, else those that it asks for."""
    asked = {text_of(each.get("name")): _asked(each) for each in objects_in(spec, "devices", "requests")}
    given = [
        each
        for each in objects_in(status, "allocation", "devices", "results")
        if each.get("adminAccess") is not True and _is_gpu(text_of(each.get("driver")), each, asked)
    ]
    model = next((_model_of(each) for each in asked.values()), "")
    if given:
        parts = [_part(text_of(each.get("device"))) for each in given]
        product_names = [
            products.get((text_of(each.get("pool")), text_of(each.get("device"))), "") for each in given
        ]
        return Devices(
            gpus=sum((part or Fraction(1) for part in parts), Fraction(0)),
            gpu_model=next(filter(None, product_names), "") or model,
            is_share_unknown=None in parts,
        )
    gpus, is_open = Fraction(0), False
    for request in asked.values():
        if not _is_gpu(text_of(request.get("deviceClassName")), request, {}):
            continue
        count = read_decimal(text_of(request.get("count", 1)))
        is_open = is_open or request.get("allocationMode") == "All" or count is None
        gpus += Fraction(count if count is not None and count > 0 else 1)
    return Devices(gpus=gpus, gpu_model=model if gpus else "", is_share_unknown=is_open and gpus > 0)


def _asked(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a request asks for, in the form of any version: itself, under `exactly`, or the first of several."""
    first = next(iter(objects_in(request, "firstAvailable")), {})
    return object_at(request, "exactly") or first or request


def _is_gpu(driver: str, device: Mapping[str, Any], asked: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a device is a GPU, by its driver or class and by the class of its request."""
    request = asked.get(text_of(device.get("request")).partition("/")[0], {})
    names = f"{driver} {text_of(request.get('deviceClassName'))}"
    return any(map(_GPU.search, names.split())) and not _OTHER.search(names)


def _part(device: str) -> Fraction | None:
    """The part of a GPU that a device is: 1 of a whole one, None of a slice whose size its name does not tell."""
    if "mig" not in device.lower():
        return Fraction(1)
    profile = _SLICE.search(device)
    return Fraction(int(profile[1]), 7) if profile else None


def _model_of(request: Mapping[str, Any]) -> str:
    """The one product that the selectors of a request name; empty without one."""
    expressions = " ".join(
        text_of(object_at(each, "cel").get("expression")) for each in objects_in(request, "selectors")
    )
    named = set(_PRODUCT.findall(expressions))
    return named.pop() if len(named) == 1 else ""
