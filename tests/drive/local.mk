# tests of drive
