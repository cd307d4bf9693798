"""What the server costs, measured beside floors of the same run: `make bench` (docs/PERFORMANCE.md)."""
