TENANT = os.environ["TENANT"]
CLIENT_ID = "11111111-1111-4111-8111-111111111111"
AUTHORITY = f"https://{TENANT}.b2clogin.com/{TENANT}.onmicrosoft.com/B2C_1_susi"
GOOGLE_DISCOVERY_URL = "https://accounts.google.com/.well-known/openid-configuration"
