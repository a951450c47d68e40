"""How Python, jsii and Node are started: which Node, its settings, what loads only when used.

Nothing here imports cdktf; `modules/cdk.py` (the facade) uses it before its first jsii import.
"""
