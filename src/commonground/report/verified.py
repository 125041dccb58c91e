"""A checked summary as an HTML page: every word that the sources do not state is marked."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from commonground.report.marks import Mark, joined, marked
from commonground.report.page import counted, html_page

_STYLE: Final = """
main { max-width: 50rem; margin: 0 auto; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
.text { padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: .4rem;
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.9; }
mark { color: inherit; background: none; }
mark.lacking { background: color-mix(in srgb, #d9822b 22%, var(--page));
  text-decoration: underline wavy 1.5px #b3541e; text-underline-offset: 4px; }
mark.against { background: color-mix(in srgb, #c0392b 20%, var(--page));
  text-decoration: line-through 2px #a93226; }
.legend { color: var(--soft); font-size: .9rem; }
.sentence { margin: .6rem 0; padding: .6rem .8rem; border: 1px solid var(--line);
  border-left: .35rem solid var(--accent); border-radius: .4rem; overflow-wrap: anywhere;
  break-inside: avoid; }
.unsupported { border-left: .35rem dotted #b3541e; }
.contradicted { border-left: .35rem double #a93226; }
.sentence p { margin: .2rem 0 0; }
.sentence .reason { font-weight: 600; }
.sentence ul { margin: .3rem 0 0; padding-left: 1.2rem; color: var(--soft); font-size: .9rem; }
@media print { mark { print-color-adjust: exact; } }
"""

_NAMES: Final = {
    "stated": "stated",
    "partly": "partly stated",
    "contradicted": "contradicted",
    "absent": "not stated",
}


def verified_page(found: Mapping[str, Any]) -> str:
    """The page of a checked summary, as `Verified.to_dict()` gives it."""
    sentences = found["sentences"]
    kept = sum(one["supported"] for one in sentences)
    body = [
        "<h1>Checked summary</h1>",
        f"<p>The sources state {kept} of {counted(len(sentences), 'sentence')}.</p>",
        f'<div class="text" dir="auto">{marked(found["text"], _marks(found))}</div>',
        '<p class="legend"><mark class="lacking">Wavy</mark>: the sources do not state it. '
        '<mark class="against">Struck</mark>: a source contradicts the sentence.</p>',
        "<h2>Sentence by sentence</h2>",
        *(_sentence(one, found["narratives"]) for one in sentences),
        f'<p class="about">{escape(found["signature"])}</p>',
    ]
    return html_page("Checked summary", _STYLE, body)


def _marks(found: Mapping[str, Any]) -> list[Mark]:
    marks = []
    for one in found["sentences"]:
        style = "against" if one["label"] == "contradicted" else "lacking"
        lacking = [(word["start"], word["end"]) for word in one["words"] if not word["supported"]]
        if style == "against" and not lacking:
            lacking = [(one["start"], one["end"])]
        marks += [Mark(start, end, style) for start, end in joined(lacking, found["text"])]
    return marks


def _sentence(one: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]) -> str:
    style = "" if one["supported"] else " unsupported"
    style = " contradicted" if one["label"] == "contradicted" else style
    reason = f'<p class="reason">{escape(one["reason"])}</p>' if one["reason"] else ""
    cut = f"<p>Left out: {escape('; '.join(one['cut']))}</p>" if one["cut"] else ""
    shown = "".join(
        f"<li>{escape(sources[passage['narrative']]['source'])} "
        f"({passage['probability']:.0%}): {escape(' '.join(passage['text'].split()))}</li>"
        for passage in one["evidence"]
    )
    words = escape(" ".join(one["text"].split()))
    return (
        f'<div class="sentence{style}"><div dir="auto">{words}</div>'
        f"<p>{_NAMES[one['label']]}</p>{reason}{cut}<ul>{shown}</ul></div>"
    )
