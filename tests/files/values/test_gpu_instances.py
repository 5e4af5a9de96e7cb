"""GPU instances: the table is sound, and the words of bills lead to the right row of it."""

from fractions import Fraction

import pytest

from gpuplanner.files.system.resources import read_gpu_instances
from gpuplanner.files.values.gpu_instances import HINT, find_gpu_product

ROWS = read_gpu_instances()


def test_each_instance_type_stands_once_and_has_gpus():
    names = [row["instance_type"].lower() for row in ROWS]
    assert len(set(names)) == len(names)
    assert all(0 < Fraction(row["gpus"]) <= 16 and row["gpu_model"] and row["provider"] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["instance_type"])
def test_each_row_is_found_by_its_own_name_in_every_spelling(row):
    import re

    name = row["instance_type"]
    for text in (
        name,
        name.upper(),
        name.replace("_", " "),
        f"per On Demand Linux {name} Instance Hour",
        f"x|{name}|",
    ):
        assert re.search(HINT, text.lower()), text
        product = find_gpu_product(text)
        assert product is not None, text
        assert (product.instance_type, product.gpu_model, product.gpus) == (
            name,
            row["gpu_model"],
            Fraction(row["gpus"]),
        )


@pytest.mark.parametrize(
    ("text", "gpu_model", "gpus"),
    [
        ("USE1-BoxUsage:p5.48xlarge", "H100", 8),
        ("USW2-Train:ml.g5.12xlarge", "A10G", 4),
        ("Virtual Machines NCads A100 v4 Series - NC24ads A100 v4 Spot - US East", "A100 80GB", 1),
        ("NC6 Promo", "K80", 1),
        ("Spot Preemptible Nvidia Tesla T4 GPU running in Americas", "T4", 1),
        ("8x NVIDIA H100 GPU node", "H100", 8),
        ("GpuCount: 2 of something", None, 2),
        ("H100 SXM GPU hours", "H100", 1),
    ],
)
def test_words_of_bills(text, gpu_model, gpus):
    product = find_gpu_product(text)
    assert product is not None
    assert (product.gpu_model, product.gpus) == (gpu_model, gpus)


@pytest.mark.parametrize(
    "text",
    [
        "EUW1-EBSOptimized:g3.4xlarge",
        "$0.00 for 4245 Mbps per g4dn.xlarge instance-hour",
        "AWS Marketplace hourly software usage|us-east-1|p3.2xlarge",
        "USE1-UnusedBox:p5.48xlarge",
        "USE1-Reservation:p5.48xlarge",
        "Commitment v1: Nvidia L4 GPU in Iowa for 1 Year",
        "A2 Instance Core running in Americas a2-highgpu-1g",
        "Virtual Machines Licenses | Standard_NC24ads_A100_v4",
        "m5.2xlarge",
        "D4s v5",
        "Standard - E4 - Memory",
        "",
    ],
)
def test_what_is_no_machine_with_gpus(text):
    assert find_gpu_product(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "p99.48xlarge",
        "Standard_NC99_Z9_v9",
        "NC24 v9",
        "BM.GPU.X900.8",
        "GPU - H100",
        "HGX H100 GPU by Nvidia, server and gpu",
    ],
)
def test_gpus_that_nobody_told_are_not_guessed(text):
    product = find_gpu_product(text)
    assert product is not None
    assert product.gpus is None


def test_a_charge_by_the_gpu_counts_one_whatever_the_machine():
    for text in ("BM.GPU.H100.8", "Compute - GPU - H100", "BM.GPU.NEW.16"):
        product = find_gpu_product(text, is_per_gpu=True)
        assert product is not None
        assert product.gpus == 1
