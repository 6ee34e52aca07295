-- Refresh tokens that another library's cache held, not used yet. Nothing beside the token was ever checked: who it is
-- only names a row, until the first use brings signed claims and an account takes the row's place.
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
