"""MSAL.js (the unmodified build in msal_streamlit_authentication) in Chromium: pop-up sign-in of a single-page application.

The page gets its settings by the message that Streamlit would send. Chromium trusts the copy by its certificate database.
"""
import functools, http.server, json, os, shutil, subprocess, sys, tempfile, threading, time
import requests
e = os.environ
site = e["MSAL_JS"]
port = int(e["SPA_PORT"])


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=site))
threading.Thread(target=server.serve_forever, daemon=True).start()
home = e["HOME"]
os.makedirs(f"{home}/.pki/nssdb", exist_ok=True)
subprocess.run(["certutil", "-d", f"sql:{home}/.pki/nssdb", "-N", "--empty-password"], check=True)
if "untrusted" not in sys.argv:
    subprocess.run(["certutil", "-d", f"sql:{home}/.pki/nssdb", "-A", "-t", "C,,", "-n", "susi emulator", "-i", e["CA"]], check=True)
at = None
# It picks a port of IPv4, and ends if that is not free for IPv6.
for _ in range(10):
    driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    started = next((line for line in driver.stdout if "on port" in line and "successfully" in line), None)
    if started:
        at = "http://127.0.0.1:" + started.strip().rstrip(".").rsplit(" ", 1)[1]
        break
session = None


def call(method, path, body=None):
    answer = requests.request(method, f"{at}/session/{session}{path}" if session else f"{at}{path}", json=body if body is not None else ({} if method == "POST" else None)).json()["value"]
    if isinstance(answer, dict) and "error" in answer:
        raise RuntimeError(answer["message"][:300])
    return answer


def js(text, *arguments):
    return call("POST", "/execute/sync", {"script": text, "args": list(arguments)})


def until(check, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            value = check()
            if value:
                return value
        except RuntimeError:
            pass
        time.sleep(0.1)
    raise SystemExit(f"timed out: {js('return document.body.innerText')[:500]!r} {call('POST', '/se/log', {'type': 'browser'})}")


def sign_in():
    until(lambda: js("return document.querySelector('input[name=password]') != null"))
    js("document.querySelector('input[name=signInName]').value = 'ana@contoso.example'; document.querySelector('input[name=password]').value = 'Passw0rd!';")
    submit = call("POST", "/element", {"using": "css selector", "value": "form:has(input[name=password]) button[type=submit], form:has(input[name=password]) button:not([type])"})
    call("POST", "/element/" + list(submit.values())[0] + "/click")


profile = tempfile.mkdtemp(dir=e["WORK"])
# Chromium does not read the proxy from the environment everywhere.
proxy = [f"--proxy-server={e['SUSI_EMULATOR_PROXY']}"] if "SUSI_EMULATOR_PROXY" in e else []
try:
    session = call("POST", "/session", {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {
        "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP login.microsoftonline.com 127.0.0.1:1", f"--user-data-dir={profile}", "--disable-gpu", *proxy]}}}})["sessionId"]
    call("POST", "/url", {"url": f"http://localhost:{port}/"})
    settings = {
        # The settings under test.
        "auth": {"clientId": e["SPA_ID"], "authority": f"{e['ORIGIN']}/{e['TENANT']}/{e['POLICY']}",
                 "knownAuthorities": [] if "unknown" in sys.argv else [e["ORIGIN"].removeprefix("https://")],
                 "redirectUri": f"http://localhost:{port}/"},
        "cache": {"cacheLocation": "sessionStorage"}, "login_request": {"scopes": [e["SCOPE"]]}, "logout_request": {},
        "login_button_text": "Login", "logout_button_text": "Logout", "html_id": "go"}
    js("window.got = []; window.addEventListener('message', (e) => window.got.push(e.data)); window.postMessage({type: 'streamlit:render', args: arguments[0], disabled: false, theme: null}, '*');", settings)
    until(lambda: js("return document.getElementById('go')?.innerText"))
    first = call("GET", "/window")
    call("POST", "/element/" + list(call("POST", "/element", {"using": "css selector", "value": "#go"}).values())[0] + "/click")
    if {"unknown", "untrusted", "separate"} & set(sys.argv):
        # Each entry of the log is given once.
        until(lambda: any(e["EXPECT"] in entry["message"] for entry in call("POST", "/se/log", {"type": "browser"})))
        print("MSAL.js, refused:", e["EXPECT"])
        if "separate" not in sys.argv:
            sys.exit(0)
        # A sign-in in the window of the application itself works.
        call("POST", "/url", {"url": f"{settings['auth']['authority']}/oauth2/v2.0/authorize?client_id={e['SPA_ID']}&response_type=code"
                              f"&redirect_uri={settings['auth']['redirectUri']}&scope=openid&code_challenge={'A' * 43}&code_challenge_method=S256"})
        sign_in()
        until(lambda: js("return location.href").startswith(settings["auth"]["redirectUri"] + "?code="))
        sys.exit(0)
    popup = until(lambda: [w for w in call("GET", "/window/handles") if w != first])[0]
    call("POST", "/window", {"handle": popup})
    sign_in()
    until(lambda: len(call("GET", "/window/handles")) == 1)
    call("POST", "/window", {"handle": first})
    result = until(lambda: js("return window.got.filter((m) => m?.type === 'streamlit:setComponentValue' && m.value?.account).at(-1)?.value"))
    assert result["account"]["name"] == "Ana Lima", result
    assert e["SCOPE"] in result["scopes"] and result["accessToken"], result
    assert result["idTokenClaims"]["iss"] == f"{e['ORIGIN']}/{e['TENANT_ID']}/v2.0/", result
    print("MSAL.js 3.26.1 in Chromium signed in", result["account"]["name"], result["authority"])
finally:
    if session:
        try:
            call("DELETE", "")
        except Exception:
            pass
    driver.terminate()
    driver.wait()
    shutil.rmtree(profile, ignore_errors=True)
