# The first process of the isolated machine, which testing/deploy/test-deploy.ts starts: mounts file systems, waits for
# the network, and starts the rehearsal. All processes and mounts end with this process.
#   init.sh MACHINE NODE PROGRAM
set -euo pipefail
machine=$1
program=$3
mount --make-rprivate /
# The root folder must be a mount point, for pivot_root and for Docker.
mount --bind "$machine" "$machine"
mount --rbind /sys "$machine/sys"
mount --rbind /dev "$machine/dev"
mount -t proc proc "$machine/proc"
for name in run tmp; do mount -t tmpfs tmpfs "$machine/$name"; done
mount --bind "$PWD" "$machine/project"
touch "$machine/usr/local/bin/node"
mount --bind "$2" "$machine/usr/local/bin/node"
cd "$machine"
# With chroot, commands that Docker runs in a container would see the old root.
pivot_root . .
umount --lazy .
until ip route | grep -q default; do sleep 0.1; done
# The shell stays the first process, which reaps processes whose parents have ended.
env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
  sh -c 'cd /project && node "$1"' rehearse "$program"
