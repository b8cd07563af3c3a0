#!/usr/bin/env bash
# Plants the faults of stress/faults one at a time in a copy of the sources, and tells which test
# notices. A fault that nobody notices, or whose text is no longer found, makes the exit code 1, and
# so does a run of Maven that fails although no test has failed and no JVM has crashed.
#
#   stress/planted-faults.sh [NAME…]      all faults, or those whose names contain a NAME
#
# First every name must match a test, and the unchanged sources must pass all of them, unless
# BASELINE=no. With FIRST=yes a fault that unit tests notice is not looked for in stress tests, which
# take longer. MVN and JCSTRESS_FLAGS may be set too; the default of MVN is offline, so build the
# project once before. FAULTS is the directory of the faults, WORK that of the copy: another one for
# each run at the same time.
#
# A fault file has lines "what: …", "edge: …", "stress: REGEX of stress classes", "tests: classes for
# -Dtest", then edits: "file: PATH below core/src/main/java/io/hyperclock/internal", "<<<<", the
# present text, "====", the faulty text, ">>>>". White space does not matter in the present text, which
# must occur once. With a line "module: secondary" it is a fault of that module: paths are below
# secondary/src/main/java/io/hyperclock/secondary, and its tests are meant.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=${WORK:-$root/stress/target/planted}
mvn=${MVN:-mvn -o -q}
flags=${JCSTRESS_FLAGS:--m quick -sc false -jvmArgs -Xmx256m}
sources=core/src/main/java/io/hyperclock
below=secondary/src/main/java/io/hyperclock/secondary
directory=${FAULTS:-$root/stress/faults}

field() { # FILE KEY
  sed -n "s/^$2: *//p" "$1"
}

module() { # FILE
  local module
  module=$(field "$1" module)
  echo "${module:-core}"
}

maven() { # LOG ARGUMENTS…
  local log=$1
  shift
  (cd "$work/repo" && $mvn "$@" -Dspotless.check.skip=true) > "$work/$log" 2>&1
}

prepare() {
  rm -rf "$work"
  mkdir -p "$work/repo" "$work/run"
  tar -c --exclude=target --exclude=.git . | tar -x -C "$work/repo"
  cp -r "$sources" "$work/sources"
  cp -r "$below" "$work/below"
  maven build.log package -pl core,stress -DskipTests
}

restore() {
  rm -rf "$work/repo/$sources" "$work/repo/$below"
  cp -r "$work/sources" "$work/repo/$sources"
  cp -r "$work/below" "$work/repo/$below"
}

plant() { # FAULT
  local directory=$sources/internal
  [ "$(module "$1")" = core ] || directory=$below
  perl - "$1" "$work/repo/$directory" <<'PERL'
use strict;
my ($fault, $dir) = @ARGV;
local $/;
open my $in, '<', $fault or die "$fault: $!\n";
my $text = <$in>;
my $edits = 0;
while ($text =~ /^file: *(\S+)\n<<<<\n(.*?)^====\n(.*?)^>>>>$/msg) {
  my ($path, $from, $to) = ("$dir/$1", $2, $3);
  my $pattern = join '\s*', map { quotemeta } $from =~ /\w+|\S/g;
  open my $source, '<', $path or die "$path: $!\n";
  my $code = <$source>;
  my $count = () = $code =~ /$pattern/g;
  die "the present text must occur once: count=$count, file=$path\n" if $count != 1;
  $code =~ s/$pattern/$to/;
  open my $out, '>', $path or die "$path: $!\n";
  print $out $code;
  $edits++;
}
die "a fault must have an edit: fault=$fault\n" if !$edits;
PERL
}

jcstress() { # ARGUMENTS…
  local path=$work/repo/core/target/classes:$work/repo/stress/target/jcstress.jar
  (cd "$work/run" && timeout 900 java -cp "$path" org.openjdk.jcstress.Main "$@")
}

# Prints the names of a fault that match no test: such a run would tell nothing.
without_tests() { # FAULT
  local part
  for part in $(field "$1" stress | tr '|' ' '); do
    grep -Eq "^io\.hyperclock\..*($part)" "$work/stress-tests" || echo "stress: $part"
  done
  for part in $(field "$1" tests | tr ',' ' '); do
    [ -n "$(find "$(module "$1")/src/test/java" -name "$part.java")" ] || echo "tests: $part"
  done
  [ -n "$(field "$1" stress)$(field "$1" tests)" ] || echo "neither stress: nor tests:"
}

