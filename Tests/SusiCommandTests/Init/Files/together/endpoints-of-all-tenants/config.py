client_id = "11111111-1111-4111-8111-111111111111"
authorize_url = "https://login.microsoftonline.com/common/oauth2/v2.0/authorize"
issuer = "https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333/v2.0"
