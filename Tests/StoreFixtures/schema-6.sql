-- A store of schema 6, as its time wrote it. Its key is in the file `key`.
PRAGMA application_id = 0x73757369;
PRAGMA user_version = 6;
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
    claims BLOB NOT NULL, home_term TEXT NOT NULL DEFAULT '', label TEXT COLLATE NOCASE NOT NULL DEFAULT '',
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
CREATE TABLE imported (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL CHECK (origin <> ''),
    tenant_name TEXT NOT NULL,
    client_id TEXT NOT NULL CHECK (client_id <> ''),
    policy_key TEXT NOT NULL CHECK (policy_key <> ''),
    policy TEXT NOT NULL CHECK (policy <> ''),
    -- In lower case. The second part is empty where the cache had no such handle.
    home_uid TEXT NOT NULL CHECK (home_uid <> ''),
    home_utid TEXT NOT NULL,
    subject TEXT CHECK (subject <> ''),
    label TEXT COLLATE NOCASE NOT NULL,
    source TEXT NOT NULL CHECK (source <> ''),
    imported_on INTEGER NOT NULL,
    key_id BLOB NOT NULL CHECK (length(key_id) = 8),
    secret BLOB NOT NULL,
    UNIQUE (origin, tenant_name, client_id, policy_key, home_uid, home_utid)
) STRICT;
CREATE TABLE search_terms (
    tenant INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('address', 'identifier', 'name')),
    term TEXT NOT NULL CHECK (term <> ''),
    person INTEGER NOT NULL,
    PRIMARY KEY (tenant, kind, term, person),
    FOREIGN KEY (person, tenant) REFERENCES persons (id, tenant) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX search_terms_by_person ON search_terms (person);
