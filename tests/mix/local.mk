# tests of mix
