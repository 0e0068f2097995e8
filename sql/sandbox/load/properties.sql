-- twin of load/properties sha256:47c37be5da8c16b6d99f161eeb5ccb555517414d8a6ad86c14664b400e708788
-- the engine's properties are those of the whole sandbox
DO 0;
