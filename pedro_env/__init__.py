"""Pedro and its family of card games as an environment for multi-agent learning.

The names below are what the package promises; they are imported when they are first asked for. Importing the package
makes ``pedro_env/Pedro-v0`` known to Gymnasium.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gymnasium.envs.registration import register  # pyright: ignore[reportUnknownVariableType]

if TYPE_CHECKING:
    from pedro_env.actions import Phase, actions_of
    from pedro_env.aec import env, raw_env
    from pedro_env.agent import Agent
    from pedro_env.engine import Batch, IllegalAction
    from pedro_env.layout import layout_of
    from pedro_env.render import describe
    from pedro_env.rules import Rules, RulesError
    from pedro_env.variants import VARIANTS, make_rules
    from pedro_env.views import Views

    __version__: str

__all__ = [
    "VARIANTS",
    "Agent",
    "Batch",
    "IllegalAction",
    "Phase",
    "Rules",
    "RulesError",
    "Views",
    "__version__",
    "actions_of",
    "describe",
    "env",
    "layout_of",
    "make_rules",
    "raw_env",
]

_HOME = {
    "VARIANTS": "variants",
    "Agent": "agent",
    "Batch": "engine",
    "IllegalAction": "engine",
    "Phase": "actions",
    "Rules": "rules",
    "RulesError": "rules",
    "Views": "views",
    "actions_of": "actions",
    "describe": "render",
    "env": "aec",
    "layout_of": "layout",
    "make_rules": "variants",
    "raw_env": "aec",
}
"""The module of each public name."""


def __getattr__(name: str) -> Any:
    """Import a public name, and keep it."""
    if name == "__version__":
        value: Any = _version()
    elif name in _HOME:
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pedro-env")
    except PackageNotFoundError:  # a checkout that was not installed
        return "0+unknown"


register(
    "pedro_env/Pedro-v0",
    entry_point="pedro_env.gym:PedroEnv",
    vector_entry_point="pedro_env.vector:PedroVectorEnv",
)
