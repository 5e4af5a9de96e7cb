"""Small activity files written by hand, one of each shape, and how their rows end."""

from dataclasses import dataclass

DCGM = """# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).
# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aa",modelName="NVIDIA H100",Hostname="N1",hpc_job="7"} 90 1767609000000
DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-bb",modelName="NVIDIA H100",Hostname="N1"} 0 1767609000000
DCGM_FI_PROF_SM_ACTIVE{gpu="0",UUID="GPU-aa",modelName="NVIDIA H100",Hostname="N1",hpc_job="7"} 0.25 1767609000000
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-aa",modelName="NVIDIA H100",Hostname="N1"} 61 1767609000000
# TYPE DCGM_FI_DEV_GPU_UTIL gauge
2026-01-05T10:35:00Z
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aa",modelName="NVIDIA H100",Hostname="N1",hpc_job="7"} 130
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aa",modelName="NVIDIA H100",Hostname="N1",hpc_job="7"} 70
"""
DCGM_NO_TIME = 'DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aa",modelName="NVIDIA H100",Hostname="n1"} 90\n'
DMON = """#Entity   GPUTL  SMACT
ID
2026-01-05T10:30:00Z
GPU 0     90     0.250
GPU 1     0      N/A
#Entity   GPUTL  SMACT
ID
2026-01-05T10:31:00Z
GPU 0     91     1.900
"""
DMON_CSV = """Timestamp,Entity,GPUTL,SMACT
2026-01-05 10:30:00,GPU 0,90,0.25
2026-01-05 10:31:00,GPU 0,N/A,N/A
never,GPU 0,90,0.25
"""
EXPORTER = """# TYPE nvidia_smi_utilization_gpu_ratio gauge
# 2026-01-05T10:30:00Z
nvidia_smi_utilization_gpu_ratio{uuid="aa",instance="n1:9835"} 0.5
nvidia_smi_temperature_gpu{uuid="aa",instance="n1:9835"} 55
"""
PROMETHEUS = """{"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","Hostname":"n1","gpu":"0","exported_pod":"train-0",
"exported_namespace":"ml","pod":"dcgm-exporter-x2","namespace":"gpu-operator"},"values":[[1767609000,"90"],[1767609060.5,"80"],[1767609120,"NaN"]]},
{"metric":{"__name__":"node_load1","instance":"n1:9100"},"values":[[1767609000,"3.1"]]},
{"metric":{"__name__":"DCGM_FI_PROF_GR_ENGINE_ACTIVE","Hostname":"n1","gpu":"0"},"values":[[1767609000,"0.5"],[1767609060,"7"]]}
]}}
{"status":"success","data":{"resultType":"vector","result":[
{"metric":{"__name__":"nvidia_gpu_duty_cycle","instance":"n2:9445","minor_number":"3"},"value":[1767609000,"12"]}]}}
"""
GRAFANA = """sep=,
"Time","DCGM_FI_DEV_GPU_UTIL{Hostname=""n1"", gpu=""0""}","DCGM_FI_DEV_GPU_UTIL{Hostname=""n1"", gpu=""1""}"
2026-01-05 10:30:00,90%,5
2026-01-05 10:31:00,80,
2026-01-05 10:32:00,,
"""
LONG_CSV = """timestamp,metric,value,Hostname,gpu,hpc_job
1767609000,DCGM_FI_DEV_GPU_UTIL,90,n1,0,7
1767609000,DCGM_FI_DEV_POWER_USAGE,400,n1,0,7
1767609060,DCGM_FI_DEV_GPU_UTIL,lots,n1,0,7
"""
SMI = """timestamp, index, name, uuid, utilization.gpu [%], utilization.memory [%]
2026/01/05 10:30:00.123, 0, NVIDIA H100 80GB HBM3, GPU-aa, 90 %, 40 %
2026/01/05 10:30:00.125, 1, NVIDIA H100 80GB HBM3, GPU-bb, [N/A], 0 %
2026/01/05 10:31:00.123, 0, NVIDIA H100 80GB HBM3, GPU-aa, 80 %, 40 %
"""
SMI_BARE = """2026/01/05 10:30:00.123, 0, NVIDIA H100 80GB HBM3, GPU-aa, 90, 40, 61
2026/01/05 10:31:00.123, 0, NVIDIA H100 80GB HBM3, GPU-aa, 80, 40, 62
"""
SONAR = """v=0.13.200,time=2026-01-05T11:30:00+01:00,host=gpu-1.fox,user=u,cmd=python,job=7,cpu%=98.2,gpus=3,gpu%=44
v=0.13.200,time=2026-01-05T11:30:00+01:00,host=gpu-1.fox,user=u,cmd=bash,job=7,cpu%=0.1
v=0.13.200,time=2026-01-05T11:35:00+01:00,host=gpu-1.fox,user=u,cmd=ollama,job=8,"gpus=4,5,6,0",gpu%=102,gpukib=1
v=0.13.200,time=2026-01-05T11:35:00+01:00,host=gpu-1.fox,user=u,cmd=ollama,job=9,gpus=4,gpu%=400
"""
SONAR_OBJECTS = """{"meta":{"producer":"sonar"},"data":{"type":"sample","attributes":{
"time":"2026-01-05T11:30:00+01:00","node":"ml6","system":{"gpus":[{"uuid":"GPU-aa","ce_util":94},{"index":1,"uuid":"GPU-bb"}]},
"jobs":[{"job":7,"processes":[{"cmd":"a","gpus":[{"uuid":"GPU-aa","gpu_util":80}]},{"cmd":"sh"}]}]}}}
{"meta":{"producer":"sonar"},"data":{"type":"sample","attributes":{"time":"2026-01-05T11:30:00+01:00","node":"cpu1"}}}
{"meta":{"producer":"sonar"},"errors":[{"detail":"no answer"}]}
"""
SMI_DMON = """#Date       Time        gpu    pwr  gtemp     sm    mem
#YYYYMMDD   HH:MM:SS    Idx      W      C      %      %
 20260105   10:30:00      0     43     35     90     40
 20260105   10:30:00      1     43     35      -      -
#Date       Time        gpu    pwr  gtemp     sm    mem
#YYYYMMDD   HH:MM:SS    Idx      W      C      %      %
 20260105   10:31:00      0     43     35     80     40
 20260105   10:31:00      1     43     35    180     40
 20260105   10:32
"""
SMI_DMON_CSV = """#Date, Time, gpu, sm, mem
#YYYYMMDD, HH:MM:SS, Idx, %, %
20260105, 10:30:00, 0, 90, 40
20261305, 10:30:00, 0, 90, 40
"""
SERIES = """"Series";"Time";"Value"
"n1 GPU 0";"2026-01-05T10:30:00.000Z";"90"
"n1 GPU 1";"2026-01-05T10:30:00.000Z";"null"
"{Hostname=""n1"", gpu=""2""}";1767609000000;80
"""
LEGENDS = """"Time","GPU 0","GPU 1"
2026-01-05 10:30:00,90 %,5 %
2026-01-05 10:31:00,80 %,
"""


