-- One file holds several tenants: each row says whose it is. '' is replaced by the first B2C tenant, the only kind that
-- schema 1 knew. Browsers sign in again.
DROP TABLE sessions;
DROP TABLE transactions;

ALTER TABLE users RENAME TO users_1;
CREATE TABLE users (
    tenant        TEXT NOT NULL,
    object_id     TEXT NOT NULL,
    email         TEXT NOT NULL COLLATE NOCASE,
    display_name  TEXT NOT NULL,
    given_name    TEXT NOT NULL,
    surname       TEXT NOT NULL,
    -- The tenant that the user belongs to, when it is another than the one that serves.
    home_tenant   TEXT,
    password_salt BLOB NOT NULL,
    password_hash BLOB NOT NULL CHECK (length(password_hash) = 32),
    PRIMARY KEY (tenant, object_id),
    UNIQUE (tenant, email)
) STRICT;
INSERT INTO users
    SELECT '', object_id, email, display_name, given_name, surname, NULL, password_salt, password_hash FROM users_1;
DROP TABLE users_1;

CREATE TABLE sessions (
    hash      BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    tenant    TEXT NOT NULL,
    object_id TEXT NOT NULL,
    auth_time INTEGER NOT NULL,
    expires   INTEGER NOT NULL,
    FOREIGN KEY (tenant, object_id) REFERENCES users ON DELETE CASCADE
) STRICT;
CREATE INDEX sessions_by_expiry ON sessions (expires);
CREATE INDEX sessions_by_user ON sessions (tenant, object_id);

-- An authorization request whose pages are open in a browser, and how far its user has come; both as JSON.
CREATE TABLE transactions (
    id       TEXT NOT NULL PRIMARY KEY,
    tenant   TEXT NOT NULL,
    policy   TEXT NOT NULL COLLATE NOCASE,
    request  TEXT NOT NULL,
    progress TEXT NOT NULL,
    expires  INTEGER NOT NULL
) STRICT;
CREATE INDEX transactions_by_expiry ON transactions (expires);

ALTER TABLE keys ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE keys ADD COLUMN algorithm TEXT NOT NULL DEFAULT 'RS256';
CREATE INDEX keys_by_tenant ON keys (tenant, created);

ALTER TABLE grants ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
-- What else the application asked and the tokens carry, as JSON.
ALTER TABLE grants ADD COLUMN details TEXT NOT NULL DEFAULT '{}';

-- A device that waits for a person with a browser (RFC 8628). `grant_id` is set once somebody has agreed.
CREATE TABLE devices (
    hash      BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    tenant    TEXT NOT NULL,
    user_code TEXT NOT NULL UNIQUE,
    client_id TEXT NOT NULL,
    scope     TEXT NOT NULL,
    grant_id  INTEGER REFERENCES grants ON DELETE CASCADE,
    declined  INTEGER NOT NULL DEFAULT 0 CHECK (declined IN (0, 1)),
    pause     INTEGER NOT NULL,
    polled    INTEGER NOT NULL,
    expires   INTEGER NOT NULL
) STRICT;
CREATE INDEX devices_by_expiry ON devices (expires);
CREATE INDEX devices_by_grant ON devices (grant_id);

-- The scopes to which a person has agreed for an application.
CREATE TABLE consents (
    tenant    TEXT NOT NULL,
    object_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    scope     TEXT NOT NULL,
    PRIMARY KEY (tenant, object_id, client_id, scope),
    FOREIGN KEY (tenant, object_id) REFERENCES users ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
