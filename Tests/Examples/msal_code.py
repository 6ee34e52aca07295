"""MSAL Python: a web application with a secret signs Ana in, calls for a token silently, renews it, and edits the profile."""
import os
import msal, visitor
e = os.environ
REDIRECT = "http://localhost:5000/getAToken"
cache = msal.TokenCache()


def application(policy):
    # The setting under test: host and port replace contoso.b2clogin.com, nothing else.
    return msal.ConfidentialClientApplication(
        e["CLIENT_ID"], client_credential=e["SECRET"], token_cache=cache, authority=f"{e['ORIGIN']}/{e['TENANT']}/{policy}")


def sign_in(app):
    flow = app.initiate_auth_code_flow([e["SCOPE"]], redirect_uri=REDIRECT)
    answer = app.acquire_token_by_auth_code_flow(flow, visitor.visit(flow["auth_uri"], until=REDIRECT))
    assert "access_token" in answer, answer
    return answer["id_token_claims"]


app = application(e["POLICY"])
claims = sign_in(app)
assert claims["name"] == "Ana Lima" and claims["iss"] == f"{e['ORIGIN']}/{e['TENANT_ID']}/v2.0/", claims
[account] = app.get_accounts()
fresh = app.acquire_token_silent_with_error([e["SCOPE"]], account, force_refresh=True)
assert fresh["token_source"] == "identity_provider", fresh
assert sign_in(application("B2C_1_edit"))["tfp"] == "B2C_1_edit"
print("MSAL", msal.__version__, "signed in, renewed, edited")
