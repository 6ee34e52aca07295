-- Refresh tokens of other libraries are redeemed when they are imported, so that none wait here. No release had this table.
DROP TABLE imported;
