-- twin of load/properties sha256:3ddcba0b6690657b984cbbd6874caa6b168b5ff286d2743764090aaed5eb0f63
-- the engine's properties are those of the whole sandbox
DO 0;
