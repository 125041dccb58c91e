"""The tables of standalone pages, opened from a file: they sort and filter without a server."""

import pytest
from playwright.sync_api import expect

from commonground.report import leaderboard_page


def _row(system, *means):
    scores = {
        name: {"mean": mean, "low": mean, "high": mean, "items": 2}
        for name, mean in zip(("rouge1", "rouge2"), means, strict=False)
    }
    return {"system": system, "run": "first", "data": "d", "scores": scores}


@pytest.fixture
def board(tmp_path):
    page = leaderboard_page(
        {
            "title": "Board",
            "metrics": ["rouge1", "rouge2"],
            "data": {"d": {"name": "News", "events": 2}},
            "rows": [_row("system 10", 0.9, 0.2), _row("system 9", 0.8, 0.3), _row("old", 0.7)],
            "signatures": [],
            "warnings": [],
        }
    )
    path = tmp_path / "board.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


def test_a_leaderboard_sorts_and_filters(people, server, board):
    page = people(server.address).visit(board)
    names = page.locator("tbody tr:visible td:first-child")
    expect(names).to_have_text(["system 10", "system 9", "old"])
    page.get_by_role("button", name="rouge2").click()
    expect(names).to_have_text(["system 9", "system 10", "old"])  # without a value: last
    page.get_by_role("button", name="rouge2").click()
    expect(names).to_have_text(["system 10", "system 9", "old"])
    page.get_by_role("button", name="System").click()
    expect(names).to_have_text(["old", "system 9", "system 10"])
    page.locator("#filter").fill("system")
    expect(names).to_have_text(["system 9", "system 10"])
