# tests of bench
