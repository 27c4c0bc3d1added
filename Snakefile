include: "workflow/Snakefile"


rule everything:
    # An included file does not set the default target, so it is named here.
    default_target: True
    input:
        rules.all.input,
