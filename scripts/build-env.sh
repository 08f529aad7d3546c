# Sourced by ./gmptrace, ./test and bench/run: what a build needs around it, and when one is due.
# Expects $root.
. "$root/cli/src/dist/lib/find-jdk.sh"

use_jdk() { # JAVA_HOME and the PATH point to a JDK 25 from here on
  JAVA_HOME=$(find_jdk javac) || exit 2
  PATH=$JAVA_HOME/bin:$PATH
  # Maven's own libraries still use Unsafe and native access; without these each build warns. And its
  # console library ends with escape codes that reset colours, in a log file too, unless told not to.
  MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED -Djansi.noreset=true"
  export JAVA_HOME PATH MAVEN_OPTS
}

need_tool() { # command, what it is, how to get it
  command -v "$1" > /dev/null 2>&1 && return 0
  echo "gmptrace: '$1' is missing: $2 is needed to build from source (for example: $3)" >&2
  exit 2
}

# Whether all sources of what users run, the launcher and the archive's list too, are older than $1.
built_since() { # stamp
  [ -f "$1" ] || return 1
  for dist in "$root"/cli/target/gmptrace-*/gmptrace-*/bin/gmptrace; do
    [ -x "$dist" ] || return 1
  done
  newer=$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main "$root/cli/src/dist" "$root/cli/src/assembly" \
    -name node_modules -prune -o -type f -newer "$1" -print 2>/dev/null | head -n 1)
  [ -z "$newer" ]
}

# Calls a function that builds, when the stamp is not newer than every source; one build at a time in a
# checkout, whoever asks for it. Later stamps are touched too: what the build made besides.
build_if_stale() { # stamp, function, more stamps
  built_since "$1" && return 0
  use_jdk
  need_tool mvn "Maven 3.8 or newer" "apt-get install maven"
  need_tool node "Node.js 20 or newer, for the viewer's page" "apt-get install nodejs npm"
  lock=$root/.build.lock
  if ! mkdir "$lock" 2>/dev/null; then
    echo "gmptrace: another build is running here; waiting (if not, remove $lock)" >&2
    while ! mkdir "$lock" 2>/dev/null; do sleep 1; done
  fi
  trap 'rmdir "$lock" 2>/dev/null || true' EXIT
  trap 'exit 130' INT TERM
  if ! built_since "$1"; then
    # Of before the build: what is saved while it runs is newer.
    mkdir -p "$(dirname "$1")"
    touch "$1.next"
    "$2" || {
      rm -f "$1.next"
      echo "gmptrace: the build failed; the lines above say where" >&2
      exit 2
    }
    built=$1
    shift 2
    for other in "$@"; do
      touch -r "$built.next" "$other"
    done
    mv "$built.next" "$built"
  fi
  rmdir "$lock"
  trap - EXIT INT TERM
}
