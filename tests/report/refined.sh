#!/bin/sh
# ramknee report on a run with steps that --refine added: they ran last, and stand where their memory belongs.
set -u
# shellcheck source=lib.sh
. "${top_srcdir:?run by make check}/tests/report/lib.sh"

echo 1..9
"$make_run" refined run || exit 99
[ -d run/steps/06-96G ] && [ -d run/steps/07-64G ]
ok $? "96 and 64 GB ran last"
ramknee report --no-pictures run > out 2> err
ok $? "the run is reported with status 0"
[ "$(awk '$2 == "GB" && $1 + 0 > 0 { print $1 }' out | head -6 | tr '\n' ' ')" = "128 96 64 32 16 8 " ]
ok $? "its table is in the order of memory"
[ "$(awk -F '\t' '$2 == "step" { print $1 }' run/steps.tsv | tr '\n' ' ')" = "02-128G 06-96G 07-64G 03-32G 04-16G 05-8G " ]
ok $? "... and so is steps.tsv, from which the pictures are drawn"
has out "Plateau edge between 32 GB and 64 GB" && has out "Knee between 16 GB and 32 GB"
ok $? "edge and knee are where the curve has them"
has out "Refined after the other steps: steps at 96 GB and 64 GB were added; the plateau edge is between 60 GB and 64 GB: narrow enough."
ok $? "it says which steps were added, and why no more"
has out "p95 was to be known to 3 % up or down, and the time was used up before at 128 GB, 96 GB and 128 GB (again); give" &&
  ! has out "known better"
ok $? "steps that were not measured well enough are told together"
awk -F '\t' 'NR > 1 && $2 != s { printf "%s ", $2; s = $2 }' run/samples.tsv | grep -q "02-128G 03-32G 04-16G 05-8G 06-96G 07-64G 08-128G"
ok $? "samples.tsv goes on in the order of time"
rm -r run/steps/07-64G
ramknee report --no-pictures run > out 2> err
[ $? -eq 2 ] && has out "missing: 64 GB"
ok $? "an added step that is not there is missed"
