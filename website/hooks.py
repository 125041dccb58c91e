"""Pages that MkDocs does not find in docs/: notebooks, the gallery, the benchmark figures."""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from nbconvert import MarkdownExporter

from website.benchmarks import benchmark_page

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "docs-build" / "gallery"

_FENCE = re.compile(r"^```.*?^```", flags=re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)\s]+)\)")
_CELL_HTML = re.compile(r"^<iframe .*?</iframe>$", flags=re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Add generated pages and the files that they need."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for name, content in notebook_files(path).items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    if not (GALLERY / "done").exists():
        raise PluginError("the gallery is missing: run `make docs`")
    for path in sorted(GALLERY.rglob("*")):
        if path.is_file() and path.suffix in (".html", ".png", ".css", ".js"):
            name = path.relative_to(GALLERY).as_posix()
            files.append(File.generated(config, f"gallery/{name}", abs_src_path=str(path)))
    files.append(File.generated(config, "benchmarks.md", content=benchmark_page(ROOT)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links to files outside docs/ into their names: the site does not have these files."""
    fences: list[str] = []

    def put_away(match: re.Match[str]) -> str:
        fences.append(match[0])
        return f"\0{len(fences) - 1}\0"

    def shown(match: re.Match[str]) -> str:
        text, target = match.groups()
        name = posixpath.normpath(posixpath.join("docs", Path(page.file.src_uri).parent, target))
        return match[0] if name.startswith("docs/") else f"{text} (`{name}`)"

    kept = _LINK.sub(shown, _FENCE.sub(put_away, markdown))
    return re.sub(r"\0(\d+)\0", lambda match: fences[int(match[1])], kept)


def notebook_files(path: Path) -> dict[str, Any]:
    """Return the page of a notebook and its pictures, by name; the cells are not run."""
    body, resources = MarkdownExporter().from_filename(str(path))
    pictures: dict[str, Any] = {}

    def framed(match: re.Match[str]) -> str:
        # A blank line would end raw HTML in Markdown.
        return re.sub(r"\n\s*\n", "\n", match[0])

    for name, content in resources["outputs"].items():
        pictures[f"{path.stem}-{name}"] = content
        body = body.replace(f"]({name})", f"]({path.stem}-{name})")
    body = body.replace("](../docs/", "](../")
    note = f"*This page is the notebook `notebooks/{path.name}`.*"
    title, _, rest = _CELL_HTML.sub(framed, body).lstrip().partition("\n")
    return {f"{path.stem}.md": f"{title}\n\n{note}\n{rest}", **pictures}
