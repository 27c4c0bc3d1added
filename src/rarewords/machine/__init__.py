"""The machine that a program runs on: devices, threads, memory, how fast it multiplies, and what it says of itself."""
