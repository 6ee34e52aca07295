-- A store of schema 4, as its time wrote it. Its key is in the file `key`.
PRAGMA application_id = 0x73757369;
PRAGMA user_version = 4;
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (name <> ''),
    applied_on INTEGER NOT NULL
) STRICT;
CREATE TABLE tenants (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL CHECK (origin <> ''),
    guid TEXT NOT NULL CHECK (guid <> ''),
    UNIQUE (origin, guid)
) STRICT;
CREATE TABLE persons (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenants,
    subject TEXT NOT NULL CHECK (subject <> ''),
    name TEXT,
    given_name TEXT,
    family_name TEXT,
    emails TEXT NOT NULL CHECK (emails LIKE '[%]'), -- a JSON array
    identity_provider TEXT,
    profile_on INTEGER NOT NULL,
    -- The first address, else the name, else the subject.
    label TEXT COLLATE NOCASE NOT NULL, username TEXT,
    UNIQUE (tenant, subject),
    UNIQUE (id, tenant)
) STRICT;
CREATE UNIQUE INDEX persons_by_label ON persons (tenant, label, subject);
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    person INTEGER NOT NULL,
    tenant INTEGER NOT NULL,
    client_id TEXT NOT NULL CHECK (client_id <> ''),
    policy_key TEXT NOT NULL CHECK (policy_key <> ''),
    policy TEXT NOT NULL CHECK (policy <> ''),
    home_uid TEXT NOT NULL,
    home_utid TEXT NOT NULL,
    authority TEXT NOT NULL CHECK (authority <> ''),
    signed_in_on INTEGER NOT NULL,
    claims_on INTEGER NOT NULL,
    key_id BLOB NOT NULL CHECK (length(key_id) = 8),
    claims BLOB NOT NULL,
    UNIQUE (person, client_id, policy_key),
    UNIQUE (id, tenant, client_id, policy_key),
    FOREIGN KEY (person, tenant) REFERENCES persons (id, tenant) ON DELETE CASCADE
) STRICT;
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh', 'id')),
    scopes TEXT NOT NULL CHECK (kind = 'access' OR scopes = ''),
    granted TEXT NOT NULL,
    expires_on INTEGER,
    refresh_on INTEGER,
    saved_on INTEGER NOT NULL,
    key_id BLOB NOT NULL CHECK (length(key_id) = 8),
    secret BLOB NOT NULL,
    UNIQUE (account, kind, scopes)
) STRICT;
CREATE TABLE audiences (
    id INTEGER PRIMARY KEY,
    -- The one tenant; NULL for a name that stands for several.
    tenant INTEGER UNIQUE REFERENCES tenants ON DELETE CASCADE
) STRICT;
CREATE TABLE audience_names (
    origin TEXT NOT NULL CHECK (origin <> ''),
    name TEXT NOT NULL,
    audience INTEGER NOT NULL REFERENCES audiences ON DELETE CASCADE,
    PRIMARY KEY (origin, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX audience_names_by_audience ON audience_names (audience);
CREATE TABLE audience_tenants (
    audience INTEGER NOT NULL REFERENCES audiences ON DELETE CASCADE,
    tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
    PRIMARY KEY (audience, tenant)
) STRICT, WITHOUT ROWID;
CREATE INDEX audience_tenants_by_tenant ON audience_tenants (tenant);
CREATE TABLE current_accounts (
    audience INTEGER NOT NULL,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('current', 'previous')),
    account INTEGER NOT NULL,
    tenant INTEGER NOT NULL,
    PRIMARY KEY (audience, client_id, policy_key, role),
    UNIQUE (account, audience),
    FOREIGN KEY (audience, tenant) REFERENCES audience_tenants (audience, tenant) ON DELETE CASCADE,
    FOREIGN KEY (account, tenant, client_id, policy_key)
        REFERENCES accounts (id, tenant, client_id, policy_key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE sign_outs (
    audience INTEGER NOT NULL REFERENCES audiences ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    label TEXT NOT NULL CHECK (label <> ''),
    signed_out_on INTEGER NOT NULL,
    PRIMARY KEY (audience, client_id, policy_key)
) STRICT, WITHOUT ROWID;
CREATE TABLE documents (
    address TEXT NOT NULL PRIMARY KEY CHECK (address <> ''),
    body BLOB NOT NULL,
    fetched_on INTEGER NOT NULL
) STRICT;
CREATE TABLE pending_claims (
    account INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    claims TEXT NOT NULL CHECK (claims LIKE '{%}') -- a JSON object
) STRICT;
INSERT INTO migrations VALUES (1, 'accounts', 1000);
INSERT INTO migrations VALUES (2, 'audiences', 1000);
INSERT INTO migrations VALUES (3, 'documents', 1000);
INSERT INTO migrations VALUES (4, 'pendingClaims', 1000);
INSERT INTO tenants VALUES (4, 'https://contoso.b2clogin.com', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO tenants VALUES (9, 'http://localhost:8480', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO persons VALUES (1, 4, 'a1000000-0000-0000-0000-00000000000a', 'Ana', NULL, NULL, '["ana@example.com"]', NULL, 1000, 'ana@example.com', NULL);
INSERT INTO persons VALUES (2, 4, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO persons VALUES (3, 9, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO accounts VALUES (11, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'a1000000-0000-0000-0000-00000000000a-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'cea2dd7f89612554e34b86eb1c236038bb9e6a077a07ec552babe3ad34aedf0deaf5eb5405');
INSERT INTO accounts VALUES (12, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 'B2C_1_edit', 'a1000000-0000-0000-0000-00000000000a-b2c_1_edit', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'c156767891ecc76ce784a9fe7f082d67001da20ea9a5bd86779d8dbcf240dd073d90116117');
INSERT INTO accounts VALUES (13, 2, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'ff428e62e5c7a889857c7d1eb0c1267bffc87100b410d0c4bbf856d9569e48f6255919c2cf');
INSERT INTO accounts VALUES (14, 3, 9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'a62b9a11c41d85a04285c23bbaeddfe95ae5949c3fe93d9a112b1e3d2d1e365fb034a94c3e');
INSERT INTO tokens VALUES (1, 11, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'534646e1b89ecd7b3b699c2274cd82476d42865593f3d70d6c9ce340e7e780333ec96e76a615');
INSERT INTO tokens VALUES (2, 11, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'3674cba4fc335f171c0b6e112b09292238ff8e5802c6a337b52f85cb2004fef4e8');
INSERT INTO tokens VALUES (3, 11, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'fde2af8c3c583071cc77fde63bbe117de335762230360bf49d9e90738b8b834dd82c289f62');
INSERT INTO tokens VALUES (4, 12, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'386d28170702f5a3c49364cc1c6550c88c8c039075cdc3c993a6a8e733f960835751a006e5e0');
INSERT INTO tokens VALUES (5, 12, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'514d0f07c64a1dc2824228ece08477a8367513a26de3aff5300fa922af7a92ebf1');
INSERT INTO tokens VALUES (6, 12, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'9b07121f42158c3cdd2e610e6c9abf539efc96cff7cb419025c447876bca6482b19554fec8');
INSERT INTO tokens VALUES (7, 13, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'59b3db1fb4d366d9238825805b5618014d1b4dec4d98e473d816c64670a95992720b970d3af3');
INSERT INTO tokens VALUES (8, 13, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'5a314d1e68db161b2ef0bd32f22a98ae3605320b2ecd36b58e606e2b04e9058663');
INSERT INTO tokens VALUES (9, 13, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'a0144010e241cae40c8a2e80acb7ea977d68fffad6b57d78bd933c0d789b81cc9898a26252');
INSERT INTO tokens VALUES (10, 14, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'9b30d97d69a9adc8f63542e5f0720e3b002b12d4018abce95f21554a1f5e7c21980e4c102c11');
INSERT INTO tokens VALUES (11, 14, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'0f955066bdc7a631d1b040212259fcf35c0445cac711fcbd6a45c0a0e52b889efe');
INSERT INTO tokens VALUES (12, 14, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'1699a0d598a3b48ba6043e4c31376b77bcdf7ccc5f16db45217758e12c9bd034340ed148c7');
INSERT INTO audiences VALUES (4, 4);
INSERT INTO audiences VALUES (9, 9);
INSERT INTO audience_names VALUES ('https://contoso.b2clogin.com', 'aaaaaaaa-0000-0000-0000-000000000001', 4);
INSERT INTO audience_names VALUES ('https://contoso.b2clogin.com', 'contoso.onmicrosoft.com', 4);
INSERT INTO audience_names VALUES ('http://localhost:8480', 'aaaaaaaa-0000-0000-0000-000000000001', 9);
INSERT INTO audience_names VALUES ('http://localhost:8480', 'contoso.onmicrosoft.com', 9);
INSERT INTO audience_tenants VALUES (4, 4);
INSERT INTO audience_tenants VALUES (9, 9);
INSERT INTO current_accounts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 'current', 12, 4);
INSERT INTO current_accounts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'current', 11, 4);
INSERT INTO current_accounts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'previous', 13, 4);
INSERT INTO current_accounts VALUES (9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'current', 14, 9);
INSERT INTO sign_outs VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_partner', 'ana@example.com', 900);
INSERT INTO documents VALUES ('https://contoso.b2clogin.com/contoso.onmicrosoft.com/.well-known/openid-configuration', x'7b7d', 1000);
INSERT INTO pending_claims VALUES (11, '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}');
