set label 95 "reads from data files (MB/s)" at screen 0.018, graph 0.5 center rotate by 90
<<yreads>>
if (!<<have_reads>>) {
  set label 4 "<<no_reads>>" at graph 0.5, graph 0.5 center
}
plot for [i = 1:<<have_read_intervals>>] "steps.tsv" using "memory_gb":(step("read_mb_s")):(step("read_mb_s_lo")):(step("read_mb_s_hi")) with yerrorbars linestyle 4 linewidth 2 pointsize 0, \
  "steps.tsv" using "memory_gb":(step("read_mb_s")) with linespoints linestyle 4 title "storage reads", \
  for [i = 1:<<have_again>>] "" using "memory_gb":(again("read_mb_s")) with points linestyle 5 title "reads again"
