-- Who shares a session: '' is the whole tenant, else an application or a policy. Browsers sign in again.
DROP TABLE sessions;
CREATE TABLE sessions (
    hash      BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    tenant    TEXT NOT NULL,
    scope     TEXT NOT NULL,
    object_id TEXT NOT NULL,
    auth_time INTEGER NOT NULL,
    -- Whether it outlives the browser.
    kept      INTEGER NOT NULL CHECK (kept IN (0, 1)),
    expires   INTEGER NOT NULL,
    FOREIGN KEY (tenant, object_id) REFERENCES users ON DELETE CASCADE
) STRICT;
CREATE INDEX sessions_by_expiry ON sessions (expires);
CREATE INDEX sessions_by_user ON sessions (tenant, object_id);

-- How a code's challenge follows from its verifier (RFC 7636 section 4.2).
ALTER TABLE codes ADD COLUMN method TEXT NOT NULL DEFAULT 'S256' CHECK (method IN ('S256', 'plain', 'none'));

-- How far somebody has come in native authentication, as JSON; `hash` is that of the token for the next request.
CREATE TABLE continuations (
    hash    BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    tenant  TEXT NOT NULL,
    state   TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT;
CREATE INDEX continuations_by_expiry ON continuations (expires);
