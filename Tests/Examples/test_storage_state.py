"""MSAL.js starts with exported entries: what it sends to the tenant, from the page and from every frame in it."""
import json, os, re, time
from playwright.sync_api import expect
e = os.environ
page_address = f"http://localhost:{e['SPA_PORT']}/"


def state(change=lambda key, entry: True):
    """Ana's storage state; `change` may change an entry, and drops it by returning false."""
    with open("ana.json") as file:
        all = json.load(file)
    [origin] = all["origins"]
    assert all["cookies"] == [] and origin["origin"] + "/" == page_address
    items = []
    for item in origin["localStorage"]:
        entry = json.loads(item["value"])
        if change(item["name"], entry) is not False:
            items.append({"name": item["name"], "value": json.dumps(entry)})
    origin["localStorage"] = items
    return all


def expired(key, entry):
    if "accesstoken" in key:
        entry["expiresOn"] = entry["extendedExpiresOn"] = str(int(time.time()) - 60)
        entry["cachedAt"] = str(int(time.time()) - 3660)


def start(browser, storage, entries=None):
    """Opens the application. Returns the page and the requests to the tenant, without the metadata's."""
    context = browser.new_context(storage_state=storage, ignore_https_errors=True)
    if entries:
        context.add_init_script(
            f"if (location.origin + '/' === {json.dumps(page_address)} && !sessionStorage.length)"
            f" for (const [name, value] of Object.entries({json.dumps(entries)})) sessionStorage.setItem(name, value)")
    sent = []
    context.on("request", lambda request: sent.append(request))
    page = context.new_page()
    page.goto(page_address)
    return page, lambda: [
        r.url.split("?")[0].rsplit("/", 1)[1] for r in sent if r.url.startswith(e["ORIGIN"]) and "well-known" not in r.url and r.method != "OPTIONS"]


def signed_in(page):
    expect(page.locator("#person")).to_have_text("Ana Lima", timeout=20000)
    result = page.evaluate("window.result")
    assert e["SCOPE"] in result["scopes"] and result["idTokenClaims"]["oid"], result
    return result


def token(entries):
    [text] = [text for name, text in entries.items() if "-accesstoken-" in name]
    return json.loads(text)["secret"]


def exported():
    return token({item["name"]: item["value"] for item in state()["origins"][0]["localStorage"]})


def test_uses_the_cached_token(browser):
    page, sent = start(browser, state())
    result = signed_in(page)
    assert result["accessToken"] == exported() and sent() == [], (result, sent())
    page.reload()
    assert signed_in(page)["accessToken"] == exported() and sent() == [], sent()


def test_redeems_the_refresh_token_after_expiry(browser):
    page, sent = start(browser, state(expired))
    result = signed_in(page)
    assert result["accessToken"] != exported() and set(sent()) == {"token"}, (result, sent())


def test_without_tokens_it_asks_in_a_hidden_frame(browser):
    # The other tests see no such request.
    page, sent = start(browser, state(lambda key, entry: "accesstoken-" not in key and "refreshtoken-" not in key))
    expect(page.locator("#person")).to_have_text(re.compile("_"), timeout=20000)
    assert "authorize" in sent(), (sent(), page.locator("#person").inner_text())


def test_starts_from_session_storage(browser):
    with open("entries.json") as file:
        entries = json.load(file)
    page, sent = start(browser, None, entries)
    result = signed_in(page)
    assert result["accessToken"] == token(entries) and sent() == [], sent()


def test_is_signed_out_without_entries(browser):
    page, sent = start(browser, None)
    expect(page.locator("#person")).to_have_text("signed out", timeout=20000)
    assert sent() == [], sent()
