import Susi
import SusiBase

/// A curl command that sends the same request as a call. The token goes through a pipe, because other users of the
/// machine can read an argument list.
struct CurlLine {
    let call: APICall
    /// The command that prints the token as an HTTP header.
    let headerCommand: String
    var data: String?
    /// Whether curl prints the response headers too.
    var includesHead = false
    /// The output file for the body.
    var output: String?

    // All spellings of standard input.
    private static let standardInput = ["@-", "@/dev/stdin", "@/dev/fd/0", "@/proc/self/fd/0"]

    /// One line for a shell. Every untrusted word is quoted, so the shell and the terminal interpret nothing.
    var text: String {
        // -g: curl must not expand brackets and braces in an address.
        var words = ["curl", "-g", "-H", "@-"]
        words += method + headers + body
        if includesHead { words.append("-i") }
        if let output { words += ["-o", output.shellWord] }
        words.append(call.url.shellWord)
        let line = "\(headerCommand) | \(words.joined(separator: " "))"
        guard readsInput || printedBody != nil else { return line }
        return "\(printedBody.map { "printf '\($0)' | " } ?? ""){ \(line); } 4<&0"
    }

    // curl reads the header from standard input, so the body needs another file descriptor.
    private var readsInput: Bool { data.map(Self.standardInput.contains) ?? false }

    // The format of `printf` for a body with control characters. A word would lose a line feed at its
    // end.
    private var printedBody: String? {
        data.flatMap { DisplayText.isHarmless($0) || $0.hasPrefix("@") ? nil : $0.shellEscapes }
    }

    // An empty body needs no option of curl.
    private var hasBody: Bool { !(data ?? "").isEmpty }

    private var method: [String] {
        switch call.method {
        case "GET" where !hasBody, "POST" where hasBody: []
        case "HEAD": ["--head"]
        default: ["-X", call.method.shellWord]
        }
    }

    // Removes the headers that curl would add.
    private var headers: [String] {
        var words: [String] = []
        for (name, value) in call.headers {
            // In curl, “Name:” removes a header and “Name;” sends an empty one.
            words += ["-H", (value.isEmpty ? "\(name);" : "\(name): \(value)").shellWord]
        }
        if !call.headers.contains(where: { $0.name.lowercased() == "user-agent" }) { words += ["-A", "''"] }
        if hasBody, data?.hasPrefix("@") ?? false || printedBody != nil { words += ["-H", "Expect:"] }
        // RFC 9110 section 8.6: methods that usually have a body send the length even without one.
        if !hasBody, !["GET", "HEAD", "DELETE"].contains(call.method) { words += ["-H", "'Content-Length: 0'"] }
        return words
    }

    private var body: [String] {
        guard hasBody, let data else { return [] }
        if readsInput || printedBody != nil { return ["--data-binary", "@/dev/fd/4"] }
        return [data.hasPrefix("@") ? "--data-binary" : "--data-raw", data.shellWord]
    }
}
