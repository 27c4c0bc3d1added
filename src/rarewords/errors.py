"""The one exception for mistakes in the user's input."""


class InputError(Exception):
    """Something the user gave is wrong.

    The message is one sentence that names the file, the line or the configuration key, says what is wrong and what to
    do. The command line prints it and exits with code 2.
    """
