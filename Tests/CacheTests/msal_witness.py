"""MSAL for Python, unmodified, reading and writing its own cache beside the program under test.

usage: msal_witness.py read KIND ORIGIN PATH CLIENT_ID SCOPE < cache.json
       msal_witness.py redeem KIND ORIGIN PATH CLIENT_ID SCOPE < refresh-token

KIND is b2c, external, entra or openid; PATH is the authority's path.

`read` prints the results of get_accounts and acquire_token_silent from a cache, and every request they made.
`redeem` lets MSAL exchange a refresh token and prints its cache afterwards.

MSAL uses https only, and the tenant at ORIGIN uses http on this machine: the http_client, a parameter of MSAL, maps
https://HOST to http://HOST and back. It changes nothing else.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

import msal


class Answer:
    def __init__(self, status, headers, text):
        self.status_code, self.headers, self.text = status, dict(headers), text

    def raise_for_status(self):
        if self.status_code >= 400:
            raise RuntimeError(f"status {self.status_code}")


class Loopback:
    def __init__(self, origin):
        self.host, self.requests = origin.removeprefix("http://"), []

    def send(self, method, url, params=None, data=None, headers=None):
        prefix = f"https://{self.host}/"
        if not url.startswith(prefix):
            raise RuntimeError(f"MSAL asked for {url}")
        plain = f"http://{self.host}/" + url.removeprefix(prefix)
        if params:
            plain += "?" + urllib.parse.urlencode(params)
        body = urllib.parse.urlencode(data).encode() if data is not None else None
        request = urllib.request.Request(plain, body, headers or {}, method=method)
        self.requests.append(f"{method} {urllib.parse.urlsplit(plain).path}")
        try:
            with urllib.request.urlopen(request) as answer:
                status, headers, text = answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as answer:
            status, headers, text = answer.code, answer.headers, answer.read().decode()
        return Answer(status, headers, text.replace(f"http://{self.host}", f"https://{self.host}"))

    def get(self, url, params=None, headers=None, **_):
        return self.send("GET", url, params, None, headers)

    def post(self, url, params=None, data=None, headers=None, **_):
        return self.send("POST", url, params, data, headers)

    def close(self):
        pass


def main():
    mode, kind, origin, path, client_id, scope = sys.argv[1:]
    given = sys.stdin.read()
    cache, loopback = msal.SerializableTokenCache(), Loopback(origin)
    if mode == "read":
        cache.deserialize(given)
    authority = f"https://{loopback.host}/{path}"
    choice = {"oidc_authority": authority} if kind == "openid" else {"authority": authority}
    # MSAL recognizes a B2C authority by its path, and asks login.microsoftonline.com about other unknown hosts.
    if not path.lower().split("/")[1:2] or path.startswith("tfp/"):
        choice["instance_discovery"] = False
    application = msal.ClientApplication(client_id, token_cache=cache, http_client=loopback, **choice)
    if mode == "redeem":
        answer = application.acquire_token_by_refresh_token(given.strip(), [scope])
        if "error" in answer:
            sys.exit(f"MSAL: {answer['error']}: {answer.get('error_description')}")
        print(cache.serialize())
        return
    accounts = application.get_accounts()
    found = [application.acquire_token_silent([scope], account) for account in accounts]
    tokens = [token and {"access_token": token["access_token"], "source": token["token_source"]} for token in found]
    print(json.dumps({"accounts": accounts, "tokens": tokens, "requests": loopback.requests}))


main()