CREATE INDEX accounts_by_home ON accounts (tenant, home_term);
CREATE INDEX accounts_by_label ON accounts (tenant, client_id, policy_key, label, person);
CREATE TABLE account_counts (
    tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    accounts INTEGER NOT NULL CHECK (accounts >= 0),
    PRIMARY KEY (tenant, client_id, policy_key)
) STRICT, WITHOUT ROWID;
INSERT INTO migrations VALUES (1, 'accounts', 1000);
INSERT INTO migrations VALUES (2, 'audiences', 1000);
INSERT INTO migrations VALUES (3, 'documents', 1000);
INSERT INTO migrations VALUES (4, 'pendingClaims', 1000);
INSERT INTO migrations VALUES (5, 'imported', 1000);
INSERT INTO migrations VALUES (6, 'finding', 1000);
INSERT INTO tenants VALUES (4, 'https://contoso.b2clogin.com', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO tenants VALUES (9, 'http://localhost:8480', 'aaaaaaaa-0000-0000-0000-000000000001');
INSERT INTO persons VALUES (1, 4, 'a1000000-0000-0000-0000-00000000000a', 'Ana', NULL, NULL, '["ana@example.com"]', NULL, 1000, 'ana@example.com', NULL);
INSERT INTO persons VALUES (2, 4, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO persons VALUES (3, 9, 'b1000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, '[]', NULL, 1000, 'b1000000-0000-0000-0000-00000000000b', NULL);
INSERT INTO accounts VALUES (11, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'a1000000-0000-0000-0000-00000000000a-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'a2a6a723e78ff5e8bac2281cba8bc2efb9967f97599a5a91094f5e69e3b598b55c74547990', 'a1000000-0000-0000-0000-00000000000a-b2c_1_susi.aaaaaaaa-0000-0000-0000-000000000001', 'ana@example.com');
INSERT INTO accounts VALUES (12, 1, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 'B2C_1_edit', 'a1000000-0000-0000-0000-00000000000a-b2c_1_edit', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'917066fc78d9e7bb60f62583149ef73ceb11966798db16ca80687224c3a05671ed8bfd0970', 'a1000000-0000-0000-0000-00000000000a-b2c_1_edit.aaaaaaaa-0000-0000-0000-000000000001', 'ana@example.com');
INSERT INTO accounts VALUES (13, 2, 4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'092e2e02c489ed8bbef6acc62b3dc9914826d06f5fc164dbdb5e43183e4c6af2856cd83528', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi.aaaaaaaa-0000-0000-0000-000000000001', 'b1000000-0000-0000-0000-00000000000b');
INSERT INTO accounts VALUES (14, 3, 9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'https://contoso.b2clogin.com/contoso.onmicrosoft.com', 1000, 1000, x'ac2087c15cc6dea0', x'32cc5f012dda1a6fd8b11834116a2b7e6777755796b4eeba4ac497a284a4da24e7285ba8a1', 'b1000000-0000-0000-0000-00000000000b-b2c_1_susi.aaaaaaaa-0000-0000-0000-000000000001', 'b1000000-0000-0000-0000-00000000000b');
INSERT INTO tokens VALUES (1, 11, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'4418fb807dadb9bdce9dedae203f9bb0e7a4442777f35bbdfe058162895c627e0cf4432f077e');
INSERT INTO tokens VALUES (2, 11, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'550e4b807144395ed2193288b9e021a0dbcd1d9c5e3c56cc75d32ff0099761c805');
INSERT INTO tokens VALUES (3, 11, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'3668852228256f58dd0bbcf9ffaa15e62f32d53a48524adbacc5ef03814219b91a4218b86f');
INSERT INTO tokens VALUES (4, 12, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'd06704c2f927ced914b4ea0349d3723b3066cd725a21f601b88c30d233ff0ea679189d597366');
INSERT INTO tokens VALUES (5, 12, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'6199023d9aa190d2d19de79a6b918c7c9793bcdc1ba03707e01bc54bb8232e92d9');
INSERT INTO tokens VALUES (6, 12, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'43e347538104d912bcd7cd901b6eb141e87113ee4a5af36a3a98f64f4a82c1a1f1bca71806');
INSERT INTO tokens VALUES (7, 13, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'e93bf7b54ad44b095885bc410767d062744fcca58fd7f620a0a522247af6e7481ddea49bb34d');
INSERT INTO tokens VALUES (8, 13, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'93d38493d78cddabf86efbcd960433de648bb8739c31c8c9b6fd43284980de6eea');
INSERT INTO tokens VALUES (9, 13, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'd92e2042694c750d34814ff574ae2d80205bc804356e1c292a2f61b99b4a057db38f1cd6cc');
INSERT INTO tokens VALUES (10, 14, 'refresh', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'd63c878e5bf5186d2cc73fe5fed53bb374a8272511e8c3d3ddad63d179968b17218e98a20af1');
INSERT INTO tokens VALUES (11, 14, 'id', '', '', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'96fec93bf5364cc5675583d589a4dc7723c5fabca742a8cae69940c90d62538a1a');
INSERT INTO tokens VALUES (12, 14, 'access', 'https://contoso.onmicrosoft.com/hello/demo.read', 'https://contoso.onmicrosoft.com/hello/demo.read', 4600, NULL, 1000, x'ac2087c15cc6dea0', x'93fc6dacf83404b1881ce1996ba493dacf6496fcd0aade6145daa09e7c3bd9957e2a0c82bd');
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
INSERT INTO imported VALUES (1, 'https://contoso.b2clogin.com', 'contoso.onmicrosoft.com', '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 'B2C_1_susi', 'c1000000-0000-0000-0000-00000000000c-b2c_1_susi', 'aaaaaaaa-0000-0000-0000-000000000001', 'c1000000-0000-0000-0000-00000000000c', 'chi@example.com', 'msal', 1000, x'ac2087c15cc6dea0', x'33758c8a7ed24b428363d01d389fc4517fa92e1bf8f3b37f05c89fe2b502ae7ed9c9e7ffe0d2f0');
INSERT INTO search_terms VALUES (4, 'address', 'ana@example.com', 1);
INSERT INTO search_terms VALUES (4, 'identifier', 'a1000000-0000-0000-0000-00000000000a', 1);
INSERT INTO search_terms VALUES (4, 'name', 'ana', 1);
INSERT INTO search_terms VALUES (4, 'identifier', 'b1000000-0000-0000-0000-00000000000b', 2);
INSERT INTO search_terms VALUES (9, 'identifier', 'b1000000-0000-0000-0000-00000000000b', 3);
INSERT INTO account_counts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_edit', 1);
INSERT INTO account_counts VALUES (4, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 2);
INSERT INTO account_counts VALUES (9, '11111111-1111-1111-1111-111111111111', 'b2c_1_susi', 1);
CREATE TRIGGER accounts_added AFTER INSERT ON accounts BEGIN
    INSERT INTO account_counts VALUES (NEW.tenant, NEW.client_id, NEW.policy_key, 1)
        ON CONFLICT DO UPDATE SET accounts = accounts + 1;
END;
CREATE TRIGGER accounts_removed AFTER DELETE ON accounts BEGIN
    UPDATE account_counts SET accounts = accounts - 1
        WHERE tenant = OLD.tenant AND client_id = OLD.client_id AND policy_key = OLD.policy_key;
END;
