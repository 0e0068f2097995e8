-- twin of server/link sha256:aee3effdb7914157c3b33b2bb967ff556171f5b6b3bdd4bbf34b41909d390a07
-- the front door listens on loopback and speaks no TLS
SELECT 'FALSE' AS encrypted, 'SQL' AS auth, NULL AS listener
