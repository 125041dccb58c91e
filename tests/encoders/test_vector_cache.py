"""The cache on disk: never wrong, never in the way, never too large."""

import hashlib
import multiprocessing
import shutil
import sqlite3
import stat
import zlib

import numpy as np
import pytest

from cache_writer import write_rows
from commonground.encoders import VectorCache, base, vector_cache
from commonground.encoders.base import BaseEncoder
from commonground.encoders.signing import key_file, signing_key


class CountingEncoder(BaseEncoder):
    """Counts what it really encodes."""

    def __init__(self, fingerprint="f" * 64, **options):
        super().__init__("counting", fingerprint, 3, cache=True, threads=1, **options)
        self.encoded = []

    def _encode_unique(self, texts):
        self.encoded.extend(texts)
        return np.array([[len(text), 1, 2] for text in texts], dtype=np.float32)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_CACHE", str(tmp_path))
    return tmp_path / "vectors"


@pytest.fixture
def cache(tmp_path):
    return VectorCache(tmp_path, "model", 3, limit=10_000_000)


def rows(*values):
    return np.array(values, dtype=np.float32)


def test_a_second_encoder_finds_what_the_first_encoded(folder):
    first, second = CountingEncoder(), CountingEncoder()
    before = first.encode(["a", "bb", "a", ""])
    after = second.encode(["bb", "a", "", "ccc"])
    assert first.encoded == ["a", "bb"]
    assert second.encoded == ["ccc"]
    assert np.array_equal(after[:2], before[[1, 0]])


def test_other_weights_have_another_file(folder):
    CountingEncoder("1" * 64).encode(["a"])
    other = CountingEncoder("2" * 64)
    other.encode(["a"])
    assert other.encoded == ["a"]
    assert len(list(folder.glob("*.sqlite"))) == 2


def test_it_can_be_switched_off(folder, monkeypatch):
    monkeypatch.setenv("COMMONGROUND_CACHE_SIZE", "0")
    CountingEncoder().encode(["a"])
    assert not folder.exists()


def test_long_work_is_kept_as_it_goes(folder, monkeypatch):
    monkeypatch.setattr(base.BaseEncoder, "texts_at_once", 2)

    class FailsLate(CountingEncoder):
        def _encode_unique(self, texts):
            if "eeeee" in texts:
                raise RuntimeError("out of power")
            return super()._encode_unique(texts)

    with pytest.raises(RuntimeError):
        FailsLate().encode(["a", "bb", "ccc", "dddd", "eeeee"])
    path = next(folder.glob("failslate*.sqlite"))
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (4,)


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b"", b"SQLite format 3\0"])
def test_a_damaged_file_is_rebuilt(folder, damage):
    CountingEncoder().encode(["a"])
    (path,) = folder.glob("*.sqlite")
    path.write_bytes(damage)
    healed, after = CountingEncoder(), CountingEncoder()
    assert healed.encode(["a"])[0] == pytest.approx(np.array([1, 1, 2]) / np.sqrt(6))
    assert healed.encoded == ["a"]
    healed.encode(["bb"])
    after.encode(["bb"])
    assert after.encoded == []


def test_damage_in_the_middle_of_a_large_file_is_noticed(cache):
    texts = [f"text {number}" for number in range(3000)]
    vectors = np.random.default_rng(0).random((3000, 3), dtype=np.float32)
    cache.put(texts, vectors)
    content = bytearray(cache.path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 20_000] = b"\xaa" * 20_000
    cache.path.write_bytes(content)
    for text, vector in cache.get(texts).items():
        assert np.array_equal(vector, vectors[int(text.split()[1])])
    cache.put(texts, vectors)
    cache.put(texts, vectors)  # where the first found the damage and removed the file
    assert len(cache.get(texts)) == 3000


def test_a_file_of_another_layout_is_rebuilt(cache):
    with sqlite3.connect(cache.path) as connection:
        connection.execute("CREATE TABLE vectors (k TEXT)")
    cache.put(["a"], rows([1, 0, 0]))
    cache.put(["a"], rows([1, 0, 0]))
    assert list(cache.get(["a"])) == ["a"]


def test_a_flipped_bit_is_not_trusted(cache):
    cache.put(["a", "b"], rows([1, 0, 0], [0, 1, 0]))
    with sqlite3.connect(cache.path) as connection:
        connection.execute(
            "UPDATE vectors SET vector = ? WHERE vector = ?",
            (rows([9, 9, 9]).tobytes(), rows([1, 0, 0]).tobytes()),
        )
    assert list(cache.get(["a", "b"])) == ["b"]
    cache.put(["a"], rows([1, 0, 0]))
    assert np.array_equal(cache.get(["a"])["a"], [1, 0, 0])


