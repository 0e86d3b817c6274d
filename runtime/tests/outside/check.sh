#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the runtime and builds the project beside this script against it, with CMake and with pkg-config:
# check.sh BUILD-FOLDER C-COMPILER C++-COMPILER
set -eu
build=$1
cc=$2
cxx=$3
source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --component guardrt --prefix "$work/root" >"$work/install.log"
cmake -S "$source" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/root" -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_CXX_COMPILER="$cxx" >"$work/configure.log"
cmake --build "$work/build" >"$work/build.log"
"$work/build/outside_c"
"$work/build/outside_static"
"$work/build/outside_cpp"
libdir=$(dirname "$(find "$work/root" -name guardrt.pc)")
PKG_CONFIG_PATH=$libdir
export PKG_CONFIG_PATH
flags="$(pkg-config --define-variable=prefix="$work/root" --cflags --libs guardrt) -Wl,-rpath,$libdir/.."
# The flags are words on purpose.
# shellcheck disable=SC2086
"$cc" -std=c11 -Wall -Wextra -Werror -pedantic "$source/main.c" $flags -o "$work/by_pkg_config"
# shellcheck disable=SC2086
"$cxx" -std=c++17 -Wall -Wextra -Werror "$source/main.cpp" $flags -o "$work/by_pkg_config_cpp"
"$work/by_pkg_config"
"$work/by_pkg_config_cpp"
# Only the documented interface is exported.
if nm -D --defined-only "$libdir/../libguardrt.so" | grep -v 'GUARDRT_0' | grep ' [TBDR] '; then
  echo "a symbol outside the interface is exported"
  exit 1
fi
