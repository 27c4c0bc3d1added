"""Run a command and print what it has used, as JSON: exit code, wall seconds, CPU seconds, peak memory in MiB.

    python bench/usage.py SECONDS COMMAND...        (the command is stopped after so many seconds)

This is a program of its own because the system counts the memory of whoever starts a process as that process's own: it
must be started by something small.
"""

import json
import os
import subprocess
import sys
import threading
import time

began = time.perf_counter()
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
stop = threading.Timer(float(sys.argv[1]), process.kill)
stop.start()
_, status, usage = os.wait4(process.pid, 0)
stop.cancel()
result = {
    "code": os.waitstatus_to_exitcode(status),
    "wall": time.perf_counter() - began,
    "cpu": usage.ru_utime + usage.ru_stime,
    "mebibytes": usage.ru_maxrss / 1024,
}
print(json.dumps(result))
