# <<name>>: <<what>>
# Made by `<<command>>`.  To draw it again, in the folder above this one: gnuplot plots/<<name>>.gp
reset session
set encoding utf8
height = <<height>>
if (strstrt(GPVAL_TERMINALS, "pngcairo") > 0) {
  set terminal pngcairo size 1600,height font "sans,19" linewidth 1
} else {
  set terminal png truecolor size 1600,height font "sans,19"
}
set output "plots/<<name>>.png"

# Text from the run stands in single quotes and is drawn as it is.
title_text = <<title>>
label_text = <<label>>

# Colours that most colour-blind people can tell apart; shapes and dashes for black and white.
point_scale = <<pointscale>>
set style line 1 linecolor rgb "#0072B2" linewidth 3 pointtype 7 pointsize 1.9 * point_scale dashtype solid
set style line 2 linecolor rgb "#D55E00" linewidth 5 pointtype 5 pointsize 2.0 * point_scale dashtype solid
set style line 3 linecolor rgb "#202020" linewidth 3 pointtype 8 pointsize 2.2 * point_scale dashtype (14,7)
set style line 4 linecolor rgb "#009E73" linewidth 4 pointtype 9 pointsize 2.3 * point_scale dashtype solid
set style line 5 linecolor rgb "#000000" linewidth 2 pointtype 4 pointsize 2.6 * point_scale
set style line 6 linecolor rgb "#000000" linewidth 2 pointtype 6 pointsize 4.4 * point_scale
set style line 7 linecolor rgb "#606060" linewidth 3 dashtype (4,6)
set style line 8 linecolor rgb "#B3008A" linewidth 3 dashtype (20,6,4,6)
set style line 9 linecolor rgb "#000000" linewidth 1.5 pointtype 12 pointsize 1.5 * point_scale
set border 3 linewidth 1.5 linecolor rgb "#404040"
set grid ytics linetype 1 linewidth 1 linecolor rgb "#d8d8d8"
set tics nomirror out
set key noautotitle
set lmargin at screen 0.11
set rmargin at screen 0.975
set label 90 title_text at screen 0.025, screen 1 - 44.0 / height left noenhanced font ",24"
set label 91 label_text at screen 0.025, screen 1 - 84.0 / height left noenhanced font ",17" textcolor rgb "#404040"

# Data: tab-separated, columns found by their names.
set datafile separator "\t"
set datafile columnheaders
step(c) = (strcol("row") eq "step") ? column(c) : NaN
again(c) = (strcol("row") eq "again") ? column(c) : NaN
visit(c) = (strcol("row") eq "visit") ? column(c) : NaN
marked(c) = column("saturated") + column("client_bound") + column("not_steady") + column("not_reached") > 0 ? step(c) : NaN
