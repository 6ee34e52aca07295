const tenantSubdomain = "acme", signUpSignInPolicy = "signup_signin";
const auth = { clientId: "11111111-1111-4111-8111-111111111111", authority: `https://${tenantSubdomain}.ciamlogin.com/` };
