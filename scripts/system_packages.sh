#!/usr/bin/env bash
# Installs the system packages that are missing: through apt where we are root, else by naming them.
#   system_packages.sh          what a build needs
#   system_packages.sh hip      and what widens the build of kind hip, which only apt is asked for
#   system_packages.sh bench    and the peers that the benchmarks stand beside
set -euo pipefail

missing=()
have() { command -v "$1" >/dev/null 2>&1; }
have "${CXX:-c++}" || missing+=(g++)
have git || missing+=(git)
python=${PYTHON:-python3}
have "$python" || missing+=(python3)
"$python" -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3-venv)
include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])' 2>/dev/null || true)
[ -n "$include" ] && [ -f "$include/Python.h" ] || missing+=(python3-dev)
package() { for d in /usr/share /usr/lib /usr/lib64 /usr/lib/*-linux-gnu* /usr/local/lib /usr/local/lib64 /usr/local/share; do
  compgen -G "$d/cmake/$1/*[cC]onfig.cmake" >/dev/null && return 0; done; return 1; }
package nlohmann_json || missing+=(nlohmann-json3-dev)
package GTest || missing+=(libgtest-dev libgmock-dev)
package benchmark || missing+=(libbenchmark-dev)
if [ "${1:-}" = bench ]; then package TBB || missing+=(libtbb-dev); fi

# A compiler for AMD's processors where apt has it, and a runtime that is too old, which must be refused.
apt_has() { [ "$(id -u)" = 0 ] && have apt-cache && [ -n "$(apt-cache show "$1" 2>/dev/null)" ]; }
if [ "${1:-}" = hip ]; then
  { have clang++-19 && have ld.lld-19; } || ! apt_has clang-19 || missing+=(clang-19 lld-19)
  compgen -G '/usr/lib/*/libamdhip64.so*' >/dev/null || ! apt_has libamdhip64-5 || missing+=(libamdhip64-5)
fi

[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && have apt-get; then
  echo "installing system packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  echo "these system packages are missing: ${missing[*]}" >&2
  echo "install them (Debian: sudo apt-get install ${missing[*]}), then run the command again" >&2
  exit 1
fi
