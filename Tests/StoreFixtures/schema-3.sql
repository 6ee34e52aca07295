-- A store of schema 3, as its time wrote it. Its key is in the file `key`.
PRAGMA application_id = 0x73757369;
PRAGMA user_version = 3;
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
INSERT INTO migrations VALUES (1, 'accounts', 1000);
INSERT INTO migrations VALUES (2, 'audiences', 1000);
INSERT INTO migrations VALUES (3, 'documents', 1000);
INSERT INTO tenants VALUES (4, 'https://contoso.b2clogin.com', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO tenants VALUES (9, 'http://localhost:8480', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO persons VALUES (1, 4, 'a1000000-0000-0000-0000-00000000000a', 'Ana', NULL, NULL, '["ana@example.com"]', NULL, 1000, 'ana@example.com', NULL);
INSERT INTO persons VALUES (2, 4, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO persons VALUES (3, 9, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO accounts VALUES (11, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'a1000000-0000-0000-0000-00000000000a-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'5aa2e0737aa0fdf573d3ac8c4a24569b5fcd2beafa4c9cae9d9702eed0b0aa9511b2f6ee20');
INSERT INTO accounts VALUES (12, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 'B2C_1_edit', 'a1000000-0000-0000-0000-00000000000a-b2c_1_edit', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'c3ddcb54a6e040f96c3ddcd168ebf795f3526a0cd0d3c2ad93c520fff9210097d03534a17e');
INSERT INTO accounts VALUES (13, 2, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'26bf9fdfb6a5003fe2e6b39c21e602028edaefc8592f0b95a4c17f44c92a8953f77ff230dd');
INSERT INTO accounts VALUES (14, 3, 9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'd29b4dec84f856ef178a32d88af1c0e22769b773036d771fccf4e7d2ee1b436b257364bdcd');
INSERT INTO tokens VALUES (1, 11, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'701824bc51689f9899be54ed5d2d448090c24cbfd0dd4530f9ff796d8714ad2136fe41b740f2');
INSERT INTO tokens VALUES (2, 11, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'2b3fc15a4f80da6f1afdc9b266a7cf7eb14ced73c64c38cdc5103382d7e99879c3');
INSERT INTO tokens VALUES (3, 11, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'c454142e8233882a4729e37bae7fcd9421daab17f6cac3966f4c1ae3b06eecb3859e6f6623');
INSERT INTO tokens VALUES (4, 12, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'3c978e7fc10261e00a0f7c85b441b23067db4eaf10270bbf2224de26de9bbe0089f2c6250692');
INSERT INTO tokens VALUES (5, 12, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'6958914b668b9f80e456b6fb20098407e856c2dff2edbb4386b61283375283f7c2');
INSERT INTO tokens VALUES (6, 12, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'd73e6ac46891370c3c069745501e176542d9f897d38a974808447675215418a34f81a42870');
INSERT INTO tokens VALUES (7, 13, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'ccadfc39c1c368018e65ecd1aad507e5b73a15bcfb39a2a67eebfdd0c0e211b22174f9f12ba0');
INSERT INTO tokens VALUES (8, 13, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'9c57e665b801c7dacfac22fc018c9d7aa33de08cc847701104fdc063ca40808345');
INSERT INTO tokens VALUES (9, 13, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'7e940ad04fcb8a5b2505b2874fe6ce551bc11488de18fd563da3fe2c20a2e73237239557f6');
INSERT INTO tokens VALUES (10, 14, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'23b522e20a54522fcd8d9b6a110dfcfdb0f62fc388351cca7fde71d82d606bcc3e7f0fe32395');
INSERT INTO tokens VALUES (11, 14, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'6a79aa892326bcef1956988a2082e9eb63df84271d353ee56931bf3b6dd2fb745c');
INSERT INTO tokens VALUES (12, 14, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'b676c8cc58f784a871847d0f9ac44379f5366929ece8e6c8c5514c8d65f81874f456281a9c');
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
