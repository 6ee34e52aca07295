-- Each row names its tenant. Times are in epoch seconds. Secrets are stored as their SHA-256 only.
CREATE TABLE users (
    tenant            TEXT NOT NULL,
    object_id         TEXT NOT NULL,
    -- The members of a user as in a tenant file, without object ID and password, as JSON. Those that are searched have columns.
    record            TEXT NOT NULL,
    email             TEXT COLLATE NOCASE,
    user_name         TEXT COLLATE NOCASE,
    display_name      TEXT NOT NULL,
    -- The user's own tenant if it is not the one that serves.
    home_tenant       TEXT,
    -- The provider that checks the password; NULL for the tenant itself.
    identity_provider TEXT,
    password_salt     BLOB,
    password_hash     BLOB CHECK (length(password_hash) = 32),
    -- The step of the last code of the authenticator app that was used (RFC 6238).
    totp_step         INTEGER NOT NULL DEFAULT 0,
    -- Wrong passwords in a row, and the end of the lock that they cause.
    failures          INTEGER NOT NULL DEFAULT 0,
    locked_until      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, object_id),
    CHECK (email IS NOT NULL OR user_name IS NOT NULL),
    CHECK ((identity_provider IS NULL) = (password_hash IS NOT NULL)),
    CHECK ((password_salt IS NULL) = (password_hash IS NULL))
) STRICT;
-- An address can have one account here and one at each other provider, as in Azure AD B2C.
CREATE UNIQUE INDEX users_by_email ON users (tenant, email, ifnull(identity_provider, ''));
CREATE INDEX users_by_provider ON users (tenant, identity_provider, email) WHERE identity_provider IS NOT NULL;
CREATE UNIQUE INDEX users_by_name ON users (tenant, user_name) WHERE user_name IS NOT NULL;

-- `next` is published, but does not sign yet. A withdrawn key is kept, so that a test can use a token that it signed.
CREATE TABLE keys (
    id        TEXT NOT NULL PRIMARY KEY,
    tenant    TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    der       BLOB NOT NULL,
    created   INTEGER NOT NULL,
    state     TEXT NOT NULL CHECK (state IN ('next', 'published', 'withdrawn'))
) STRICT;
CREATE INDEX keys_by_tenant ON keys (tenant, created);

-- A signed-in browser.
CREATE TABLE sessions (
    hash          BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    tenant        TEXT NOT NULL,
    -- What shares the session: '' for the whole tenant, else an application or a policy.
    scope         TEXT NOT NULL,
    object_id     TEXT NOT NULL,
    auth_time     INTEGER NOT NULL,
    second_factor INTEGER NOT NULL DEFAULT 0 CHECK (second_factor IN (0, 1)),
    -- Whether the session outlives the browser.
    kept          INTEGER NOT NULL CHECK (kept IN (0, 1)),
    -- What the technical profiles of custom policies keep, as JSON.
    journey       TEXT,
    expires       INTEGER NOT NULL,
    FOREIGN KEY (tenant, object_id) REFERENCES users ON DELETE CASCADE
) STRICT;
CREATE INDEX sessions_by_expiry ON sessions (expires);
CREATE INDEX sessions_by_user ON sessions (tenant, object_id);

-- An authorization request whose pages are open in a browser, and the progress of its user; both as JSON.
CREATE TABLE transactions (
    id       TEXT NOT NULL PRIMARY KEY,
    tenant   TEXT NOT NULL,
    policy   TEXT NOT NULL COLLATE NOCASE,
    request  TEXT NOT NULL,
    progress TEXT NOT NULL,
    expires  INTEGER NOT NULL
) STRICT;
CREATE INDEX transactions_by_expiry ON transactions (expires);

-- The state of a sign-in by native authentication, as JSON; `hash` is that of the token for the next request.
CREATE TABLE continuations (
    hash    BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    tenant  TEXT NOT NULL,
    state   TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT;
CREATE INDEX continuations_by_expiry ON continuations (expires);

-- A sign-in to an application. It outlives its user, so that a refresh can report that the account was deleted.
CREATE TABLE grants (
    id        INTEGER PRIMARY KEY,
    tenant    TEXT NOT NULL,
    client_id TEXT NOT NULL,
    policy    TEXT NOT NULL COLLATE NOCASE,
    object_id TEXT NOT NULL,
    scope     TEXT NOT NULL,
    nonce     TEXT,
    auth_time INTEGER NOT NULL,
    new_user  INTEGER NOT NULL CHECK (new_user IN (0, 1)),
    revoked   INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
    expires   INTEGER NOT NULL,
    -- Further parameters of the request that tokens repeat, as JSON.
    details   TEXT NOT NULL
) STRICT;
CREATE INDEX grants_by_expiry ON grants (expires);

CREATE TABLE codes (
    hash         BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    grant_id     INTEGER NOT NULL REFERENCES grants ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    -- RFC 7636 section 4.2.
    challenge    TEXT NOT NULL,
    method       TEXT NOT NULL CHECK (method IN ('S256', 'plain', 'none')),
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

-- A device that waits for a sign-in in a browser (RFC 8628). `grant_id` is set once a person has agreed.
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

-- The scopes that a person granted to an application, or declined on the consent page.
CREATE TABLE consents (
    tenant    TEXT NOT NULL,
    object_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    scope     TEXT NOT NULL,
    granted   INTEGER NOT NULL CHECK (granted IN (0, 1)),
    PRIMARY KEY (tenant, object_id, client_id, scope),
    FOREIGN KEY (tenant, object_id) REFERENCES users ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The accounts at other providers by which custom policies find a user.
CREATE TABLE identities (
    tenant    TEXT NOT NULL,
    issuer    TEXT NOT NULL COLLATE NOCASE,
    -- The provider's ID of the user.
    key       TEXT NOT NULL,
    object_id TEXT NOT NULL,
    PRIMARY KEY (tenant, issuer, key),
    FOREIGN KEY (tenant, object_id) REFERENCES users ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_by_user ON identities (tenant, object_id);

-- Mail and text messages that were not sent: the newest thousand of a tenant. Ids are not reused.
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
