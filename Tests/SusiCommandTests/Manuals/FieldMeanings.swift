/// What the fields of JSON results mean.
enum FieldMeanings {
    /// The titles of what several results share.
    static let account = "the account in results"
    static let error = "the error of every command"

    /// Fields that no session of the test has.
    static let rare: [(path: String, place: String, meaning: String)] = [
        ("apiVersion", "`token -f exec-credential`", "kubectl’s own format"),
        ("status.expirationTimestamp", "`token -f exec-credential`", "when the token expires, for kubectl"),
        ("damaged[].entry", "`import`", "the damaged entry, with `reason`"),
        ("keptUntil", "`store status`", "until when the key stays unlocked"),
        ("keyringRefusal", "`store status`", "why the kernel keyring is unavailable"),
        ("problem", "`init`, `store status`", "what is wrong, with `what`, `why` and `next`"),
        ("rehearsalOf", "`status --rehearse`", "the tenant whose local copy is used"),
        ("error.server.suberror", "an error", "the service’s more exact code"),
        ("username", "the account, in Entra ID and External ID", "the user name"),
    ]

    /// Objects whose members a server or a file names.
    static let foreign: Set = ["claims", "header", "endpoints"]

    static let introduction = """
        # JSON results

        Every field that a command prints with `--json`.

        ## Overview

        A result is one JSON object on standard output, an error one on standard error. `schemaVersion` is 1, but 2 for
        `import`, `policies explain`, `remove`, `sign-out` and `status`; it changes when a field changes its meaning or goes. New fields may come: ignore
        those that you do not know. A field without a value is left out. A time is an object with `epoch` (seconds since
        1970) and `rfc3339`. This page is made from what the commands print.

        """

    /// Returns the meaning of a field in the results of a command.
    static func meaning(of path: String, in title: String) -> String? {
        let name = path.replacing("[]", with: "").split(separator: ".").last.map(String.init) ?? ""
        return special["\(title): \(path)"] ?? special[path] ?? usual[name]
    }

    private static let special = [
        "emulator trust: steps[].command": "the command to run",
        "emulator trust: steps[].program": "which program trusts it then",
        "emulator trust: steps[].note": "what else to know", "hasMore": "whether `--limit` left some out",
        "hiddenAccounts": "the number of stored accounts that only `--all` lists",
        "status: policies[].account": "the account that commands use", "places[].origin": "the server",
        "policies trust: places[].origin": "the server",
        "policies trust: places[].key": "where the policies file names it",
        "compare: first.account": "the account", "compare: second.account": "the account",
        "import: taken[].account": "the new account",
        "inspect --for-api: rules[].outcome": "`met`, `broken` or `open`: not checked, or not for every request",
        "compare: rules": "the rules of an API for the first account that the second one’s tokens do not meet",
        "compare: rules[].outcome": "`broken`, or `open` if an API may ignore it",
        "policies": "the policies, in the order of the file", "policies.kind": "the kind of the policy",
        "account": "the account", "accounts": "the number of accounts", "token -f json: account": "the account’s label",
        "call --dry-run: account": "the account’s label", "call --dry-run: token": "how long the token is valid",
        "accounts: accounts": "the accounts, sorted by policy and label", "tokens": "the number of tokens",
        "\(account): tokens": "the stored tokens; never their text",
        "\(account): tokens[].kind": "`access`, `refresh` or `id`",
        "\(account): name": "the display name", "\(account): label": "the name to type: email, user name or identifier",
        "import: taken[].error": "why the server refused it", "key": "what encrypts the store",
        "status: policies[].signedOut": "the account that was signed out last",
        "status: policies[].previous": "the account that `switch -` chooses",
        "status: profile": "the profile from the provider",
        "status: policies[].claims": "the claims of the newest id token",
        "status: profile.claims": "the profile’s claims",
        "status: policies[].accounts": "the number of accounts under the policy",
        "switch: previous": "the account that was current before", "explain: codes[].code": "the code",
        "\(error): error.code": "the kind of error, for programs", "\(error): error.server": "the server’s own error",
        "\(error): error.server.code": "its code, such as `AADB2C90118`",
        "\(error): error.server.error": "the OAuth error",
        "policies trust: files": "the trusted files", "policies trust: places": "where tokens may go",
        "inspect --for-api: rules": "each rule", "rules[].found": "the value found",
        "rules[].codes": "the codes of the rule in an API’s log", "rules[].changes": "the possible changes",
        "rules[].changes[].place": "where to change it: `api`, `tenant` or `client`",
        "rules[].changes[].text": "the change",
        "idTokens.first": "`jwt`, `encrypted` or `opaque`", "idTokens.second": "the same of the second account",
        "accessTokens.first": "`jwt`, `encrypted` or `opaque`", "accessTokens.second": "the same of the second account",
        "inspect: header": "the header of the token", "inspect: claims": "the claims of the token",
        "inspect: signature": "`valid`, `invalid` or why it was not checked",
        "emulator trust: name": "the name of the certificate",
        "compare: first": "the first account with its tokens", "compare: second": "the second account with its tokens",
        "compare: first.kind": "the kind of authority", "compare: second.kind": "the kind of authority",
    ]

