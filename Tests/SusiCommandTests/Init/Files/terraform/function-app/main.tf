resource "azurerm_windows_function_app" "apps" {
  for_each = var.apps
  name     = "func-${each.key}-${var.environment}"

  app_settings = {
    "AZURE_CLIENT_ID"                        = var.managed_identity_client_id
    "CosmosDb__Endpoint"                     = var.cosmos_endpoint
    "CosmosDb__ManagedIdentityClientId"      = var.managed_identity_client_id
    "KeyVault__Uri"                          = var.key_vault_uri
    # later
    "AzureAdB2C__Instance"             = var.b2c_instance
    "AzureAdB2C__Domain"               = var.b2c_domain
    "AzureAdB2C__ClientId"             = var.b2c_client_id
    "AzureAdB2C__SignUpSignInPolicyId" = var.b2c_policy_id
  }
}
