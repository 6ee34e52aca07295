"""usage: tokens.py REDIRECT_URI: prints the token response of a code flow for SCOPE as JSON (signs in as Ana)."""
import base64, hashlib, json, os, secrets, sys, urllib.parse
import requests, visitor
e = os.environ
base = f"{e['ORIGIN']}/{e['TENANT']}/{e['POLICY']}/oauth2/v2.0"
redirect = sys.argv[1]
verifier = secrets.token_urlsafe(48)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
url = f"{base}/authorize?" + urllib.parse.urlencode({
    "client_id": e["CLIENT_ID"], "response_type": "code", "redirect_uri": redirect, "state": "s", "nonce": "n-1",
    "scope": f"openid offline_access {e['SCOPE']}", "code_challenge": challenge, "code_challenge_method": "S256"})
back = visitor.visit(url, until=redirect)
answer = requests.post(f"{base}/token", data={
    "grant_type": "authorization_code", "client_id": e["CLIENT_ID"], "client_secret": e["SECRET"], "code": back["code"],
    "redirect_uri": redirect, "code_verifier": verifier})
answer.raise_for_status()
print(json.dumps(answer.json()))
