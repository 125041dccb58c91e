"""What `make demo` runs."""

import runpy
import sys
from pathlib import Path

DEMO = Path(__file__).parent.parent / "examples" / "demo.py"


def test_the_demo_shows_every_example_and_writes_its_pages(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["demo.py", str(tmp_path / "pages")])
    titles = runpy.run_path(str(DEMO))["TITLES"]
    runpy.run_path(str(DEMO), run_name="__main__")
    out = capsys.readouterr().out
    assert set(titles) == {path.name for path in (DEMO.parent / "overlap").iterdir()}
    for title in titles.values():
        assert title in out
    assert out.count("[1] ") == len(titles) - 1
    assert out.count("The texts share no statement.") == 1
    pages = {path.stem for path in (tmp_path / "pages").iterdir()}
    assert pages == {*titles, "index"}
