CLIENT_ID = "11111111-1111-4111-8111-111111111111"
AUTHORITY = "https://" + TENANT + ".b2clogin.com/" + POLICY
LEGACY = "https://old.b2clogin.com/old.onmicrosoft.com/B2C_1_old"
