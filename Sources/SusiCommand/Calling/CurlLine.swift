import Susi

/// The command line of curl that sends a call, with a command in the token's place: no token stands in an argument list
/// that was printed or kept.
struct CurlLine {
    /// What is sent.
    let call: APICall
    /// The command that prints the token.
    let tokenCommand: String
    /// What `-d` named.
    var data: String?
    /// Whether the head is printed too.
    var includesHead = false
    /// The file for the body.
    var output: String?

    /// One line for a POSIX shell.
    var text: String {
        var words = ["curl"]
        switch call.method {
        case "GET" where data == nil, "POST" where data != nil: break
        case "HEAD": words.append("--head")
        default: words += ["-X", call.method.shellWord]
        }
        if includesHead { words.append("-i") }
        words.append("-H \"Authorization: Bearer $(\(tokenCommand))\"")
        for header in call.headers { words += ["-H", "\(header.name): \(header.value)".shellWord] }
        // A text that begins with @ is no file here: `-d` took it for one.
        if let data { words += [data.hasPrefix("@") ? "--data-binary" : "--data-raw", data.shellWord] }
        if let output { words += ["-o", output.shellWord] }
        words.append(call.url.shellWord)
        return words.joined(separator: " ")
    }
}
