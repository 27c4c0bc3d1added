"""Snakemake that asks Slurm for the states of jobs every second; the plugin waits longer each time, up to 3 minutes."""

from snakemake.cli import main
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor

# A property with a setter that does nothing: what the plugin sets is not kept.
RemoteExecutor.next_seconds_between_status_checks = property(lambda _: 1, lambda _, seconds: None)

if __name__ == "__main__":
    main()
