#!/bin/sh
# Starts a systemd as the first process, over the files of this machine, which it cannot change: what it writes is lost with it. It knows
# the units of a folder, and needs mounts, processes and a network of its own (unshare).
#   systemd.sh FOLDER CGROUP UNITS [FROM TO]...
# FOLDER is empty, CGROUP the name of a control group that the caller removes. Each FROM is mounted as TO, read-only.
set -eu
folder=$1
group=$2
units=$3
shift 3

if [ -z "${WEIR_GROUP:-}" ]; then
    # All processes of systemd go below this group, and see no other one.
    mount -t cgroup2 cgroup2 "$folder"
    mkdir "$folder/$group"
    echo 0 >"$folder/$group/cgroup.procs"
    umount "$folder"
    WEIR_GROUP=$group exec unshare --cgroup "$0" "$folder" "$group" "$units" "$@"
fi

mount -t tmpfs -o mode=0755 files "$folder"
root=$folder/root
mkdir "$root" "$folder/upper" "$folder/work"
mount -t overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" overlay "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=0755 run "$root/run"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
mount -t tmpfs -o mode=0755 dev "$root/dev"
for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s pts/ptmx "$root/dev/ptmx"
mkdir -p "$root/dev/shm" "$root/dev/pts" "$root/run/units/basic.target.wants"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"

tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
cp "$units"/* "$root/run/units"
for unit in sysinit.target basic.target multi-user.target network-online.target shutdown.target \
    systemd-journald.service systemd-journald.socket systemd-journald-dev-log.socket; do
    ln -s "/lib/systemd/system/$unit" "$root/run/units/$unit"
done
ln -s ../systemd-journald.socket "$root/run/units/basic.target.wants"
while [ $# -gt 0 ]; do
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
    mount -o remount,bind,ro "$root$2"
    shift 2
done

# Not chroot: systemd gives each service mounts of its own, which takes a real root.
cd "$root"
pivot_root . .
umount -l .
exec env -i PATH="$PATH" container=test SYSTEMD_UNIT_PATH=/run/units \
    /lib/systemd/systemd --system --unit=basic.target --log-target=null
