<<common.gp>>
<<memory.gp>>
set bmargin at screen 0.13
<<reads_plot.gp>>
