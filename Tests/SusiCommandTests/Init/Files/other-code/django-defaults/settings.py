SECRET = env('B2C_CLIENT_SECRET', default=None)
POLICY = env('B2C_POLICY_NAME', default="b2c_1A_acme_signup_signin")
TENANT_ID = env('B2C_TENANT', default='acme')
TENANT_B2C_URL = f'{TENANT_ID}.b2clogin.com'
