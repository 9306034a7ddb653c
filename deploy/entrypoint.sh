#!/bin/sh
# The image's start: takes over a data folder that belongs to root, as new volumes do on many platforms, and goes on
# as the site's user. Called by the name of a command (doctor, applications), it runs that command so.
set -eu
cd /site
name=$(basename "$0")
[ "$name" = entrypoint.sh ] || set -- node "cli/$name.ts" "$@"
# Started as another user already, there is nothing to give up.
[ "$(id -u)" = 0 ] || exec "$@"
mkdir -p "$DATA_DIR"
find "$DATA_DIR" -user root -exec chown -h site:site {} +
exec setpriv --reuid site --regid site --init-groups --no-new-privs "$@"
