#!/bin/sh
# Chromium, Firefox, PostgreSQL, nginx and Caddy for the system tests: Debian's, installed where they are missing.
set -eu
missing=""
test -x "${CHROMIUM:-/usr/bin/chromium}" || missing="chromium"
test -x "${FIREFOX:-/usr/bin/firefox-esr}" || missing="$missing firefox-esr"
command -v nginx >/dev/null || missing="$missing nginx-light"
command -v caddy >/dev/null || missing="$missing caddy"
command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
  missing="$missing postgresql"
test -n "$missing" || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "the system tests need: apt-get install $missing (CHROMIUM=/path and FIREFOX=/path name other browsers)" >&2
  exit 2
fi
echo "Installing $missing ..." >&2
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
# shellcheck disable=SC2086  # one word a package
apt-get -qq install -y --no-install-recommends $missing >/dev/null