USE = """timestamp,gpu_index,utilization_gpu_pct,power_draw_W
2026-01-05 10:30:00,0,90,400
2026-01-05 10:30:00,1,7.5,80
2026-01-05 10:31:00,0,120,400
2026-01-05 10:31:00,1,,80
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityText:
    """A file and what becomes of it: rows accepted, rejected and ignored; its samples."""

    name: str
    text: str
    format: str
    fates: tuple[int, int, int]
    samples: int


TEXTS = (
    ActivityText(name="dcgm.prom", text=DCGM, format="dcgm", fates=(4, 1, 1), samples=4),
    ActivityText(name="untimed.prom", text=DCGM_NO_TIME, format="dcgm", fates=(0, 1, 0), samples=1),
    ActivityText(name="dmon.txt", text=DMON, format="dcgm", fates=(2, 1, 0), samples=3),
    ActivityText(name="dmon.csv", text=DMON_CSV, format="dcgm", fates=(1, 1, 1), samples=4),
    ActivityText(name="exporter.prom", text=EXPORTER, format="prometheus", fates=(1, 0, 1), samples=1),
    ActivityText(name="range.json", text=PROMETHEUS, format="prometheus", fates=(4, 1, 2), samples=4),
    ActivityText(name="grafana.csv", text=GRAFANA, format="prometheus", fates=(2, 0, 1), samples=3),
    ActivityText(name="long.csv", text=LONG_CSV, format="prometheus", fates=(1, 1, 1), samples=1),
    ActivityText(name="smi.csv", text=SMI, format="nvidia_smi", fates=(2, 0, 1), samples=2),
    ActivityText(name="bare_n1.csv", text=SMI_BARE, format="nvidia_smi", fates=(2, 0, 0), samples=2),
    ActivityText(name="smi_dmon.txt", text=SMI_DMON, format="nvidia_smi", fates=(2, 2, 1), samples=2),
    ActivityText(name="smi_dmon.csv", text=SMI_DMON_CSV, format="nvidia_smi", fates=(1, 1, 0), samples=1),
    ActivityText(
        name="DCGM_FI_DEV_GPU_UTIL.csv", text=SERIES, format="prometheus", fates=(2, 0, 1), samples=2
    ),
    ActivityText(
        name="GPU Utilization-data-as-joinbyfield.csv",
        text=LEGENDS,
        format="prometheus",
        fates=(2, 0, 0),
        samples=3,
    ),
    ActivityText(name="use_of_one_node.csv", text=USE, format="nvidia_smi", fates=(2, 1, 1), samples=2),
    ActivityText(name="sonar.csv", text=SONAR, format="sonar_samples", fates=(2, 1, 1), samples=2),
    ActivityText(name="sonar.json", text=SONAR_OBJECTS, format="sonar_samples", fates=(1, 1, 1), samples=3),
)
