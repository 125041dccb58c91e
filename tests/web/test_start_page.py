"""The start page: every task with its example, and the latest results of whoever looks."""

from commonground.database import save_result
from html_reader import Reader


def main(page):
    return Reader(page[page.index("<main") : page.index("</main>") + len("</main>")])


def test_every_task_leads_to_its_page(client):
    page = main(client.get("/").text)
    tasks = [one["href"] for one in page.named("a") if "task" in one.get("class", "")]
    assert tasks == ["/compare", "/score", "/pyramid", "/annotate"]
    assert all(client.get(task).status_code == 200 for task in tasks)
    assert "Nothing saved yet" in " ".join(text for _, text in page.words)


def test_the_latest_results_are_listed(client):
    database = client.app.state.database
    made = [save_result(database, "score", {}, f"No. {number} <b>") for number in range(7)]
    text = client.get("/").text
    links = [one["href"] for one in main(text).named("a") if one["href"].startswith("/saved/")]
    assert links == [f"/saved/{one.link}" for one in made[:1:-1]]
    assert "<b>" not in text
    assert "Nothing saved yet" not in text
