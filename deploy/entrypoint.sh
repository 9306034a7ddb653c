#!/bin/sh
# The entrypoint of the image. A new volume often belongs to root, so the script gives the data folder to the site's
# user. Called by another name, such as doctor, the script runs the command of that name instead of the site.
set -eu
cd /site
# Some platforms pass on an empty DATA_DIR from .env.
export DATA_DIR="${DATA_DIR:-/data}"
name=$(basename "$0")
[ "$name" = entrypoint.sh ] || set -- node "cli/$name.ts" "$@"

say() { echo "entrypoint: $*" >&2; }
as_site=
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$DATA_DIR" || say "creating $DATA_DIR failed, checking whether it can be written"
  # A volume that refuses a new owner may still be writable.
  find "$DATA_DIR" -user root -exec chown -h site:site {} + 2>/dev/null || true
  as_site='setpriv --reuid site --regid site --init-groups --no-new-privs'
  $as_site true || { say "changing the user of the container is not permitted, continuing as root"; as_site=; }
fi

# The file system's own lost+found usually belongs to root, so it is not checked.
blocked=$($as_site find "$DATA_DIR" -name lost+found -prune -o ! -writable -print -quit 2>&1) || true
if [ -n "$blocked" ]; then
  user=$($as_site id -u)
  say "user $user cannot write $blocked ($(stat -c 'owner %u, mode %a' "$blocked" 2>/dev/null || echo 'not there'))." \
    "No application is taken until it can. On the host: chown -R $user on the folder or volume of $DATA_DIR," \
    "or mount it writable."
fi
exec $as_site "$@"
