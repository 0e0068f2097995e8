# tests of report
