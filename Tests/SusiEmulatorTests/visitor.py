"""Fills in the emulator's pages in place of a person, with cookies and without scripts.

usage: visitor.py URL [NAME=VALUE ...]     goes on until a page has no form
"""

import html.parser
import sys
import urllib.parse

import requests


class FormReader(html.parser.HTMLParser):
    """The first form of a page."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes["action"]
        elif tag == "input" and "name" in attributes:
            self.fields[attributes["name"]] = attributes.get("value", "")


# The names of the sign-in page's fields at External ID and Entra ID.
MICROSOFT = {"loginfmt": "signInName", "passwd": "password"}
ANA = {"signInName": "ana@contoso.example", "password": "Passw0rd!"}


def visit(url, answers=ANA, until=None):
    """Opens `url` and submits forms until one leads to an address that begins with `until`.

    Returns that address's fields, from its query or from the form that would go there.
    """
    browser, last = requests.Session(), None
    answer = browser.get(url, allow_redirects=False)
    while True:
        if answer.is_redirect:
            target = urllib.parse.urljoin(answer.url, answer.headers["Location"])
            if until and target.startswith(until):
                return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(target).query))
            answer = browser.get(target, allow_redirects=False)
            continue
        answer.raise_for_status()
        form = FormReader(answer.text)
        if form.action is None:
            if until:
                raise RuntimeError(f"it ended at {answer.url}: {answer.text}")
            return {}
        target = urllib.parse.urljoin(answer.url, form.action)
        fields = {name: answers.get(MICROSOFT.get(name, name), value) for name, value in form.fields.items()}
        if until and target.startswith(until):
            return fields
        if (target, fields) == last:
            raise RuntimeError(f"the page came again: {answer.text}")
        last = (target, fields)
        answer = browser.post(target, fields, allow_redirects=False)


if __name__ == "__main__":
    visit(sys.argv[1], dict(pair.split("=", 1) for pair in sys.argv[2:]) or ANA)
