"""Benchmarks of the server, beside floors measured in the same run: `make bench` (docs/PERFORMANCE.md)."""
