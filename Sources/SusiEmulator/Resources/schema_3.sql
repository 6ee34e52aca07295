-- Accounts with an address, with a user name or with both, and those of another identity provider. Who is blocked, must
-- choose a new password or guessed too often is known here too. Foreign keys are off while the schema changes.
CREATE TABLE users_3 (
    tenant            TEXT NOT NULL,
    object_id         TEXT NOT NULL,
    email             TEXT COLLATE NOCASE,
    user_name         TEXT COLLATE NOCASE,
    phone             TEXT,
    display_name      TEXT NOT NULL,
    given_name        TEXT NOT NULL,
    surname           TEXT NOT NULL,
    -- What else is known: an object of texts.
    attributes        TEXT NOT NULL DEFAULT '{}',
    -- The tenant that the user belongs to, when it is another than the one that serves.
    home_tenant       TEXT,
    -- Who knows the password; NULL is this tenant itself.
    identity_provider TEXT,
    password_salt     BLOB,
    password_hash     BLOB CHECK (length(password_hash) = 32),
    must_reset        INTEGER NOT NULL DEFAULT 0 CHECK (must_reset IN (0, 1)),
    blocked           INTEGER NOT NULL DEFAULT 0 CHECK (blocked IN (0, 1)),
    -- Wrong passwords in a row, and until when they lock the account.
    failures          INTEGER NOT NULL DEFAULT 0,
    locked_until      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, object_id),
    CHECK (email IS NOT NULL OR user_name IS NOT NULL),
    CHECK ((identity_provider IS NULL) = (password_hash IS NOT NULL)),
    CHECK ((password_salt IS NULL) = (password_hash IS NULL))
) STRICT;
INSERT INTO users_3
        (tenant, object_id, email, display_name, given_name, surname, home_tenant, password_salt, password_hash)
    SELECT tenant, object_id, email, display_name, given_name, surname, home_tenant, password_salt, password_hash
    FROM users;
DROP TABLE users;
ALTER TABLE users_3 RENAME TO users;
-- An address may have an account here and one with each other provider, as with the service.
CREATE UNIQUE INDEX users_by_email ON users (tenant, email, ifnull(identity_provider, ''));
CREATE INDEX users_by_provider ON users (tenant, identity_provider, email) WHERE identity_provider IS NOT NULL;
CREATE UNIQUE INDEX users_by_name ON users (tenant, user_name) WHERE user_name IS NOT NULL;

-- What would have been sent by mail or by text message; a tenant's newest thousand. Ids are never used again.
CREATE TABLE outbox (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant    TEXT NOT NULL,
    channel   TEXT NOT NULL CHECK (channel IN ('email', 'phone')),
    recipient TEXT NOT NULL,
    purpose   TEXT NOT NULL,
    code      TEXT NOT NULL,
    sent      INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_by_tenant ON outbox (tenant, id);

-- The sessions in which a second factor was shown.
CREATE TABLE second_factors (
    session BLOB NOT NULL PRIMARY KEY REFERENCES sessions ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