@pytest.fixture
def other_user(monkeypatch, tmp_path):
    """Make the next caches those of another user."""

    def switch(name):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))
        signing_key.cache_clear()

    yield switch
    signing_key.cache_clear()


def forge(path, **columns):
    """Change a row, as somebody with access to the file and to this code could."""
    with sqlite3.connect(path) as connection:
        for column, value in columns.items():
            connection.execute(f"UPDATE vectors SET {column} = ?", (value,))


def test_a_vector_with_a_checksum_of_its_own_is_not_believed(cache):
    cache.put(["a"], rows([1, 0, 0]))
    forged = rows([0, 1, 0]).tobytes()
    with sqlite3.connect(cache.path) as connection:
        (key,) = connection.execute("SELECT key FROM vectors").fetchone()
    for signature in (
        zlib.crc32(key + forged),
        hashlib.blake2b(key + forged, digest_size=16).digest(),
        b"",
    ):
        forge(cache.path, vector=forged, signature=signature)
        assert cache.get(["a"]) == {}


def test_the_vector_of_another_text_is_not_believed(cache):
    cache.put(["a"], rows([1, 0, 0]))
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE vectors SET key = ?", (vector_cache.key_of("b"),))
    assert cache.get(["a", "b"]) == {}


def test_the_vectors_of_another_model_are_not_believed(cache, tmp_path):
    cache.put(["a"], rows([1, 0, 0]))
    other = VectorCache(tmp_path, "other", 3, limit=10_000_000)
    shutil.copy(cache.path, other.path)
    assert other.get(["a"]) == {}


def test_the_vectors_of_another_user_are_not_believed(other_user, tmp_path):
    caches = {}
    for name in ("mallory", "alice"):
        other_user(name)
        caches[name] = VectorCache(tmp_path, "model", 3, limit=10_000_000)
        caches[name].put(["a"], rows([1, 0, 0]))
    shutil.copy(caches["mallory"].path, caches["alice"].path)
    assert caches["alice"].get(["a"]) == {}
    assert list(caches["mallory"].get(["a"])) == ["a"]


def test_the_key_is_for_its_user_alone_and_stays(other_user, tmp_path):
    other_user("alice")
    key = signing_key()
    assert key_file().read_bytes() == key
    assert len(key) == 32
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    signing_key.cache_clear()
    assert signing_key() == key


def test_without_a_key_nothing_is_believed_and_nothing_fails(other_user, tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    other_user("file")
    cache = VectorCache(tmp_path, "model", 3, limit=10_000_000)
    cache.put(["a"], rows([1, 0, 0]))
    signing_key.cache_clear()
    assert VectorCache(tmp_path, "model", 3, limit=10_000_000).get(["a"]) == {}
    assert "no key" in caplog.text


def test_a_folder_that_cannot_be_written_costs_the_cache_and_nothing_else(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    cache = VectorCache(tmp_path / "file", "model", 3, limit=1000)
    cache.put(["a"], rows([1, 0, 0]))
    assert cache.get(["a"]) == {}
    assert "not used" in caplog.text


@pytest.mark.parametrize("dimension", [256, 384, 512, 768])
def test_the_oldest_go_where_the_limit_is_passed(tmp_path, dimension):
    cache = VectorCache(tmp_path, "model", dimension, limit=2_000_000)
    vector = np.ones((100, dimension), dtype=np.float32)
    for batch in range(30):
        cache.put([f"{batch} {number}" for number in range(100)], vector)
        assert cache.path.stat().st_size <= 2_000_000
    assert len(cache.get([f"29 {number}" for number in range(100)])) == 100
    assert cache.get([f"0 {number}" for number in range(100)]) == {}


def test_models_not_used_for_longest_give_way(tmp_path):
    old = VectorCache(tmp_path, "old", 384, limit=600_000)
    new = VectorCache(tmp_path, "new", 384, limit=600_000)
    vectors = np.ones((200, 384), dtype=np.float32)
    texts = [str(number) for number in range(200)]
    old.put(texts, vectors)
    new.put(texts, vectors)
    assert not old.path.exists()
    assert len(new.get(texts)) == 200


def test_several_processes_write_at_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=write_rows, args=(tmp_path, start)) for start in (0, 30, 60)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = VectorCache(tmp_path, "model", 3, limit=10_000_000).get([str(n) for n in range(120)])
    assert {text: int(vector[0]) for text, vector in found.items()} == {
        str(number): number for number in range(120)
    }
