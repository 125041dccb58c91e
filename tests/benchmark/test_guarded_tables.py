"""Tables that are opened in spreadsheets."""

from commonground.benchmark.tables.kinds import FORMATS


def test_names_are_no_formulas():
    table = {"title": "Scores", "columns": ["=system", "f1"], "rows": [["=1+1", -0.5], ["a", 1.0]]}
    assert FORMATS["csv"](table).splitlines() == ["'=system,f1", "'=1+1,-0.5", "a,1.0"]


def test_a_line_break_in_a_name_is_in_quotes():
    table = {"columns": ["system"], "rows": [["two\rlines"], ["\r=1"]]}
    assert FORMATS["csv"](table) == 'system\n"two\rlines"\n"\'\r=1"\n'
