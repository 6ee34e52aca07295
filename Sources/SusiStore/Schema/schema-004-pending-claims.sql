-- What a server demanded of an account's tokens beyond what they say: the next sign-in asks for it.
CREATE TABLE pending_claims (
    account INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    claims TEXT NOT NULL CHECK (claims LIKE '{%}') -- a JSON object
) STRICT;
