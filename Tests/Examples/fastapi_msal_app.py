"""fastapi-msal, which has the host of the cloud in its code: signs Ana in."""
import os, warnings
import visitor
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.middleware.sessions import SessionMiddleware
from fastapi_msal import MSALAuthorization, MSALClientConfig
from fastapi_msal.core import MSALPolicies
warnings.simplefilter("ignore")
e = os.environ
# The settings under test: no address at all.
config = MSALClientConfig(
    client_id=e["CLIENT_ID"], client_credential=e["SECRET"], tenant=e["TENANT"].split(".")[0], policy=MSALPolicies.B2C_LOGIN,
    b2c_policy=e["POLICY"], redirect_uri="http://localhost:5000/getAToken", token_path="/getAToken")
auth = MSALAuthorization(client_config=config)
app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key="test")
app.include_router(auth.router)
client = TestClient(app, base_url="http://localhost:5000")
start = client.get(config.login_path, follow_redirects=False).headers["location"]
assert start.startswith("https://fabrikam.b2clogin.com/"), start
back = visitor.visit(start, until=config.redirect_uri)
done = client.get("/getAToken", params=back, follow_redirects=False)
assert done.status_code == 307 and done.headers["location"] == "/", (done.status_code, done.text)
print("fastapi-msal signed in")
