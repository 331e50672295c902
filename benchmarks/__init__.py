"""Benchmarks: what the product costs, as ratios to a reference measured in the same run."""
