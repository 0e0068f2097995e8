# tests of sweep
