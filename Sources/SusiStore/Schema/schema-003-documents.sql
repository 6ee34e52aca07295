-- What servers publish for everybody, as it came: configurations and signing keys. Nothing in it is secret, and each use
-- checks it again.
CREATE TABLE documents (
    address TEXT NOT NULL PRIMARY KEY CHECK (address <> ''),
    body BLOB NOT NULL,
    fetched_on INTEGER NOT NULL
) STRICT;
