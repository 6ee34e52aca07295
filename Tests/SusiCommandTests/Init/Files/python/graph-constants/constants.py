OAUTH2_GRANT_TYPE="password"
OAUTH2_RESPONSE_TYPE="token"
OAUTH2_DEFAULT_HEADER={'Content-Type': 'application/x-www-form-urlencoded'}
JWT_ALGORITHM="RS256"
AZURE_AD_B2C_AUTHORITY="https://login.microsoftonline.com"
AZURE_AD_B2C_SCOPE="https://graph.microsoft.com/.default"
AZURE_AD_B2C_OAUTH2_URI_SUFFIX="/oauth2/v2.0/token"
AZURE_AD_B2C_USERS_URI="https://graph.microsoft.com/v1.0/users"
