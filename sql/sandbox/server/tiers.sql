-- twin of server/tiers sha256:baac0d710b1986bc5a7c6fb2f6f32aa5c8af7303941b78faf3c7d9ebb3e5bd88
-- the engine has no second tier
SELECT 0 AS bpe_state, 0 AS hybrid
