# Sourced by web/run and tests/run, from the root of the repository: installs what is missing and builds, saying little. For bash 3.2, too, which
# macOS has: there is no `mapfile`, and an empty list is not set.

missing=() missing_later=()

# need PROGRAM-OR-FILE PACKAGE: notes Debian's package where the program or file is not there.
need() {
  case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" ;;
  esac >/dev/null || missing+=("$2")
}

# later PROGRAM OTHER...: the same, of a package of that name that is not wanted before `wait_for_later`, nor where one of the others is there.
later() {
  local program
  for program in "$@"; do
    if command -v "$program" >/dev/null; then return; fi
  done
  missing_later+=("$1")
}

# Installs what `need` noted, and then, besides, what `later` did.
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

# quietly COMMAND...: its output only where it fails.
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

# The pinned packages of FOLDER/package-lock.json.
npm_packages() {
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] && return
  echo "installing $1/node_modules"
  quietly npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund
  touch "$1/node_modules/.package-lock.json"
}

# in_headers FILE: whether it is among the headers of the system, of what was built on it or of Homebrew.
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

# configure PRESET [WRAPPER]: once, and again when the presets changed; CMake itself looks after the rest. Of a checkout that was moved
# nothing is kept: paths are everywhere in it.
configure() {
  if [ -e ".build/$1/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" ".build/$1/CMakeCache.txt"; then
    rm -rf ".build/$1"
  fi
  [ ".build/$1/build.ninja" -nt CMakePresets.json ] && return
  rm -f ".build/$1/CMakeCache.txt" # CMake forgets what it was told where the compiler is another one
  quietly ${2-} cmake --preset "$1"
  touch ".build/$1/build.ninja"
}

# web/dist from the sources.
build_web() {
  npm_packages web
  echo "building the core"
  configure wasm emcmake
  quietly cmake --build --preset wasm -- --quiet
  node web/build/build.mjs
}
