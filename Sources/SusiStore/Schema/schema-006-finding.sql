-- What persons are found by, in lower case as Swift makes it: SQLite folds ASCII letters only. A display name that could be
-- taken for an address is not among them, since people write it themselves.
CREATE TABLE search_terms (
    tenant INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('address', 'identifier', 'name')),
    term TEXT NOT NULL CHECK (term <> ''),
    person INTEGER NOT NULL,
    PRIMARY KEY (tenant, kind, term, person),
    FOREIGN KEY (person, tenant) REFERENCES persons (id, tenant) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX search_terms_by_person ON search_terms (person);

-- The account's handle in the same form, and the person's label once more: lists of any policy stream in its order.
ALTER TABLE accounts ADD COLUMN home_term TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN label TEXT COLLATE NOCASE NOT NULL DEFAULT '';
CREATE INDEX accounts_by_home ON accounts (tenant, home_term);
CREATE INDEX accounts_by_label ON accounts (tenant, client_id, policy_key, label, person);
DROP INDEX persons_by_label;

-- How many accounts there are, since counting them would mean reading them.
CREATE TABLE account_counts (
    tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    policy_key TEXT NOT NULL,
    accounts INTEGER NOT NULL CHECK (accounts >= 0),
    PRIMARY KEY (tenant, client_id, policy_key)
) STRICT, WITHOUT ROWID;
INSERT INTO account_counts
    SELECT tenant, client_id, policy_key, count(*) FROM accounts GROUP BY tenant, client_id, policy_key;
CREATE TRIGGER accounts_added AFTER INSERT ON accounts BEGIN
    INSERT INTO account_counts VALUES (NEW.tenant, NEW.client_id, NEW.policy_key, 1)
        ON CONFLICT DO UPDATE SET accounts = accounts + 1;
END;
CREATE TRIGGER accounts_removed AFTER DELETE ON accounts BEGIN
    UPDATE account_counts SET accounts = accounts - 1
        WHERE tenant = OLD.tenant AND client_id = OLD.client_id AND policy_key = OLD.policy_key;
END;
