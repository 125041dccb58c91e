#!/bin/sh
# release.sh BIN: source, wheel and bill of materials in dist; BIN has the programs of the group
# `release`. The wheel is tried as users install it: with pip in an empty environment, and with uvx.
set -eu
bin=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^__version__.*"\(.*\)".*/\1/p' src/commonground/version.py)
rm -rf dist
"$bin/python" -m build --no-isolation --outdir dist . >/dev/null
wheel=dist/commonground-$version-py3-none-any.whl
"$bin/twine" check --strict dist/*

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
try() {
  said=$("$@" --version)
  test "$said" = "commonground $version" || { echo "$1 says: $said"; exit 1; }
}
"$bin/python" -m venv "$folder/empty"
"$folder/empty/bin/python" -m pip --quiet install "$wheel"
"$folder/empty/bin/python" -m pip check
try "$folder/empty/bin/commonground"
try "$bin/uvx" --no-config --quiet --from "$wheel" commonground

# What the server needs, in the versions of its lock file.
"$bin/python" -m venv "$folder/server"
"$folder/server/bin/python" -m pip --quiet install --require-hashes -r requirements/server.txt
"$folder/server/bin/python" -m pip --quiet install --no-deps "$wheel"
"$bin/cyclonedx-py" environment --pyproject pyproject.toml --output-reproducible \
  --output-file "dist/commonground-$version.cdx.json" "$folder/server/bin/python"
ls -l dist
