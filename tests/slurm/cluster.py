"""A real Slurm of one or several nodes on loopback, from Debian's packages slurmctld, slurmd, slurm-client and munge.

Everything it writes lies in one folder, its ports are free ones, and it does not touch an installed configuration. It
runs without systemd and control groups, as in a container. Four device files stand in for GPUs: they can be scheduled,
not computed on. Each of several nodes has its own slurmd, port and host name (a UTS namespace).
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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "scancel", "scontrol", "sinfo", "squeue", "srun")
FAKE_GPUS = ("null", "zero", "full", "random")
SEARCH = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])

SLURM_CONF = """\
ClusterName=rarewords
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
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
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = """\
NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=16 RealMemory={memory} Gres=gpu:{gpus}
"""


def missing_programs() -> list[str]:
    """What the cluster needs and this machine lacks."""
    return [name for name in (*DAEMONS, *CLIENTS) if shutil.which(name, path=SEARCH) is None]


def has_host_names() -> bool:
    """Whether a process may have a host name of its own."""
    tried = subprocess.run(["unshare", "--uts", "true"], check=False, capture_output=True)
    return tried.returncode == 0


def wait_until(true: Callable[[], bool], what: str, seconds: float = 300.0) -> None:
    """Raise AssertionError if something has not become true in time."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.05)


class Cluster:
    """A running Slurm; `clients` is the folder to put in front of PATH.

    Without names of nodes there is one, called as this machine. `memory` (MB) is what jobs may ask of each node.
    """

    def __init__(self, folder: Path, nodes: Sequence[str] = (), memory: int = 999_000) -> None:
        self.folder, self.clients = folder, folder / "bin"
        self.host = socket.gethostname().split(".")[0]
        self.nodes = list(nodes) or [self.host]
        for name in ("state", "bin", *(f"spool.{node}" for node in self.nodes)):
            (folder / name).mkdir()
        controller_port, *ports = free_ports(1 + len(self.nodes))
        lines = [
            NODE.format(node=node, host=self.host, port=port, memory=memory, gpus=len(FAKE_GPUS))
            for node, port in zip(self.nodes, ports, strict=True)
        ]
        settings = SLURM_CONF.format(
            host=self.host, controller_port=controller_port, user=getpass.getuser(), folder=folder
        )
        general, partition, rest = settings.partition("PartitionName=")
        (folder / "slurm.conf").write_text(general + "".join(lines) + partition + rest)
        gpus = [f"NodeName={node} Name=gpu File=/dev/{device}\n" for node in self.nodes for device in FAKE_GPUS]
        (folder / "gres.conf").write_text("".join(gpus))
        # Snakemake starts srun without SLURM_CONF, so each client knows its configuration itself.
        for name in CLIENTS:
            (self.clients / name).write_text(
                f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {shutil.which(name, path=SEARCH)} "$@"\n'
            )
            (self.clients / name).chmod(0o755)

    def start(self) -> None:
        """Start the daemons and wait until the nodes take jobs."""
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(256))
        key.chmod(0o600)
        files = ("key-file=munge.key", "socket=munge.socket", "pid-file=munged.pid", "log-file=munged.log")
        self._daemon("munged", *(f"--{file.replace('=', f'={self.folder}/')}" for file in (*files, "seed-file=seed")))
        self._daemon("slurmctld", "-f", str(self.folder / "slurm.conf"))
        for node in self.nodes:
            self.start_node(node)

    def start_node(self, node: str | None = None) -> None:
        """Start a node's slurmd and wait until the node takes jobs."""
        node = node or self.host
        own_name = [] if node == self.host else ["unshare", "--uts", "sh", "-c", f'hostname {node}; exec "$@"', "sh"]
        self._daemon("slurmd", "-f", str(self.folder / "slurm.conf"), "-N", node, before=own_name)
        wait_until(lambda: self.node_state(node) in ("idle", "mixed", "allocated"), f"{node} is up", seconds=60)

    def crash_node(self, node: str | None = None) -> None:
        """Kill a node's slurmd and every process of its jobs at once, as a power cut does."""
        node = node or self.host
        slurmd = int((self.folder / f"slurmd.{node}.pid").read_text())
        there = _host_name_space(slurmd)
        for process in [*(one for one in self.processes_of_jobs() if _host_name_space(one) == there), slurmd]:
            _kill(process, signal.SIGKILL)
        self.run("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=power")

    def stop(self) -> None:
        """End all daemons and jobs; the controller first, which would start jobs again."""
        for name in ("slurmctld", *(f"slurmd.{node}" for node in self.nodes), "munged"):
            path = self.folder / f"{name}.pid"
            if path.exists():
                process = int(path.read_text())
                if not Path(f"/proc/{process}").exists():  # a node that crashed
                    continue
                _kill(process, signal.SIGTERM)
                wait_until(lambda process=process: not Path(f"/proc/{process}").exists(), f"{name} ends", seconds=30)
        for process in self.processes_of_jobs():
            _kill(process, signal.SIGKILL)

    def run(self, *command: str) -> str:
        """What a client prints."""
        program = [str(self.clients / command[0]), *command[1:]]
        return subprocess.run(program, check=True, capture_output=True, text=True, timeout=300).stdout.strip()

    def node_state(self, node: str) -> str:
        return self.run("sinfo", "--noheader", "--format=%T", f"--nodes={node}")

    def node_of(self, job: str) -> str:
        """The node that a job runs on, or ran on last."""
        return self.run("squeue", "--noheader", "--states=all", f"--jobs={job}", "--format=%N")

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

    def _daemon(self, name: str, *arguments: str, before: Sequence[str] = ()) -> None:
        # The variable marks slurmstepd as ours.
        environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        program = shutil.which(name, path=SEARCH)
        assert program is not None
        subprocess.run(
            [*before, program, *arguments], check=True, env=environment, timeout=300, stdin=subprocess.DEVNULL
        )


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _host_name_space(process: int) -> str:
    """What two processes that have one host name have in common; empty for a process that has ended."""
    try:
        return os.readlink(f"/proc/{process}/ns/uts")
    except OSError:
        return ""


def _kill(process: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)
