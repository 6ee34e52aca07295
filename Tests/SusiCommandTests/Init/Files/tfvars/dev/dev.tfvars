# Environment
location           = "West Europe"
secondary_location = "North Europe"

# Functions
function_app_plan_sku = "Y1"  # plan
function_timeout      = 30

# API Management
apim_publisher_name  = "Acme Development"
apim_publisher_email = "dev-team@acme.example"

# B2C
b2c_tenant_name = "acme"
b2c_domain_name = "acme.onmicrosoft.com"
# b2c_client_id   = "your-client-id"
# b2c_policy_name = "B2C_1_signupsignin"
