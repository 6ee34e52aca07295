module.exports.tenantID = "33333333-3333-4333-8333-333333333333";
module.exports.clientID = "11111111-1111-4111-8111-111111111111";
module.exports.audience = "11111111-1111-4111-8111-111111111111";
module.exports.authority = "login.microsoftonline.com";
module.exports.version = "v2.0";
module.exports.discovery = "well-known/openid-configuration";
module.exports.scope = [
  "access_as_user"
];
module.exports.validateIssuer = true;
module.exports.passReqToCallback = false;
