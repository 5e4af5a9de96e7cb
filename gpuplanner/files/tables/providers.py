"""Clouds, by the words that headings, keys and names of files have for them."""

import re
from collections.abc import Mapping
from typing import Final

PROVIDERS: Final[Mapping[str, str]] = {
    "AWS": "aws|amazon|amazon web services|ec2|amazon ec2",
    "Azure": "azure|microsoft|microsoft azure|ms azure",
    "Google Cloud": "gcp|google|google cloud|google cloud platform|gce",
    "Oracle": "oracle|oci|oracle cloud",
    "IBM": "ibm|ibm cloud",
    "Alibaba": "alibaba|alibaba cloud|aliyun",
    "Lambda": "lambda|lambda labs|lambdalabs|lambda cloud",
    "RunPod": "runpod|run pod",
    "Vast.ai": "vast|vast ai|vastai",
    "CoreWeave": "coreweave",
    "Nebius": "nebius",
    "Crusoe": "crusoe|crusoe cloud",
    "Together": "together|together ai",
    "Voltage Park": "voltage park|voltagepark",
    "FluidStack": "fluidstack|fluid stack",
    "Vultr": "vultr",
    "DigitalOcean": "digitalocean|digital ocean|do",
    "Paperspace": "paperspace",
    "Hyperstack": "hyperstack|nexgen cloud",
    "Verda": "verda|datacrunch|data crunch",
    "Scaleway": "scaleway",
    "OVHcloud": "ovh|ovhcloud",
    "Genesis Cloud": "genesis cloud",
    "Cudo": "cudo|cudo compute",
    "Jarvislabs": "jarvislabs|jarvis labs",
    "TensorDock": "tensordock",
    "Modal": "modal",
    "Baseten": "baseten",
    "Prime Intellect": "prime intellect|primeintellect",
    "SF Compute": "sf compute|sfcompute|san francisco compute",
    "Shadeform": "shadeform",
    "Hyperbolic": "hyperbolic",
    "Mithril": "mithril|foundry",
    "Lium": "lium",
    "Seeweb": "seeweb",
    "Samsung Cloud Platform": "scp",
    "Spheron": "spheron",
    "SimplePod": "simplepod",
    "Yotta": "yotta",
    "Massed Compute": "massed compute|massedcompute",
    "Oblivus": "oblivus|oblivus cloud",
    "Thunder Compute": "thunder compute",
    "Lightning": "lightning|lightning ai",
    "Hot Aisle": "hot aisle|hotaisle",
    "TensorWave": "tensorwave",
    "Gcore": "gcore",
    "Denvr": "denvr|denvr dataworks",
    "Cirrascale": "cirrascale",
    "Firmus": "firmus",
    "Nscale": "nscale",
    "Sesterce": "sesterce",
    "Latitude": "latitude|latitude sh",
    "Hetzner": "hetzner",
    "Leaseweb": "leaseweb",
    "Akamai": "akamai|linode",
    "Replicate": "replicate",
    "Civo": "civo",
    "Exoscale": "exoscale",
}
"""Clouds, and the words by which headings and files name them."""

_PROVIDER_OF_WORD: Final = {word: name for name, words in PROVIDERS.items() for word in words.split("|")}


def provider_named(text: str) -> str:
    """The cloud that a heading or the name of a file is; empty where it is none.

    >>> provider_named("Google Cloud"), provider_named("vast.ai"), provider_named("H100")
    ('Google Cloud', 'Vast.ai', '')
    """
    return _PROVIDER_OF_WORD.get(" ".join(re.findall(r"[a-z0-9]+", text.lower())), "")
