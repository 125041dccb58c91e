"""Running a command: one-line errors, exit codes, broken pipes."""

import io
import os
import sys

import typer
from typer.exceptions import TyperException

from commonground.cli import INTERRUPTED
from commonground.cli.app import app
from commonground.errors import CommongroundError

FAILED, WRONG = 1, 2
_GROUPS = ("agreement", "benchmark", "define", "models", "pyramid")


def main() -> None:
    """Run the command line and exit with its exit code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent process
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for terminals without UTF-8
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code.

    0 means done, 1 that the work failed, 2 that the command or its input was wrong. An error is
    one line on stderr; `--debug` adds the traceback.
    """
    debug = "--debug" in arguments
    # Accepted anywhere, although it is an option of the main command.
    words = [word for word in arguments if word != "--debug"]
    if not words or words in ([group] for group in _GROUPS):
        words.append("--help")
    try:
        outcome = app(args=words, prog_name="commonground", standalone_mode=False)
        sys.stdout.flush()
        if outcome == INTERRUPTED:  # typer has caught Ctrl-C
            return _report("interrupted", INTERRUPTED)
        return outcome if isinstance(outcome, int) else 0
    except (BrokenPipeError, SystemExit):  # typer exits only for a broken pipe
        # The reader closed the pipe; avoid a second error when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return _report("interrupted", INTERRUPTED)
    except TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "commonground"
        return _report(f"{error.format_message()} ({command} --help shows how)", WRONG)
    except Exception as error:
        if debug:
            raise
        return _report(*_describe(error))


def _describe(error: Exception) -> tuple[str, int]:
    """Return the error's message and exit code."""
    if isinstance(error, CommongroundError):
        return str(error), error.exit_code
    if isinstance(error, OSError):  # such as a full disk
        where = error.filename or "the output"
        return f"{where}: {(error.strerror or str(error)).lower()}", FAILED
    what = f"{type(error).__name__}: {error}"
    return f"unexpected {what} (run with --debug for the traceback)", FAILED


def _report(line: str, exit_code: int) -> int:
    sys.stderr.write(f"commonground: {' '.join(line.split())}\n")
    return exit_code
