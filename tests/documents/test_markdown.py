"""Markdown is rendered, and front matter is no part of a text."""

import pytest

from commonground.documents import extract

NOTE = """---
title: "The ferry: what we know"
tags:
  - sea
  - islands
# a comment
summary: >
  Two lines
  of summary.
---

# The ferry

It ran *aground* on **Saturday** off [Skarholm](https://example.org/map "a map").

## Rescue

- three boats
- one `helicopter`

> “The deck was no longer level.”

| boat | people |
|------|--------|
| Ada  | 90     |

![A photo of the ferry](ferry.jpg)

<!-- a note to myself -->
1. First &amp; last.
"""


def test_a_note_with_front_matter():
    found = extract(NOTE.encode(), "note.md")
    assert (found.title, found.kind) == ("The ferry: what we know", "markdown")
    assert found.text == (
        "It ran aground on Saturday off Skarholm.\n\nRescue\n\nthree boats\n\none helicopter\n\n"
        "“The deck was no longer level.”\n\nboat\tpeople\n\nAda\t90\n\nFirst & last."
    )


def test_the_heading_is_the_title_without_front_matter():
    found = extract(b"# Rain\n\nIt rained.", "NOTE.MD")
    assert (found.title, found.text) == ("Rain", "It rained.")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It rained.\n\n# Later\n\nIt stopped.", "It rained.\n\nLater\n\nIt stopped."),
        ("# One\n\na\n\n# Two\n\nb", "One\n\na\n\nTwo\n\nb"),
        ("# Only a heading", "Only a heading"),
        ("Two lines\nof one paragraph.", "Two lines of one paragraph."),
        ("hard  \nbreak", "hard\nbreak"),
    ],
)
def test_headings_inside_are_text(text, shown):
    assert extract(text.encode(), "a.markdown").text == shown


def test_only_a_name_makes_markdown():
    assert extract(b"# Rain\n\n**It** fell.", "rain.txt").text == "# Rain\n\n**It** fell."


def test_front_matter_of_a_plain_text():
    found = extract(b"---\r\ntitle: Rain\r\n---\r\n\r\nIt *rained*.\r\n", "rain.txt")
    assert (found.title, found.text, found.kind) == ("Rain", "It *rained*.\n", "text")


@pytest.mark.parametrize(
    "text",
    [
        "---\nIt rained.\n---\nAnd it snowed.",
        "---\n\n---\n",
        "---\ntitle: never closed\n",
        "--- title: x\n---\n",
        "It rained.\n---\na: b\n---\n",
    ],
)
def test_rules_are_not_front_matter(text):
    assert extract(text.encode()).text == text
