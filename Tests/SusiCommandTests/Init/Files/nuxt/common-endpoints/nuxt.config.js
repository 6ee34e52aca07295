export default {
  ssr: false,
  modules: [
    "@nuxtjs/axios",
    "@nuxtjs/auth"
  ],
  auth: {
    redirect: {
      login: "/",
      callback: "/auth"
    },
    strategies: {
      aad: {
        scheme: "oauth2",
        endpoints: {
          authorization:
            "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
          token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
          userInfo: "",
          logout: "/"
        },
        responseType: "code",
        grantType: "authorization_code",
        // own
        clientId: "11111111-1111-4111-8111-111111111111",
        codeChallengeMethod: "S256",
        scope: ["openid", "profile"],
      }
    }
  }
};
