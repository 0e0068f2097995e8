set label 95 "response time (<<latency_unit>>)" at screen 0.018, graph 0.5 center rotate by 90
<<ylatency>>
plot "steps.tsv" using "memory_gb":(step("p99_ms")) with linespoints linestyle 3 title "p99", \
  for [i = 1:<<have_intervals>>] "" using "memory_gb":(step("p95_ms")):(step("p95_ms_lo")):(step("p95_ms_hi")) with yerrorbars linestyle 2 linewidth 2 pointsize 0, \
  "" using "memory_gb":(step("p95_ms")) with linespoints linestyle 2 title "p95", \
  "" using "memory_gb":(step("p50_ms")) with linespoints linestyle 1 title "p50", \
  for [i = 1:<<have_again>>] "" using "memory_gb":(again("p95_ms")) with points linestyle 5 title "p95 again", \
  for [i = 1:<<have_marked>>] "" using "memory_gb":(marked("p95_ms")) with points linestyle 6 title "p95, warned"
