#!/bin/sh
# Lays out the root file system of a base image with a Java, without a registry: the programs of the essential packages of this system,
# which the images of Debian and Ubuntu have too, and nothing else. Libraries and the Java are mounted when it runs (container.sh).
#   base.sh ROOT JAVA
set -eu
root=$1
java=$2

chmod 0755 "$root"
cd "$root"
mkdir -p dev etc opt/java/openjdk proc root run tmp usr/bin usr/sbin usr/lib usr/local/bin var/tmp
chmod 1777 tmp var/tmp
for folder in bin sbin lib lib64; do
    if [ -L "/$folder" ]; then
        cp -P "/$folder" "$folder"
    elif [ -d "/$folder" ]; then
        mkdir "$folder"
    fi
done
[ ! -d /usr/lib64 ] || mkdir usr/lib64
printf 'root:x:0:0:root:/root:/bin/bash\n' >etc/passwd
printf 'root:x:0:\n' >etc/group
# Some systems keep the configuration of a Java outside of its folder.
for configuration in /etc/java-*; do
    [ ! -d "$configuration" ] || cp -R "$configuration" etc/
done
readlink -e "$java/bin/java" >/dev/null

dpkg-query -W -f '${Essential} ${Package}\n' | sed -n 's/^yes //p' | xargs dpkg-query -L |
    grep -E '^(/usr)?/s?bin/[^/]+$' | sort -u >var/tmp/programs
tar -C / -cf - --ignore-failed-read -T var/tmp/programs 2>/dev/null | tar -xf - --keep-directory-symlink
rm var/tmp/programs
[ -e bin/sh ] || ln -s dash bin/sh
