"""Judges the admin API by its own description: whether that is OpenAPI, whether each operation answers, and whether each
answer is what the description says. Shares no line with the emulator.

usage: admin_witness.py ORIGIN SECRET-FILE
"""

import sys
from functools import reduce
from urllib.parse import urljoin

import requests
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

ORIGIN, SECRET_FILE = sys.argv[1:3]
BASE = ORIGIN + "/admin/v1"
SECRET = {"Authorization": "Bearer " + open(SECRET_FILE).read().strip()}

document = requests.get(BASE + "/openapi.json", timeout=20).json()
validate(document)
assert document["openapi"].startswith("3.1."), document["openapi"]
assert urljoin(BASE, document["servers"][0]["url"]) == BASE, document["servers"]

operations = {
    operation["operationId"]: (method, path, operation)
    for path, methods in document["paths"].items()
    for method, operation in methods.items()
}
succeeded, answers = set(), 0


def resolved(node):
    if node is None or "$ref" not in node:
        return node
    return reduce(lambda found, name: found[name], node["$ref"].split("/")[1:], document)


def check(operation, response):
    """The answer is one that the description knows, down to its last member."""
    global answers
    described = resolved(operation["responses"].get(str(response.status_code)))
    assert described, (operation["operationId"], response.status_code, response.text)
    content = described.get("content")
    if content is None:
        assert response.content == b"", (operation["operationId"], response.text)
    else:
        kind = response.headers["content-type"].split(";")[0]
        assert list(content) == [kind], (operation["operationId"], kind)
        schema = {**content[kind]["schema"], "components": document["components"]}
        Draft202012Validator(schema).validate(response.json())
    answers += 1
    return response


def call(name, body=None, status=None, secret=True, query=None, **path):
    method, template, operation = operations[name]
    response = requests.request(
        method, BASE + template.format(**path), json=body, params=query, timeout=70, headers=SECRET if secret else {}
    )
    check(operation, response)
    if status is None:
        assert response.ok, (name, response.status_code, response.text)
        succeeded.add(name)
    else:
        assert response.status_code == status, (name, response.status_code, response.text)
    return response.json() if response.content else None


def first(name, member, **arguments):
    return call(name, **arguments)[member][0]


call("describe", secret=False)
call("listTenants")
eve = call("createUser", {"email": "eve@contoso.example", "phone": "+1 555 0100", "attributes": {"city": "Rom"}})
call("createUser", {"email": "eve@contoso.example"}, status=409)
call("createUser", {"colour": "red"}, status=400)
call("createUser", {"email": "sue@social.example", "identityProvider": "social.example"})
call("listUsers", query={"search": "contoso", "limit": 2})
call("getUser", id="eve@contoso.example")
call("getUser", id="unknown", status=404)
call("changeUser", {"displayName": "Eve", "phone": None}, id=eve["objectId"])
call("changeUser", {"lockedUntil": 253402300799}, id=eve["objectId"])
call("getUser", id=eve["objectId"])
call("changeUser", {"lockedUntil": None}, id=eve["objectId"])
call("changeUser", {"email": None}, id=eve["objectId"], status=400)
call("revokeUser", id=eve["objectId"])
call("listSessions")
call("endSession", id="A" * 43, status=404)
call("endSessions")
call("listMessages", query={"to": "eve@contoso.example", "wait": 1})
call("clearOutbox")
call("getClock")
call("setClock", {"offset": 60})
call("setClock", {"now": 1, "offset": 1}, status=400)
call("advanceClock", {"seconds": -30})
call("freezeClock", {"at": 1_900_000_000})
call("freezeClock")
call("resumeClock")
fault = call("addFault", {"endpoint": "token", "probability": 0.5, "status": {"code": 503, "retryAfter": 3}})
for kind in [{"delay": {"milliseconds": 1}}, {"drop": "body"}, {"malformed": "html"}]:
    call("addFault", {"endpoint": "api", "policy": "B2C_1_susi", "client": "x", "count": 2, **kind})
call("addFault", {"endpoint": "token", "delay": {"milliseconds": 1}, "drop": "body"}, status=400)
requests.post(ORIGIN + "/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token", timeout=20)
call("listFaults")
call("removeFault", id=fault["id"])
call("removeFault", id=fault["id"], status=404)
call("removeFaults")
signing = first("listKeys", "keys")
assert signing["state"] == "signing", signing
call("withdrawKey", id=signing["id"], status=409)
assert first("announceKey", "keys")["state"] == "next"
assert first("rotateKeys", "keys", body={})["state"] == "signing"
call("withdrawKey", id=signing["id"])
call("rotateKeys", {"withdraw": True})
requests.get(ORIGIN + "/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?client_id=x", timeout=20)
refused = first("listRequests", "requests", query={"status": 400})
assert refused["code"] == "AADB2C90068"
assert call("showJourney", id=refused["number"])["steps"] == []
call("showJourney", id=0, status=404)
call("clearRequests")
call("forgeToken", {"user": "eve@contoso.example", "flaws": ["withdrawnKey"], "claims": {"x": [1, None]}})
call("forgeToken", {"user": "eve@contoso.example", "kind": "id", "nonce": "n"})
call("forgeToken", {"user": "unknown"}, status=404)
call("forgeToken", {"user": "eve@contoso.example"}, query={"tenant": "none"}, status=404)
call("removeUser", id=eve["objectId"])
call("reset")

# A session has to exist before one can be ended: its 404 above is the answer, the tests in Swift see the other one.
assert set(operations) - succeeded == {"endSession"}, set(operations) - succeeded
for name, (_, template, operation) in operations.items():
    if operation.get("security") != []:
        call(name, secret=False, status=401, id="1")

print(f"admin: OpenAPI {document['openapi']}, {len(operations)} operations, {answers} answers as described")
