set label 95 <<latency_label>> at screen 0.015, graph 0.5 center rotate by 90 noenhanced
<<ylatency>>
# A limit's name is legible on shades and hatching.
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.3, 0.1
<<limits>>
# Visits stand a little beside the marker of their step, so that neither hides the other.
beside = (<<xmax>> / <<xmin>>) ** 0.011
plot \
?<<have_upper>> "steps.tsv" using "<<memory_column>>":(step("<<upper_column>>")) with linespoints linestyle 3 title <<upper_title>>, \
?<<have_intervals>> "steps.tsv" using "<<memory_column>>":(step("<<main_column>>")):(step("<<main_column>>_lo")):(step("<<main_column>>_hi")) with yerrorbars linestyle 2 linewidth 2 pointsize 0, \
  "steps.tsv" using "<<memory_column>>":(step("<<main_column>>")) with linespoints linestyle 2 title <<main_title>>, \
?<<have_lower>> "steps.tsv" using "<<memory_column>>":(step("<<lower_column>>")) with linespoints linestyle 1 title <<lower_title>>, \
?<<have_visits>> "steps.tsv" using (column("<<memory_column>>") * beside):(visit("<<main_column>>")) with points linestyle 9 title "each visit", \
?<<have_again>> "steps.tsv" using "<<memory_column>>":(again("<<main_column>>")) with points linestyle 5 title <<main_title>>." again", \
?<<have_marked>> "steps.tsv" using "<<memory_column>>":(marked("<<main_column>>")) with points linestyle 6 title "warned", \
  NaN notitle
