locals {
  create_auth_app = var.oauth_client_id == "" && var.enable_oauth
  client_id       = local.create_auth_app ? azuread_application.proxy[0].client_id : var.oauth_client_id
  oauth2_config_file = <<-EOT
    provider = "azure"
    oidc_issuer_url = "https://login.microsoftonline.com/${data.azurerm_client_config.current.tenant_id}/v2.0"
    extra_jwt_issuers = [ "https://sts.windows.net/${data.azurerm_client_config.current.tenant_id}/=${var.oauth_scope}" ]
    email_domains = ${jsonencode(var.email_domains)}
    upstreams = [ "file:///dev/null" ]
  EOT
}

data "azuread_service_principal" "msgraph" {
  client_id = "00000003-0000-0000-c000-000000000000"
}
