"""The cluster file as plain data that knows the line of each of its values."""

from __future__ import annotations

from pathlib import Path

from modules.core.faults import Fault, InvalidInput
from modules.core.yaml_document import Document, Written
from modules.core.yaml_source import documents, text_of

__all__ = ["Document", "Written", "read_yaml"]


def read_yaml(path: Path) -> Document:
    """Reads a file of one YAML document.

    Raises:
        InvalidInput: there is no such file, it is not text in UTF-8, or it is not YAML.
    """
    found = documents(text_of(_content(path), path), path)
    if len(found) > 1:
        second = found[1].place(())
        fault = Fault(
            (),
            "a second YAML document begins here",
            "one document in a file",
            "remove the line --- and list all clusters under one clusters key",
            line=second.line if second else None,
        )
        raise InvalidInput([fault], path)
    return found[0] if found else Document(path, data=None)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        problem = "does not exist" if isinstance(error, FileNotFoundError) else "cannot be read"
        fault = Fault(
            (),
            problem if isinstance(error, FileNotFoundError) else f"{problem}: {error.strerror}",
            "a YAML file that lists clusters",
            "write it, or name another file in the environment variable KARPENTER_CLUSTERS",
            str(path),
        )
        raise InvalidInput([fault], path) from None
