-- Which key seals. A change of the key writes it in the transaction that seals every row anew, so that it tells which of two
-- key files is the right one after a change that was cut short.
CREATE TABLE sealing (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key_id BLOB NOT NULL CHECK (length(key_id) = 8)
) STRICT;
