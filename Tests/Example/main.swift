import Susi

let client = try PublicClient(policies: "policies.json")
let account = try await client.signIn().account
print("signed in as \(account.label)")

let token = try await client.token(api: "hello")
print("token: \(token.secret)")

let (head, body) = try await client.call(CallRequest(api: "hello"))
print("\(head.status): \(String(decoding: body, as: UTF8.self))")
for account in try await client.accounts() { print("\(account.label) under \(account.policy)") }
