const clientId = "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6";
const flows = ["https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_main", "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin"];
