"""Run the notebooks and keep their output: python website/notebooks.py [FILE ...]."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"


def main() -> None:
    """Run every notebook, or those given, in its folder; stop at the first error."""
    names = [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb"))
    for path in names:
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(
            notebook,
            timeout=300,
            kernel_name="python3",
            record_timing=False,  # the file changes only if the output does
            resources={"metadata": {"path": str(path.parent)}},
        )
        client.execute()
        notebook.metadata["language_info"] = {"name": "python"}
        nbformat.write(notebook, path)
        sys.stderr.write(f"{path.name}: {len(notebook.cells)} cells\n")


if __name__ == "__main__":
    main()
