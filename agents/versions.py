"""What figures were made with: versions of packages, the checkout's commit, the system."""

from __future__ import annotations

import platform
import subprocess
from importlib import metadata
from pathlib import Path

import numpy as np

_PACKAGES = ("pedro-env", "torch", "onnxruntime", "numba")


def package_versions() -> dict[str, str]:
    """Of Python, NumPy and those packages that are installed."""
    found = {"python": platform.python_version(), "numpy": np.__version__}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def system() -> str:
    """The operating system and the kind of processor."""
    return platform.platform()


def commit() -> str | None:
    """The checkout's commit, with ``+changes`` where files differ from it; None where git does not say."""

    def git(*arguments: str) -> str:
        root = Path(__file__).parent.parent
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("+changes" if git("status", "--porcelain") else "")
    except (OSError, subprocess.SubprocessError):
        return None
