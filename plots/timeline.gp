<<common.gp>>
# An empty field breaks the line instead of being skipped.
second(c) = strcol(c) eq "" ? NaN : column(c)

# Grey: the measured phases, each below the name of its step.
<<time>>
set multiplot
unset key

set tmargin at screen 0.875
set bmargin at screen 0.695
set label 95 "memory (<<xunit>>)" at screen 0.015, graph 0.5 center rotate by 90
<<ytimememory>>
set xtics (<<timetics_bare>>)
set label 92 "thin: max server memory, thick: cache held" at graph 1, graph 1.205 right noenhanced font ",16"
plot "samples.tsv" using "second":(second("memory_gb")) with steps linestyle 3 dashtype solid linewidth 2, \
  "" using "second":(second("cache_gb")) with lines linestyle 2 linewidth 5
unset label

set tmargin at screen 0.667
set bmargin at screen 0.482
set label 95 "transactions/s" at screen 0.015, graph 0.5 center rotate by 90
<<ytimethroughput>>
plot "samples.tsv" using "second":(second("tx_s")) with lines linestyle 1 linewidth 2

set tmargin at screen 0.454
set bmargin at screen 0.269
set label 95 "p95 (<<time_latency_unit>>)" at screen 0.015, graph 0.5 center rotate by 90
<<ytimelatency>>
plot "samples.tsv" using "second":(second("p95_ms")) with lines linestyle 2 linewidth 2

set tmargin at screen 0.241
set bmargin at screen 0.066
set label 95 "reads (MB/s)" at screen 0.015, graph 0.5 center rotate by 90
set xlabel "<<time_from>> (<<timeunit>>)"
set xtics (<<timetics>>)
<<ytimereads>>
if (!<<have_time_reads>>) {
  set label 4 "storage reads could not be sampled" at graph 0.5, graph 0.5 center front
}
plot "samples.tsv" using "second":(second("read_mb_s")) with lines linestyle 4 linewidth 2
unset multiplot
