"""`commonground group`: a pile of articles becomes a data set of narrative groups."""

from pathlib import Path
from typing import Annotated

import typer

from commonground import _settings, encoders
from commonground.cli._device import DeviceOption
from commonground.cli._scaled import OverwriteOption
from commonground.cli._terminal import print_json, print_lines, progress
from commonground.errors import InputError
from commonground.io import write_rows
from commonground.scale import Output
from commonground.scale._articles import read_articles
from commonground.scale.group import GROUP, PAIR
from commonground.scale.group import group as put_together

app = typer.Typer(add_completion=False)


@app.command()
def group(
    articles: Annotated[
        list[str],
        typer.Argument(help='Text files, folders, or files of rows {"id", "text"[, "source"]}.'),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The data set, a .jsonl or .jsonl.gz file.")
    ],
    least: Annotated[
        int, typer.Option(help="Groups of fewer articles are left out; 1 keeps every article.")
    ] = 2,
    pair: Annotated[
        float, typer.Option(help="How alike two articles must be at least, from 0 to 1.")
    ] = PAIR,
    more: Annotated[
        float, typer.Option(help="How alike a group and what joins it must be at least.")
    ] = GROUP,
    encoder: Annotated[
        str | None, typer.Option(help=f"{', '.join(encoders.NAMES)}, or a folder.")
    ] = None,
    device: DeviceOption = None,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Put the articles of one event together: a data set for `overlap --input`."""
    if least < 1:
        raise InputError(f"--least must be 1 or more, not {least}")
    if not output.name.lower().endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"--output {output}: give it a name that ends in .jsonl or .jsonl.gz")
    pile = list(read_articles(articles, output))
    if not overwrite:
        Output.of(str(output)).check_new(resume=False)
    model = encoders.load(encoder or _settings.setting("encoder") or encoders.DEFAULT)
    with progress("Reading articles") as advance:
        found = put_together(pile, model, pair=pair, more=more, progress=advance)
    kept = [one for one in found if len(one.articles) >= least]
    write_rows(output, (one.to_dict() for one in kept))
    alone = sum(len(one.articles) == 1 for one in found)
    counts = {"articles": len(pile), "groups": len(found) - alone, "alone": alone}
    if as_json:
        print_json({**counts, "written": len(kept), "output": str(output)})
    else:
        print_lines(
            f"{len(pile) - alone} of {len(pile)} articles have company, in groups: "
            f"{len(found) - alone}; rows in {output}: {len(kept)}"
        )
