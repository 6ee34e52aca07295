-- A key is published before it signs, while it signs and afterwards, until it is withdrawn. A withdrawn one is kept, so that
-- a test can show what it signed to somebody who has to refuse it.
ALTER TABLE keys ADD COLUMN state TEXT NOT NULL DEFAULT 'published'
    CHECK (state IN ('next', 'published', 'withdrawn'));
