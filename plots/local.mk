# gnuplot templates: <<name>> is a value of the run, <<name.gp>> another template, a line behind ?<<name>> is there when that is 1; each
# picture becomes one script.
PLOT_FILES += \
	plots/common.gp \
	plots/day.gp \
	plots/headline.gp \
	plots/latency.gp \
	plots/latency_plot.gp \
	plots/memory.gp \
	plots/reads.gp \
	plots/reads_plot.gp \
	plots/throughput.gp \
	plots/timeline.gp
# A picture of a real demo run, for README.md.
EXTRA_DIST += plots/example/headline.png
