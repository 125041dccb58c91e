"""`commonground group`: a pile of articles becomes a data set of narrative groups."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from commonground import encoders, settings
from commonground.cli.device import DeviceOption
from commonground.cli.scaled import OverwriteOption, StrictOption
from commonground.cli.terminal import note, print_json, print_lines, progress
from commonground.errors import CommongroundError, InputError
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

app = typer.Typer(add_completion=False)

_Advance = Callable[[str, int, int], None]


@app.command()
def group(
    articles: Annotated[
        list[str],
        typer.Argument(
            help='Text files, pages, folders, or files of rows {"id", "text"[, "source"]}.'
        ),
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
    copies: Annotated[
        bool, typer.Option("--copies", help="Keep articles that are exact copies of another.")
    ] = False,
    encoder: Annotated[
        str | None, typer.Option(help=f"{', '.join(encoders.NAMES)}, or a folder.")
    ] = None,
    device: DeviceOption = None,
    strict: StrictOption = False,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Put the articles of one event together: a data set for `overlap --input`."""
    _check_options(output, least, {"--pair": pair, "--more": more})
    check_library()
    pile = find_pile(articles)
    target = Output.of(str(output))
    target.check(pile.files)
    if not overwrite:
        target.check_new(resume=False)
    with _bars() as advance:
        read, failures = _read(pile, strict, advance)
        kept = read if copies else without_copies(read)
        model = encoders.load(encoder or settings.setting("encoder") or encoders.DEFAULT)
        found = put_together(kept, model, pair=pair, more=more, progress=advance)
    written = [one for one in found if len(one.articles) >= least]
    _write(target, written, failures)
    _tell_left_out(pile, target, failures, read, len(read) - len(kept))
    if as_json:
        alone = sum(len(one.articles) == 1 for one in found)
        print_json(
            {
                "articles": len(kept),
                "groups": len(found) - alone,
                "alone": alone,
                "copies": len(read) - len(kept),
                "failed": len(failures),
                "written": len(written),
                "output": str(output),
            }
        )
    else:
        print_lines(f"{output}: {_told(found, least)}")


def _check_options(output: Path, least: int, shares: dict[str, float]) -> None:
    if least < 1:
        raise InputError(f"--least must be 1 or more, not {least}")
    for name, value in shares.items():
        if not 0 <= value <= 1:
            raise InputError(f"{name} must be from 0 to 1, not {value}")
    if not output.name.lower().endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"--output {output}: give it a name that ends in .jsonl or .jsonl.gz")


@contextmanager
def _bars() -> Iterator[_Advance]:
    """A bar for each thing that is done, one after the other."""
    with ExitStack() as stack:
        now: dict[str, Callable[[int, int], None]] = {}

        def advance(what: str, done: int, total: int) -> None:
            if what not in now:
                stack.close()
                now.clear()
                now[what] = stack.enter_context(progress(what))
            now[what](done, total)

        yield advance


def _read(pile: Pile, strict: bool, advance: _Advance) -> tuple[list[Article], list[Failure]]:
    articles: list[Article] = []
    failures: list[Failure] = []
    for one in read_articles(pile.files, lambda *counts: advance("Reading articles", *counts)):
        if isinstance(one, Article):
            articles.append(one)
        elif strict:
            raise InputError(f"{place(Path(one.file), one.line)}: {one.reason}")
        else:
            failures.append(one)
    if not articles and not failures:
        raise InputError(f"{', '.join(map(str, pile.files))}: has no articles")
    return articles, failures


def _write(target: Output, groups: Sequence[Group], failures: Sequence[Failure]) -> None:
    write_rows(target.path, (one.to_dict() for one in groups))
    if failures:
        write_rows(target.errors, (one.to_dict() for one in failures))
    else:
        target.errors.unlink(missing_ok=True)


def _tell_left_out(
    pile: Pile, target: Output, failures: Sequence[Failure], read: Sequence[Article], copies: int
) -> None:
    """Say what is not in the groups that somebody might look for there."""
    if pile.others:
        kinds = sorted({file.suffix.lower() or "without an ending" for file in pile.others})
        note(f"{counted(len(pile.others), 'file')} passed over ({', '.join(kinds)})")
    earlier = [file for file in pile.earlier if not file.samefile(target.path)]
    if earlier:
        names = ", ".join(map(str, earlier))
        note(
            f"{counted(len(earlier), 'file')} with groups of an earlier run passed over ({names}); "
            "a file that is named itself is read"
        )
    if copies:
        note(
            f"{counted(copies, 'exact copy', 'exact copies')} of other articles left out; "
            "--copies keeps them"
        )
    if failures:
        count, first = len(read) + len(failures), failures[0]
        line = (
            f"{len(failures)} of {counted(count, 'article')} failed, the first at "
            f"{place(Path(first.file), first.line)}: {first.reason}; all are in {target.errors}"
        )
        if not read:
            raise CommongroundError(line)
        note(line)


def _told(found: Sequence[Group], least: int) -> str:
    """What is in the file, and what is not, in words."""
    sizes = [len(one.articles) for one in found]
    groups = [size for size in sizes if size >= max(2, least)]
    small = [size for size in sizes if 2 <= size < least]
    alone = sizes.count(1)
    line = f"{counted(len(groups), 'group')} of {sum(groups)} articles" if groups else "no groups"
    if small:
        line += f"; left out: {counted(len(small), 'smaller group')} of {sum(small)}"
    if not alone:
        return line
    if least == 1:
        return f"{line}, and {counted(alone, 'article')} alone"
    tell = "tells" if alone == 1 else "tell"
    return f"{line}; {counted(alone, 'article')} {tell} of nothing that another does"
