#!/usr/bin/env bash
# enter.sh ROOT COMMAND... runs a command as root of another Debian, whose files are in the folder ROOT. It has
# mounts and process ids of its own, which end with it, and the network of this machine. Unlike chroot,
# pivot_root leaves Chromium its sandbox: the kernel makes no user namespaces below a changed root.
set -euo pipefail

if [[ ${1-} != --inside ]]; then
	exec unshare --mount --propagation private --pid --fork --kill-child "$0" --inside "$@"
fi
root=$2
shift 2

mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
cp --dereference /etc/resolv.conf /etc/hosts "$root/etc/"
cd "$root"
mkdir -p mnt/old
pivot_root . mnt/old
umount --lazy mnt/old
rmdir mnt/old
exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
