"""Price lists of every form as their tools write them, small and made by hand."""

import json
from collections.abc import Mapping
from typing import Final

_INFO: Final = "\"{'Gpus': [{'Name': 'H100', 'Count': 8, 'MemoryInfo': {'SizeInMiB': 81920}}]}\""
SKY_AWS: Final = (
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,Arch\n"
    f"p5.48xlarge,H100,8,192.0,2048.0,{_INFO},55.04,20.12,us-east-1,use1-az1,x86_64\n"
    f"p5.48xlarge,H100,8,192.0,2048.0,{_INFO},55.04,21.12,us-east-1,use1-az2,x86_64\n"
    f"p5.48xlarge,H100,8,192.0,2048.0,{_INFO},55.04,,us-east-1,use1-az3,x86_64\n"
    "p4de.24xlarge,A100-80GB,8,96.0,1152.0,,40.97,,us-east-1,use1-az3,x86_64\n"
    "z1d.metal,,,48.0,384.0,,4.464,1.2716,us-east-1,use1-az6,x86_64\n"
    "trn1.32xlarge,Trainium,16,128.0,512.0,,21.5,,us-east-1,use1-az6,x86_64\n"
)
SKY_GCP: Final = (
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"
    "n1-highmem-8,8.0,52.0,,,,us-central2,us-central2-b,0.47321,0.09962\n"
    ",,,tpu-v6e-128,1,tpu-v6e-128,us-west1,us-west1-c,345.6,69.65862\n"
    ",,,A100-80GB,8,A100-80GB,us-central1,us-central1-a,31.6,12.6\n"
    ",,,A100-80GB,8,A100-80GB,us-central1,us-central1-c,31.6,12.6\n"
)


def _lambda_type(name: str, described: str, cents: int, gpus: int) -> dict[str, object]:
    said = {"name": name, "description": f"{gpus}x {described}", "gpu_description": described}
    specs = {"vcpus": 30, "memory_gib": 200, "storage_gib": 1400, "gpus": gpus}
    return {
        "instance_type": {**said, "price_cents_per_hour": cents, "specs": specs},
        "regions_with_capacity_available": [],
    }


LAMBDA: Final = json.dumps(
    {
        "data": {
            "gpu_8x_h100_sxm5gdr": _lambda_type("gpu_8x_h100_sxm5gdr", "H100 (80 GB SXM5)", 3592, 8),
            "gpu_1x_a10": _lambda_type("gpu_1x_a10", "A10 (24 GB PCIe)", 75, 1),
            "cpu_4x_general": _lambda_type("cpu_4x_general", "N/A", 20, 0),
        }
    },
    indent=1,
)
RUNPOD: Final = json.dumps(
    {
        "data": {
            "gpuTypes": [
                {
                    "id": "NVIDIA H100 PCIe",
                    "displayName": "H100 PCIe",
                    "memoryInGb": 80,
                    "securePrice": 2.89,
                    "communityPrice": 1.99,
                    "oneMonthPrice": 2.5,
                    "lowestPrice": {"minimumBidPrice": 1.25, "uninterruptablePrice": 1.99},
                },
                {
                    "id": "NVIDIA L40S",
                    "displayName": "L40S",
                    "memoryInGb": 48,
                    "securePrice": 1.09,
                    "communityPrice": 0,
                },
                {
                    "id": "unknown",
                    "displayName": "unknown",
                    "memoryInGb": 0,
                    "securePrice": 0,
                    "communityPrice": 0,
                },
            ]
        }
    },
    indent=1,
)
RUNPOD_CSV: Final = (
    "id,displayName,memoryInGb,securePrice,communityPrice\n"
    "NVIDIA L40S,L40S,48,1.09,0.79\nNVIDIA H200,H200 SXM,141,4.59,3.59\n"
)
VAST: Final = json.dumps(
    [
        {
            "id": 5,
            "gpu_name": "H100 SXM",
            "gpu_ram": 81559,
            "num_gpus": 2,
            "dph_total": 4.54,
            "geolocation": "US",
        },
        {"gpu_name": "L40S", "gpu_ram": 46068, "num_gpus": 4, "dph_total": 3.2, "min_bid": 1.2},
        {"gpu_name": "L40S", "gpu_ram": 46068, "num_gpus": 4, "dph_total": 3.2, "min_bid": 1.2},
        {"gpu_name": "L40S", "gpu_ram": 46068, "num_gpus": 4, "dph_total": 3.6},
        {"id": 7, "gpu_name": "H200", "gpu_ram": 143771, "num_gpus": 8, "dph_total": 20.0, "is_bid": True},
    ]
)
_RESERVED: Final = {
    "ProductDescription": "Linux/UNIX",
    "CurrencyCode": "USD",
    "Marketplace": False,
    "UsagePrice": 0.0,
}


