# Memory: each doubling is as wide as the next, the steps are the tics.
set logscale x 2
set xrange [<<xmin>>:<<xmax>>]
set xtics (<<xtics>>)
set xlabel <<memory_label>> noenhanced

# Brackets that were found, in the unit of the axis: where the knee lies, and where the plateau begins (0: none).
knee_a = <<knee_a>>; knee_b = <<knee_b>>
edge_a = <<edge_a>>; edge_b = <<edge_b>>
remark_text = <<remark>>
if (knee_a > 0) {
  set object 1 rectangle from knee_a, graph 0 to knee_b, graph 1 behind fillcolor rgb "#e2e2e2" fillstyle solid noborder
}
if (edge_a > 0) {
  set object 2 rectangle from edge_a, graph 0 to edge_b, graph 1 behind fillcolor rgb "#909090" fillstyle transparent pattern 4 noborder
}

# Their names stand in rows above the plot, whose top is below them.
bracket_rows = (knee_a > 0) + (edge_a > 0) + (remark_text ne "")
plot_top = 1 - (150.0 + 56.0 * bracket_rows) / height
row_y(k) = plot_top + (16.0 + 56.0 * k) / height
k = 0
if (knee_a > 0) {
  set arrow 1 from knee_a, screen row_y(k) to knee_b, screen row_y(k) heads size screen 0.004,90 linewidth 3 linecolor rgb "#202020"
  set label 1 <<knee_text>> at graph <<knee_at>>, screen row_y(k) + 25.0 / height center noenhanced font ",17"
  k = k + 1
}
if (edge_a > 0) {
  set arrow 2 from edge_a, screen row_y(k) to edge_b, screen row_y(k) heads size screen 0.004,90 linewidth 3 linecolor rgb "#202020" dashtype (5,3)
  set label 2 <<edge_text>> at graph <<edge_at>>, screen row_y(k) + 25.0 / height center noenhanced font ",17"
  k = k + 1
}
set label 3 remark_text at graph 0.99, screen row_y(k) + 12.0 / height right noenhanced font ",17"
set tmargin at screen plot_top
set key at screen 0.975, screen 1 - 108.0 / height right top horizontal samplen <<key_sample>> maxrows 1 font ",17"
