"""usage: web_visit.py PAGE REDIRECT_URI: opens the page as Ana, signs in where it sends her, and expects the page with her object ID."""
import sys
import requests, visitor
page, redirect = sys.argv[1:]
browser = requests.Session()
first = browser.get(page, allow_redirects=False)
assert first.is_redirect, (first.status_code, first.text)
back = visitor.visit(first.headers["Location"], until=redirect)
last = browser.get(redirect, params=back)
assert last.status_code == 200 and last.text == "secret\n", (last.status_code, last.url, last.text)
assert last.headers["X-User"].startswith("a0a0a0a0-0000-4000-8000-000000000001"), last.headers
print("signed in; REMOTE_USER is", last.headers["X-User"])
