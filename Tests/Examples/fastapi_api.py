"""fastapi-azure-auth: an API accepts Ana's token and refuses a changed one and one of another audience."""
import asyncio, json, os, ssl, subprocess, sys
import httpx
from fastapi import FastAPI, Security
from fastapi_azure_auth import B2CMultiTenantAuthorizationCodeBearer
e = os.environ
base = f"{e['ORIGIN']}/{e['TENANT']}/{e['POLICY']}"
tokens = json.loads(subprocess.run([sys.executable, f"{e['HERE']}/tokens.py", "http://localhost:5000/callback"], check=True, stdout=-1).stdout)
assert sys.argv[1] in ("bundle", "environment")
trust = {"http_client_config": {"verify": ssl.create_default_context(cafile=e["CA"])}} if sys.argv[1] == "bundle" else {}


def bearer(client_id, issuer):
    async def issued(tid):
        return issuer
    return B2CMultiTenantAuthorizationCodeBearer(
        app_client_id=client_id, openid_config_url=f"{base}/v2.0/.well-known/openid-configuration",
        openapi_authorization_url=f"{base}/oauth2/v2.0/authorize", openapi_token_url=f"{base}/oauth2/v2.0/token",
        scopes={e["SCOPE"]: "read"}, iss_callable=issued, **trust)


async def status(client_id, issuer, token):
    app = FastAPI()
    scheme = bearer(client_id, issuer)

    @app.get("/")
    async def root(user=Security(scheme, scopes=["demo.read"])):
        return {"name": user.name}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://api") as client:
        answer = await client.get("/", headers={"Authorization": f"Bearer {token}"})
        return answer.status_code, answer.text


async def main():
    issuer = f"{e['ORIGIN']}/{e['TENANT_ID']}/v2.0/"
    token, audience = tokens["access_token"], e["API_ID"]
    good = await status(audience, issuer, token)
    assert good[0] == 200, good
    head, body, signature = token.split(".")
    other = "B" if signature[0] == "A" else "A"
    bad = await status(audience, issuer, f"{head}.{body}.{other}{signature[1:]}")
    assert bad[0] == 401, bad
    elsewhere = await status(audience, f"https://other.b2clogin.com/{e['TENANT_ID']}/v2.0/", token)
    other = await status("0c3c64e9-0b9d-4f19-8c4e-7a3cf8b7f3d1", issuer, token)
    assert (elsewhere[0], other[0]) == (401, 401), (elsewhere, other)
    print("fastapi-azure-auth", good, bad, elsewhere, other)

asyncio.run(main())
