locals {
  client_id = "11111111-1111-4111-8111-111111111111"
  authority = "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_susi"
}
app_settings = {
  "AzureAdB2C__ClientId" = var.client_id
}
