-- What a configuration reaches under one name: a tenant, or all those that `common` and the like brought.
CREATE TABLE audiences (
    id INTEGER PRIMARY KEY,
    -- The one tenant; NULL for a name that stands for several.
    tenant INTEGER UNIQUE REFERENCES tenants ON DELETE CASCADE
) STRICT;

-- What configurations call an audience, at the origin of their authority, which may differ from the issuer's.
CREATE TABLE audience_names (
    origin TEXT NOT NULL CHECK (origin <> ''),
    name TEXT NOT NULL,
    audience INTEGER NOT NULL REFERENCES audiences ON DELETE CASCADE,
    PRIMARY KEY (origin, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX audience_names_by_audience ON audience_names (audience);

-- The tenants whose accounts an audience reaches.
CREATE TABLE audience_tenants (
    audience INTEGER NOT NULL REFERENCES audiences ON DELETE CASCADE,
    tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
    PRIMARY KEY (audience, tenant)
) STRICT, WITHOUT ROWID;
CREATE INDEX audience_tenants_by_tenant ON audience_tenants (tenant);

INSERT INTO audiences (id, tenant) SELECT id, id FROM tenants;
INSERT INTO audience_names (origin, name, audience) SELECT origin, name, tenant FROM tenant_names;
INSERT INTO audience_tenants (audience, tenant) SELECT id, id FROM tenants;
DROP TABLE tenant_names;

-- For each audience, application and policy the account in use and the one before it.
ALTER TABLE current_accounts RENAME TO current_accounts_001;
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
INSERT INTO current_accounts (audience, client_id, policy_key, role, account, tenant)
    SELECT tenant, client_id, policy_key, role, account, tenant FROM current_accounts_001;
DROP TABLE current_accounts_001;

-- Who signed out last, until somebody is current again.
CREATE TABLE sign_outs (
    audience INTEGER NOT NULL REFERENCES audiences ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    label TEXT NOT NULL CHECK (label <> ''),
    signed_out_on INTEGER NOT NULL,
    PRIMARY KEY (audience, client_id, policy_key)
) STRICT, WITHOUT ROWID;

-- The user name of accounts that are not B2C's: part of the label, before the name.
ALTER TABLE persons ADD COLUMN username TEXT;
