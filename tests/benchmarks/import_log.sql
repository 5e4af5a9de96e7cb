-- The rows of a log: 3,000 workloads of very different size, runs in order of time, one row of 50 again.
with told as (
    select i, case when i % 50 = 49 then i - 17 else i end as run from range({rows}) t(i)
), drawn as (
    select i, run, chance(run, 1) as a, chance(run, 2) as b, chance(run, 3) as c, chance(run, 4) as d from told
), runs as (
    select *, 1767225600 + run * {seconds} // {rows} + a % 7200 as start_s,
        60 + (b % 100) * (b % 100) * (1 + c % 9) as length_s,
        cast(3000 * pow((d % 1000003) / 1000003.0, 3) as bigint) as w
    from drawn
)
select cast(100000000 + run as varchar) as job_id, 'prod-' || (w % 3) as cluster,
    ['llama-sft', 'bert_eval', 'resnet50-train', 'serve-chat', 'notebook', 'dpo.sweep', 'embed-index',
        'whisper-batch', 'nightly-ci', 'diffusion-ft'][1 + w % 10] || '-' || (b % 1000) as name,
    'acct-' || (w // 10 % 100) as account, 'user' || (w % 500) as user,
    ['batch', 'short', 'interactive'][1 + (w // 7) % 3] as queue,
    ['A100-80GB', 'H100-SXM', 'L40S', 'A100-40GB'][1 + (w // 3) % 4] as gpu_model,
    case c % 20 when 0 then '0' when 1 then '0.5'
        else cast([1, 1, 1, 2, 4, 8, 8, 16][1 + c % 8] as varchar) end as gpus,
    cast(1 + cast(c // 64 % 8 = 7 as int) as varchar) as nodes,
    strftime(make_timestamp(start_s * 1000000), '%Y-%m-%dT%H:%M:%SZ') as start,
    strftime(make_timestamp((start_s + length_s) * 1000000), '%Y-%m-%dT%H:%M:%SZ') as "end",
    case when a % 17 = 0 then 'FAILED' when a % 23 = 0 then 'CANCELLED' else 'COMPLETED' end as state
from runs order by i
