"""Shared by the schedulers on Kubernetes: templates of pods, times, and what to export besides."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import quantity
from gpuplanner.files.sources.json_values import text_of

EXPORT_PODS: Final = "kubectl get pods -A -o json"


def pods_of(kinds: Iterable[Mapping[str, Any]], counted: str) -> list[tuple[object, Fraction | None]]:
    """The templates of kinds of pods, each with how many there are of it."""
    return [(kind.get("template"), quantity(text_of(kind.get(counted, 1)))) for kind in kinds]


def later_by(at: str, seconds: int | None) -> str:
    """A time so much later; empty where one of them is not told."""
    try:
        return (
            "" if seconds is None else (datetime.fromisoformat(at) + timedelta(seconds=seconds)).isoformat()
        )
    except (ValueError, OverflowError):
        return ""
