"""A third witness of the emulator: the code flow by its forms, checked with joserfc.

usage: witness.py KIND ADDRESS CLIENT_ID REDIRECT_URI SCOPE NOW

KIND is b2c, external, entra or openid. ADDRESS is what stands before /.well-known/openid-configuration.
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

from cryptography import x509
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
        elif tag == "input" and "name" in attributes:
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
    name, password = ("loginfmt", "passwd") if "loginfmt" in form.fields else ("signInName", "password")
    form.fields.update({name: "ana@contoso.example", password: "Passw0rd!"})
    status, headers, body = browser.open(urllib.parse.urljoin(url, form.action), form.fields)
    check(status in (302, 303), f"the form answered {status}: {body[:600]!r}")
    location = headers["Location"]
    check(location.startswith(redirect + "?"), f"redirected to {location}")
    answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query, strict_parsing=True))
    check(answer["state"] == state, "the state is another")
    return answer["code"]


def verified(token, keys, algorithms, kind="JWT"):
    decoded = jwt.decode(token, keys, algorithms=algorithms)
    check(decoded.header["typ"] == kind, f"typ is {decoded.header['typ']}")
    check(decoded.header["kid"] in [key.kid for key in keys.keys], "kid names no published key")
    return decoded.claims


def check_claims(name, claims, expected, allowed=frozenset()):
    for key, value in expected.items():
        check(claims.get(key) == value, f"{name}: {key} is {claims.get(key)!r}, expected {value!r}")
    check(set(claims) == set(expected) | allowed, f"{name}: unexpected claims {set(claims) ^ (set(expected) | allowed)}")


USER = "a0a0a0a0-0000-4000-8000-000000000001"


def b2c(metadata, policy, client, scope, nonce, now, answer):
    """What Azure AD B2C writes: the claims of both tokens, and what the answer says besides."""
    common = {
        "iss": metadata["issuer"], "sub": USER, "oid": USER, "name": "Ana Lima", "tfp": policy, "nonce": nonce,
        "ver": "1.0", "nbf": now, "iat": now, "exp": now + 3600, "given_name": "Ana", "family_name": "Lima",
        "emails": ["ana@contoso.example"],
    }
    id_claims = common | {
        "aud": client, "auth_time": now,
        "at_hash": left_half(answer["access_token"]),
    }
    access = common | {"aud": answer["resource"], "scp": scope.rsplit("/", 1)[1], "azp": client}
    check((answer["expires_in"], answer["not_before"], answer["expires_on"]) == (3600, now, now + 3600), "times")
    check(answer["scope"] == scope, f"scope is {answer['scope']!r}")
    info = json.loads(base64.urlsafe_b64decode(answer["client_info"] + "=="))
    check(info["uid"] == f"{USER}-{policy.lower()}", f"uid is {info['uid']}")
    check(info["utid"] in metadata["issuer"], "utid is not the issuer's tenant")
    return (id_claims, set()), (access, set())


def microsoft(metadata, client, scope, nonce, now, answer, names_session=False):
    """What version 2.0 of Microsoft's identity platform writes."""
    info = json.loads(base64.urlsafe_b64decode(answer["client_info"] + "=="))
    check(info["uid"] == USER, f"uid is {info['uid']}")
    issuer = metadata["issuer"].replace("{tenantid}", info["utid"])
    check(f"/{info['utid']}/" in issuer, "utid is not the issuer's tenant")
    common = {
        "iss": issuer, "tid": info["utid"], "oid": USER, "name": "Ana Lima", "ver": "2.0", "nbf": now - 300, "iat": now - 300,
        "exp": now + 3600,
    }
    check(answer["scope"] == scope, f"scope is {answer['scope']!r}")
    name = {"preferred_username": "ana@contoso.example"}
    session = {"sid"} if names_session else set()
    access = common | {"scp": scope.rsplit("/", 1)[1], "azp": client, "azpacr": "0"} | (name if names_session else {})
    return (
        (common | {"aud": client, "nonce": nonce} | name, {"sub", "uti"} | session),
        (access, {"sub", "uti", "aud"} | session),
    )


