set label 95 <<reads_label>> at screen 0.015, graph 0.5 center rotate by 90 noenhanced
<<yreads>>
plot \
?<<have_read_intervals>> "steps.tsv" using "<<memory_column>>":(step("read_mb_s")):(step("read_mb_s_lo")):(step("read_mb_s_hi")) with yerrorbars linestyle 4 linewidth 2 pointsize 0, \
  "steps.tsv" using "<<memory_column>>":(step("read_mb_s")) with linespoints linestyle 4 title <<reads_title>>, \
?<<have_again>> "steps.tsv" using "<<memory_column>>":(again("read_mb_s")) with points linestyle 5 title "reads again", \
  NaN notitle
