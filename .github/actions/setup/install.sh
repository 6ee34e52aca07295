#!/bin/sh
# Installs a release of susi for this user, after a check of its sum: sh install.sh [URL]
# URL is the folder with the files of a release, https or file. SUSI_PREFIX is where it is installed, ~/.local by default.
set -eu

# A release fills in its own address.
release=${1:-}
prefix=${SUSI_PREFIX:-"$HOME/.local"}

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

[ -n "$release" ] || fail "which release? Next: sh install.sh URL, the folder with its SHA256SUMS"
[ "$(uname -s)" = Linux ] || fail "releases are for Linux only"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fetch() {
    curl -fsSL --retry 3 --proto =https,file --proto-redir =https -o "$folder/$1" "$release/$1" ||
        fail "cannot get $release/$1"
}

fetch SHA256SUMS
machine=$(uname -m)
sums=$(grep -E "^[0-9a-f]{64}  susi-[0-9][0-9A-Za-z.+~-]*-linux-$machine\.tar\.gz$" "$folder/SHA256SUMS") ||
    fail "the release has no archive for $machine"
[ "$(echo "$sums" | wc -l)" -eq 1 ] || fail "SHA256SUMS names several archives for $machine"
archive=${sums#*  }
fetch "$archive"
(cd "$folder" && echo "$sums" | sha256sum --quiet -c -) || fail "$archive is not the file that SHA256SUMS names; nothing was installed"
mkdir -p "$prefix"
tar -xzf "$folder/$archive" -C "$prefix" --strip-components 1
version=$("$prefix/bin/susi" --version) || fail "$prefix/bin/susi does not start; it needs glibc 2.35 or later"
echo "susi $version is installed in $prefix"
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "  next: add $prefix/bin to PATH" ;;
esac
