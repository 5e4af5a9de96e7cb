"""Listings without what jobs need are refused by what they are, with what to export instead."""

from pathlib import Path

import pytest

from gpuplanner.files.intake import read_inputs

LISTINGS = {
    "bacct": "\nAccounting information about jobs that are: \n  - submitted by all users.\n"
    "SUMMARY:      ( time unit: second ) \n Total number of done jobs:      60\n",
    "LSF": "JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME\n"
    "101     ann     RUN   gpu        login1      gpu01       train      Mar  1 10:00\n",
    "squeue": "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
    "            123456       gpu    train      ann  R    2:03:04      1 gpu-01\n",
    "qstat": "Job id            Name             User              Time Use S Queue\n"
    "----------------  ---------------- ----------------  -------- - -----\n"
    "1.server          train            ann               00:00:01 R gpu\n",
    "sacct says": "sacct: error: Problem talking to the database: Connection refused\n",
    "YAML": "jobs:\n- account: ml\n  job_id: 1\n  time:\n    start: 1709287200\n",
    "dmon -s u -o DT": "# gpu    sm   mem   enc   dec\n# Idx     %     %\n    0    95    40     0     0\n",
    "without its dates": "#Time        gpu    sm   mem\n#HH:MM:SS    Idx     %     %\n 10:00:00      0    95    40\n",
    "pmon": "#Date       Time        gpu        pid  type    sm   mem   command\n"
    "#YYYYMMDD   HH:MM:SS    Idx          #   C/G     %     %   name\n"
    " 20260105   10:00:00      0       1234     C    95    40   python\n",
    "sreport": f"{'-' * 80}\nCluster/Account/User Utilization 2026-01-01T00:00:00 - 2026-01-31T23:59:59"
    " (2678400 secs)\n"
    "Usage reported in TRES Hours\n  Cluster         Account     Login      TRES Name     Used\n",
    "qacct": f"{'=' * 62}\nqname        gpu.q\nhostname     g1\ngroup        ml\nowner        ann\njobname      train\n"
    "jobnumber    11\nstart_time   Mon Jan  5 10:00:00 2026\ncategory     -l gpu=4\n",
    "accounting file": "gpu.q:g1:ml:ann:train:11:sge:0:1767603600:1767607200:1767614400:0:0:7200:1:2:-l gpu=4\n",
    "condor_history": " ID     OWNER          SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n"
    "   1.0   ann             1/5  09:59   0+02:00:00 C   1/5  12:00 /bin/x\n",
    "Flux": "       JOBID USER     NAME       ST NTASKS NNODES     TIME INFO\n"
    "   f2AB ann      train      CD      8      1   2h g1\n",
    "SageMaker": '{"TrainingJobSummaries": [{"TrainingJobName": "j1", "CreationTime": "2026-01-05T10:00:00+00:00"}]}',
    "instances and not GPUs": '{"TrainingJobName": "j1", "ResourceConfig": {"InstanceType": "ml.p4d.24xlarge"}}\n',
    "Azure ML": '[{"name": "b", "compute": "azureml:gpu", "resources": {"instance_count": 1}}]',
    "Vertex": '[{"displayName": "t", "jobSpec": {"workerPoolSpecs": [{"replicaCount": "2"}]}}]',
    "Volcano": '{"items": [{"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job"}]}',
    "AWS Batch": '{"jobs": [{"jobId": "u1", "container": {"resourceRequirements": [{"value": "4", "type": "GPU"}]}}]}',
    "Google Cloud's billing": "billing_account_id,sku.description,usage_start_time,usage.amount\n01A,H100,2026,1\n",
    "gcloud": "NAME      REGION       END_TIMESTAMP                  STATUS\n"
    "a3-cud    us-central1  2028-01-01T00:00:00.000-08:00  ACTIVE\n",
    "nvidia-smi": "+---------+\n| NVIDIA-SMI 550.54.15   Driver Version: 550.54.15   CUDA Version: 12.4 |\n+---+\n",
}


@pytest.mark.parametrize("word", LISTINGS)
def test_a_listing_is_refused_by_its_name(tmp_path: Path, word: str) -> None:
    path = tmp_path / "listing.txt"
    path.write_text(LISTINGS[word])
    (refused,) = read_inputs([str(path)]).refused
    assert (refused.code, word in refused.what) == ("not_a_job_log", True)
    assert "no known kind" not in refused.what
