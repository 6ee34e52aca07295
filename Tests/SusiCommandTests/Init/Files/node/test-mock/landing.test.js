import { config } from "../app/config/index.js";

describe("landing page", () => {
  beforeAll(async () => {
    jest.mock("../app/config", () => ({
      ...jest.requireActual("../app/config"),
      authConfig: {
        portalId: {
          hostname: "https://acme.b2clogin.com/acme.onmicrosoft.com",
          oAuthAuthorisePath: "/oauth2/v2.0/authorize",
          policy: "b2c_1a_signupsignin",
          clientId: "dummy_client_id",
          serviceId: "dummy_service_id",
          scope: "openid dummy_client_id offline_access",
        },
      },
    }));
  });
});
