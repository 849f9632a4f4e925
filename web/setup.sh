# Sourced by web/run and tests/run from the repository's root. Installs what is missing and builds, with little output. Must also work with
# bash 3.2, which macOS has. It lacks `mapfile` and, with `set -u`, treats an empty array as an unset variable.

missing=() missing_later=()

# need PROGRAM-OR-FILE PACKAGE: if the program or file is missing, marks Debian's package for installation.
need() {
  case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" ;;
  esac >/dev/null || missing+=("$2")
}

# later PROGRAM OTHER...: marks the package PROGRAM, which is not needed before `wait_for_later`, for installation in the background. Does
# nothing if any of the programs is installed.
later() {
  local program
  for program in "$@"; do
    if command -v "$program" >/dev/null; then return; fi
  done
  missing_later+=("$1")
}

# Installs the packages that `need` has marked and then, in the background, those that `later` has marked.
install_missing() {
  [ $((${#missing[@]} + ${#missing_later[@]})) -eq 0 ] && return
  local all
  all=$(printf '%s\n' ${missing[@]+"${missing[@]}"} ${missing_later[@]+"${missing_later[@]}"} | sort -u | tr '\n' ' ')
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Missing here; on Debian or Ubuntu: sudo apt-get install $all" >&2
    if command -v brew >/dev/null; then echo "With Homebrew: brew install cmake ninja emscripten nlohmann-json node, and catch2 llvm for the tests" >&2; fi
    exit 1
  fi
  echo "installing $all"
  quietly apt-get update
  apt_install ${missing[@]+"${missing[@]}"}
  apt_install ${missing_later[@]+"${missing_later[@]}"} &
  installing=$!
  missing=() missing_later=()
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive quietly apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"
}

wait_for_later() {
  wait ${installing-}
  installing=
}

# quietly COMMAND...: runs the command, and shows its output only if it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    printf 'failed: %.120s\n' "$*" >&2
    exit 1
  fi
  rm -f "$log"
}

# npm_packages FOLDER: installs the packages that FOLDER/package-lock.json pins, if it has changed since they were installed.
npm_packages() {
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] && return
  echo "installing $1/node_modules"
  quietly npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund
  touch "$1/node_modules/.package-lock.json"
}

# in_headers FILE: whether the header is in one of the folders of the system, of local builds or of Homebrew.
in_headers() {
  [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] || [ -e "/opt/homebrew/include/$1" ]
}

need_cmake() {
  need cmake cmake
  need ninja ninja-build
  in_headers nlohmann/json.hpp || need /usr/include/nlohmann/json.hpp nlohmann-json3-dev
}

need_web() {
  need_cmake
  need em++ emscripten
  need node nodejs
  need npm npm
}

# configure PRESET [WRAPPER]: configures the build on first use, and again when the presets have changed. CMake itself notices other
# changes. If the checkout was moved, the build folder is deleted first, because it contains absolute paths.
configure() {
  if [ -e ".build/$1/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" ".build/$1/CMakeCache.txt"; then
    rm -rf ".build/$1"
  fi
  [ ".build/$1/build.ninja" -nt CMakePresets.json ] && return
  rm -f ".build/$1/CMakeCache.txt" # CMake forgets its settings when the compiler changes
  quietly ${2-} cmake --preset "$1"
  touch ".build/$1/build.ninja"
}

# Builds web/dist.
build_web() {
  npm_packages web
  echo "building the core"
  configure wasm emcmake
  quietly cmake --build --preset wasm -- --quiet
  node web/build/build.mjs
}
