"""The layout of the package: what imports what, by which names, and how large files are."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "commonground"
MOST_LINES = 400


def module_of(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}
TREES = {module: ast.parse(path.read_text("utf-8")) for module, path in FILES.items()}
PACKAGES = {module for module, path in FILES.items() if path.name == "__init__.py"}


def exported(tree):
    """The names in `__all__`, or none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return []


EXPORTED = {package: exported(TREES[package]) for package in PACKAGES}


def top(module):
    return ".".join(module.split(".")[:2])


def is_public(module, name):
    """Whether another package may import a name from here."""
    if module == "commonground":
        return f"commonground.{name}" in FILES
    if module in PACKAGES:
        return name in EXPORTED[module]
    return module.count(".") == 1 and (not name.startswith("_") or name == "__version__")


def imported(module):
    """What a module imports of commonground: (line, module, name, name here)."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            found = [(one.name, "*", one.asname) for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: imports are absolute"
            found = [(node.module, one.name, one.asname) for one in node.names]
        else:
            continue
        for source, name, alias in found:
            if source.split(".")[0] == "commonground":
                yield node.lineno, source, name, alias or name


def foreign(module):
    """What a module uses of other packages: (line, module, name)."""
    packages = {}
    for line, source, name, local in imported(module):
        if f"{source}.{name}" in PACKAGES:
            packages[local] = f"{source}.{name}"
        yield line, source, name
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            source = packages.get(node.value.id)
            yield from [(node.lineno, source, node.attr)] if source else []


@pytest.mark.parametrize("module", sorted(set(FILES) - {"commonground"}))
def test_other_packages_are_used_through_what_they_export(module):
    for line, source, name in foreign(module):
        if top(source) == top(module):
            continue
        assert is_public(source, name), f"{FILES[module]}:{line}: {name} of {source}"


def test_a_change_of_the_rule_would_be_seen():
    assert not is_public("commonground.text.parsing", "parse")
    assert not is_public("commonground.text", "parsing")
    assert is_public("commonground.text", "parse")
    assert is_public("commonground.errors", "InputError")


def test_no_module_has_a_leading_underscore():
    names = [part for module in FILES for part in module.split(".")]
    assert [one for one in names if one.startswith("_") and not one.startswith("__")] == []


@pytest.mark.parametrize("module", sorted(FILES))
def test_files_are_short(module):
    assert len(FILES[module].read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("package", sorted(one for one in PACKAGES if EXPORTED[one]))
def test_what_is_exported_is_there_and_no_module_has_its_name(package):
    module = importlib.import_module(package)
    for name in EXPORTED[package]:
        found = getattr(module, name)
        assert name in dir(module)
        if f"{package}.{name}" in FILES:
            assert found is importlib.import_module(f"{package}.{name}")


def test_packages_can_be_imported_alone():
    code = """
import subprocess, sys
from concurrent.futures import ThreadPoolExecutor

def alone(package):
    return package, subprocess.run([sys.executable, "-c", f"import {package}"]).returncode

with ThreadPoolExecutor(2) as pool:
    print([package for package, failed in pool.map(alone, sys.argv[1:]) if failed])
"""
    wanted = sorted(PACKAGES - {"commonground.database.migrations"})
    done = subprocess.run(
        [sys.executable, "-c", code, *wanted], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(
    ("code", "slow"),
    [
        ("import commonground", ["numpy", "scipy", "onnxruntime", "spacy"]),
        ("import commonground.narratives, commonground.scale", ["onnxruntime", "ray", "spacy"]),
        (
            "from commonground.cli import run; run(['--help'])",
            ["fastapi", "numpy", "onnxruntime", "scipy", "spacy"],
        ),
    ],
)
def test_what_is_slow_is_not_imported_before_it_is_needed(code, slow):
    code += f"; import sys; print([one for one in {slow} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_overlap_is_a_function_that_is_found_by_its_name():
    import commonground
    from commonground.narratives import overlap

    assert commonground.overlap is overlap
    assert {"overlap", "verify", "Pyramid", "sem_f1"} <= set(dir(commonground))
