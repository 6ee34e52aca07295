"""`susi inspect` and a real API (fastapi-azure-auth, B2C scheme) about the same tokens and settings: both accept or both refuse.

For the same tokens at Microsoft.Identity.Web, which is not run here, each case has a rule that the token breaks according
to the library's source, or none. Its settings are those of the cloud, and `inspect` moves them to the copy in use.
"""
import asyncio, json, logging, os, re, ssl, subprocess, time
import httpx, requests
from fastapi import FastAPI, Security
from fastapi_azure_auth import B2CMultiTenantAuthorizationCodeBearer
e = os.environ
logging.getLogger("fastapi_azure_auth").setLevel(logging.CRITICAL + 1)
TENANT, TENANT_ID, CLIENT, API = e["TENANT"], e["TENANT_ID"], e["CLIENT_ID"], e["API_ID"]
OTHER, OTHER_ID, TASKS = "northwind.onmicrosoft.com", "0d8e3f52-1111-4c4c-8b8b-ba9876543210", "5e0d3b1c-77aa-4d0e-8a51-6c1f5b9d2e30"
READ, DOCUMENT = e["SCOPE"], "/v2.0/.well-known/openid-configuration"


def write_files():
    sign_in = {"kind": "signUpOrSignIn"}
    policies = {"production": {
        "kind": "b2c", "authority": f"https://fabrikam.b2clogin.com/{TENANT}", "clientId": CLIENT, "redirectPorts": [8400],
        "policies": {"B2C_1_signin": sign_in}}}
    app = {CLIENT: {"redirectUris": ["http://localhost:5000/callback"]}}
    tenants = {
        TENANT: {"kind": "b2c", "id": TENANT_ID, "policies": {"B2C_1_signin": sign_in | {"default": True}, "B2C_1_other": sign_in, "B2C_1A_signin": sign_in},
                 "applications": app, "apis": {"hello": {"clientId": API, "scopes": [READ]}}},
        OTHER: {"kind": "b2c", "id": OTHER_ID, "issuerForm": "policy", "policies": {"B2C_1_signin": sign_in},
                "applications": app, "apis": {"hello": {"clientId": API, "scopes": [f"https://{OTHER}/hello/demo.read"]}}}}
    for name, text in (("policies.json", {"applications": policies}), ("tenants.json", {"tenants": tenants})):
        with open(name, "w") as file:
            json.dump(text, file)


def forger(origin):
    with open(f"{copy['home']}/emulator/admin-secret") as file:
        secret = file.read().strip()

    def forge(**order):
        order = {"user": "ana@contoso.example", "policy": "B2C_1_signin", "client": CLIENT} | order
        answer = requests.post(f"{origin}/admin/v1/tokens", params={"tenant": order.pop("tenant", TENANT)}, json=order, headers={"Authorization": f"Bearer {secret}"}, verify="ca.pem")
        assert answer.ok, answer.text
        return answer.json()["token"]
    return forge


