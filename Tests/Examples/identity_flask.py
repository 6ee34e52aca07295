"""Microsoft's identity package with Flask: signs Ana in, shows her name, gets an access token, signs out."""
import html, os, re, sys, threading
import requests, visitor
from cachelib.file import FileSystemCache
from flask import Flask
from identity.flask import Auth
from werkzeug.serving import make_server
e = os.environ
folder = f"{e['WORK']}/sessions"
web = Flask("web")
web.config.update(SESSION_TYPE="cachelib", SESSION_CACHELIB=FileSystemCache(folder), SECRET_KEY="test")
server = make_server("localhost", 0, web)
home = f"http://localhost:{server.port}"
base = f"{e['ORIGIN']}/{e['TENANT']}/{e['POLICY']}"
# The setting under test, in both spellings.
choice = {"oidc_authority": f"{base}/v2.0"} if sys.argv[1:] == ["oidc"] else {"authority": base}
auth = Auth(web, client_id=e["CLIENT_ID"], client_credential=e["SECRET"], redirect_uri=f"{home}/getAToken", **choice)


@web.route("/")
@auth.login_required
def index(*, context):
    return context["user"]["name"]


@web.route("/api")
@auth.login_required(scopes=[e["SCOPE"]])
def api(*, context):
    return f"{len(context['access_token'])} characters for {context['scopes']}"


threading.Thread(target=server.serve_forever, daemon=True).start()
browser = requests.Session()


def through(path):
    page = browser.get(home + path)
    if "URL=" not in page.text:
        return page.text
    url = html.unescape(re.search(r"URL=([^']+)'", page.text)[1])
    back = visitor.visit(url, until=f"{home}/getAToken")
    return browser.get(f"{home}/getAToken", params=back).text


first = through("/")
assert first == "Ana Lima", first
second = through("/api")
assert "characters for" in second, second
out = browser.get(f"{home}/logout", allow_redirects=False).headers["Location"]
assert out.startswith(f"{e['ORIGIN']}/{e['TENANT']}/"), out
answer = requests.get(out, allow_redirects=False)
assert answer.status_code in (200, 302, 303) and "AADB2C" not in answer.text, (answer.status_code, answer.text)
server.shutdown()
print("identity", "signed in:", first + ";", second[:60], "; signed out:", answer.status_code, answer.headers.get("Location"))
