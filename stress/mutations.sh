#!/usr/bin/env bash
# A mutation run by PIT: changes the compiled classes of a package in small ways, one at a time, and
# runs the tests that reach the place until one notices. PACKAGE is one of io.hyperclock.internal or,
# where that has none of the name, of io.hyperclock: secondary.disk and secondary.internal.adapter are
# packages of the tiers.
#
#   stress/mutations.sh [PACKAGE…]        all that were run whole, unless others are named
#   stress/mutations.sh --resume [PACKAGE…]   takes from the last run what is as it was
#   stress/mutations.sh --report [PACKAGE…]   only tells again what the last run found
#
# Writes stress/mutations/PACKAGE.md: how many mutants of each class were killed, which survived, and
# how many could not be run: those are neither, and no part of the percentages. If one mutant of a class
# could not be run, none of the class counts as run: a JVM that cannot change a record with annotated
# components twice does not run it rightly when it has changed it once.
# A survivor must be explained in stress/mutations/survivors.tsv (class, method, mutation, source line,
# reason; separated by tabs); one that is not, or an explanation that no survivor of its class needs
# any more, makes the exit code 1.
#
# Which tests take part, tests_of and groups_of tell. MVN, THREADS and RUNS (random schedules per
# test) may be set; TIMEOUT: milliseconds that a test with a mutant may take beyond the usual, more on
# a busy machine, for what does not end in time counts as killed; and JVM: the java that runs the
# tests, since slots at addresses need one from 22 on. The default of MVN is offline: run "mvn
# -Pmutations -pl core org.pitest:pitest-maven:help" once where PIT is not in the local repository.
#
# A long run may be cut: CLASSES names classes of the package (separated by commas) to change only
# those; the report keeps what it said of the others, with a mark. TESTS names the test classes that
# take part instead of those of the package. NOTE says in words what was left out; the report keeps
# the note before it. SKIP names test classes to leave out of a first run, and --resume goes on with
# all of them, or with another SKIP. What is taken over: mutants of unchanged classes that an
# unchanged test killed or that did not end, and survivors of unchanged classes that the same
# unchanged tests reach.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn=${MVN:-mvn -o -q}
out=stress/mutations

parent_of() { # PACKAGE
  if [ -d "core/src/main/java/io/hyperclock/internal/$1" ]; then
    echo io.hyperclock.internal
  else
    echo io.hyperclock
  fi
}

module_of() { # PACKAGE
  case $1 in
    secondary.*) echo secondary ;;
    *) echo core ;;
  esac
}

tests_of() { # PACKAGE
  local contracts=io.hyperclock.contract.HeapStrictTest,io.hyperclock.contract.HeapNonStrictTest
  local faults=io.hyperclock.faults cache=io.hyperclock.internal.cache
  local tiers=io.hyperclock.secondary
  case $1 in
    secondary.internal.adapter) echo "io.hyperclock.$1.*,$tiers.tiered.*" ;;
    secondary.*) echo "io.hyperclock.$1.*" ;;
    versioned)
      echo "io.hyperclock.internal.$1.*,io.hyperclock.$1.*,$faults.VersionedFaultInjectionTest"
      ;;
    loading) echo "io.hyperclock.internal.$1.*,$contracts,$faults.LoadFaultInjectionTest" ;;
    slot)
      echo "io.hyperclock.internal.$1.*,$contracts,io.hyperclock.contract.OffHeapStrictTest" \
        "$cache.Guarded*,$cache.Overtaking*,$cache.Stopped*,$cache.UntrackedPinTest" \
        "$cache.InterleavingTest,$cache.InPlace*,$cache.SlotAccessesTest,$cache.LocalEviction*" \
        "io.hyperclock.versioned.HeapVersionedCacheTest,io.hyperclock.versioned.Concurrent*" \
        "io.hyperclock.internal.versioned.*" | tr ' ' ','
      ;;
    table | capacity)
      echo "io.hyperclock.internal.$1.*,$contracts,$cache.*,io.hyperclock.faults.FaultInjectionTest"
      ;;
    policy)
      echo "io.hyperclock.internal.$1.*,io.hyperclock.contract.AdaptiveHeapStrictTest,$contracts" \
        "$cache.LocalEviction*,$cache.HopelessInsertsTest,io.hyperclock.replacement.*" | tr ' ' ','
      ;;
    drops | handle) echo "io.hyperclock.internal.$1.*" ;;
    memory | files) echo "io.hyperclock.$1.*" ;;
    reservation) echo "io.hyperclock.$1.*,$cache.ReservationSpreadTest" ;;
    observe)
      echo "io.hyperclock.internal.$1.*,io.hyperclock.internal.handle.*" \
        "io.hyperclock.contract.LeakDetectionTest,io.hyperclock.contract.ObserverTest" \
        "io.hyperclock.contract.ProblemLogTest" | tr ' ' ','
      ;;
    *) echo "io.hyperclock.internal.$1.*,$contracts" ;;
  esac
}

