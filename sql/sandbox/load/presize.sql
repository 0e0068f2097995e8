-- twin of load/presize sha256:867d10fa8ee5072653542fd375d66a4c56402fc041cac0adcb8dcfa9b520a058
-- the engine's files grow with the tables
DO 0;
