<<common.gp>>
<<memory.gp>>
set bmargin at screen 0.13
set label 95 "transactions a second" at screen 0.018, graph 0.5 center rotate by 90
<<ythroughput>>
plot for [i = 1:<<have_wanted>>] "steps.tsv" using "memory_gb":(step("rate_wanted")) with lines linestyle 7 title "rate wanted", \
  for [i = 1:<<have_intervals>>] "steps.tsv" using "memory_gb":(step("tx_s")):(step("tx_s_lo")):(step("tx_s_hi")) with yerrorbars linestyle 1 linewidth 2 pointsize 0, \
  "steps.tsv" using "memory_gb":(step("tx_s")) with linespoints linestyle 1 linewidth 4 title "done", \
  for [i = 1:<<have_again>>] "" using "memory_gb":(again("tx_s")) with points linestyle 5 title "done again", \
  for [i = 1:<<have_marked>>] "" using "memory_gb":(marked("tx_s")) with points linestyle 6 title "warned"
