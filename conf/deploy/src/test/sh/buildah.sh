#!/bin/bash
# Builds the image with buildah, and prints the first answer of its program. Its base is no image of a registry: it is made of this system's
# programs, libraries and Java. Run it as root, after mvn package; apt-get install buildah.
#   conf/deploy/src/test/sh/buildah.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
deploy=$here/../../..
java=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
work=$(mktemp -d)
# A network of its own, in which the default ports are free.
if [[ -z ${WEIR_ISOLATED:-} ]]; then
    rmdir "$work"
    WEIR_ISOLATED=yes exec unshare --mount --net --pid --fork --mount-proc --kill-child "$0"
fi
ip link set lo up
trap 'rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs TMPDIR=$work
buildah() {
    command buildah --root "$work/storage" --runroot "$work/run" "$@"
}

# The files of the base image. An image has no mounts: libraries and Java are copied.
root=$work/root
mkdir "$root" "$work/etc" "$work/data"
"$here/base.sh" "$root" "$java"
{
    dpkg -L libc6 | grep '\.so'
    find "$root/usr/bin" "$root/usr/sbin" "$java/lib" "$java/bin" -type f \( -name '*.so' -o -perm -100 \) -exec ldd {} + 2>/dev/null |
        grep -o '/[^ ]*\.so[^ ]*' | grep -vF "$java" || true
} | sort -u | tar -C / -chPf - -T - 2>/dev/null | tar -C "$root" -xf - --keep-directory-symlink --transform 's,^/,,'
tar -C "$java" -ch --exclude=src.zip --exclude=jmods -f - . | tar -C "$root/opt/java/openjdk" -xf -

base=$(buildah from scratch)
buildah add -q "$base" "$root" / >/dev/null
buildah config --env JAVA_HOME=/opt/java/openjdk \
    --env PATH=/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$base"
buildah commit -q "$base" docker.io/library/eclipse-temurin:21-jre >/dev/null
buildah build --pull-never --format docker -f "$deploy/Dockerfile" -t weir "$deploy/../../proxy-core/target"

chown 65532 "$work/data"
chmod 0755 "$work" "$work/etc"
printf 'include file("/opt/weir/conf/weir.conf")\n' >"$work/etc/weir.conf"
container=$(buildah from --pull-never weir)
buildah run -v "$work/data:/data" -v "$work/etc:/etc/weir:ro" "$container" -- \
    /opt/weir/bin/weir run --config /etc/weir/weir.conf &
for _ in $(seq 60); do
    curl -sf --noproxy '*' http://127.0.0.1:9545/health/ready && break
    sleep 1
done
curl -sf --noproxy '*' -H 'content-type: application/json' \
    -d '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}' http://127.0.0.1:8545/v3/demo
echo
# The program's own process: buildah passes no signals on.
kill "$(pgrep -f -- '-Dweir.home=/opt/weir' | tail -n 1)"
wait
