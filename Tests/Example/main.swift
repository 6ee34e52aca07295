import FoundationEssentials
import Susi

// LibraryExample POLICIES FOLDER BROWSER
let words = CommandLine.arguments.dropFirst()
guard words.count == 3, let application = try PoliciesFile(path: words[1]).application(nil) else {
    throw SusiError(.unknownName, "no policy to sign in with")
}
let client = PublicClient(
    application: application, folder: StoreFolder(words[2]), clock: { Int64(Date().timeIntervalSince1970) })

do {
    // Opens the sign-in page once.
    let surface = SignInSurface(browser: SystemBrowser(commands: [[words[3]]]))
    let account = try await client.signIn(SignInRequest(), through: surface).account
    print("signed in as \(account.label)")

    // Needs no browser from now on: the token is cached or refreshed.
    let token = try await client.token(api: "hello", of: AccountSelection())
    print("a token for \(token.info.scopes)")

    let call = try CallRequest(api: "hello").resolved(in: application)
    let head = try await client.call(call, of: AccountSelection()) { _, piece in
        if let piece { print(String(decoding: piece, as: UTF8.self)) }
    }
    print("the API answered \(head.status)")

    _ = try await client.remove(account)
    print("removed")
} catch {
    print(error.what, error.why, error.next, separator: "\n")
}
