#!/bin/bash
set -e
source ./variables.sh

az webapp config appsettings set \
  --name "$APP_NAME" \
  --resource-group "$RESOURCE_GROUP" \
  --settings \
  "IpRateLimiting__GeneralRules__3__Limit=10" \
  "AppSettings__AzureAdB2C__Instance=$AZURE_AD_B2C_INSTANCE" \
  "AppSettings__AzureAdB2C__Domain=$AZURE_AD_B2C_DOMAIN" \
  "AppSettings__AzureAdB2C__TenantId=$AZURE_AD_B2C_TENANT_ID" \
  "AppSettings__AzureAdB2C__ClientId=$AZURE_AD_B2C_CLIENT_ID" \
  "AppSettings__AzureAdB2C__ClientSecret=$AZURE_AD_B2C_CLIENT_SECRET" \
  "AppSettings__AzureAdB2C__CallbackPath=/signin-oidc" \
  "AppSettings__AzureAdB2C__SignUpSignInPolicyId=B2C_1_signup_signin" \
  "AppSettings__TwilioConfig__AccountSid=$TWILIO_ACCOUNT_SID"
