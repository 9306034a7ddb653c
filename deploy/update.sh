#!/bin/sh
# Updates a site without containers, as root (docs/operations.md): builds the new version beside the running one, tries
# it with an empty store on another port, and swaps the folders. If the new version does not answer as the old one did,
# the script swaps back.
#   sh /srv/driving-practice/site/deploy/update.sh
set -eu

# The folder that contains `site`, `new` and `before`.
home=$(cd "$(dirname "$0")/../.." && pwd)
user=driving-practice
service=driving-practice
# Time limit of a start, in seconds.
patience=${PATIENCE:-60}

say() { echo "update: $*"; }
fail() { say "$*" >&2; exit 1; }
as_site() { runuser -u "$user" -- "$@"; }
# Prints the address of the running site. Fails if the data is inside the folder that is replaced.
inspect() {
  as_site sh -c 'cd "$1" && exec node_modules/.bin/node --input-type=module --eval "$2"' inspect "$home/site" "
    import { config } from './lib/config.ts';
    import { ownAddress } from './lib/local-site.ts';
    try {
      const { dataDir, databaseFile, databaseUrl } = config();
      const inside = [dataDir, databaseFile].find((path) => path.startsWith(process.cwd() + '/'));
      if (inside && !databaseUrl)
        throw new Error(inside + ' is in the folder that an update replaces. Stop the site, move the data, and set DATA_DIR.');
      console.info(ownAddress(config()));
    } catch ({ message }) {
      console.error(message);
      process.exitCode = 1;
    }"
}
# await ADDRESS SECONDS STATUS: waits until /api/health answers 200 or STATUS, and prints the last answer.
await() {
  as_site "$home/site/node_modules/.bin/node" -e "
    const [address, seconds, ...wanted] = process.argv.slice(1);
    const ask = () => fetch(address + '/api/health').then(({ status }) => status, () => 0);
    const isWanted = (status) => [200, ...wanted.map(Number)].includes(status);
    const step = async (left) => {
      const status = await ask();
      if (!isWanted(status) && left > 0) return setTimeout(step, 250, left - 0.25);
      console.info(String(status));
      process.exitCode = isWanted(status) ? 0 : 1;
    };
    step(Number(seconds));" "$@"
}

# Clones the site with its local commits, merges the newest version, installs and builds.
build() {
  rm -rf "$home/new"
  # A failed update must not leave a full disk, on which the running site could store no application.
  trap 'rm -rf "$home/new"' EXIT
  as_site git clone --quiet "$home/site" "$home/new"
  cp -P "$home/site/.env" "$home/new/.env"
  origin=$(as_site git -C "$home/site" remote get-url origin)
  branch=$(as_site git -C "$home/site" rev-parse --abbrev-ref '@{upstream}' 2>/dev/null ||
    as_site git -C "$home/site" symbolic-ref --short refs/remotes/origin/HEAD 2>/dev/null || echo origin/main)
  as_site git -C "$home/new" remote set-url origin "$origin"
  as_site git -C "$home/new" fetch --quiet origin
  as_site git -C "$home/new" -c user.name=update -c user.email=update@localhost merge --quiet --no-edit "$branch" ||
    fail "the new version and this site's own commits changed the same lines. Merge $branch by hand; the site runs on."
  as_site git -C "$home/new" branch --quiet --set-upstream-to "$branch" 2>/dev/null || true
  as_site sh -c 'cd "$1" && npm ci --include=dev --include=optional && npm run build' build "$home/new" ||
    fail "the new version could not be built; the site runs on."
}

# Starts the new version with an empty store on a free port, and checks its health and home page.
try() {
  folder=$(as_site mktemp -d)
  port=$(as_site "$home/new/node_modules/.bin/node" -e "const server = require('net').createServer()
    .listen(0, '127.0.0.1', () => { console.info(String(server.address().port)); server.close(); })")
  # `exec` keeps the process id that the shell has written.
  as_site sh -c 'cd "$1" && echo $$ >"$2/pid" && DATA_DIR=$2 DATABASE_URL= WEEKLY_SUMMARY=off PORT=$3 HOSTNAME=127.0.0.1 \
    NODE_ENV=production exec node_modules/.bin/node server/main.ts' try "$home/new" "$folder" "$port" >"$home/try.log" 2>&1 &
  if await "http://127.0.0.1:$port" "$patience" >/dev/null; then tried=yes; else tried=no; fi
  kill "$(cat "$folder/pid")" 2>/dev/null || true
  wait
  rm -rf "$folder"
  [ "$tried" = yes ] || fail "the new version does not start, see $home/try.log; the site runs on."
}

# Fails if the new version's doctor finds a fault and the running version's doctor does not.
examine() {
  as_site sh -c 'cd "$1" && npm run --silent doctor' doctor "$home/new" && return
  as_site sh -c 'cd "$1" && npm run --silent doctor' doctor "$home/site" >/dev/null 2>&1 &&
    fail "the doctor of the new version finds a fault; the site runs on."
  say "the doctor finds faults with the running version too; the update goes on."
}

swap() {
  # A site that was not healthy before the update need not be healthy afterwards, but has to answer.
  earlier=$(await "$address" 0) || earlier=503
  as_site sh -c 'cd "$1" && npm run --silent applications -- backup' backup "$home/site" ||
    say "there is no new backup; the update goes on."
  rm -rf "$home/before"
  mv "$home/site" "$home/before"
  mv "$home/new" "$home/site"
  systemctl restart "$service"
  if await "$address" "$patience" "$earlier" >/dev/null; then
    say "done. The earlier version is in $home/before."
    return
  fi
  say "the new version does not answer as the earlier one did. Going back." >&2
  mv "$home/site" "$home/failed"
  mv "$home/before" "$home/site"
  systemctl restart "$service"
  await "$address" "$patience" "$earlier" >/dev/null ||
    fail "the earlier version does not answer either: journalctl -u $service; it may need the backup, see docs/operations.md."
  fail "the earlier version runs again; the new one is in $home/failed."
}

main() {
  [ "$(id -u)" = 0 ] || fail "run this as root."
  [ -e "$home/site" ] || mv "$home/before" "$home/site"
  rm -rf "$home/failed"
  changed=$(as_site git -C "$home/site" status --porcelain)
  [ -z "$changed" ] ||
    fail "these files are changed and not committed, and would be lost. Commit them first, see docs/launch.md:
$changed"
  address=$(inspect) || fail "nothing was changed."
  build
  examine
  try
  swap
}
main
exit
