#!/usr/bin/env bash
# Runs the litmus tests of this directory through herd7 and compares with what must come: NAME.litmus
# must never show its outcome, NAME.CONTROL.litmus, which lacks something, must be able to show it.
#
#   stress/litmus/run.sh [NAME...]      all tests, or those whose names begin with a NAME
#
# HERD is the command to run, herd7 by default. Exit status: 1 if any verdict is not what it must be.
set -uo pipefail
cd "$(dirname "$0")"
herd=${HERD:-herd7}
failed=0
printf '%-42s %-10s %s\n' test verdict states
for file in *.litmus; do
  name=${file%.litmus}
  if [ $# -gt 0 ]; then
    wanted=
    for prefix in "$@"; do case $name in "$prefix"*) wanted=yes ;; esac; done
    [ -n "$wanted" ] || continue
  fi
  case $name in *.*) must=Sometimes ;; *) must=Never ;; esac
  said=$($herd "$file" 2>&1)
  verdict=$(sed -n 's/^Observation [^ ]* \([A-Za-z]*\) .*/\1/p' <<< "$said")
  states=$(sed -n 's/^States //p' <<< "$said")
  printf '%-42s %-10s %s' "$name" "${verdict:-none}" "$states"
  if [ "$verdict" = "$must" ]; then echo; else echo "  WRONG: $must expected"; failed=1; fi
  [ -n "$verdict" ] || echo "$said"
done
exit $failed
