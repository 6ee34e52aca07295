b2c_token <- function(client_id = "11111111-1111-4111-8111-111111111111",
  client_secret = NULL, authority = "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_susi")
