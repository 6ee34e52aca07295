import Susi

func greeting(
    _ application: Application, _ folder: StoreFolder, _ browser: any Browser,
    _ clock: @escaping @Sendable () -> Int64
) async throws -> String {
    let client = PublicClient(application: application, folder: folder, clock: clock)
    if try await client.accounts().isEmpty {
        _ = try await client.signIn(SignInRequest(), through: SignInSurface(browser: browser))
    }
    let token = try await client.token(api: "hello", of: AccountSelection())
    let head = try await client.call(CallRequest(api: "hello"), of: AccountSelection()) { _, _ in }
    return "\(token.account.label): \(head.status)"
}