def _reserved(
    instance: str, fixed: float, hourly: float, seconds: int, kind: str, **more: object
) -> dict[str, object]:
    charges = [{"Amount": hourly, "Frequency": "Hourly"}] if hourly else []
    offered = {"OfferingType": kind, "FixedPrice": fixed, "RecurringCharges": charges, "Duration": seconds}
    name = {"ReservedInstancesOfferingId": f"id-{instance}-{kind}", "InstanceType": instance}
    return {**_RESERVED, **offered, **name, **more}


AWS_RESERVED: Final = json.dumps(
    {
        "ReservedInstancesOfferings": [
            _reserved("p4d.24xlarge", 87600.0, 10.0, 31_536_000, "Partial Upfront"),
            _reserved("p5.48xlarge", 500000.0, 0.0, 94_608_000, "All Upfront"),
            _reserved("p5.48xlarge", 0.0, 40.0, 31_536_000, "No Upfront", ProductDescription="Windows"),
            _reserved("c1.medium", 0.0, 0.02, 31_536_000, "No Upfront"),
        ]
    },
    indent=1,
)
AWS_SAVINGS: Final = json.dumps(
    {
        "searchResults": [
            {
                "savingsPlanOffering": {
                    "offeringId": "b",
                    "paymentOption": "No Upfront",
                    "planType": "Compute",
                    "durationSeconds": 31_536_000,
                    "currency": "USD",
                },
                "rate": "31.464",
                "unit": "Hrs",
                "usageType": "BoxUsage:p5.48xlarge",
                "properties": [
                    {"name": "region", "value": "us-east-1"},
                    {"name": "instanceType", "value": "p5.48xlarge"},
                    {"name": "productDescription", "value": "Linux/UNIX"},
                ],
            }
        ]
    },
    indent=1,
)
AWS_BLOCKS: Final = json.dumps(
    {
        "CapacityBlockOfferings": [
            {
                "CapacityBlockOfferingId": "cb-1",
                "InstanceType": "p5.48xlarge",
                "AvailabilityZone": "us-east-2a",
                "InstanceCount": 2,
                "StartDate": "2026-12-01T11:30:00+00:00",
                "EndDate": "2026-12-15T11:30:00+00:00",
                "CapacityBlockDurationHours": 336,
                "UpfrontFee": "25200.00",
                "CurrencyCode": "USD",
            },
            {"CapacityBlockOfferingId": "cb-2", "CapacityBlockDurationHours": 24, "UpfrontFee": "283"},
        ]
    },
    indent=1,
)
OPENCOST: Final = json.dumps(
    {
        "provider": "custom",
        "CPU": "0.031611",
        "spotCPU": "0.006655",
        "RAM": "0.004237",
        "spotRAM": "0.000892",
        "GPU": "2.95",
        "spotGPU": "1.308",
        "gpuModel": "H100",
        "storage": "0.00005479452",
    },
    indent=1,
)
OPENCOST_CSV: Final = (
    "EndTimestamp,InstanceID,Region,AssetClass,InstanceIDField,InstanceType,MarketPriceHourly,Version\n"
    "2026-04-17 23:34:22 UTC,pool-1,,node,metadata.name,,0.1337,\n"
    "2026-04-17 23:34:22 UTC,NVIDIA-L40S,,gpu,nvidia.com/gpu_type,,0.95,\n"
    "2026-04-17 23:34:22 UTC,node-a,us-east-1,node,spec.providerID,p5.48xlarge,55.04,v1\n"
    ",volumes,,pv,spec.storageClassName,,0.0000783562,v1\n"
)

PRICE_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "aws.csv": ("skypilot", SKY_AWS),
    "gcp.csv": ("skypilot", SKY_GCP),
    "lambda.json": ("lambda", LAMBDA),
    "runpod.json": ("runpod", RUNPOD),
    "runpod.csv": ("runpod", RUNPOD_CSV),
    "vast.json": ("vast", VAST),
    "reserved.json": ("aws_offerings", AWS_RESERVED),
    "savings.json": ("aws_offerings", AWS_SAVINGS),
    "blocks.json": ("aws_capacity_blocks", AWS_BLOCKS),
    "opencost.json": ("opencost_prices", OPENCOST),
    "opencost.csv": ("opencost_prices", OPENCOST_CSV),
}
"""File name -> format and text."""
