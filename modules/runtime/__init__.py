"""How Python, jsii and Node are started: which Node, which settings, and what is loaded only when used.

Nothing here imports cdktf; `modules/cdk.py` (the facade) uses it before its first jsii import.
"""
