<<common.gp>>
<<memory.gp>>
set bmargin at screen 0.13
set label 95 <<tx_label>> at screen 0.015, graph 0.5 center rotate by 90 noenhanced
<<ythroughput>>
plot \
?<<have_wanted>> "steps.tsv" using "<<memory_column>>":(step("rate_wanted")) with lines linestyle 7 title "rate wanted", \
?<<have_tx_intervals>> "steps.tsv" using "<<memory_column>>":(step("tx_s")):(step("tx_s_lo")):(step("tx_s_hi")) with yerrorbars linestyle 1 linewidth 2 pointsize 0, \
  "steps.tsv" using "<<memory_column>>":(step("tx_s")) with linespoints linestyle 1 linewidth 4 title <<tx_title>>, \
?<<have_again>> "steps.tsv" using "<<memory_column>>":(again("tx_s")) with points linestyle 5 title "done again", \
?<<have_marked>> "steps.tsv" using "<<memory_column>>":(marked("tx_s")) with points linestyle 6 title "warned", \
  NaN notitle
