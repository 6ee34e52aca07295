"""The single-page application and the browser for the tests with Playwright."""
import functools, glob, http.server, json, os, re, shutil, threading
import pytest
e = os.environ
site = f"{e['WORK']}/site"
origin = f"http://localhost:{e['SPA_PORT']}"


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def browser_type_launch_args():
    blocked = "--host-resolver-rules=MAP login.microsoftonline.com 127.0.0.1:1"
    options = {"executable_path": shutil.which("chromium"), "args": ["--no-sandbox", "--disable-dev-shm-usage", blocked]}
    if "SUSI_EMULATOR_PROXY" in e:
        options |= {"proxy": {"server": e["SUSI_EMULATOR_PROXY"], "bypass": "localhost"}}
    return options


def library():
    """The bundle of a component with MSAL.js, and a line that names the library's class."""
    [path] = glob.glob(f"{e['MSAL_JS']}/assets/*.js")
    with open(path) as file:
        text = file.read()
    [name] = re.findall(r"class (\w+)\{static async createPublicClientApplication\(", text)
    assert "@azure/msal-browser v3.26.1" in text
    return f"{text}\nwindow.PublicClientApplication = {name};\n"


def settings(location):
    return {
        "auth": {"clientId": e["SPA_ID"], "authority": f"{e['ORIGIN']}/{e['TENANT']}/{e['POLICY']}",
                 "knownAuthorities": [e["ORIGIN"].removeprefix("https://")], "redirectUri": origin + "/"},
        "cache": {"cacheLocation": location}, "scopes": [e["SCOPE"]]}


@pytest.fixture
def location(request):
    return "sessionStorage" if "session" in request.node.nodeid else "localStorage"


@pytest.fixture(autouse=True)
def application(location):
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(f"{e['HERE']}/spa", site)
    for name, text in (("msal.js", library()), ("settings.json", json.dumps(settings(location)))):
        with open(f"{site}/{name}", "w") as file:
            file.write(text)
    http.server.ThreadingHTTPServer.allow_reuse_address = True
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(e["SPA_PORT"])), functools.partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield
    server.shutdown()
    server.server_close()
