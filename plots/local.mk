# gnuplot templates
