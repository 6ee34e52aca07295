import Susi

/// The command line of curl that sends the same request as a call, with the token through a pipe: other users of the machine
/// can read an argument list.
struct CurlLine {
    /// What is sent.
    let call: APICall
    /// The command that prints the token as a header.
    let headerCommand: String
    /// What `-d` named.
    var data: String?
    /// Whether the head is printed too.
    var includesHead = false
    /// The file for the body.
    var output: String?

    // Names of standard input beside `-`.
    private static let standardInput = ["@-", "@/dev/stdin", "@/dev/fd/0", "@/proc/self/fd/0"]

    /// A command line for a shell. All words are quoted, and nothing in the line controls a terminal.
    var text: String {
        // -g: brackets and braces in an address are not a pattern.
        var words = ["curl", "-g", "-H", "@-"]
        words += method + headers + body
        if includesHead { words.append("-i") }
        if let output { words += ["-o", output.shellWord] }
        words.append(call.url.shellWord)
        let line = "\(headerCommand) | \(words.joined(separator: " "))"
        return readsInput ? "{ \(line); } 4<&0" : line
    }

    // curl reads the header from standard input, so the body needs another descriptor.
    private var readsInput: Bool { data.map(Self.standardInput.contains) ?? false }

    // Without bytes there is nothing to hand to curl.
    private var hasBody: Bool { !(data ?? "").isEmpty }

    private var method: [String] {
        switch call.method {
        case "GET" where !hasBody, "POST" where hasBody: []
        case "HEAD": ["--head"]
        default: ["-X", call.method.shellWord]
        }
    }

    // Removes the headers that curl adds.
    private var headers: [String] {
        var words: [String] = []
        for (name, value) in call.headers {
            // For curl, “Name:” removes a header, and “Name;” sends an empty one.
            words += ["-H", (value.isEmpty ? "\(name);" : "\(name): \(value)").shellWord]
        }
        if !call.headers.contains(where: { $0.name.lowercased() == "user-agent" }) { words += ["-A", "''"] }
        if hasBody, data?.hasPrefix("@") ?? false { words += ["-H", "Expect:"] }
        // RFC 9110 section 8.6: sent with methods that usually have a body.
        if !hasBody, !["GET", "HEAD", "DELETE"].contains(call.method) { words += ["-H", "'Content-Length: 0'"] }
        return words
    }

    private var body: [String] {
        guard hasBody, let data else { return [] }
        if readsInput { return ["--data-binary", "@/dev/fd/4"] }
        return [data.hasPrefix("@") ? "--data-binary" : "--data-raw", data.shellWord]
    }
}
