"""A verified summary as an HTML page that marks every unsupported word."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from commonground.report.marks import Mark, joined, marked
from commonground.report.page import asset, counted, html_page

_LABELS: Final = {
    "stated": "stated",
    "partly": "partly stated",
    "contradicted": "contradicted",
    "absent": "not stated",
}


def verified_page(result: Mapping[str, Any]) -> str:
    """Return the page for the dict of a verification result (`Verified.to_dict()`)."""
    sentences = result["sentences"]
    supported = sum(sentence["supported"] for sentence in sentences)
    body = [
        "<h1>Checked summary</h1>",
        f"<p>The sources state {supported} of {counted(len(sentences), 'sentence')}.</p>",
        f'<div class="text" dir="auto">{marked(result["text"], _marks(result))}</div>',
        '<p class="legend"><mark class="lacking">Wavy</mark>: the sources do not state it. '
        '<mark class="against">Struck</mark>: a source contradicts the sentence.</p>',
        "<h2>Sentence by sentence</h2>",
        *(_sentence(sentence, result["narratives"]) for sentence in sentences),
        f'<p class="about">{escape(result["signature"])}</p>',
    ]
    return html_page("Checked summary", asset("verified.css"), body)


def _marks(result: Mapping[str, Any]) -> list[Mark]:
    marks = []
    for sentence in result["sentences"]:
        style = "against" if sentence["label"] == "contradicted" else "lacking"
        spans = [
            (word["start"], word["end"]) for word in sentence["words"] if not word["supported"]
        ]
        if style == "against" and not spans:
            spans = [(sentence["start"], sentence["end"])]
        marks += [Mark(start, end, style) for start, end in joined(spans, result["text"])]
    return marks


def _sentence(sentence: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]) -> str:
    style = "" if sentence["supported"] else " unsupported"
    style = " contradicted" if sentence["label"] == "contradicted" else style
    reason = f'<p class="reason">{escape(sentence["reason"])}</p>' if sentence["reason"] else ""
    cut = f"<p>Left out: {escape('; '.join(sentence['cut']))}</p>" if sentence["cut"] else ""
    evidence = "".join(
        f"<li>{escape(sources[passage['narrative']]['source'])} "
        f"({passage['probability']:.0%}): {escape(' '.join(passage['text'].split()))}</li>"
        for passage in sentence["evidence"]
    )
    text = escape(" ".join(sentence["text"].split()))
    return (
        f'<div class="sentence{style}"><div dir="auto">{text}</div>'
        f"<p>{_LABELS[sentence['label']]}</p>{reason}{cut}<ul>{evidence}</ul></div>"
    )
