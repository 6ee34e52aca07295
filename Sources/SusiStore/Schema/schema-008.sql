-- Persons in other tenants whom the refresh token of a person at home brought: the two are one person.
CREATE TABLE person_homes (
    person INTEGER PRIMARY KEY REFERENCES persons ON DELETE CASCADE,
    home INTEGER NOT NULL REFERENCES persons ON DELETE CASCADE,
    CHECK (person <> home)
) STRICT;
CREATE INDEX person_homes_by_home ON person_homes (home);
