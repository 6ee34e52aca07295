# Settings
az functionapp config appsettings set \
  --name func-acme-dev \
  --resource-group rg-acme-dev \
  --settings JwtSecret="@Microsoft.KeyVault(SecretUri=https://kv-acme.vault.acme.example/secrets/JwtSecret/)"

az functionapp config appsettings set \
  --name func-acme-dev \
  --resource-group rg-acme-dev \
  --settings \
    AzureAdB2C__TenantId="@Microsoft.KeyVault(SecretUri=https://kv-acme.vault.acme.example/secrets/AzureAdB2C--TenantId/)" \
    AzureAdB2C__ClientId="@Microsoft.KeyVault(SecretUri=https://kv-acme.vault.acme.example/secrets/AzureAdB2C--ClientId/)"
