-- Whether the person agreed to the scope, or left it out on the page that asked: then the page asks again.
ALTER TABLE consents ADD COLUMN granted INTEGER NOT NULL DEFAULT 1 CHECK (granted IN (0, 1));

-- The address that was registered for the code of a second factor.
ALTER TABLE users ADD COLUMN factor_email TEXT;
