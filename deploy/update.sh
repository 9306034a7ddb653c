#!/bin/sh
# Updates a site without containers, as root, and makes its first version (docs/plain-host.md). Beside the clone `site`
# stand `versions` with the built commits, and the links `current` and `earlier` to two of them. A new version is tried
# with a copy of the database. It opens the database itself only after the earlier version has stopped and made a
# backup. After a power cut `current` runs; the file `pending` lets the next update end an interrupted switch.
#   sh /srv/driving-practice/site/deploy/update.sh
set -eu

home=$(cd "$(dirname "$0")/../.." && pwd)
user=driving-practice
service=driving-practice
# Time limit of a start, in seconds.
patience=${PATIENCE:-60}

say() { echo "update: $*"; }
fail() { say "$*" >&2; exit 1; }
as_site() { runuser -u "$user" -- "$@"; }
git_site() { as_site git -C "$home/site" -c user.name=update -c user.email=update@localhost "$@"; }
# at VERSION COMMAND…: runs a command as the site's user, in the folder of a version.
at() { version=$1; shift; as_site sh -c 'cd "$0" && exec "$@"' "$home/$version" "$@"; }
# ask VERSION QUESTION…: see cli/update.ts.
ask() { version=$1; shift; at "$version" node_modules/.bin/node cli/update.ts "$@"; }
tables() { ask "$1" facts | sed -n 4p; }
applications() { version=$1; shift; at "$version" npm run --silent applications -- "$@" >/dev/null; }
# point LINK VERSION: changes a link in one step.
point() { ln -sfn "$2" "$home/$1.new" && mv -T "$home/$1.new" "$home/$1" && sync; }
read_facts() {
  facts=$(ask "$1" facts) || fail "nothing was changed."
  { read -r address && read -r backups && read -r database; } <<FACTS
$facts
FACTS
}

# Merges the newest version into the site's own commits, and builds the result.
build() {
  changed=$(git_site status --porcelain)
  [ -z "$changed" ] || fail "these files are changed and not committed. Commit them first, see docs/launch.md:
$changed"
  git_site fetch --quiet origin
  branch=$(git_site rev-parse --abbrev-ref '@{upstream}' 2>/dev/null || echo origin/HEAD)
  git_site merge --quiet --no-edit "$branch" || {
    git_site merge --abort || true
    fail "the new version and this site's own commits changed the same lines. Merge $branch by hand; the site runs on."
  }
  new=versions/$(git_site rev-parse HEAD)
  [ ! -e "$home/$new" ] || return 0
  as_site git clone --quiet "$home/site" "$home/building"
  cp -P "$home/site/.env" "$home/building/.env"
  at building sh -c 'npm ci --include=dev --include=optional && npm run build' ||
    fail "the new version could not be built; the site runs on."
  mkdir -p "$home/versions" && mv "$home/building" "$home/$new"
}

# A fault that the doctor of the running version finds too does not stop the update.
try() {
  as_site mkdir -m 700 "$home/trial"
  result=0
  ask "$new" try "$home/trial" "$patience" || result=$?
  [ "$result" != 1 ] || fail "the new version could not be tried, or does not start; the site runs on."
  [ "$result" = 0 ] || [ ! -e "$home/current" ] || ! at current npm run --silent doctor >/dev/null 2>&1 ||
    fail "the doctor of the new version finds a fault; the site runs on."
}

# The earlier version makes a backup after its stop, so that going back loses no application.
switch() {
  status=503 backup=
  if [ -e "$home/current" ]; then
    status=$(ask current wait "$address" 0) || status=503
    systemctl stop "$service"
    [ ! -e "$database" ] || backup=$backups/before-update-$(TZ=KST-9 date +%Y-%m-%d_%H%M%S).db
    [ -z "$backup" ] || { as_site mkdir -p -m 700 "$backups" && applications current backup "$backup"; } ||
      fail "there is no backup; the site runs on."
    point earlier "$(readlink "$home/current")"
  fi
  printf '%s\n' "$status" "$backup" >"$home/pending.new" && sync && mv "$home/pending.new" "$home/pending"
  point current "$new"
}

# The new version has to answer with 200, or with the status of the earlier one. Otherwise the earlier one runs again,
# on its backup if the new version has changed the tables.
judge() {
  systemctl start "$service"
  { read -r status && read -r backup; } <"$home/pending"
  if ask current wait "$address" "$patience" "$status" >/dev/null; then rm "$home/pending" && return; fi
  [ -e "$home/earlier" ] || fail "the first version does not answer: journalctl -u $service."
  say "the new version does not answer as the earlier one did. Going back." >&2
  systemctl stop "$service"
  if [ "$(tables current)" != "$(tables earlier)" ]; then
    [ -n "$backup" ] || fail "the tables were changed, and the earlier version needs your dump of PostgreSQL."
    applications earlier restore "$backup" || fail "$backup was not restored. Fix that, and run the update again."
  fi
  point current "$(readlink "$home/earlier")"
  systemctl start "$service"
  rm "$home/pending"
  ask current wait "$address" "$patience" "$status" >/dev/null ||
    fail "the earlier version does not answer either: journalctl -u $service."
  fail "the earlier version runs again, on its own database."
}

# Runs at every exit: starts the site if an update has left it stopped, and keeps only two versions, because on a disk
# that updates have filled, the site could store no application.
clean() {
  rm -rf "$home/trial" "$home/building"
  for version in "$home"/versions/*; do
    case ${version#"$home/"} in "$(readlink "$home/current")" | "$(readlink "$home/earlier")") ;; *) rm -rf "$version" ;; esac
  done
  [ ! -e "$home/current" ] || systemctl start "$service"
}

main() {
  [ "$(id -u)" = 0 ] || fail "run this as root."
  exec 9>"$home/update.lock"
  flock --nonblock 9 || fail "another update is under way."
  trap clean EXIT
  trap 'exit 1' HUP INT TERM
  rm -rf "$home/trial" "$home/building"
  [ ! -e "$home/pending" ] || { read_facts current && judge; }
  build
  [ "$new" != "$(readlink "$home/current")" ] || { say "the newest version runs already."; exit; }
  read_facts "$([ ! -e "$home/current" ] && echo "$new" || echo current)"
  [ "$database" != postgres: ] || [ "$(tables current)" = "$(tables "$new")" ] || [ "${DUMPED:-}" = yes ] ||
    fail "the new version changes the tables. Make a dump of PostgreSQL, then run: DUMPED=yes sh $0"
  try
  switch
  judge
  say "done. The earlier version is in $home/earlier."
}
main
exit
