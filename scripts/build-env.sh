# Sourced by ./gmptrace, ./test and bench/run: what a build needs around it. Expects $root.
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