def cases(origin, forge):
    """(name, token, settings of the API, the same in appsettings.json, a rule that breaks at Microsoft.Identity.Web)"""
    now, good = int(time.time()), forge(scope=f"openid {READ}")
    issuer = f"{origin}/{TENANT_ID}/v2.0/"
    north = forge(tenant=OTHER, scope=f"openid https://{OTHER}/hello/demo.read")
    at = lambda tenant, policy: {"openid_config_url": f"{origin}/{tenant}/{policy}{DOCUMENT}"}
    id_token, no_scope, shared = forge(kind="id", nonce="n"), {"scopes": []}, {"app_client_id": CLIENT}
    head, body, signature = good.split(".")
    changed = f"{head}.{body}.{'B' if signature[0] == 'A' else 'A'}{signature[1:]}"
    flawed = lambda *flaws, **claims: forge(scope=f"openid {READ}", flaws=list(flaws), claims=claims)
    yield "good", good, {}, {}, ""
    yield "token of another user flow", forge(policy="B2C_1_other", scope=f"openid {READ}"), {}, {}, ""
    yield "no scope required", good, no_scope, {"Scopes": None}, ""
    # Audience.
    yield "audience is the client", good, shared, {"ClientId": CLIENT}, "audience"
    yield "audience with api://", good, {"app_client_id": f"api://{API}"}, {"Audience": f"api://{API}"}, "audience"
    yield "audience is the App ID URI", good, {"app_client_id": f"https://{TENANT}/hello"}, {"Audience": f"https://{TENANT}/hello"}, "audience"
    yield "audience in capitals", good, {"app_client_id": API.upper()}, {"Audience": API.upper()}, "audience"
    yield "audience with a slash", good, {"app_client_id": API + "/"}, {"Audience": API + "/"}, ""
    yield "token of another API", flawed(aud=TASKS), {}, {}, "audience"
    yield "two audiences", flawed(aud=[API, TASKS]), {}, {}, ""
    # Issuer.
    for name, text in (
            ("with the policy", f"{origin}/tfp/{TENANT_ID}/B2C_1_signin/v2.0/"), ("with the tenant's name", f"{origin}/{TENANT}/v2.0/"),
            ("without v2.0", f"{origin}/{TENANT_ID}/"), ("without the last slash", issuer[:-1]),
            ("of another host", f"https://login.microsoftonline.com/{TENANT_ID}/v2.0/"), ("with http", issuer.replace("https:", "http:"))):
        yield f"issuer {name}", good, {"issuer": text}, {}, ""
    yield "issuer not compared", good, {"issuer": None}, {}, ""
    yield "tenant that issues with the policy", north, at(OTHER, "B2C_1_signin") | {"issuer": f"{origin}/{OTHER_ID}/v2.0/"}, {"Domain": OTHER}, "issuer"
    yield "issuer of another tenant", flawed("otherTenant"), {}, {}, "issuer"
    yield "issuer of another server", flawed("otherIssuer"), {}, {}, "issuer"
    # Keys.
    yield "keys of a custom policy", good, at(TENANT, "B2C_1A_signin"), {"SignUpSignInPolicyId": "B2C_1A_signin"}, "key"
    yield "token of a custom policy", forge(policy="B2C_1A_signin", scope=f"openid {READ}"), {}, {}, "key"
    yield "keys of another tenant", good, at(OTHER, "B2C_1_signin"), {"Domain": OTHER}, "issuer"
    yield "misspelt policy", good, at(TENANT, "B2C_1_singin"), {"SignUpSignInPolicyId": "B2C_1_singin"}, "metadata"
    yield "changed signature", changed, {}, {}, "signature"
    yield "unknown key", flawed("unknownKey"), {}, {}, "key"
    yield "unsigned", flawed("unsigned"), {}, {}, "signature"
    yield "signed with the public key", flawed("hmacWithPublicKey"), {}, {}, "signature"
    # Scopes.
    yield "scope missing", flawed(scp="demo.write"), {}, {}, "scope"
    yield "scope as its whole name", good, {"scopes": [READ]}, {"Scopes": READ}, "scope"
    yield "scope in another case", good, {"scopes": ["Demo.Read"]}, {"Scopes": "Demo.Read"}, "scope"
    yield "one of two scopes", good, {"scopes": ["demo.read", "demo.write"]}, {"Scopes": "demo.read demo.write"}, ""
    yield "scopes as a list", flawed(scp=["demo.read"]), {}, {}, ""
    yield "no scope in the token", flawed(scp=None), no_scope, {"Scopes": None}, "scope"
    yield "no scope, but accepted by a list", flawed(scp=None), no_scope, {"Scopes": None, "AllowWebApiToBeAuthorizedByACL": True}, ""
    yield "a role in place of a scope", flawed(scp=None, roles=["demo.read"]), {}, {}, "scope"
    # Kinds and claims.
    yield "id token", id_token, {}, {}, "audience"
    yield "id token, no scope required", id_token, no_scope, {"Scopes": None}, "audience"
    yield "id token at an API with the client's ID", id_token, no_scope | shared, {"ClientId": CLIENT, "Scopes": None}, "scope"
    yield "without ver", flawed(ver=None), {}, {}, ""
    yield "without sub", flawed(sub=None), {}, {}, ""
    # Times.
    yield "expired", flawed("expired"), {}, {}, "time"
    yield "expired two minutes ago", flawed(exp=now - 120), {}, {}, ""
    yield "valid in an hour", flawed("notYetValid"), {}, {}, "time"
    yield "valid in two minutes", flawed(nbf=now + 120, iat=now + 120), {}, {}, ""
    yield "without exp", flawed(exp=None), {}, {}, "time"
    # Two mistakes, of the token and of the settings.
    for flaw, rule in (("expired", "time"), ("otherAudience", "audience"), ("otherIssuer", "issuer"), ("unknownKey", "key")):
        for change, appsettings in (
                ({"app_client_id": TASKS}, {"ClientId": TASKS}), ({"scopes": ["demo.write"]}, {"Scopes": "demo.write"}),
                (at(TENANT, "B2C_1_singin"), {"SignUpSignInPolicyId": "B2C_1_singin"})):
            yield f"{flaw}, {appsettings}", flawed(flaw), change, appsettings, "metadata" if rule in ("key", "issuer") and "SignUpSignInPolicyId" in appsettings else rule
    # Form.
    yield "garbage", "garbage", {}, {}, "form"
    yield "in quotes", f'"{good}"', {}, {}, "form"


