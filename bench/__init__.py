"""Benchmarks of the server against floors measured in the same run: `make bench` (docs/PERFORMANCE.md)."""
