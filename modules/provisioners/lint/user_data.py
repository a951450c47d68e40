"""Rules on user data: whether the family's images can read it, and what it must not set."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Final

from modules.core.faults import Fault
from modules.provisioners.lint import look
from modules.provisioners.lint.class_view import CLASSES, WINDOWS, family
from modules.provisioners.lint.finding import Context, LintRule, Manifest, Severity

_BOTTLEROCKET: Final = "Bottlerocket"
_LONGEST: Final = 60

_BOOTSTRAP = re.compile(r"/etc/eks/bootstrap\.sh")
_NODEADM = re.compile(r"node\.eks\.aws/v1alpha1|\bnodeadm\b")
_SHELL = re.compile(r"^#!", re.MULTILINE)
_POWERSHELL = re.compile(r"<powershell>", re.IGNORECASE)
_MIME = re.compile(r"^(MIME-Version|Content-Type):", re.MULTILINE | re.IGNORECASE)

_TAINTS = re.compile(r"--register-with-taints\b|\bregisterWithTaints\b")
_LABELS = re.compile(r"--node-labels\b")
_KARPENTERS = re.compile(
    r"--(max-pods|kube-reserved|system-reserved|eviction-hard|eviction-soft|cluster-dns)\b"
    r"|\b(maxPods|kubeReserved|systemReserved|evictionHard|evictionSoft|clusterDNS)\s*:"
)

_FORMS = {
    "AL2": "a shell script, or MIME parts with one",
    "AL2023": "a shell script, a NodeConfig of node.eks.aws/v1alpha1, or MIME parts with them",
    _BOTTLEROCKET: "Bottlerocket's settings as TOML",
    WINDOWS: "PowerShell, with or without <powershell> around it",
}


def _wrong_form(node_class: Manifest, _: Context) -> Iterator[Fault]:
    kind, text = _family(node_class), look.text(node_class.spec, "userData")
    problem = _problem(kind, text) if kind and text else None
    if kind and text and problem:
        yield Fault(
            ("userData",),
            problem,
            f"for {kind}: {_FORMS[kind]}",
            "write it for this family, or change amiFamily or the alias",
            _line(text, re.compile(r"\S")),
        )


def _problem(kind: str, text: str) -> str | None:
    """What of this user data the family's images cannot read."""
    is_script = bool(_SHELL.search(text) or _MIME.search(text))
    if kind == _BOTTLEROCKET:
        if is_script or _POWERSHELL.search(text):
            return "is a script or MIME parts, which Bottlerocket does not read"
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            return f"is not TOML: {error}"
        return None
    if kind == "AL2023" and _BOOTSTRAP.search(text):
        return "calls bootstrap.sh, which images of AL2023 do not have"
    if kind == "AL2" and _NODEADM.search(text):
        return "is a NodeConfig for nodeadm, which images of AL2 do not have"
    if kind == WINDOWS and is_script:
        return "is a shell script or MIME parts, which Windows does not run"
    if kind in ("AL2", "AL2023"):
        if _POWERSHELL.search(text):
            return "is PowerShell, which Linux images do not run"
        if re.search(r"^\s*\[settings[.\]]", text, re.MULTILINE):
            return "is Bottlerocket's settings, which other images do not read"
    return None


def _registers(node_class: Manifest, _: Context) -> Iterator[Fault]:
    text = look.text(node_class.spec, "userData")
    if text and _family(node_class) is not None and _TAINTS.search(text):
        yield Fault(
            ("userData",),
            "gives the kubelet taints, in place of those that Karpenter gives it",
            "taints in the pool alone",
            "move them to taints or startupTaints of the pool",
            _line(text, _TAINTS),
        )


def _labels(node_class: Manifest, _: Context) -> Iterator[Fault]:
    text = look.text(node_class.spec, "userData")
    if text and _family(node_class) is not None and _LABELS.search(text):
        yield Fault(
            ("userData",),
            "gives the kubelet labels that Karpenter does not know of",
            "labels in the pool alone",
            "move them to the labels of the pool, so that Karpenter reckons with them",
            _line(text, _LABELS),
        )


def _kubelet(node_class: Manifest, _: Context) -> Iterator[Fault]:
    text = look.text(node_class.spec, "userData")
    if text and _family(node_class) is not None and _KARPENTERS.search(text):
        yield Fault(
            ("userData",),
            "sets up the kubelet in a way that Karpenter does not know of",
            "such settings where Karpenter reads them: kubelet in v1 classes and v1beta1 pools",
            "move it there, so that Karpenter counts pods and memory rightly",
            _line(text, _KARPENTERS),
        )


def _bootstraps(node_class: Manifest, _: Context) -> Iterator[Fault]:
    text = look.text(node_class.spec, "userData")
    if text and family(node_class) == "AL2" and _BOOTSTRAP.search(text):
        yield Fault(
            ("userData",),
            "calls bootstrap.sh, as Karpenter's own part does once more",
            "what is to be done besides, without joining the cluster",
            "remove the call: Karpenter adds it with the right arguments",
            _line(text, _BOOTSTRAP),
        )


def _family(node_class: Manifest) -> str | None:
    """The family whose user data Karpenter completes; None for Custom and unknown ones."""
    found = family(node_class) or ""
    if found.startswith(WINDOWS):
        return WINDOWS
    return found if found in _FORMS else None


def _line(text: str, form: re.Pattern[str]) -> str:
    """The line with what is meant, cut to a readable length."""
    found = next((line.strip() for line in text.splitlines() if form.search(line)), "")
    return found if len(found) <= _LONGEST else f"{found[: _LONGEST - 1]}…"


RULES = (
    LintRule(
        "KPT205",
        "user data that the family's images cannot read",
        Severity.ERROR,
        "The node starts and never joins the cluster; Karpenter ends it and tries again.",
        "aws/karpenter-provider-aws#7660; Karpenter's concepts: userData",
        CLASSES,
        _wrong_form,
    ),
    LintRule(
        "KPT208",
        "taints of the kubelet in user data",
        Severity.ERROR,
        "They take the place of karpenter.sh/unregistered, and the node is refused.",
        "aws/karpenter-provider-aws#7486, #5043",
        CLASSES,
        _registers,
    ),
    LintRule(
        "KPT211",
        "labels of the kubelet in user data",
        Severity.WARNING,
        "Karpenter does not know them before the node is there, so pods that ask for them wait.",
        "Karpenter's concepts: labels belong to the NodePool",
        CLASSES,
        _labels,
    ),
    LintRule(
        "KPT212",
        "settings of the kubelet in user data",
        Severity.WARNING,
        "Karpenter reckons with other numbers than the node has, and packs it wrongly.",
        "aws/karpenter-provider-aws#7486; Karpenter's concepts: spec.kubelet",
        CLASSES,
        _kubelet,
    ),
    LintRule(
        "KPT213",
        "user data that joins the cluster itself",
        Severity.WARNING,
        "The node is set up twice, the second time with other arguments.",
        "Karpenter's concepts: userData of AL2 is merged",
        CLASSES,
        _bootstraps,
    ),
)
