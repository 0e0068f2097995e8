# tests of knob
