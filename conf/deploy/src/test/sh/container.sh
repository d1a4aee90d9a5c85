#!/bin/sh
# Runs a program as the first process in the root file system of an image. Needs mounts, processes and a network of its own (unshare).
#   container.sh OPTION... ROOT JAVA PROGRAM WORD...
# Options:
#   --read-only           nothing can be written but what is mounted
#   --mount FROM TO       a folder or a file, as TO in the container
#   --user UID GID        who runs the program, without any right of root; else root
set -eu
readonly=
user=
mounts=
while :; do
    case $1 in
        --read-only)
            readonly=yes
            shift
            ;;
        --mount)
            mounts="$mounts$2 $3
"
            shift 3
            ;;
        --user)
            user="/usr/bin/setpriv --reuid=$2 --regid=$3 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs"
            shift 3
            ;;
        *) break ;;
    esac
done
root=$1
java=$2
shift 2

# Mount points that are not there are made, as container engines make them.
place() {
    if [ -d "$1" ]; then
        mkdir -p "$2"
    elif [ ! -e "$2" ]; then
        mkdir -p "$(dirname "$2")"
        : >"$2"
    fi
}
printf %s "$mounts" | while read -r from to; do
    place "$from" "$root$to"
done

mount --bind "$root" "$root"
[ -z "$readonly" ] || mount -o remount,bind,ro "$root"
for folder in lib lib64 usr/lib usr/lib64; do
    if [ -d "$root/$folder" ] && [ ! -L "$root/$folder" ]; then
        mount --bind "/$folder" "$root/$folder"
        mount -o remount,bind,ro "$root/$folder"
    fi
done
mount --bind "$java" "$root/opt/java/openjdk"
mount -o remount,bind,ro "$root/opt/java/openjdk"
printf %s "$mounts" | while read -r from to; do
    mount --bind "$from" "$root$to"
done
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=0755 dev "$root/dev"
for device in null zero full random urandom; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"

cd "$root"
# shellcheck disable=SC2086
exec chroot . $user "$@"
