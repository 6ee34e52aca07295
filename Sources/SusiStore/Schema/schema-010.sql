-- A store with this row is shared: everything in it belongs to one person, and every sign-out empties it.
CREATE TABLE sharing (one INTEGER PRIMARY KEY CHECK (one = 1)) STRICT;

-- Who signed out last, until somebody is current again. The label is encrypted.
DROP TABLE sign_outs;
CREATE TABLE sign_outs (
    id INTEGER PRIMARY KEY,
    audience INTEGER NOT NULL REFERENCES audiences ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    signed_out_on INTEGER NOT NULL,
    key_id BLOB NOT NULL CHECK (length(key_id) = 8),
    label BLOB NOT NULL,
    UNIQUE (audience, client_id, policy_key)
) STRICT;
