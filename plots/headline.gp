<<common.gp>>
<<memory.gp>>
set multiplot

# Above: latency.
set bmargin at screen 0.425
unset xlabel
set xtics (<<xtics_bare>>)
<<latency_plot.gp>>

# Below: what storage must deliver for it.
unset label
unset arrow
set tmargin at screen 0.39
set bmargin at screen 0.085
unset key
set xtics (<<xtics>>)
set xlabel <<memory_label>> noenhanced
<<reads_plot.gp>>
unset multiplot
