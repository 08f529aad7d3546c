# Sourced by the scripts that start Java. find_jdk prints the home of a JDK 25 or newer, or says on
# stderr what to install and returns 2.
#
# Looked at, in this order: JAVA_HOME, the java on the PATH, and the folders where Debian, Fedora,
# macOS, SDKMAN and IntelliJ put their JDKs. GMPTRACE_JDK_DIRS (colon separated) replaces those
# folders. With the argument "javac" a JDK that can compile is asked for, not only a runtime.

jdk_major() { # home -> 25, or nothing when it is no JDK
  [ -x "$1/bin/java" ] || return 1
  version=
  if [ -r "$1/release" ]; then
    # The file says it without the cost of starting a JVM.
    while IFS='=' read -r key value; do
      if [ "$key" = JAVA_VERSION ]; then
        version=${value#\"}
        break
      fi
    done < "$1/release"
  fi
  [ -n "$version" ] || version=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
  version=${version%%[!0-9]*}
  [ -n "$version" ] || return 1
  echo "$version"
}

jdk_fits() { # home, tool
  [ -x "$1/bin/${2:-java}" ] || return 1
  major=$(jdk_major "$1") || return 1
  [ "$major" -ge 25 ]
}

find_jdk() {
  tool=${1:-java}
  seen=
  if [ -n "${JAVA_HOME:-}" ]; then
    if jdk_fits "$JAVA_HOME" "$tool"; then echo "$JAVA_HOME"; return 0; fi
    seen="  JAVA_HOME=$JAVA_HOME is $(describe_jdk "$JAVA_HOME")
"
  fi
  on_path=$(command -v java 2>/dev/null || true)
  if [ -n "$on_path" ]; then
    home=$(real_path "$on_path")
    home=${home%/bin/java}
    # macOS's /usr/bin/java is a stub; /usr/libexec/java_home knows where the JDKs are.
    if [ "$home" = /usr ] && [ -x /usr/libexec/java_home ]; then
      home=$(/usr/libexec/java_home -v 25+ 2>/dev/null || echo /usr)
    fi
    if jdk_fits "$home" "$tool"; then echo "$home"; return 0; fi
    seen="$seen  java on the PATH ($on_path) is $(describe_jdk "$home")
"
  fi
  if [ -n "${GMPTRACE_JDK_DIRS+set}" ]; then
    dirs=$GMPTRACE_JDK_DIRS
  else
    dirs=/usr/lib/jvm:/usr/lib64/jvm:/usr/java:/opt/java:/opt/jdk:/opt:/usr/local/lib/jvm
    dirs=$dirs:/Library/Java/JavaVirtualMachines:${HOME:-/nonexistent}/Library/Java/JavaVirtualMachines
    dirs=$dirs:${SDKMAN_DIR:-${HOME:-/nonexistent}/.sdkman}/candidates/java:${HOME:-/nonexistent}/.jdks
  fi
  old_ifs=$IFS
  IFS=:
  for dir in $dirs; do
    IFS=$old_ifs
    for home in "$dir" "$dir"/*/Contents/Home "$dir"/*; do
      if jdk_fits "$home" "$tool"; then echo "$home"; return 0; fi
    done
    IFS=:
  done
  IFS=$old_ifs
  {
    echo "gmptrace needs a JDK 25 or newer and found none."
    printf '%s' "$seen"
    [ -z "$dirs" ] || echo "  looked in $dirs"
    echo "Install one (for example: apt-get install temurin-25-jdk, brew install openjdk@25, sdk install java 25-tem)"
    echo "or set JAVA_HOME to where it is."
  } >&2
  return 2
}

describe_jdk() {
  if major=$(jdk_major "$1"); then
    if [ "$major" -ge 25 ]; then echo "Java $major without a compiler (a JDK is needed)"; else echo "Java $major"; fi
  else
    echo "no JDK"
  fi
}

real_path() { # follows links without readlink -f, which old macOS lacks
  path=$1
  while [ -L "$path" ]; do
    link=$(readlink "$path")
    case $link in
      /*) path=$link ;;
      *) path=$(dirname "$path")/$link ;;
    esac
  done
  (cd "$(dirname "$path")" && echo "$(pwd -P)/$(basename "$path")")
}
