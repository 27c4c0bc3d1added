"""What the workflow does itself where it is a module of another one, whose `onstart` never calls ours."""

AS_MODULE = workflow.main_snakefile not in (
    os.path.join(ROOT, "Snakefile"),
    os.path.join(ROOT, "workflow", "Snakefile"),
)
CONFIGURATION = [layout.config] if AS_MODULE else []


if AS_MODULE:

    rule keep_configuration:
        output:
            layout.config,
        log:
            f"logs/keep_configuration/{NAME}.log",
        localrule: True
        params:
            checksum=EXPERIMENT.checksum(),
        message:
            "Keep the configuration of the run beside its results."
        run:
            write_config()