run_stress() { # REGEX; prints the classes that failed
  local status=0
  jcstress $flags -t "$1" > "$work/stress.log" 2>&1 || status=$?
  if grep -q 'FATAL: No matching tests' "$work/stress.log"; then
    echo "tests of more actors than there are processors do not run: $1" >&2
    return 0
  fi
  sed -n '/^RUN RESULTS/,$ s/.*\[\(FAILED\|ERROR\)\] io\.hyperclock\.stress\.//p' "$work/stress.log" |
    sort -u | paste -sd ' '
  return $status
}

run_tests() { # MODULE CLASSES; prints the classes that failed
  local status=0
  if [ "$1" = core ]; then
    maven tests.log surefire:test -pl core "-Dtest=$2" || status=$?
  else
    maven tests.log test -pl "core,$1" "-Dtest=$2" -Dsurefire.failIfNoSpecifiedTests=false \
      -Dother.jdk.skip=true || status=$?
  fi
  sed -n 's/^.*<<< \(FAILURE\|ERROR\)!.* -- in //p' "$work/tests.log" |
    sed 's/\x1b\[[0-9;]*m//g; s/.*\.//' | sort -u | paste -sd ' '
  return $status
}

# Runs what a fault names; prints who noticed, nothing if nobody did.
catchers() { # STRESS MODULE TESTS
  local who
  if [ -n "$3" ] && ! who=$(run_tests "$2" "$3"); then
    if [ -z "$who" ] && ! grep -q 'The forked VM terminated' "$work/tests.log"; then
      echo "BROKEN RUN, see $work/tests.log"
      return 0
    fi
    echo "tests: ${who:-crash}"
    [ "${FIRST:-no}" != yes ] || return 0
  fi
  if [ -n "$1" ]; then
    who=$(run_stress "$1") || echo "stress: ${who:-crash or time-out}"
  fi
}

faults=()
for file in "$directory"/*.fault; do
  name=$(basename "$file" .fault)
  if [ $# -eq 0 ]; then
    faults+=("$name")
  fi
  for wanted in "$@"; do
    case $name in *"$wanted"*) faults+=("$name") && break ;; esac
  done
done
if [ ${#faults[@]} -eq 0 ]; then
  echo "no fault has such a name: $*" >&2
  exit 1
fi

all_stress=$(for f in "${faults[@]}"; do field "$directory/$f.fault" stress; done | sort -u | paste -sd '|')
all_tests() { # MODULE
  for f in "${faults[@]}"; do
    [ "$(module "$directory/$f.fault")" != "$1" ] || field "$directory/$f.fault" tests
  done | tr ',' '\n' | sort -u | paste -sd ','
}
prepare || { cat "$work/build.log"; exit 1; }
jcstress -l > "$work/stress-tests" 2>&1 || { cat "$work/stress-tests"; exit 1; }
nothing=0
for name in "${faults[@]}"; do
  missing=$(without_tests "$directory/$name.fault" | paste -sd ',')
  if [ -n "$missing" ]; then
    echo "a fault must name tests that exist: fault=$name, missing=$missing" >&2
    nothing=1
  fi
done
if [ $nothing -ne 0 ]; then
  exit 1
fi
noticed=
if [ "${BASELINE:-yes}" = yes ]; then
  noticed=$({
    catchers "$all_stress" core "$(all_tests core)"
    catchers "" secondary "$(all_tests secondary)"
  } | paste -sd ' ')
  echo "unchanged sources: ${noticed:-all pass}"
fi
if [ -n "$noticed" ]; then
  exit 1
fi

failed=0
printf '%-26s %-12s %-56s %s\n' fault edge what 'caught by'
for name in "${faults[@]}"; do
  file=$directory/$name.fault
  restore
  if ! plant "$file" 2> "$work/plant.log"; then
    result="STALE: $(cat "$work/plant.log")"
    failed=1
  elif ! maven compile.log compile -pl "$(module "$file")" -am; then
    result="DOES NOT COMPILE, see $work/compile.log"
    failed=1
  else
    result=$(catchers "$(field "$file" stress)" "$(module "$file")" "$(field "$file" tests)" |
      paste -sd ' ')
    if [ -z "$result" ]; then
      result="NOT CAUGHT"
      failed=1
    fi
    case $result in "BROKEN RUN"*) failed=1 ;; esac
  fi
  printf '%-26s %-12s %-56s %s\n' "$name" "$(field "$file" edge)" "$(field "$file" what)" "$result"
done
exit $failed
