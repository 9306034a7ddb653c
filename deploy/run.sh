#!/bin/sh
# Runs a command as the site's user in the release that is in service:
#   driving-practice npm run doctor
set -eu
cd /srv/driving-practice/current
exec runuser -u driving-practice -- env HOME=/srv/driving-practice "$@"
