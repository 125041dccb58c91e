"""The list of commands, their help, and commands that do not exist."""

import pytest
from typer.main import get_command

from commonground.cli import run
from commonground.cli.app import COMMANDS, app


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_has_the_help_of_each_command(name):
    command = get_command(app).get_command(None, name)
    assert command.get_short_help_str(limit=200) == COMMANDS[name]


def test_the_help_lists_every_command(capsys):
    assert run(["--help"]) == 0
    printed = capsys.readouterr().out
    assert [line for line in COMMANDS if f"\n  {line} " not in printed] == []


def _leaves(command, words):
    names = getattr(command, "list_commands", lambda _: [])(None)
    if not names:
        yield words, command
    for name in names:
        yield from _leaves(command.get_command(None, name), [*words, name])


def test_every_option_has_one_sentence_of_help():
    for words, command in _leaves(get_command(app), []):
        assert command.help, words
        for parameter in command.params:
            text = getattr(parameter, "help", None) or ""
            assert text[:1].isupper() and text.endswith("."), (words, parameter.name, text)


def test_the_default_strictness_is_the_one_in_the_help(capsys):
    from commonground.narratives import STRICTNESS

    assert run(["overlap", "--help"]) == 0
    assert f"(default: {STRICTNESS})" in " ".join(capsys.readouterr().out.split())


def test_an_unknown_command_is_one_line(capsys):
    assert run(["overlaps"]) == 2
    line = capsys.readouterr().err
    assert "unknown command 'overlaps'; did you mean 'overlap'?" in line
    assert line.count("\n") == 1


def test_a_group_without_a_command_shows_its_help(capsys):
    assert run(["define"]) == 0
    assert "words" in capsys.readouterr().out
