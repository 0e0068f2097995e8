-- twin of server/link sha256:9e1c551f04930666edd6ada12f71faecf504047dfd93afe092e66a95f4ad5f05
-- the front door listens on loopback and speaks no TLS
SELECT 'FALSE' AS encrypted, 'SQL' AS auth, NULL AS listener
