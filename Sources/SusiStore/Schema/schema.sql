-- A tenant is what its issuer says it is: an origin and a GUID.
CREATE TABLE tenants (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL CHECK (origin <> ''),
    guid TEXT NOT NULL CHECK (guid <> ''),
    UNIQUE (origin, guid)
) STRICT;

-- What a configuration means by one name: a tenant, or all those that `common` and the like brought.
CREATE TABLE tenant_groups (
    id INTEGER PRIMARY KEY,
    -- The one tenant; NULL for a name that stands for several.
    tenant INTEGER UNIQUE REFERENCES tenants ON DELETE CASCADE
) STRICT;

-- What configurations call a group, at the origin of their authority, which may differ from the issuer's.
CREATE TABLE tenant_group_names (
    origin TEXT NOT NULL CHECK (origin <> ''),
    name TEXT NOT NULL,
    tenant_group INTEGER NOT NULL REFERENCES tenant_groups ON DELETE CASCADE,
    PRIMARY KEY (origin, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tenant_group_names_by_group ON tenant_group_names (tenant_group);

-- The tenants of a group.
CREATE TABLE tenant_group_members (
    tenant_group INTEGER NOT NULL REFERENCES tenant_groups ON DELETE CASCADE,
    tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
    PRIMARY KEY (tenant_group, tenant)
) STRICT, WITHOUT ROWID;
CREATE INDEX tenant_group_members_by_tenant ON tenant_group_members (tenant);

CREATE TABLE persons (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenants,
    subject TEXT NOT NULL CHECK (subject <> ''),
    name TEXT,
    given_name TEXT,
    family_name TEXT,
    emails TEXT NOT NULL CHECK (emails LIKE '[%]'), -- a JSON array
    -- Only accounts of other services than B2C have these.
    username TEXT,
    identity_provider TEXT,
    profile_on INTEGER NOT NULL,
    UNIQUE (tenant, subject),
    UNIQUE (id, tenant)
) STRICT;

-- Persons in other tenants whom the refresh token of a person at home brought: the two are one person.
CREATE TABLE person_homes (
    person INTEGER PRIMARY KEY REFERENCES persons ON DELETE CASCADE,
    home INTEGER NOT NULL REFERENCES persons ON DELETE CASCADE,
    CHECK (person <> home)
) STRICT;
CREATE INDEX person_homes_by_home ON person_homes (home);

-- The tenant is here once more so that the tables below can refer to all that an account belongs to.
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

-- For each group, application and policy the account in use and the one before it.
CREATE TABLE current_accounts (
    tenant_group INTEGER NOT NULL,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('current', 'previous')),
    account INTEGER NOT NULL,
    tenant INTEGER NOT NULL,
    PRIMARY KEY (tenant_group, client_id, policy_key, role),
    UNIQUE (account, tenant_group),
    FOREIGN KEY (tenant_group, tenant) REFERENCES tenant_group_members (tenant_group, tenant) ON DELETE CASCADE,
    FOREIGN KEY (account, tenant, client_id, policy_key)
        REFERENCES accounts (id, tenant, client_id, policy_key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The last sign-out; removed when an account becomes current. The label is encrypted.
CREATE TABLE sign_outs (
    id INTEGER PRIMARY KEY,
    tenant_group INTEGER NOT NULL REFERENCES tenant_groups ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    signed_out_on INTEGER NOT NULL,
    key_id BLOB NOT NULL CHECK (length(key_id) = 8),
    label BLOB NOT NULL,
    UNIQUE (tenant_group, client_id, policy_key)
) STRICT;

CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh', 'id')),
    -- The requested scopes of an access token, or those that a refresh token is kept for; empty for the latest one.
    scopes TEXT NOT NULL CHECK (kind <> 'id' OR scopes = ''),
    -- The granted scopes of an access token, or those that the sign-in of a refresh token requested.
    granted TEXT NOT NULL,
    expires_on INTEGER,
    refresh_on INTEGER,
    saved_on INTEGER NOT NULL,
    key_id BLOB NOT NULL CHECK (length(key_id) = 8),
    secret BLOB NOT NULL,
    UNIQUE (account, kind, scopes)
) STRICT;

-- What servers publish for everybody, as it came: configurations and signing keys. Nothing in it is secret, and each use
-- checks it again.
CREATE TABLE documents (
    address TEXT NOT NULL PRIMARY KEY CHECK (address <> ''),
    body BLOB NOT NULL,
    fetched_on INTEGER NOT NULL
) STRICT;

-- What a server demanded of an account's tokens beyond what they say: the next sign-in asks for it.
CREATE TABLE pending_claims (
    account INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    claims TEXT NOT NULL CHECK (claims LIKE '{%}') -- a JSON object
) STRICT;

-- The key that encrypts the rows. A change of the key writes it in the transaction that re-encrypts every row, so that it
-- tells which of two key files is the right one after an interrupted change.
CREATE TABLE sealing (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key_id BLOB NOT NULL CHECK (length(key_id) = 8)
) STRICT;

-- A store with this row is shared: everything in it belongs to one person, and every sign-out empties it.
CREATE TABLE sharing (one INTEGER PRIMARY KEY CHECK (one = 1)) STRICT;
