<<common.gp>>
# An empty field is a stretch without a sample: it breaks the line instead of being skipped.
cell(c) = strcol(c) eq "" ? NaN : column(c)

set xrange [<<from>>:<<to>>]
set xtics time format ""
set multiplot
set rmargin at screen 0.955 # half of the last time stands beyond it
unset key
nothing = "could not be sampled"

set tmargin at screen 0.885
set bmargin at screen 0.695
set label 95 "memory (GB)" at screen 0.015, graph 0.5 center rotate by 90
set label 92 "thin: held by the server, thick: data pages" at graph 0, graph 1.075 left noenhanced font ",16"
set yrange [0:<<memory_top>>]
if (!<<have_memory>>) {
  set label 4 nothing at graph 0.5, graph 0.5 center front
}
plot "series.tsv" using "clock_s":(cell("total_memory_gb")) with lines linestyle 3 dashtype solid linewidth 2, \
  "" using "clock_s":(cell("cache_gb")) with lines linestyle 2 linewidth 5
unset label

set tmargin at screen 0.667
set bmargin at screen 0.482
set label 95 "batches/s" at screen 0.015, graph 0.5 center rotate by 90
set label 92 "thin: busiest second, thick: mean" at graph 0, graph 1.075 left noenhanced font ",16"
set yrange [0:<<batches_top>>]
if (!<<have_batches>>) {
  set label 4 nothing at graph 0.5, graph 0.5 center front
}
plot "series.tsv" using "clock_s":(cell("batches_s_max")) with lines linestyle 7 dashtype solid linewidth 1, \
  "" using "clock_s":(cell("batches_s")) with lines linestyle 1 linewidth 3
unset label

set tmargin at screen 0.454
set bmargin at screen 0.269
set label 95 "page life (s)" at screen 0.015, graph 0.5 center rotate by 90
set yrange [0:<<life_top>>]
if (!<<have_life>>) {
  set label 4 nothing at graph 0.5, graph 0.5 center front
}
plot "series.tsv" using "clock_s":(cell("page_life_s")) with lines linestyle 2 linewidth 2
unset label

set tmargin at screen 0.241
set bmargin at screen 0.066
set label 95 "reads (MB/s)" at screen 0.015, graph 0.5 center rotate by 90
set label 92 "thin: busiest second, thick: mean" at graph 0, graph 1.075 left noenhanced font ",16"
set xlabel "local time"
set xtics time format "<<clock>>"
set yrange [0:<<reads_top>>]
if (!<<have_reads>>) {
  set label 4 nothing at graph 0.5, graph 0.5 center front
}
plot "series.tsv" using "clock_s":(cell("read_mb_s_max")) with lines linestyle 7 dashtype solid linewidth 1, \
  "" using "clock_s":(cell("read_mb_s")) with lines linestyle 4 linewidth 3
unset multiplot
