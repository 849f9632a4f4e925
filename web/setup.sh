# Sourced by web/run and tests/run, from the root of the repository: installs what is missing and builds, saying little.

missing=() missing_later=()

# need PROGRAM-OR-FILE PACKAGE: notes Debian's package where the program or file is not there.
need() {
  case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" ;;
  esac >/dev/null || missing+=("$2")
}

# later PROGRAM: the same, of a package of that name that is not wanted before `wait_for_later`.
later() {
  command -v "$1" >/dev/null || missing_later+=("$1")
}

# Installs what `need` noted, and then, besides, what `later` did.
install_missing() {
  [ $((${#missing[@]} + ${#missing_later[@]})) -eq 0 ] && return
  local all
  mapfile -t all < <(printf '%s\n' "${missing[@]}" "${missing_later[@]}" | sort -u)
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Missing here; on Debian or Ubuntu: sudo apt-get install ${all[*]}" >&2
    exit 1
  fi
  echo "installing ${all[*]}"
  quietly apt-get update
  apt_install "${missing[@]}"
  apt_install "${missing_later[@]}" &
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

need_cmake() {
  need cmake cmake
  need ninja ninja-build
  [ -e /usr/local/include/nlohmann/json.hpp ] || need /usr/include/nlohmann/json.hpp nlohmann-json3-dev
}

need_web() {
  need_cmake
  need em++ emscripten
  need node nodejs
  need npm npm
}

# configure PRESET [WRAPPER]: once, and again when the presets changed; CMake itself looks after the rest.
configure() {
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
  node web/build.mjs
}
