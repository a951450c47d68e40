"""The page of all lint rules."""

from __future__ import annotations

from modules.provisioners.lint.finding import LintRule
from modules.provisioners.lint.registry import RULES
from stacks.lint.explain import span

_PARTS = {
    "KPT0": "What cannot be applied, and suppressions",
    "KPT1": "Pools",
    "KPT2": "Classes",
    "KPT3": "Objects together",
    "KPT4": "Instance types",
    "KPT5": "When nodes go",
    "KPT6": "Versions and surroundings",
}
_HEAD = """\
# Lint rules

Written by `pipenv run docs`. What `pipenv run lint` and `pipenv run synth` find in pools and
classes; `pipenv run explain <code>` tells why, with an example. An error does not work, or does
harm for certain. A warning has a cost or a danger that its author may not know. An info is worth
knowing. Codes never change their meaning.
"""
_COLUMNS = "| Code | Severity | What it finds | Why it matters | Releases |\n|---|---|---|---|---|"


def page() -> str:
    """The text of the page."""
    parts = [_HEAD]
    for prefix, title in _PARTS.items():
        rules = [rule for rule in RULES if rule.code.startswith(prefix)]
        if rules:
            parts.append(f"\n## {title}\n\n{_COLUMNS}\n" + "".join(map(_row, rules)))
    return "".join(parts)


def _row(rule: LintRule) -> str:
    anchor = f'<a id="{rule.code.lower()}"></a>{rule.code}'
    cells = (anchor, rule.severity.value, rule.title, rule.why, span(rule))
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |\n"
