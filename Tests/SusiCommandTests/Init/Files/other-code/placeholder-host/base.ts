const base = 'https://your-tenant.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi'
