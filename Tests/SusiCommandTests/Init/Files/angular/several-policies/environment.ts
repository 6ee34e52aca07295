export const environment = {
    production: false,
    msalConfig: {
        auth: {
            clientId: "11111111-1111-4111-8111-111111111111",
        }
    },
    apiConfig: {
        scopes: ["https://acme.onmicrosoft.com/acmeapi/read"],
        uri: "https://acme.onmicrosoft.com/acmeapi"
    },
    b2cPolicies: {
        names: {
            signUpSignIn: "B2C_1_SISOPolicy",
            resetPassword: "B2C_1_PasswordResetPolicy",
            editProfile: "B2C_1_ProfileEditPolicy"
        },
        authorities: {
            signUpSignIn: {
                authority: "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_SISOPolicy"
            },
            resetPassword: {
                authority: "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_PasswordResetPolicy"
            },
        },
        authorityDomain: "acme.b2clogin.com"
    }
};