groups_of() { # PACKAGE
  case $1 in
    secondary.* | slot | table | capacity | policy | sizing | cache | drops | handle | memory | files | reservation)
      echo "-DexcludedGroups=loading"
      ;;
    observe) echo "-DexcludedGroups=versioned" ;;
    *) echo "-DincludedGroups=$1" ;;
  esac
}

mutate() { # PACKAGE
  local parent module
  parent=$(parent_of "$1")
  module=$(module_of "$1")
  local classes=$parent.$1.*
  local results=$PWD/$module/target/mutations/$1/all
  if [ -n "${CLASSES:-}" ]; then
    classes=$(sed "s/[^,]*/$parent.$1.&,$parent.$1.&\$*/g" <<< "$CLASSES")
    results=$PWD/$module/target/mutations/$1/$CLASSES
  fi
  local history=$results/history
  local flags=("-DhistoryOutputFile=$history.new")
  if [ "$module" != core ]; then
    flags+=("-Dmutations.core.skip=true")
  fi
  if [ $run = resume ] && [ -f "$history" ]; then
    flags+=("-DhistoryInputFile=$history")
  fi
  if [ -n "${SKIP:-}" ]; then
    flags+=("-DexcludedTestClasses=$SKIP")
  fi
  if [ -n "${TIMEOUT:-}" ]; then
    flags+=("-Dmutations.timeout=$TIMEOUT")
  fi
  if [ -n "${JVM:-}" ]; then
    flags+=("-Dmutations.jvm=$JVM")
  fi
  mkdir -p "$results"
  $mvn -B -ntp -pl "$module" -am -Pmutations -Dother.jdk.skip=true -Dspotless.check.skip=true \
    test-compile org.pitest:pitest-maven:mutationCoverage \
    "-DtargetClasses=$classes" "-DtargetTests=${TESTS:-$(tests_of "$1")}" \
    "$(groups_of "$1")" "-Dthreads=${THREADS:-2}" "-Dmutations.runs=${RUNS:-300}" \
    "-DreportsDirectory=$results" "${flags[@]}"
  mv "$history.new" "$history"
}