    private static let usual = [
        "access": "whether the key is available: `open`, `locked` or why not", "accessToken": "the access token",
        "accessTokens": "the comparison of the access tokens",
        "accessTokensValidUntil": "until when access tokens go on working",
        "accounts": "the number of accounts", "add": "what would have to be added to policies.json",
        "added": "the number of new accounts", "address": "the address that was explained",
        "allowedBy": "the entry of knownAuthorities that allows the authority", "api": "the API", "apis": "the APIs",
        "application": "the application of policies.json", "applicationWhy": "why it is used",
        "applications": "the applications",
        "authority": "the address of the authority", "baseUrl": "the address of the API",
        "bodyBytes": "the length of the body",
        "browserSessions": "the sessions in the browser, by policy", "bytes": "the size in bytes",
        "candidates": "names that would have been valid", "cause": "the usual cause",
        "check": "the result of the check", "checks": "each check",
        "claims": "the claims", "claimsRead": "when the profile was read last", "clientId": "the client ID",
        "clockSkewSeconds": "how far this machine’s clock is ahead", "code": "the code",
        "codes": "the codes found in the text",
        "configuration": "the address of the OpenID configuration", "consequence": "what a program does with it",
        "correlationId": "the identifier for the provider’s support", "counts": "whether a difference counts",
        "current": "the accounts that are current now", "currentEnded": "the policies without a current account now",
        "damaged": "entries that cannot be read", "declinedScopes": "the scopes that were declined",
        "doesNotProtectAgainst": "what the key does not protect against",
        "dropped": "the number of removed records", "droppedNames": "the removed records",
        "emails": "the email addresses",
        "identityProvider": "where the person signs in, if the claims tell (`idp`)",
        "endedEarlierOne": "whether an interrupted repair was finished", "endpoints": "the endpoints, by name",
        "entries": "each account of the export", "entry": "the entry", "error": "the error",
        "exitCode": "the exit code",
        "expires": "when it expires", "file": "the file",
        "findings": "what was found", "first": "the value of the first account", "form": "the form of the value",
        "format": "the format of the file", "goodAccounts": "the number of accounts without damage",
        "granted": "the granted scopes",
        "grantedScopes": "the granted scopes", "header": "the header",
        "headers": "the request headers",
        "hints": "further hints", "holdsKey": "whether the file contains the key; never",
        "homeAccountId": "the identifier, as in MSAL",
        "hosts": "the names of the server", "idTokens": "the comparison of the id tokens",
        "includesAccessTokens": "whether access tokens are revoked too",
        "isAccepted": "whether the API accepts the token",
        "isAllowed": "whether the authority may be contacted", "isCompared": "whether both could be read",
        "isComplete": "whether every rule was checked", "isCurrent": "whether commands use it without a name",
        "isDamaged": "whether its tokens cannot be decrypted", "isDefault": "whether it is the default policy",
        "isDryRun": "whether nothing was changed", "isErased": "whether the old content was overwritten",
        "isFine": "whether no problem was found", "isGood": "whether nothing is damaged",
        "isKindCertain": "whether the kind is certain",
        "isKnown": "whether the authority is allowed",
        "isOwnAuthority": "whether it is the application’s own authority",
        "isShared": "whether one person at a time may use the store",
        "isSame": "whether there is no difference", "isTrusted": "whether the new file is trusted",
        "inNoApplication": "the number of accounts that belong to no application of policies.json",
        "isValid": "whether all checks passed",
        "issuer": "the issuer", "keptAside": "the old store, kept under another name",
        "keptUntil": "until when the key stays open",
        "key": "the key", "keyId": "the identifier of the key", "keySource": "where the key is kept",
        "keyringRefusal": "why the kernel keyring is unavailable", "keys": "the addresses of the signing keys",
        "kind": "the kind of authority or policy", "label": "the account’s label",
        "leftOut": "entries that cannot be taken, with the reason",
        "lost": "what was left out", "lostCount": "the number of lost rows", "meaning": "what it means",
        "method": "the HTTP method",
        "missingEntry": "the entry that would allow it", "name": "the name",
        "next": "the command to type next", "notAfter": "when the certificate expires",
        "notChecked": "policies that were not checked",
        "notUsed": "settings that were not used", "offers": "what the provider offers", "on": "when",
        "origins": "where each value was found",
        "otherApplications": "other applications with removed accounts",
        "otherPolicies": "policies that keep an account of the person",
        "others": "the accounts of the same person under other policies",
        "outcome": "what became of it", "path": "the path of the file", "persons": "the number of people",
        "places": "the places",
        "policiesFile": "the policies file in use", "policy": "the policy", "policyWhy": "why it is used",
        "previous": "the account before",
        "problem": "what is wrong", "problems": "what is wrong, with what and why", "profile": "the profile",
        "protectsAgainst": "what the key protects against",
        "reason": "the reason", "redirectAddresses": "the addresses to register",
        "rehearsalOf": "the tenant whose local copy is used",
        "remainingAccounts": "the number of stored accounts that are left",
        "remarks": "what the API’s settings leave open",
        "removed": "the removed accounts", "resealed": "the number of values with the new key", "result": "the result",
        "revocations": "the revoked sessions, by policy", "role": "the role of the address", "rule": "the rule",
        "schema": "the version of the store’s tables", "scopes": "the scopes",
        "second": "the value of the second account",
        "server": "the server", "sha256": "the SHA-256 checksum", "signature": "the signature",
        "signatureReason": "why the signature is not valid",
        "signedBy": "the key that signed it", "signedIn": "when the person signed in last",
        "signedOut": "the signed-out account",
        "signingAlgorithms": "the signature algorithms", "size": "the size in bytes",
        "source": "where it comes from", "status": "the status",
        "step": "the step that failed", "steps": "how to trust it", "store": "the store’s file",
        "subject": "the person’s identifier in the tenant", "suberror": "the service’s suberror",
        "taken": "entries that were taken over",
        "tenant": "the tenant", "tenantId": "the tenant’s identifier", "text": "the text",
        "timestamp": "the time of the error",
        "toAllow": "what to add to policies.json", "toDo": "what to do", "token": "the token",
        "tokenType": "always `Bearer`", "tokens": "the tokens",
        "unchanged": "the number of accounts that were equal", "unknown": "codes that are not known",
        "updated": "the number of newer accounts",
        "updatedPolicies": "policies whose claims are fresh now",
        "stalePolicies": "policies whose claims could not be read again",
        "url": "the address", "usableKeys": "the number of keys that susi can use", "username": "the user name",
        "uses": "the policies that use it",
        "value": "the value", "wanted": "the value that the API accepts", "wasGood": "whether nothing was damaged",
        "wasOpen": "whether the store was unlocked",
        "what": "what happened",
        "why": "the reason", "withoutRefreshToken": "entries without a refresh token",
    ]
}
