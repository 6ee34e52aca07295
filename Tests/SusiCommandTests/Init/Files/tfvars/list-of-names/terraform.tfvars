# the same everywhere
github_username                     = "acme"
developers_security_group_object_id = "66666666-6666-4666-8666-666666666666"
kv_variables = [{
  "name" : "AZURE-B2C-TENANT",
  "value" : "acme.onmicrosoft.com"
  },
  {
    "name" : "AZURE-B2C-SPN-ID",
    "value" : "44444444-4444-4444-8444-444444444444"
  },
  {
    "name" : "AZURE-B2C-BFF-APP-ID",
    "value" : "11111111-1111-4111-8111-111111111111"
  },
  {
    "name" : "AZURE-B2C-BACKEND-APP-ID",
    "value" : "22222222-2222-4222-8222-222222222222"
  },
  {
    "name" : "AZURE-B2C-BACKEND-SPN-OBJECTID",
    "value" : "55555555-5555-4555-8555-555555555555"
}]
