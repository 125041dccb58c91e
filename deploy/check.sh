#!/bin/sh
# check.sh BIN: lints the files in this folder; BIN has the programs of the group `release`.
# A program of Debian's that is not here is named and left out.
set -eu
bin=$(cd "$1" && pwd)
cd "$(dirname "$0")"
here() { command -v "$1" >/dev/null || { echo "left out: $1 is not installed"; return 1; }; }

"$bin/hadolint" Dockerfile
"$bin/check-jsonschema" --builtin-schema vendor.compose-spec compose.yaml

if here caddy; then
  for file in Caddyfile Caddyfile.path; do
    caddy validate --adapter caddyfile --config "$file" >/dev/null 2>&1 || { echo "$file is not valid"; exit 1; }
  done
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if here nginx; then
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=study.example.org \
    -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2>/dev/null
  sed "s#/etc/letsencrypt/live/study.example.org#$folder#" nginx.conf >"$folder/site.conf"
  # On its own ports, so that it may be checked beside a server.
  sed -i -E 's/listen (\[::\]:)?(443|80)/listen \11\2/' "$folder/site.conf"
  cat >"$folder/whole.conf" <<END
pid $folder/pid; events {}
http { access_log off; include $folder/site.conf;
  server { listen 18080; include $(pwd)/nginx-path.conf; } }
END
  nginx -t -q -e stderr -c "$folder/whole.conf"
fi

if here systemd-analyze; then
  # The administrator who uses the unit installs the program.
  sed "s#/opt/commonground/bin/commonground#/bin/true#" commonground.service >"$folder/commonground.service"
  systemd-analyze verify "$folder/commonground.service"
  systemd-analyze security --offline=yes --threshold=20 "$folder/commonground.service" | tail -n 1
fi
echo "the files in deploy are well-formed"
