# Sets a machine aside within this one: what is written from here on to the folders of the system lands in
# a folder that is deleted afterwards, and every process ends with this one. Called by testing/deploy/test-deploy.ts.
#   set-aside.sh FOLDER COMMAND…
set -euo pipefail
folder=$1
shift
mount --make-rprivate /
for name in etc usr/local var; do
  mkdir -p "$folder/over/$name" "$folder/work/$name"
  mount -t overlay overlay -o "lowerdir=/$name,upperdir=$folder/over/$name,workdir=$folder/work/$name" "/$name"
done
mount -t tmpfs tmpfs /run
# On the disk itself, as on a real machine: the doctor looks at what the data folder lies on.
mkdir -p "$folder/srv" "$folder/data" /var/lib/driving-practice
mount --bind "$folder/srv" /srv
mount --bind "$folder/data" /var/lib/driving-practice

echo "127.0.0.1 practice.example" >>/etc/hosts
rm -f /etc/nginx/sites-enabled/default
printf '#!/bin/sh\nexec "%s" "%s/testing/deploy/systemctl.ts" "$@"\n' "$NODE" "$PWD" >/usr/local/bin/systemctl
chmod +x /usr/local/bin/systemctl
systemctl start nginx
# Not exec: this shell stays as the first process, and sees to those whose parents have gone.
"$@"
