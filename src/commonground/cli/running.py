"""What surrounds every command: errors as one line, exit codes, broken pipes."""

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
    """Run the command line and leave with its exit code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows few letters
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command.

    0 is done, 1 the work failed, 2 the command or its input was wrong. An error is one line on
    stderr; with `--debug` its traceback comes too.
    """
    debug = "--debug" in arguments
    # Anywhere on the line will do, though the help lists it with the general options.
    words = [word for word in arguments if word != "--debug"]
    if not words or words in ([group] for group in _GROUPS):
        words.append("--help")
    try:
        outcome = app(args=words, prog_name="commonground", standalone_mode=False)
        sys.stdout.flush()
        if outcome == INTERRUPTED:  # typer has caught Ctrl-C, and says nothing
            return _complain("interrupted", INTERRUPTED)
        return outcome if isinstance(outcome, int) else 0
    except (BrokenPipeError, SystemExit):  # typer exits where a pipe broke, and nowhere else
        # Whoever read our output has had enough; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", INTERRUPTED)
    except TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "commonground"
        return _complain(f"{error.format_message()} ({command} --help shows how)", WRONG)
    except Exception as error:
        if debug:
            raise
        return _complain(*_told(error))


def _told(error: Exception) -> tuple[str, int]:
    """An error as a line, and the exit code that goes with it."""
    if isinstance(error, CommongroundError):
        return str(error), error.exit_code
    if isinstance(error, OSError):  # a full disk, above all
        where = error.filename or "the output"
        return f"{where}: {(error.strerror or str(error)).lower()}", FAILED
    what = f"{type(error).__name__}: {error}"
    return f"unexpected {what} (run with --debug for the traceback)", FAILED


def _complain(line: str, exit_code: int) -> int:
    sys.stderr.write(f"commonground: {' '.join(line.split())}\n")
    return exit_code
