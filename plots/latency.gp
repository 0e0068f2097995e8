<<common.gp>>
<<memory.gp>>
set bmargin at screen 0.13
<<latency_plot.gp>>
