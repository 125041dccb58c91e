"""The overlap commands as tests call them: what they print, and what they complain of."""

from commonground.cli import run
from overlap_stories import ORCHARD, VIOLIN, told

LEFT = f"{told(('bridge', 'mayor'), 0)} {ORCHARD[0]}"
RIGHT = f"{told(('bridge', 'mayor'), 1)} {VIOLIN[0]}"


def answer(capsys, *arguments, command=("overlap",)):
    assert run([*command, *map(str, arguments)]) == 0
    return capsys.readouterr().out


def one_line(capsys, *arguments, command=("overlap",)):
    assert run([*command, *map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("commonground: ")
    return err
