"""The commands, and how one is run: one-line errors, exit codes, broken pipes.

Each command is imported when it runs, since some libraries take a second to import.
"""

import contextlib
import errno
import io
import os
import re
import shlex
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from commonground.cli import INTERRUPTED
from commonground.cli.terminal import note
from commonground.errors import CommongroundError, printable, shortened, unknown_name
from commonground.version import __version__

COMMANDS = {
    "overlap": "Find what narratives agree on, with the evidence in each.",
    "verify": "Check every sentence of a summary against its sources.",
    "generate": "Let a model write what narratives agree on, and verify it.",
    "define": "Define the overlap by shared words, topics, facets or a graph.",
    "score": "Score summaries against references with SEM-F1, ROUGE and other metrics.",
    "pyramid": "Build pyramids and score summaries with them.",
    "agreement": "Measure agreement of annotators, metrics and systems.",
    "benchmark": "Prepare data sets, score systems and rebuild the papers' tables.",
    "group": "Group articles by event into a data set for overlap --input.",
    "serve": "Compare, score, grade and annotate in a browser.",
    "backup": "Back up the data of the pages into one file, while they run.",
    "restore": "Restore a backup of the pages.",
    "accounts": "Manage the accounts of people who log in to the pages.",
    "models": "List, fetch and verify model weights.",
}
"""The modules of the commands with their one-line help, which needs no import."""

DEFINITIONS = ("words", "topics", "facets", "graph")
_GROUPS = ("accounts", "agreement", "benchmark", "define", "models", "pyramid")

_WRONG_NAMES = (errno.ENAMETOOLONG, errno.ELOOP)
_LONGEST_LINE = 2000
_LONG_WORD = re.compile(r"\S{241,}")


class _Lazy(TyperGroup):
    """Imports a command when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the module's Typer app, or a command made of the function with its name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"commonground.cli.{cmd_name}")
        group = getattr(module, "app", None)
        if group is None:
            group = typer.Typer(add_completion=False)
            group.command(cmd_name)(getattr(module, cmd_name))
        group.rich_markup_mode = app.rich_markup_mode
        command = get_command(group)
        command.name, command.help = cmd_name, COMMANDS[cmd_name]
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown_name("command", args[0], COMMANDS)
        return super().resolve_command(ctx, renamed(args))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


app = typer.Typer(
    name="commonground",
    cls=_Lazy,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"commonground {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Find what narratives agree on, and measure how well summaries say it."""


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
        return _report(f"{error.format_message()} ({command} --help shows how)", 2)
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
        exit_code = 2 if error.errno in _WRONG_NAMES else 1
        return f"{where}: {(error.strerror or str(error)).lower()}", exit_code
    if isinstance(error, RuntimeError) and str(error).startswith("Symlink loop"):
        return f"{str(error)[18:-1]}: is a link to itself", 2  # from Python before 3.13
    if isinstance(error, MemoryError) or "bad_alloc" in str(error):  # the latter from C++
        return "out of memory: give it less at once, or use a larger machine", 1
    what = f"{type(error).__name__}: {error}"
    return f"unexpected {what} (run with --debug for the traceback)", 1


def _report(line: str, exit_code: int) -> int:
    # Long names and values lose their middle, so that the advice at the end is seen.
    line = _LONG_WORD.sub(lambda word: shortened(word[0], 200), line)
    with contextlib.suppress(OSError):  # such as a full disk; the exit code still tells
        sys.stderr.write(f"commonground: {printable(shortened(line, _LONGEST_LINE))}\n")
        sys.stderr.flush()
    return exit_code


def renamed(arguments: list[str]) -> list[str]:
    """Return the arguments with `overlap --method NAME` replaced by the new command.

    `overlap` was split into `overlap`, `define` and `generate`; the old spelling is accepted, with
    a notice, until version 0.2.

    Example:
        >>> renamed(["overlap", "a.txt", "b.txt"])
        ['overlap', 'a.txt', 'b.txt']
    """
    command, *rest = arguments
    rest, method = _take(rest, "--method")
    if command != "overlap" or method is None:
        return arguments
    if method == "statements":
        new = ["overlap"]
    elif method in DEFINITIONS:
        new = ["define", method]
        if method in ("words", "topics"):
            rest, _ = _take(rest, "--device")  # was accepted, without effect
    else:
        from commonground.cli import generate

        if not generate.is_generator(method):
            raise unknown_name("method", method, ("statements", *DEFINITIONS, *generate.METHODS))
        new = ["generate", "--method", method]
    note(
        f"overlap --method {shlex.quote(method)} is deprecated and will be removed in version 0.2; "
        f"use commonground {shlex.join(new)}"
    )
    return [*new, *rest]


def _take(arguments: list[str], option: str) -> tuple[list[str], str | None]:
    """Return the arguments without an option, and its last value."""
    rest: list[str] = []
    value = None
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word.startswith(f"{option}="):
            value = word.partition("=")[2]
        elif word == option and (following := next(words, None)) is not None:
            value = following
        else:
            rest.append(word)
    return rest, value
