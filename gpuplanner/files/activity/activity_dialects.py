"""The table of recognisers of activity files: what each is called, and how its rows are read."""

from typing import Final

from gpuplanner.domain.model.worded import worded
from gpuplanner.files.activity import (
    dmon,
    exposition,
    metric_table,
    nvidia_smi,
    prometheus_json,
    smi_dmon,
    sonar_samples,
)
from gpuplanner.files.activity.reading import ActivityDialect

ACTIVITY_DIALECTS: Final = (
    ActivityDialect(
        "dcgm", worded("it reads like scrapes of dcgm-exporter"), exposition.sniff_dcgm, exposition.readings
    ),
    ActivityDialect("dcgm", worded("it reads like what dcgmi dmon prints"), dmon.sniff, dmon.readings),
    ActivityDialect(
        "prometheus",
        worded("it reads like scrapes of an exporter"),
        exposition.sniff_other,
        exposition.readings,
    ),
    ActivityDialect(
        "prometheus",
        worded("it reads like an answer of Prometheus"),
        prometheus_json.sniff,
        prometheus_json.readings,
        "values",
    ),
    ActivityDialect(
        "prometheus",
        worded("it reads like a table of GPU metrics"),
        metric_table.sniff_prometheus,
        metric_table.readings,
    ),
    ActivityDialect(
        "prometheus",
        worded("it reads like a table of series of GPUs"),
        metric_table.sniff_unnamed,
        metric_table.readings,
    ),
    ActivityDialect(
        "nvidia_smi", worded("it reads like what nvidia-smi dmon prints"), smi_dmon.sniff, smi_dmon.readings
    ),
    ActivityDialect(
        "nvidia_smi",
        worded("it reads like what nvidia-smi --query-gpu writes"),
        nvidia_smi.sniff,
        nvidia_smi.readings,
    ),
    ActivityDialect(
        "sonar_samples",
        worded("it reads like samples of processes by sonar"),
        sonar_samples.sniff_lines,
        sonar_samples.line_readings,
        more_facts=sonar_samples.line_facts,
    ),
    ActivityDialect(
        "sonar_samples",
        worded("it reads like samples of nodes by sonar"),
        sonar_samples.sniff_objects,
        sonar_samples.object_readings,
        "objects",
        sonar_samples.object_facts,
    ),
)
"""Formats may stand here several times: one for each shape that a tool writes."""
