"""A client library that is not ours, Authlib, against a plain OpenID provider of the emulator.

usage: client.py ISSUER CLIENT_ID REDIRECT_URI SCOPE NOW

The library builds the requests, reads the answers and judges the id token; only the person's form is filled in here.
NOW is the emulator's time in epoch seconds. Prints one line and exits 0, or fails.
"""

import os
import secrets
import sys
import urllib.parse

sys.dont_write_bytecode = True

import requests
import visitor
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken, UserInfo
from authlib.oidc.discovery import OpenIDProviderMetadata
from joserfc import jwk, jwt


def sign_in(url, redirect_uri):
    """Signs in as Ana and returns where the browser is sent."""
    return f"{redirect_uri}?{urllib.parse.urlencode(visitor.visit(url, until=redirect_uri))}"


def discover(issuer):
    document = requests.get(f"{issuer}/.well-known/openid-configuration").json()
    assert document["issuer"] == issuer, document["issuer"]
    # The library insists on RS256 (OpenID Connect Discovery 1.0 section 3); this provider signs with ES256 alone.
    algorithms = document["id_token_signing_alg_values_supported"]
    https = {key: value.replace("http:", "https:") if isinstance(value, str) else value for key, value in document.items()}
    OpenIDProviderMetadata({**https, "id_token_signing_alg_values_supported": algorithms + ["RS256"]}).validate()
    return document


def judge(token, metadata, client_id, nonce, now):
    """Checks the id token and returns its claims."""
    keys = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"])
    claims = CodeIDToken(
        decoded.claims, decoded.header,
        {"iss": {"essential": True, "value": metadata["issuer"]}, "aud": {"essential": True, "value": client_id}},
        {"nonce": nonce, "client_id": client_id, "access_token": token["access_token"]})
    claims.validate(now)
    return claims


def main(issuer, client_id, redirect_uri, scope, now):
    # The redirect to this machine is plain http even where the provider is not.
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    metadata = discover(issuer)
    session = OAuth2Session(
        client_id, redirect_uri=redirect_uri, scope=f"openid email offline_access {scope}", code_challenge_method="S256",
        token_endpoint_auth_method="none")
    verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
    url, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
    token = session.fetch_token(
        metadata["token_endpoint"], authorization_response=sign_in(url, redirect_uri), state=state, code_verifier=verifier)
    claims = judge(token, metadata, client_id, nonce, int(now))

    info = UserInfo(session.get(metadata["userinfo_endpoint"]).json())
    assert (info.sub, info.email) == (claims["sub"], "ana@contoso.example"), info

    renewed = session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
    assert renewed["refresh_token"] != token["refresh_token"], "the refresh token is the old one"
    revoked = session.revoke_token(
        metadata["revocation_endpoint"], renewed["refresh_token"], token_type_hint="refresh_token")
    assert revoked.status_code == 200, revoked.status_code
    try:
        session.refresh_token(metadata["token_endpoint"], refresh_token=renewed["refresh_token"])
    except OAuthError as error:
        assert error.error == "invalid_grant", error
    else:
        sys.exit("a revoked refresh token was taken")
    print("Authlib: signed in, judged the id token, read user info, refreshed, revoked")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
