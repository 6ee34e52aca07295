const azureSettings: Record<string, string> = {
  AD_B2C_ClientId: '^ShellAppClientId^',
  AD_B2C_ClientId_Dev: '11111111-1111-4111-8111-111111111111',
  AD_B2C_TenantName: '^B2CTenantName^',
  AD_B2C_TenantName_Dev: 'AcmeDev',
  AD_B2C_SignUpSignIn_Policy: 'B2C_1A_SIGNUP_SIGNIN',
  AD_B2C_SignUp_Policy: 'B2C_1A_SIGNUP',
  AD_B2C_ProfileEdit_Policy: 'B2C_1A_PROFILEEDIT',
  SPA_Root_URL: 'https://^BrowserWebAppUrl^.acme.example/',
  SPA_Root_URL_Dev: 'https://localhost:3000/',
};

export default azureSettings;
