"""A stand-in for the aws and helm Terraform providers: real schemas, moto behind them, no network.

What a pass proves: Terraform accepts the graph, types, references and conditions; the planned
objects can be created, read back, changed and removed; the checks of AWS that are written in
``checks.py`` hold. What it does not prove: AWS's own timing, every validation AWS makes, and how a
cluster behaves.
"""
