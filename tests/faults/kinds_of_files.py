"""One small file of every kind that we read, packed in every way: to be read by odd paths, and to be damaged."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from types import MappingProxyType

import openpyxl
import pandas as pd
import xlsxwriter
import zstandard

HEADER = "job_id,cluster,name,gpu_model,gpus,start,end\n"
ROW = "{},atlas,train,H100,2,2026-{:02}-01T00:00:00Z,2026-{:02}-20T00:00:00Z\n"
LOG = (HEADER + "".join(ROW.format(month, month, month) for month in range(1, 7))).encode()
OTHER_LOG = LOG.replace(b"\n1,", b"\n9,")
CONTRACTS = b"""contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end
c-1,Own,atlas,H100,8,2.5,2025-01-01,2027-01-01
"""
PRICES = b"""offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour
o-1,Own,H100,ON_DEMAND,,3.5
"""
USERS = b"city,country,latitude,longitude,users\nOslo,NO,59.9,10.7,5\n"
SITES = b"site_id,city,country,latitude,longitude,usd_per_month,current\neu,Frankfurt,DE,50.1,8.7,100,true\n"
MEASURED = b"city,site_id,one_way_ms\nOslo,eu,12.5\n"
RESIDENCY = b"country,allowed_site_countries\nNO,NO;DE\n"
TRAFFIC = b"""timestamp,context_tokens,generated_tokens
2026-01-01T00:00:00Z,100,50
2026-01-01T01:00:00Z,100,50
"""
ACTIVITY = (
    b"timestamp,metric,value,Hostname,gpu,hpc_job\n2026-01-01T00:30:00Z,DCGM_FI_DEV_GPU_UTIL,50,n1,0,1\n"
)
BILL = (
    b"BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ServiceName,SkuId,"
    b"ConsumedQuantity,ConsumedUnit,ResourceId,ChargeCategory,ProviderName\n"
    b"2026-01-01T00:00:00Z,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z,98.3,98.3,EC2,p5.48xlarge,1,Hours,i-1,Usage,AWS\n"
)
PLACES = MappingProxyType({"users": USERS, "sites": SITES, "measured": MEASURED, "residency": RESIDENCY})
_SIZES = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4}
_SIZES |= {"intermediate_size": 128, "vocab_size": 1000}
MODEL_CONFIG = json.dumps(_SIZES | {"model_type": "llama", "torch_dtype": "bfloat16"}).encode()
RULES = b"pool,pattern,field\nburst,rollouts?,name\n"


def tar(**members: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members.items():
            part = tarfile.TarInfo(f"{name}.csv")
            part.size = len(data)
            archive.addfile(part, io.BytesIO(data))
    return out.getvalue()


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.csv", data)
    return out.getvalue()


def workbook(log: bytes) -> bytes:
    book = openpyxl.Workbook()
    for line in log.decode().splitlines():
        book.worksheets[0].append(line.split(","))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def shared_texts(log: bytes) -> bytes:
    """As other programs write a workbook: with its texts in a part of their own."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row, line in enumerate(log.decode().splitlines()):
            for column, text in enumerate(line.split(",")):
                sheet.write_string(row, column, text)
    return out.getvalue()


def parquet(log: bytes) -> bytes:
    out = io.BytesIO()
    pd.read_csv(io.BytesIO(log), dtype=str).to_parquet(out)
    return out.getvalue()


LOGS = MappingProxyType(
    {
        "plain.csv": LOG,
        "gzip.csv.gz": gzip.compress(LOG),
        "bzip2.bz2": bz2.compress(LOG),
        "xz.xz": lzma.compress(LOG),
        "zstd.zst": zstandard.ZstdCompressor().compress(LOG),
        "one.zip": zipped(june=LOG),
        "two.zip": zipped(june=LOG, july=gzip.compress(OTHER_LOG)),
        "two.tar": tar(june=LOG, july=OTHER_LOG),
        "two.tgz": gzip.compress(tar(june=LOG, july=OTHER_LOG)),
        "book.xlsx": workbook(LOG),
        "shared texts.xlsx": shared_texts(LOG),
        "columns.parquet": parquet(LOG),
    }
)
LINES = b"\n".join(
    json.dumps(dict(zip(HEADER.strip().split(","), row.split(","), strict=True))).encode()
    for row in LOG.decode().splitlines()[1:]
)
_PLAIN = {"contracts": CONTRACTS, "prices": PRICES, "traffic": TRAFFIC, "activity": ACTIVITY, "bill": BILL}
_PACKED = {"contracts.xlsx": workbook(CONTRACTS), "prices.csv.gz": gzip.compress(PRICES)}
_PACKED |= {"bill.zip": zipped(january=BILL)}
_ODD = {"picture.png": b"\x89PNG\r\n\x1a\n", "empty.csv": b"", "cut.gz": gzip.compress(LOG)[:-9]}
OTHERS = MappingProxyType(
    {f"{name}.csv": content for name, content in {**_PLAIN, **PLACES, "rules": RULES}.items()}
    | {"lines.json": LINES, "config.json": MODEL_CONFIG, **_PACKED, **_ODD}
)
