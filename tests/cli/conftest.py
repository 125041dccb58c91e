import pytest

from overlap_commands import LEFT, RIGHT


@pytest.fixture
def file(tmp_path):
    """Writes a file of this name and content, and gives its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@pytest.fixture
def pair(file):
    """Two narratives of one event."""
    return [file("left.txt", LEFT), file("right.txt", RIGHT)]