async def accepts(settings, token):
    async def issued(tid):
        return settings["issuer"]
    scheme = B2CMultiTenantAuthorizationCodeBearer(
        app_client_id=settings["app_client_id"], openid_config_url=settings["openid_config_url"],
        openapi_authorization_url="https://unused.example/", openapi_token_url="https://unused.example/",
        validate_iss=settings["issuer"] is not None, iss_callable=issued,
        http_client_config={"verify": ssl.create_default_context(cafile="ca.pem")})
    app = FastAPI()

    @app.get("/")
    async def root(user=Security(scheme, scopes=settings["scopes"])):
        return {}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://api") as client:
        response = await client.get("/", headers={"Authorization": f"Bearer {token}"})
    return response.status_code == 200


def inspect(token, *options):
    run = subprocess.run([e["SUSI"], "inspect", "-", "--json", *options], input=token, capture_output=True, text=True, env={**e, "SUSI_HOME": copy["home"], "SUSI_CONFIG": copy["config"]})
    assert run.returncode in (0, 7), run
    said = json.loads(run.stdout)
    assert said["isAccepted"] == (run.returncode == 0) and token not in run.stdout + run.stderr, run
    broken = [rule for rule in said["rules"] if rule["outcome"] == "broken"]
    assert all(rule["changes"] for rule in broken) and bool(broken) != said["isAccepted"], said
    return [rule["rule"] for rule in broken]


async def main(origin):
    different, count = [], 0
    for name, token, change, appsettings, expected in cases(origin, forger(origin)):
        settings = {"app_client_id": API, "openid_config_url": f"{origin}/{TENANT}/B2C_1_signin{DOCUMENT}",
                    "issuer": f"{origin}/{TENANT_ID}/v2.0/", "scopes": ["demo.read"]} | change
        options = ["--audience", settings["app_client_id"], "--authority", settings["openid_config_url"]]
        options += ["--issuer", settings["issuer"]] if settings["issuer"] else []
        for scope in settings["scopes"]:
            options += ["--scope", scope]
        section = {"Instance": "https://fabrikam.b2clogin.com", "Domain": TENANT, "ClientId": API, "SignUpSignInPolicyId": "B2C_1_signin", "Scopes": "demo.read"} | appsettings
        with open("appsettings.json", "w") as file:
            json.dump({"AzureAdB2C": {name: value for name, value in section.items() if value is not None}}, file)
        broken, accepted = inspect(token, *options), await accepts(settings, token)
        if accepted == bool(broken):
            different.append(f"{name}, fastapi-azure-auth: inspect {broken}, accepted {accepted}")
        broken = inspect(token, "--for-api", "appsettings.json")
        if expected not in broken and (expected or broken):
            different.append(f"{name}, Microsoft.Identity.Web: inspect {broken}, expected {expected}")
        count += 1
    print(count, "cases")
    if different:
        raise SystemExit("\n".join(different))


write_files()
emulator = subprocess.Popen([e["SUSI"], "emulator", "run", "--tls", "--port", "0", "--quiet", "--seed", "tenants.json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
try:
    origin = next(found[1] for line in emulator.stdout if (found := re.search(r" listen at (https:\S+)", line) or re.search(r" listens at (https:\S+)", line)))
    copy = json.loads(subprocess.run([e["SUSI"], "emulator", "ready", "--timeout", "30s", "--json"], check=True, stdout=-1).stdout)
    with open("ca.pem", "wb") as file:
        file.write(subprocess.run([e["SUSI"], "emulator", "trust", "--pem"], check=True, stdout=-1).stdout)
    asyncio.run(main(origin))
finally:
    emulator.terminate()
    emulator.wait()