def external(*arguments):
    """Its tokens also name the session, and access tokens the user name."""
    return microsoft(*arguments, names_session=True)


def openid(metadata, client, scope, nonce, now, answer):
    """What a plain provider writes: OpenID Connect Core section 2, RFC 9068 section 2.2."""
    common = {"iss": metadata["issuer"], "sub": USER, "iat": now, "exp": now + 3600, "auth_time": now}
    check(answer["token_type"] == "bearer", "token_type")
    check(answer["scope"].split() == ["openid", "offline_access", scope], f"scope is {answer['scope']!r}")
    return (
        (common | {"aud": client, "nonce": nonce, "at_hash": left_half(answer["access_token"])}, set()),
        (common | {"client_id": client, "scope": answer["scope"], "name": "Ana Lima"}, {"jti", "aud"}),
    )


def left_half(token):
    return base64url(hashlib.sha256(token.encode()).digest()[:16])


def check_certificates(published, keys, are_expected):
    """RFC 7517 sections 4.7 and 4.8: the certificate is of the key, and signed by it."""
    for members, key in zip(published, keys.keys):
        check(("x5c" in members, "x5t" in members) == (are_expected, are_expected), f"members {sorted(members)}")
        if are_expected:
            der = base64.b64decode(members["x5c"][0], validate=True)
            certificate = x509.load_der_x509_certificate(der)
            check(certificate.public_key().public_numbers() == key.public_key.public_numbers(), "another key")
            certificate.verify_directly_issued_by(certificate)
            check(members["x5t"] == base64url(hashlib.sha1(der).digest()), "another thumbprint")


def main(kind, address, client, redirect, scope, now):
    now = int(now)
    browser = Browser()
    metadata = get_json(browser, f"{address}/.well-known/openid-configuration")
    algorithms = metadata["id_token_signing_alg_values_supported"]
    check(set(algorithms) <= {"RS256", "PS256", "ES256"}, f"algorithms {algorithms}")
    published = get_json(browser, metadata["jwks_uri"])
    check(published == get_json(browser, metadata["jwks_uri"]), "the keys change")
    keys = jwk.KeySet.import_key_set(published)
    check_certificates(published["keys"], keys, kind in ("external", "entra"))
    for key in keys.keys:
        check(key.thumbprint() == key.kid, "kid is not the key's thumbprint (RFC 7638)")
        check(not key.is_private, "a private key is published")
    # RFC 7636 appendix B.
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    challenge = base64url(hashlib.sha256(verifier.encode()).digest())
    check(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "the vector of RFC 7636 does not hold")
    nonce = secrets.token_urlsafe(16)
    code = authorize(browser, metadata, client, redirect, scope, challenge, nonce)
    answer = get_json(browser, metadata["token_endpoint"], {
        "grant_type": "authorization_code", "client_id": client, "code": code, "redirect_uri": redirect,
        "code_verifier": verifier, "client_info": "1",
    })
    if kind == "b2c":
        expected = b2c(metadata, address.split("/")[-2], client, scope, nonce, now, answer)
    else:
        expected = {"openid": openid, "external": external}.get(kind, microsoft)(metadata, client, scope, nonce, now, answer)
    (id_expected, id_allowed), (access_expected, access_allowed) = expected
    check_claims("id token", verified(answer["id_token"], keys, algorithms), id_expected, id_allowed)
    access = verified(answer["access_token"], keys, algorithms, "at+jwt" if kind == "openid" else "JWT")
    check_claims("access token", access, access_expected, access_allowed)
    refreshed = get_json(browser, metadata["token_endpoint"], {
        "grant_type": "refresh_token", "client_id": client, "refresh_token": answer["refresh_token"],
    })
    check(refreshed["refresh_token"] != answer["refresh_token"], "the refresh token is the old one")
    again = verified(refreshed["id_token"], keys, algorithms)
    check(again.get("oid", again["sub"]) == USER and again.get("nonce") == (nonce if kind == "b2c" else None), "the refreshed id token")
    check(again.get("auth_time", now) == now, "the refreshed id token's auth_time")
    print("witness: keys, signatures, claims, at_hash and refresh are right")


if __name__ == "__main__":
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    main(*sys.argv[1:])
