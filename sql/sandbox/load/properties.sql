-- twin of load/properties sha256:d058dfafbe553cd91fb7822c1642fab271e9ccebc8f0bd5ad46f214af9dcb009
-- the engine's properties are those of the whole sandbox
DO 0;
