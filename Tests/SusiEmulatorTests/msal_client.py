"""MSAL for Python, unmodified, against an emulator that speaks https. REQUESTS_CA_BUNDLE names the emulator's authority.

usage: msal_client.py b2c|interactive|confidential|password|external ORIGIN/TENANT CLIENT_ID SCOPE

Only the person is played here. Prints one line and exits 0, or fails.
"""

import os
import shlex
import sys

sys.dont_write_bytecode = True

import msal
import visitor

REDIRECT = "http://localhost:8400/"


def client(client_id, cache=None, **choice):
    return msal.PublicClientApplication(client_id, token_cache=cache, **choice)


def check(answer):
    """The answer when it holds tokens."""
    if "access_token" not in answer:
        sys.exit(f"MSAL: {answer.get('error')}: {answer.get('error_description')}")
    return answer


def by_code(application, scopes, answers=visitor.ANA, **choice):
    """The code flow, as a web server would run it."""
    flow = application.initiate_auth_code_flow(scopes, redirect_uri=REDIRECT, **choice)
    response = visitor.visit(flow["auth_uri"], answers, until=REDIRECT)
    return check(application.acquire_token_by_auth_code_flow(flow, response))


def only_account(application):
    accounts = application.get_accounts()
    assert len(accounts) == 1, accounts
    return accounts[0]


def silently(application, scopes, account):
    """The cached token, then one by the refresh token, which becomes the cached one."""
    cached = check(application.acquire_token_silent_with_error(scopes, account))
    assert cached["token_source"] == "cache", cached
    fresh = check(application.acquire_token_silent_with_error(scopes, account, force_refresh=True))
    assert fresh["token_source"] == "identity_provider", fresh
    again = check(application.acquire_token_silent_with_error(scopes, account))
    assert (again["token_source"], again["access_token"]) == ("cache", fresh["access_token"]), again
    return fresh


def b2c(tenant, client_id, scope):
    cache = msal.TokenCache()
    sign_in = client(client_id, cache, authority=f"{tenant}/B2C_1_susi")
    for mode in ({}, {"response_mode": "form_post"}, {"prompt": "login", "max_age": 60}):
        claims = by_code(sign_in, [scope], **mode)["id_token_claims"]
        assert (claims["tfp"], claims["name"]) == ("B2C_1_susi", "Ana Lima"), claims
    account = only_account(sign_in)
    assert account["home_account_id"].startswith(f"{claims['oid']}-b2c_1_susi."), account
    silently(sign_in, [scope], account)

    # The application's own id as a scope is a token for itself.
    own = check(sign_in.acquire_token_silent_with_error([client_id], account))
    assert own["token_source"] == "identity_provider", own
    assert check(sign_in.acquire_token_silent_with_error([client_id], account))["token_source"] == "cache"

    edit = client(client_id, cache, authority=f"{tenant}/B2C_1_edit_profile")
    edited = by_code(edit, [scope], {**visitor.ANA, "displayName": "Ana Maria Lima"})["id_token_claims"]
    assert (edited["oid"], edited["tfp"], edited["name"]) == (claims["oid"], "B2C_1_edit_profile", "Ana Maria Lima"), edited
    accounts = edit.get_accounts()
    assert len(accounts) == 2, accounts
    other = next(each for each in accounts if "-b2c_1_edit_profile." in each["home_account_id"])
    silently(edit, [scope], other)
    # A refresh repeats the claims of the sign-in.
    assert silently(sign_in, [scope], account)["id_token_claims"]["name"] == "Ana Lima"

    # The refresh token of one policy is not valid under another.
    refused = client(client_id, authority=f"{tenant}/B2C_1_edit_profile").acquire_token_by_refresh_token(
        cache.find(cache.CredentialType.REFRESH_TOKEN, query={"home_account_id": account["home_account_id"]})[0]["secret"],
        [scope])
    assert refused.get("error") == "invalid_grant" and "AADB2C90088" in refused["error_description"], refused

    sign_in.remove_account(account)
    assert only_account(edit) == other
    edit.remove_account(other)
    assert not edit.get_accounts() and edit.acquire_token_silent([scope], other) is None


def interactive(tenant, client_id, scope):
    page = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "visitor.py")]
    os.environ["BROWSER"] = f"{shlex.join(page)} %s &"
    application = client(client_id, authority=f"{tenant}/B2C_1_susi")
    answer = check(application.acquire_token_interactive([scope], timeout=60, prompt="select_account"))
    assert answer["id_token_claims"]["emails"] == [visitor.ANA["signInName"]], answer
    silently(application, [scope], only_account(application))


def confidential(tenant, client_id, scope):
    """A web application: it keeps a secret, and asks for itself too."""
    def web(secret):
        return msal.ConfidentialClientApplication(
            client_id, client_credential=secret, authority=f"{tenant}/B2C_1_susi")

    application = web("a secret & more")
    by_code(application, [scope])
    silently(application, [scope], only_account(application))
    own = [scope.rsplit("/", 1)[0] + "/.default"]
    assert check(application.acquire_token_for_client(own))["token_source"] == "identity_provider"
    assert check(application.acquire_token_for_client(own))["token_source"] == "cache"
    refused = web("another").acquire_token_for_client(own)
    assert refused["error"] == "invalid_client" and "AADB2C90081" in refused["error_description"], refused


def password(tenant, client_id, scope):
    application = client(client_id, authority=f"{tenant}/B2C_1_ropc")
    person = (visitor.ANA["signInName"], visitor.ANA["password"])
    check(application.acquire_token_by_username_password(*person, [scope]))
    silently(application, [scope], only_account(application))
    refused = application.acquire_token_by_username_password(person[0], "not it", [scope])
    assert "AADB2C90225" in refused["error_description"], refused


def external(tenant, client_id, scope):
    # MSAL knows External ID by its host. Elsewhere either word keeps it from asking login.microsoftonline.com.
    for choice in ({"authority": tenant, "instance_discovery": False}, {"oidc_authority": f"{tenant}/v2.0"}):
        application = client(client_id, **choice)
        claims = by_code(application, [scope])["id_token_claims"]
        assert claims["preferred_username"] == visitor.ANA["signInName"], claims
        account = only_account(application)
        assert account["home_account_id"] == f"{claims['oid']}.{claims['tid']}", account
        silently(application, [scope], account)
        application.remove_account(account)
        assert not application.get_accounts()


if __name__ == "__main__":
    modes = {"b2c": b2c, "interactive": interactive, "confidential": confidential, "password": password, "external": external}
    if len(sys.argv) != 5 or sys.argv[1] not in modes:
        sys.exit(__doc__)
    modes[sys.argv[1]](*sys.argv[2:])
    print(f"MSAL {msal.__version__}: {sys.argv[1]}")
