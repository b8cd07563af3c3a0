# shellcheck shell=bash
# Shared by the scripts beside this one; not run on its own.

# Homes of the JDKs with one of the given versions, one a line, first found for each version: what
# JAVA_HOME, JAVA_HOME_<version>_<machine> and the usual folders have. With tool=java, also those
# that can run programs only.
jdks() {
  local wanted home version name
  for wanted in "$@"; do
    for home in "${JAVA_HOME:-}" $(env | sed -n "s/^JAVA_HOME_${wanted}\(_[A-Za-z0-9]*\)\?=//p") \
      /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
      [[ -x "$home/bin/${tool:-javac}" && -f "$home/release" ]] || continue
      version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
      if [[ "$version" == "$wanted" ]]; then
        echo "$home"
        break
      fi
    done
  done
}

# Feature version of a JDK.
version_of() {
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# The modules that are released.
readonly released=core,secondary,examples/lucene,examples/accumulo

# bundle DIRECTORY OPTION...: makes target/central of a checkout, runs no tests. LAST_RELEASE is the
# version that the API is compared with, if it is set.
bundle() {
  (cd "$1" && mvn -B -ntp -q -Prelease -DskipTests -Dspotless.check.skip=true \
    -pl "$released" -am verify ${LAST_RELEASE:+"-Dlast.release=$LAST_RELEASE"} "${@:2}")
}
