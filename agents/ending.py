"""How a command ends: with its exit code, or with a line on stderr that says why it could not do its work."""

from __future__ import annotations

from collections.abc import Callable

from agents.errors import AgentError
from agents.workers import WorkerError
from pedro_env.console import INTERRUPTED, USER_MISTAKE, fail
from pedro_env.record import RecordError
from pedro_env.rules import RulesError

FAILED = 1
"""The exit code when a worker process has died."""


def ended(program: str, work: Callable[[], int], interrupted: str = "interrupted; nothing is written") -> int:
    """The exit code of ``work``, or of the line that is printed in its place. A closed pipe is for ``console.run``."""
    try:
        return work()
    except BrokenPipeError:
        raise
    except (AgentError, RulesError, RecordError, OSError) as error:
        return fail(program, str(error), USER_MISTAKE)
    except ImportError as error:
        if error.name != "numba":  # which the solver asks for in a line of its own
            raise
        return fail(program, str(error), USER_MISTAKE)
    except WorkerError as error:
        return fail(program, str(error), FAILED)
    except KeyboardInterrupt:
        return fail(program, interrupted, INTERRUPTED)
