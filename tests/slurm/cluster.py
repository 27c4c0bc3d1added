"""A real Slurm of one node, from Debian's packages slurmctld, slurmd, slurm-client and munge, on loopback.

Everything it writes lies in one folder, its ports are free ones, and it does not touch an installed configuration. It
runs without systemd and control groups, as in a container. Four device files stand in for GPUs: they can be scheduled,
not computed on.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "scancel", "scontrol", "sinfo", "squeue", "srun")
FAKE_GPUS = ("null", "zero", "full", "random")
SEARCH = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])

SLURM_CONF = """\
ClusterName=rarewords
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1
ReturnToService=2
KillWait=30
MinJobAge=600
DefMemPerCPU=500
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 RealMemory=999000 Gres=gpu:{gpus} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing_programs() -> list[str]:
    """What the cluster needs and this machine lacks."""
    return [name for name in (*DAEMONS, *CLIENTS) if shutil.which(name, path=SEARCH) is None]


def wait_until(true: Callable[[], bool], what: str, seconds: float = 300.0) -> None:
    """Raise AssertionError if something has not become true in time."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.05)


class Cluster:
    """A running Slurm; `clients` is the folder to put in front of PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clients = folder, folder / "bin"
        self.host = socket.gethostname().split(".")[0]
        for name in ("state", "spool", "bin"):
            (folder / name).mkdir()
        controller_port, node_port = free_ports()
        (folder / "slurm.conf").write_text(
            SLURM_CONF.format(
                host=self.host, controller_port=controller_port, node_port=node_port, user=getpass.getuser(),
                folder=folder, gpus=len(FAKE_GPUS),
            )
        )  # fmt: skip
        gpus = [f"NodeName={self.host} Name=gpu File=/dev/{device}\n" for device in FAKE_GPUS]
        (folder / "gres.conf").write_text("".join(gpus))
        # Snakemake starts srun without SLURM_CONF, so each client knows its configuration itself.
        for name in CLIENTS:
            (self.clients / name).write_text(
                f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {shutil.which(name, path=SEARCH)} "$@"\n'
            )
            (self.clients / name).chmod(0o755)

    def start(self) -> None:
        """Start the daemons and wait until the node takes jobs."""
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(256))
        key.chmod(0o600)
        files = ("key-file=munge.key", "socket=munge.socket", "pid-file=munged.pid", "log-file=munged.log")
        self._daemon("munged", *(f"--{file.replace('=', f'={self.folder}/')}" for file in (*files, "seed-file=seed")))
        self._daemon("slurmctld", "-f", str(self.folder / "slurm.conf"))
        self.start_node()

    def start_node(self) -> None:
        """Start slurmd and wait until the node takes jobs."""
        self._daemon("slurmd", "-f", str(self.folder / "slurm.conf"))
        wait_until(lambda: self.node_state() in ("idle", "mixed", "allocated"), "the node is up", seconds=60)

    def crash_node(self) -> None:
        """Kill slurmd and every process of every job at once, as a power cut does."""
        for process in [*self.processes_of_jobs(), int((self.folder / "slurmd.pid").read_text())]:
            _kill(process, signal.SIGKILL)
        self.run("scontrol", "update", f"NodeName={self.host}", "State=DOWN", "Reason=power")

    def stop(self) -> None:
        """End all daemons and jobs; the controller first, which would start jobs again."""
        for name in ("slurmctld", "slurmd", "munged"):
            path = self.folder / f"{name}.pid"
            if path.exists():
                process = int(path.read_text())
                _kill(process, signal.SIGTERM)
                wait_until(lambda process=process: not Path(f"/proc/{process}").exists(), f"{name} ends", seconds=30)
        for process in self.processes_of_jobs():
            _kill(process, signal.SIGKILL)

    def run(self, *command: str) -> str:
        """What a client prints."""
        program = [str(self.clients / command[0]), *command[1:]]
        return subprocess.run(program, check=True, capture_output=True, text=True, timeout=300).stdout.strip()

    def node_state(self) -> str:
        return self.run("sinfo", "--noheader", "--format=%T")

    def jobs(self, name: str, states: str = "all") -> list[str]:
        """Ids of the jobs whose own name begins with a name, in the order of submission."""
        lines = self.run("squeue", "--noheader", f"--states={states}", "--sort=i", "--format=%i %j").splitlines()
        return [job for job, job_name in map(str.split, lines) if job_name.startswith(name)]

    def processes_of_jobs(self) -> Iterator[int]:
        """Processes that Slurm started: those with a job id and our configuration, and their stepd."""
        for path in Path("/proc").glob("[0-9]*"):
            try:
                environment = (path / "environ").read_bytes()
                command = (path / "cmdline").read_bytes()
            except OSError:  # ended meanwhile, or of another user
                continue
            ours = str(self.folder).encode() in environment
            if ours and (b"\0SLURM_JOB_ID=" in b"\0" + environment or command.startswith(b"slurmstepd")):
                yield int(path.name)

    def logs(self) -> str:
        """The end of every daemon's log."""
        return "\n".join(f"{path.name}:\n{path.read_text()[-2000:]}" for path in sorted(self.folder.glob("*.log")))

    def _daemon(self, name: str, *arguments: str) -> None:
        # The variable marks slurmstepd as ours.
        environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        program = shutil.which(name, path=SEARCH)
        assert program is not None
        subprocess.run([program, *arguments], check=True, env=environment, timeout=300, stdin=subprocess.DEVNULL)


def free_ports() -> tuple[int, int]:
    """Two ports that nobody listens on."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def _kill(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)
