-- A store of schema 2, as its time wrote it. Its key is in the file `key`.
PRAGMA application_id = 0x73757369;
PRAGMA user_version = 2;
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
INSERT INTO migrations VALUES (1, 'accounts', 1000);
INSERT INTO migrations VALUES (2, 'audiences', 1000);
INSERT INTO tenants VALUES (4, 'https://contoso.b2clogin.com', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO tenants VALUES (9, 'http://localhost:8480', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO persons VALUES (1, 4, 'a1000000-0000-0000-0000-00000000000a', 'Ana', NULL, NULL, '["ana@example.com"]', NULL, 1000, 'ana@example.com', NULL);
INSERT INTO persons VALUES (2, 4, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO persons VALUES (3, 9, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO accounts VALUES (11, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'a1000000-0000-0000-0000-00000000000a-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'095066a745addb6d8831c2b0ed67665c9c56a2db9d66d5e7ad8a77e05d5d3d3c4c49084f3c');
INSERT INTO accounts VALUES (12, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 'B2C_1_edit', 'a1000000-0000-0000-0000-00000000000a-b2c_1_edit', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'973aea8d37179706072ed33a3511739cd37d20e9f56ba206d2c9efcb81b5ae3cdf1792d0b0');
INSERT INTO accounts VALUES (13, 2, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'f0b6845d6a9d657eb8298f2d3f2d65ceb79bb2faaf40a438ae008b15c895e7fce36993bc96');
INSERT INTO accounts VALUES (14, 3, 9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'4c48a39c369640694810a169b01e5ec93629efe0aee6e179b3f7d66a022c641be834bdae97');
INSERT INTO tokens VALUES (1, 11, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'f87821142b4456556d89aa8272fa36c47c34faf61590717b428408d0b907a97a90dcecf31340');
INSERT INTO tokens VALUES (2, 11, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'bcadae3a9578fa4535a414d06cad4a326a9481f43fc7109dfb0476149f7a89b44c');
INSERT INTO tokens VALUES (3, 11, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'25c24b40ae3ac127722988ba6e66abae1cc51a95ca5a7f79dca61945dc900747a8294808db');
INSERT INTO tokens VALUES (4, 12, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'14607ad7523be6557b5134de8b02784a9a8b67cc6b5ad92305f105e16e3272529722ac05b800');
INSERT INTO tokens VALUES (5, 12, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'c19681f4a1336aa2140d0597deca9e9cb809bf4a27ba02470e593f4bef056d0c05');
INSERT INTO tokens VALUES (6, 12, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'a3e6c8a0cc2020a2e939806ee648f312e04f5263d7e82cdf90dc746f75787b5c4c4e8135b1');
INSERT INTO tokens VALUES (7, 13, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'e52ead74c79d15a75fa29b7d87093fcdaa7db3cf80d9da301751f31e341f26be9d5edb60a50b');
INSERT INTO tokens VALUES (8, 13, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'ab332f7d700a7ccd258924267d9a09e5fa685dedba48f932f9df27b38f4ad4bf54');
INSERT INTO tokens VALUES (9, 13, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'0b0594b7fcf04e33a727585bace9dc1df2ebbc50c935f68ba52ee0c73f1fdd3804c99b73c7');
INSERT INTO tokens VALUES (10, 14, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'5b99dd50187e8120e4dc80e0cc1460c3326f4de35925c6a66ad571292b954daf8c24152c5c3a');
INSERT INTO tokens VALUES (11, 14, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'e805caad5784f80cd5091fb5484cc7e86baf4df264d7408f5dfb1e45e40523f3c5');
INSERT INTO tokens VALUES (12, 14, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'464046848dcbcd582d77f8038b2b892db4a95320ddcc1df3951d95aae72770f669cd16e43f');
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
