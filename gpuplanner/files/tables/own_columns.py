"""Our own columns of contracts and prices, and which of them a table needs."""

from typing import Final

OWN_COLUMNS: Final = {
    kind: dict.fromkeys(names.split(","), "")
    for kind, names in {
        "contracts": "contract_id,provider,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end,"
        "pricing_category,term_months,min_term_months,notice_days,region,bare_metal,interconnect,"
        "gpu_memory_gb,egress_usd_per_gb,pool,currency,sla_percent,owner",
        "prices": "offer_id,provider,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour,rate_low,"
        "rate_high,max_gpus,min_gpus,unit_gpus,upfront_usd,sla_percent,lead_time_hours,min_term_months,"
        "term_days,starts,ends,valid_until,gpu_memory_gb,bare_metal,interconnect,egress_usd_per_gb,region,"
        "currency,source,as_of",
    }.items()
}
OWN_REQUIRED: Final = {
    "contracts": ("contract_id", "gpus", "start"),
    "prices": ("offer_id", "gpu_model", "pricing_category"),
}