report() { # PACKAGE
  # The latest last: it tells of its classes.
  local module latest status=0
  module=$(module_of "$1")
  latest=$(ls -tr "$module/target/mutations/$1"/*/mutations.xml 2> /dev/null || true)
  perl - "$module/src/main/java" "$(parent_of "$1")" "$1" "$out/survivors.tsv" "$out/$1.md" $latest <<'PERL' > "$out/$1.md.new" || status=$?
use strict;
my ($roots, $parent, $package, $survivors, $before, @xml) = @ARGV;
my $sources = "$roots/" . $parent =~ s{\.}{/}gr;
my (%why, %used, %count, @left, %source, %latest, %kept);
my ($cut_before, $planted) = ('', '');
open my $in, '<', $survivors or die "$survivors: $!\n";
while (<$in>) {
  chomp;
  next if /^#/ || /^$/;
  my @field = split /\t/;
  die "five fields: $_\n" if @field != 5;
  $why{join "\t", @field[0 .. 3]} = $field[4] if $field[0] =~ /^\Q$package\E\./;
}
for my $xml (@xml) {
  open $in, '<', $xml or die "$xml: $!\n";
  my %lines;
  while (<$in>) {
    push @{$lines{$1}}, $_ if m{<mutatedClass>(.*?)(?:\$.*?)?</mutatedClass>.*</mutation>};
  }
  %latest = (%latest, %lines);
}
my %cannot;
for (map { @{$latest{$_}} } keys %latest) {
  $cannot{$1} = 1 if /status='RUN_ERROR'/ && m{<mutatedClass>\Q$parent\E\.(.*?)(?:\$.*?)?</mutatedClass>};
}
for (map { @{$latest{$_}} } sort keys %latest) {
  my %is = (status => /status='(\w+)'/);
  for my $tag (qw(sourceFile mutatedClass mutatedMethod lineNumber mutator description)) {
    ($is{$tag}) = m{<$tag>(.*?)</$tag>};
    $is{$tag} =~ s/&lt;/</g;
    $is{$tag} =~ s/&gt;/>/g;
    $is{$tag} =~ s/&quot;/"/g;
    $is{$tag} =~ s/&amp;/&/g;
  }
  $is{mutatedClass} =~ s/^\Q$parent\E\.//;
  (my $outer = $is{mutatedClass}) =~ s/\$.*//;
  next if $is{status} eq 'NON_VIABLE';
  my $fate = $cannot{$outer} ? 'untried'
    : {qw(KILLED killed TIMED_OUT killed MEMORY_ERROR killed NO_COVERAGE uncovered)}->{$is{status}} // 'survived';
  $count{$outer}{$fate}++;
  next if $fate eq 'killed' || $fate eq 'untried';
  my $lines = $source{$outer} //= do {
    (my $path = $outer) =~ s{\.}{/}g;
    open my $file, '<', "$sources/$path.java" or die "$path: $!\n";
    [<$file>];
  };
  my $line = $lines->[$is{lineNumber} - 1];
  $line =~ s/^\s+|\s+$//g;
  (my $what = $is{description}) =~ s{[\w/]+/(\w+(?:\$\w+)?::)}{$1}g;
  my $key = join "\t", $is{mutatedClass}, $is{mutatedMethod}, $what, $line;
  my $reason = $why{$key};
  $used{$key} = 1 if defined $reason;
  push @left, [$is{mutatedClass}, $is{mutatedMethod}, $is{lineNumber}, $what, $line, $reason];
}
# Classes that were not run keep what the report said of them.
if (open my $report, '<', $before) {
  while (<$report>) {
    $cut_before = $1 if /^Cut: (.*)\.$/;
    $planted .= $_ if /planted one by one later/ || $planted && $planted !~ /\n\n$/;
    my @field = map { s/^[\s`]+|[\s`]+$//gr } split /(?<!\\)\|/;
    (my $class = $field[1] // '') =~ s/`.*//;
    (my $outer = $class) =~ s/\$.*//;
    next if @field < 6 || $class !~ /^\Q$package\E\./ || exists $latest{"$parent.$outer"};
    (my $path = $outer) =~ s{\.}{/}g;
    next if !-f "$sources/$path.java";
    if ($field[2] =~ /^\d+$/) {
      $kept{$class} = 1;
      @{$count{$class}}{qw(killed survived uncovered untried)} = (@field[2, 4, 5], $field[6] || 0);
      next;
    }
    my ($method, $line, $what) = map { s/\\\|/|/gr } @field[2 .. 4];
    my $key = join "\t", $class, $method, $what, $line;
    $used{$key} = 1 if defined $why{$key};
    push @left, [$class, $method, $., $what, $line, $why{$key}];
  }
}
print "# Mutants of `", "$parent.$package" =~ s/^io\.hyperclock\.//r, "`\n\nWritten by `stress/mutations.sh`.\n\n";
my $cut = $ENV{NOTE} // ($ENV{SKIP} ? "without $ENV{SKIP}" : '');
$cut = join '; ', grep { $_ } $cut_before, index($cut_before, $cut) < 0 ? $cut : '' if %kept;
print "Cut: $cut.\n\n" if $cut;
print "| class | killed | explained | survived | not reached | could not run |\n|---|---|---|---|---|---|\n";
my (%sum, %explained);
$explained{$_->[0] =~ s/\$.*//r}++ for grep { defined $_->[5] } @left;
for my $class (sort keys %count) {
  my @row = map { $count{$class}{$_} // 0 } qw(killed survived uncovered untried);
  my $known = $explained{$class} // 0;
  my $mark = $kept{$class} ? ' †' : '';
  print "| `$class`$mark | $row[0] | $known | $row[1] | $row[2] | $row[3] |\n";
  $sum{killed} += $row[0];
  $sum{untried} += $row[3];
  $sum{all} += $row[0] + $row[1] + $row[2];
  $sum{explained} += $known;
}
my $able = $sum{all} - $sum{explained};
printf "\n%d mutants, %d killed (%.1f %%); %d of the others are explained: killed of those without\n"
  . "an explanation %.1f %%. Survived and not reached count those that are explained too.\n\n",
  $sum{all}, $sum{killed}, 100 * $sum{killed} / ($sum{all} || 1), $sum{explained},
  100 * $sum{killed} / ($able || 1);
print "† Not run anew: what the report before this one said.\n\n" if %kept;
print $planted if %kept;
(my $folder = $package) =~ s{\.}{/}g;
my @missing;
for my $path (sort split /\n/, `find $sources/$folder -name '*.java'`) {
  open my $file, '<', $path or die "$path: $!\n";
  next if $path =~ /package-info/ || grep { /^(public )?(sealed )?(interface|enum|\@interface) / } <$file>;
  (my $class = $path) =~ s{^\Q$sources\E/|\.java$}{}g;
  $class =~ s{/}{.}g;
  push @missing, "`$class`" if !$count{$class};
}
print "No mutants yet of ", join(', ', @missing), ": not run, or nothing in them to change.\n\n" if @missing;
my $open = 0;
print "| class | method | source line | mutation | why it may survive |\n|---|---|---|---|---|\n";
for (sort { $a->[0] cmp $b->[0] || $a->[2] <=> $b->[2] || $a->[3] cmp $b->[3] } @left) {
  my ($class, $method, $number, $what, $line, $reason) = map { my $x = $_; $x =~ s/\|/\\|/g if defined $x; $x } @$_;
  $open++ if !defined $reason;
  printf "| `%s` | `%s` | `%s` | %s | %s |\n", $class, $method, $line, $what, $reason // '**not explained**';
}
my @stale = grep { !$used{$_} } sort keys %why;
print STDERR "$package: no such survivor any more: ", $_ =~ s/\t/ | /gr, "\n" for @stale;
print STDERR "$package: $sum{all} mutants, $sum{killed} killed, $sum{explained} explained, $open open",
  $sum{untried} ? ", $sum{untried} could not be run\n" : "\n";
exit($open || @stale ? 1 : 0);
PERL
  mv "$out/$1.md.new" "$out/$1.md"
  return $status
}

run=yes
case ${1:-} in
  --report | --resume)
    run=${1#--}
    shift
    ;;
esac
if [ $# -eq 0 ]; then
  set -- scope loading versioned slot table capacity policy sizing drops observe handle memory reservation
fi
status=0
for package in "$@"; do
  if [ $run != report ]; then
    mutate "$package"
  fi
  report "$package" || status=1
done
exit $status
