"""A third witness of the emulator: the code flow by its forms, checked with joserfc.

usage: witness.py ORIGIN TENANT POLICY CLIENT_ID REDIRECT_URI SCOPE NOW

Nothing of the program under test is used: urllib for HTTP, html.parser for the forms, joserfc for keys and signatures.
NOW is the emulator's time in epoch seconds. Prints one line and exits 0, or says what is wrong and exits 1.
"""

import base64
import hashlib
import html.parser
import http.cookiejar
import json
import secrets
import sys
import urllib.error
import urllib.parse
import urllib.request

from joserfc import jwk, jwt


def check(condition, message):
    if not condition:
        sys.exit(f"witness: {message}")


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Stay(urllib.request.HTTPRedirectHandler):
    """Redirects are looked at, not followed."""

    def redirect_request(self, *arguments):
        return None


class FormReader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.action, self.fields = None, {}

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.action = attributes["action"]
        elif tag == "input":
            self.fields[attributes["name"]] = attributes.get("value", "")


class Browser:
    def __init__(self):
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(Stay, urllib.request.HTTPCookieProcessor(jar))

    def open(self, url, fields=None):
        data = urllib.parse.urlencode(fields).encode() if fields is not None else None
        try:
            with self.opener.open(url, data) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.headers, answer.read()


def get_json(browser, url, fields=None):
    status, headers, body = browser.open(url, fields)
    check(status == 200, f"{url} answered {status}: {body[:300]!r}")
    check(headers["Content-Type"].startswith("application/json"), f"{url} is no JSON")
    return json.loads(body)


def authorize(browser, metadata, client, redirect, scope, challenge, nonce):
    """Signs in as Ana and returns the code."""
    state = secrets.token_urlsafe(16)
    query = {
        "client_id": client, "response_type": "code", "redirect_uri": redirect, "scope": f"openid offline_access {scope}",
        "state": state, "nonce": nonce, "code_challenge": challenge, "code_challenge_method": "S256",
    }
    url = metadata["authorization_endpoint"] + "?" + urllib.parse.urlencode(query)
    status, _, body = browser.open(url)
    check(status == 200, f"the sign-in page answered {status}")
    form = FormReader()
    form.feed(body.decode())
    form.fields.update(signInName="ana@contoso.example", password="Passw0rd!")
    status, headers, body = browser.open(urllib.parse.urljoin(url, form.action), form.fields)
    check(status in (302, 303), f"the form answered {status}: {body[:600]!r}")
    location = headers["Location"]
    check(location.startswith(redirect + "?"), f"redirected to {location}")
    answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query, strict_parsing=True))
    check(answer["state"] == state, "the state is another")
    return answer["code"]


def verified(token, keys):
    decoded = jwt.decode(token, keys, algorithms=["RS256"])
    check(decoded.header["typ"] == "JWT", "typ is not JWT")
    check(decoded.header["kid"] in [key.kid for key in keys.keys], "kid names no published key")
    return decoded.claims


def check_claims(name, claims, expected, allowed):
    for key, value in expected.items():
        check(claims.get(key) == value, f"{name}: {key} is {claims.get(key)!r}, expected {value!r}")
    check(set(claims) == set(expected) | allowed, f"{name}: unexpected claims {set(claims) ^ (set(expected) | allowed)}")


def main(origin, tenant, policy, client, redirect, scope, now):
    now = int(now)
    browser = Browser()
    metadata = get_json(browser, f"{origin}/{tenant}/{policy}/v2.0/.well-known/openid-configuration")
    keys = jwk.KeySet.import_key_set(get_json(browser, metadata["jwks_uri"]))
    for key in keys.keys:
        check(key.key_type == "RSA" and key.thumbprint() == key.kid, "kid is not the key's thumbprint (RFC 7638)")
    # RFC 7636 appendix B.
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    challenge = base64url(hashlib.sha256(verifier.encode()).digest())
    check(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "the vector of RFC 7636 does not hold")
    nonce = secrets.token_urlsafe(16)
    code = authorize(browser, metadata, client, redirect, scope, challenge, nonce)
    answer = get_json(browser, metadata["token_endpoint"], {
        "grant_type": "authorization_code", "client_id": client, "code": code, "redirect_uri": redirect,
        "code_verifier": verifier,
    })
    user = "a0a0a0a0-0000-4000-8000-000000000001"
    id_claims = verified(answer["id_token"], keys)
    half = hashlib.sha256(answer["access_token"].encode()).digest()[:16]
    check_claims("id token", id_claims, {
        "iss": metadata["issuer"], "aud": client, "sub": user, "oid": user, "name": "Ana Lima", "given_name": "Ana",
        "family_name": "Lima", "emails": ["ana@contoso.example"], "tfp": policy, "nonce": nonce, "ver": "1.0",
        "nbf": now, "iat": now, "auth_time": now, "exp": now + 3600, "at_hash": base64url(half),
    }, set())
    access_claims = verified(answer["access_token"], keys)
    check_claims("access token", access_claims, {
        "iss": metadata["issuer"], "aud": answer["resource"], "sub": user, "oid": user, "name": "Ana Lima",
        "tfp": policy, "nonce": nonce, "scp": scope.rsplit("/", 1)[1], "azp": client, "ver": "1.0",
        "nbf": now, "iat": now, "exp": now + 3600,
    }, set())
    check(answer["scope"] == scope, f"scope is {answer['scope']!r}")
    check((answer["expires_in"], answer["not_before"], answer["expires_on"]) == (3600, now, now + 3600), "times")
    info = json.loads(base64.urlsafe_b64decode(answer["client_info"] + "=="))
    check(info["uid"] == f"{user}-{policy.lower()}", f"uid is {info['uid']}")
    check(info["utid"] in metadata["issuer"], "utid is not the issuer's tenant")
    refreshed = get_json(browser, metadata["token_endpoint"], {
        "grant_type": "refresh_token", "client_id": client, "refresh_token": answer["refresh_token"],
    })
    check(refreshed["refresh_token"] != answer["refresh_token"], "the refresh token is the old one")
    again = verified(refreshed["id_token"], keys)
    check(again["sub"] == user and again["auth_time"] == now and "nonce" not in again, "the refreshed id token")
    print("witness: keys, signatures, claims, at_hash and refresh are right")


if __name__ == "__main__":
    if len(sys.argv) != 8:
        sys.exit(__doc__)
    main(*sys.argv[1:])
