-- Times are epoch seconds; secrets appear only as their SHA-256.
CREATE TABLE users (
    object_id     TEXT NOT NULL PRIMARY KEY,
    email         TEXT NOT NULL UNIQUE COLLATE NOCASE,
    display_name  TEXT NOT NULL,
    given_name    TEXT NOT NULL,
    surname       TEXT NOT NULL,
    password_salt BLOB NOT NULL,
    password_hash BLOB NOT NULL CHECK (length(password_hash) = 32)
) STRICT;

CREATE TABLE keys (
    id      TEXT NOT NULL PRIMARY KEY,
    der     BLOB NOT NULL,
    created INTEGER NOT NULL
) STRICT;

-- A browser that is signed in.
CREATE TABLE sessions (
    hash      BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    object_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    auth_time INTEGER NOT NULL,
    expires   INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_expiry ON sessions (expires);

-- An authorization request whose pages are open in a browser; object_id is who has shown to be that person in it.
CREATE TABLE transactions (
    id        TEXT NOT NULL PRIMARY KEY,
    policy    TEXT NOT NULL COLLATE NOCASE,
    request   TEXT NOT NULL,
    object_id TEXT REFERENCES users ON DELETE CASCADE,
    auth_time INTEGER,
    expires   INTEGER NOT NULL
) STRICT;
CREATE INDEX transactions_by_expiry ON transactions (expires);

-- One sign-in of one application. It outlives its user, so that a refresh can say that the account is gone.
CREATE TABLE grants (
    id        INTEGER PRIMARY KEY,
    client_id TEXT NOT NULL,
    policy    TEXT NOT NULL COLLATE NOCASE,
    object_id TEXT NOT NULL,
    scope     TEXT NOT NULL,
    nonce     TEXT,
    auth_time INTEGER NOT NULL,
    new_user  INTEGER NOT NULL CHECK (new_user IN (0, 1)),
    revoked   INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
    expires   INTEGER NOT NULL
) STRICT;
CREATE INDEX grants_by_expiry ON grants (expires);

CREATE TABLE codes (
    hash         BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    grant_id     INTEGER NOT NULL REFERENCES grants ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    challenge    TEXT NOT NULL,
    issued       INTEGER NOT NULL,
    expires      INTEGER NOT NULL,
    used         INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1))
) STRICT;
CREATE INDEX codes_by_grant ON codes (grant_id);
CREATE INDEX codes_by_expiry ON codes (expires);

CREATE TABLE refresh_tokens (
    hash     BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    grant_id INTEGER NOT NULL REFERENCES grants ON DELETE CASCADE,
    issued   INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    used     INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1))
) STRICT;
CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id);
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires);
