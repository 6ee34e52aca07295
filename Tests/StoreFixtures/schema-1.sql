-- A store of schema 1, as its time wrote it. Its key is in the file `key`.
PRAGMA application_id = 0x73757369;
PRAGMA user_version = 1;
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
CREATE TABLE tenant_names (
    origin TEXT NOT NULL,
    name TEXT NOT NULL,
    tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
    PRIMARY KEY (origin, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tenant_names_by_tenant ON tenant_names (tenant);
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
    label TEXT COLLATE NOCASE NOT NULL,
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
CREATE TABLE current_accounts (
    tenant INTEGER NOT NULL,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('current', 'previous')),
    account INTEGER NOT NULL UNIQUE,
    PRIMARY KEY (tenant, client_id, policy_key, role),
    FOREIGN KEY (account, tenant, client_id, policy_key)
        REFERENCES accounts (id, tenant, client_id, policy_key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
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
INSERT INTO migrations VALUES (1, 'accounts', 1000);
INSERT INTO tenants VALUES (4, 'https://contoso.b2clogin.com', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO tenants VALUES (9, 'http://localhost:8480', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO tenant_names VALUES ('https://contoso.b2clogin.com', 'aaaaaaaa-0000-0000-0000-000000000001', 4);
INSERT INTO tenant_names VALUES ('https://contoso.b2clogin.com', 'contoso.onmicrosoft.com', 4);
INSERT INTO tenant_names VALUES ('http://localhost:8480', 'aaaaaaaa-0000-0000-0000-000000000001', 9);
INSERT INTO tenant_names VALUES ('http://localhost:8480', 'contoso.onmicrosoft.com', 9);
INSERT INTO persons VALUES (1, 4, 'a1000000-0000-0000-0000-00000000000a', 'Ana', NULL, NULL, '["ana@example.com"]', NULL, 1000, 'ana@example.com');
INSERT INTO persons VALUES (2, 4, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b');
INSERT INTO persons VALUES (3, 9, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b');
INSERT INTO accounts VALUES (11, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'a1000000-0000-0000-0000-00000000000a-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'4420823cfde6f1c26b30f90e20baaefcc5ad1e31e37059af9f7d2752fca1fc61865bac03b9');
INSERT INTO accounts VALUES (12, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 'B2C_1_edit', 'a1000000-0000-0000-0000-00000000000a-b2c_1_edit', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'ffc911f57cced458bbbf2ce0af67d92929ac9128a810ff5c53835cf17dd6699dbbf8cac3e6');
INSERT INTO accounts VALUES (13, 2, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'a9ea0e755a5c2e8210242a0811b9ddeb318f0cbf098edb24e6409caf741a2124bb0893962b');
INSERT INTO accounts VALUES (14, 3, 9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'4a1252e4da70e6720fcaa4daa0977995a234c3eed4874a65e9b7a8be994072d3c082dc8760');
INSERT INTO current_accounts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 'current', 12);
INSERT INTO current_accounts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'current', 11);
INSERT INTO current_accounts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'previous', 13);
INSERT INTO current_accounts VALUES (9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'current', 14);
INSERT INTO tokens VALUES (1, 11, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'c7dd01e4887534a20f0b0d048cb22afb2d6ddfb89aa4fe3aa00be2f955dff0998155430c686c');
INSERT INTO tokens VALUES (2, 11, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'c36ed80e71e0fd77b07670eb5bbf0a821965d6f391be89aba47b93c08f03d651eb');
INSERT INTO tokens VALUES (3, 11, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'940bd5335f973daad8619b9140462925b254c0110eba1caef140c269f12af9c75e3f14a977');
INSERT INTO tokens VALUES (4, 12, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'3753c9bdfa0ff0169dc95756196e9ecca8b456c30a30e7cfec9629a8b92515288ed870e7f3a1');
INSERT INTO tokens VALUES (5, 12, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'74066676cfb0b4eb8902c442b01ffacb51ae2d8edb7ca404c47a4fdada4304e5ce');
INSERT INTO tokens VALUES (6, 12, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'69da1cf6ba66d3f8b6d4b100af3a108407365bb864cd69b832161d1289394670a8e59a196d');
INSERT INTO tokens VALUES (7, 13, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'e7078f7f89385eb094235551fdb5ae1de44a8b925fc36745a407873eafb0d9467c8a10315878');
INSERT INTO tokens VALUES (8, 13, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'82568b96e8a4fef23a0c9fc55010722ccdcddca83b3f73373257ca115755b435d9');
INSERT INTO tokens VALUES (9, 13, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'afd7608437816bdd0a7309cb1935dc5663e6af11b4a47f461b93a29877e439e0ccfbecb170');
INSERT INTO tokens VALUES (10, 14, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'1e98406c189c24279e9851d5878e4107c5d564e0fea182a6f81d4b82d4584c10fed33e9a2f7c');
INSERT INTO tokens VALUES (11, 14, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'814204136feb5713c166b1321c7cb9115d85f97b0d9db0b217791f3f79e2635330');
INSERT INTO tokens VALUES (12, 14, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'69dd63fc35c797ff08a6cd90f9c667b593a07ad96eee8e26dc65c99e9f3b88f777dbbb4218');
