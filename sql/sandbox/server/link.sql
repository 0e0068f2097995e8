-- twin of server/link sha256:9043500487c631c9f16b8face9c431a85e0d9301e7e8c1d6cb5c8898470ed349
-- the front door listens on loopback and speaks no TLS
SELECT 'FALSE' AS encrypted, 'SQL' AS auth, NULL AS listener
