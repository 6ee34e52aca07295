import React from "react";
import ReactDOM from "react-dom";
import App from "./App";
import auth from "./react-adb2c-helper";

auth.initialize({
  applicationId: "11111111-1111-4111-8111-111111111111",
  instance: "https://acme.b2clogin.com/",
  tenant: "acme",
  signInPolicy: "B2C_1_signin_login_v2",
  resetPolicy: "B2C_1_Pass_Reset",
  cacheLocation: "sessionStorage",
  scopes: ["https://acme.onmicrosoft.com/api/user_impersonation"],
  usePopup: true,
  postLogoutRedirectUri: "http://localhost:3000/",
});
