#!/usr/bin/env bash
# Prints the AArch64 instructions that HotSpot's C2 makes of each method of Accesses.java, with and without
# LSE atomics.
#
#   stress/litmus/accesses.sh JAVA...     the command of a JVM for AArch64, such as
#                                         qemu-aarch64-static -L ROOT ROOT/.../bin/java
#
# Needs javac (17 or later), an AArch64 objdump (OBJDUMP, default aarch64-linux-gnu-objdump), perl.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
objdump=${OBJDUMP:-aarch64-linux-gnu-objdump}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac --release 17 -d "$work" "$here/Accesses.java"
for lse in + -; do
  "$@" -XX:+UnlockDiagnosticVMOptions -XX:${lse}UseLSE -XX:-TieredCompilation -Xbatch -XX:+UseParallelGC \
    -XX:CompileCommand=quiet -XX:CompileCommand=dontinline,Accesses::* -XX:CompileCommand=print,Accesses::* \
    -cp "$work" Accesses > "$work/log" 2>&1
  if [ $lse = + ]; then "$@" -version 2>&1 | sed 's/^/# /'; fi
  printf '\n## %sUseLSE\n' "$lse"
  perl - "$work/log" "$work" "$objdump" <<'PERL'
use strict;
my ($log, $work, $objdump) = @ARGV;
open my $in, '<', $log or die;
my ($name, $hex, %code, @order);
while (<$in>) {
  if (/Compiled method \(c2\).*?Accesses::(\w+) /) { ($name, $hex) = ($1, '') }
  elsif (/^\[Exception Handler\]|^\[Stub Code\]|^\[Deopt/ && defined $name) {
    push @order, $name if !exists $code{$name};
    $code{$name} = $hex;
    undef $name;
  }
  elsif (defined $name && /^\s+0x[0-9a-f]+: ((?:[0-9a-f]{4}[ |]*)+)/) { my $h = $1; $h =~ s/[ |]//g; $hex .= $h }
}
for my $method (@order) {
  next if $method eq 'main';
  open my $out, '>:raw', "$work/code" or die;
  print $out pack 'H*', $code{$method};
  close $out;
  my @lines = grep { s/^\s+[0-9a-f]+:\s+[0-9a-f]{8}\s+// } qx($objdump -D -b binary -m aarch64 $work/code);
  my @kept = grep { /^(ld|st|dmb|cas|swp|cbn?z|b\.ne)/ && !/\bsp\b|x28|str\s+xzr, \[x9\]|, \[x[12], #(?:8|12)\]/ } @lines;
  print "$method:\n", map { s/\s*\/\/.*//; s/\s+$//; s/\t/ /g; "  $_\n" } @kept;
}
PERL
done
