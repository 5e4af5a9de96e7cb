"""The table of recognisers of activity files: every shape that a tool writes."""

from typing import Final

from gpuplanner.files.activity import (
    dmon,
    exposition,
    metric_table,
    nvidia_smi,
    prometheus_json,
    smi_dmon,
    sonar_samples,
)

ACTIVITY_DIALECTS: Final = (
    exposition.DCGM,
    dmon.DIALECT,
    exposition.OTHER,
    prometheus_json.DIALECT,
    metric_table.TABLE,
    metric_table.SERIES,
    smi_dmon.DIALECT,
    nvidia_smi.DIALECT,
    sonar_samples.LINES,
    sonar_samples.OBJECTS,
)
"""Formats may stand here several times: one for each shape that a tool writes."""
