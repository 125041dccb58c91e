"""A small study to make projects of, and annotators who come in by their links."""

import json
import re
import time

EVENTS = [
    {
        "id": "ferry",
        "narratives": [
            {"source": "Harbour Post", "text": "A ferry hit a sandbank at dawn. Nobody was hurt."},
            {"source": "Coast Radio", "text": "The ferry ran aground early. All were safe."},
        ],
        "references": ["The ferry ran aground. Nobody was hurt.", "All are safe."],
    },
    {
        "id": "fair",
        "narratives": [
            {"source": "Town Crier", "text": "The fair opened in the rain. Two thousand came."},
            {"source": "Evening Sheet", "text": "In spite of rain, 2,000 visited the fair."},
        ],
        "references": ["It rained on the fair, yet 2,000 came."],
    },
]
OUTPUTS = [
    {"id": "ferry", "system": "careful", "summary": "The ferry ran aground. The captain wept."},
    {"id": "fair", "system": "careful", "summary": "Two thousand people saw the fair."},
]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def ask(owner, protocol="sentences", events=EVENTS, outputs=OUTPUTS, name="Two events"):
    """Ask for a project; the answer."""
    files = {"data_set": ("events.jsonl", lines(events))}
    if outputs:
        files["outputs"] = ("outputs.jsonl", lines(outputs))
    return owner.post(
        "/api/annotate/projects", data={"name": name, "protocol": protocol}, files=files
    )


def ended(owner, answer):
    """Wait for the job of an answer; what the page is told of it at its end."""
    assert answer.status_code == 202, answer.text
    while True:
        status = owner.get(f"/api/jobs/{answer.json()['job']}").json()
        if status["state"] in ("done", "failed", "cancelled"):
            return status
        time.sleep(0.01)


def make(owner, *wanted, **more):
    """Make a project, as `ask` does; its number."""
    status = ended(owner, ask(owner, *wanted, **more))
    assert status["state"] == "done", status
    return status["result"]["project"]


def invite(owner, project, name):
    """Invite somebody; the link's path."""
    answer = owner.post(f"/api/annotate/projects/{project}/annotators", json={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()["link"]


def label(annotator, item, unit, value, key=None):
    """Save a label; the answer."""
    key = key or re.sub("[^A-Za-z0-9]", "-", f"key-{item}-{unit}-{value}")
    sent = {"item": item, "unit": unit, "value": value, "key": key}
    return annotator.post("/api/annotate/work/labels", json=sent)
