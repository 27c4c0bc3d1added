"""What an experiment is: a checked configuration, and the questions the workflow asks of it."""
