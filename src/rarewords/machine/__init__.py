"""The machine: devices, threads, memory, the speed of matrix products, and its description."""
