"""`commonground group`: group articles by event into a data set."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from commonground import encoders
from commonground.cli.options import (
    DeviceOption,
    EncoderOption,
    JsonOption,
    OverwriteOption,
    StrictOption,
    encoder_name,
)
from commonground.cli.scaled import report_failures
from commonground.cli.terminal import note, print_json, print_lines, progress_steps
from commonground.errors import InputError
from commonground.io import place, write_rows
from commonground.report import counted
from commonground.scale import Failure, Output
from commonground.scale.grouping import (
    GROUP,
    PAIR,
    Article,
    Group,
    Pile,
    check_library,
    find_pile,
    read_articles,
    without_copies,
)
from commonground.scale.grouping import group as put_together

_Advance = Callable[[str, int, int], None]


def group(
    articles: Annotated[
        list[str],
        typer.Argument(
            help="Texts (text, Markdown, HTML, PDF, DOCX), folders, or files of rows "
            '{"id", "text"[, "source"]}.'
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Data set to write (.jsonl or .jsonl.gz).")
    ],
    least: Annotated[
        int,
        typer.Option(min=1, help="Minimum number of articles in a group; 1 keeps every article."),
    ] = 2,
    pair: Annotated[
        float, typer.Option(min=0, max=1, help="Minimum similarity of two articles.")
    ] = PAIR,
    more: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Minimum similarity of a group and an article or group that joins it.",
        ),
    ] = GROUP,
    copies: Annotated[
        bool, typer.Option("--copies", help="Keep exact copies of other articles.")
    ] = False,
    encoder: EncoderOption = None,
    device: DeviceOption = None,
    strict: StrictOption = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
) -> None:
    """Group articles by event into a data set for overlap --input."""
    if not output.name.lower().endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"--output {output}: the name must end in .jsonl or .jsonl.gz")
    check_library()
    pile = find_pile(articles)
    target = Output.of(str(output))
    target.check(pile.files)
    if not overwrite:
        target.check_new(resume=False)
    with progress_steps() as start:
        bar = cache(start)

        def advance(step: str, done: int, total: int) -> None:
            bar(step)(done, total)

        read, failures = _read(pile, strict, advance)
        kept = read if copies else without_copies(read)
        model = encoders.load(encoder_name(encoder))
        groups = put_together(kept, model, pair=pair, more=more, progress=advance)
    written = [group for group in groups if len(group.articles) >= least]
    _write(target, written, failures)
    _note_left_out(pile, target, failures, read, len(read) - len(kept))
    if as_json:
        alone = sum(len(group.articles) == 1 for group in groups)
        print_json(
            {
                "articles": len(kept),
                "groups": len(groups) - alone,
                "alone": alone,
                "copies": len(read) - len(kept),
                "failed": len(failures),
                "written": len(written),
                "output": str(output),
            }
        )
    else:
        print_lines(f"{output}: {_report(groups, least)}")


def _read(pile: Pile, strict: bool, advance: _Advance) -> tuple[list[Article], list[Failure]]:
    articles: list[Article] = []
    failures: list[Failure] = []
    for row in read_articles(pile.files, lambda *counts: advance("Reading articles", *counts)):
        if isinstance(row, Article):
            articles.append(row)
        elif strict:
            raise InputError(f"{place(Path(row.file), row.line)}: {row.reason}")
        else:
            failures.append(row)
    if not articles and not failures:
        raise InputError(f"{', '.join(map(str, pile.files))}: has no articles")
    return articles, failures


def _write(target: Output, groups: Sequence[Group], failures: Sequence[Failure]) -> None:
    write_rows(target.path, (group.to_dict() for group in groups))
    if failures:
        write_rows(target.errors, (failure.to_dict() for failure in failures))
    else:
        target.errors.unlink(missing_ok=True)


def _note_left_out(
    pile: Pile, target: Output, failures: Sequence[Failure], read: Sequence[Article], copies: int
) -> None:
    """Report articles and files that are not in the groups."""
    if pile.others:
        kinds = sorted({file.suffix.lower() or "without an ending" for file in pile.others})
        note(f"{counted(len(pile.others), 'file')} skipped ({', '.join(kinds)})")
    earlier = [file for file in pile.earlier if not file.samefile(target.path)]
    if earlier:
        names = ", ".join(map(str, earlier))
        note(
            f"{counted(len(earlier), 'file')} with groups of an earlier run skipped ({names}); "
            "name a file to read it"
        )
    if copies:
        note(
            f"{counted(copies, 'exact copy', 'exact copies')} of other articles left out; "
            "--copies keeps them"
        )
    if failures:
        articles = counted(len(read) + len(failures), "article")
        report_failures(len(failures), articles, failures[0], target, len(read))


def _report(groups: Sequence[Group], least: int) -> str:
    """Return what is in the file and what was left out, in words."""
    sizes = [len(group.articles) for group in groups]
    large = [size for size in sizes if size >= max(2, least)]
    small = [size for size in sizes if 2 <= size < least]
    alone = sizes.count(1)
    line = f"{counted(len(large), 'group')} of {sum(large)} articles" if large else "no groups"
    if small:
        line += f"; left out: {counted(len(small), 'smaller group')} of {sum(small)}"
    if not alone:
        return line
    if least == 1:
        return f"{line}, and {counted(alone, 'article')} alone"
    return f"{line}; {counted(alone, 'article')} {'matches' if alone == 1 else 'match'} no other"
