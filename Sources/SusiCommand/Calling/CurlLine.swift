import Susi

/// The command line of curl that sends a call, with the token through a pipe: an argument list could be read by everybody on
/// the machine.
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

    /// One line for a POSIX shell.
    var text: String {
        // A body from standard input needs that itself; the header then comes by another descriptor.
        let readsInput = data == "@-"
        var words = ["curl", "-H", readsInput ? "@/dev/fd/3" : "@-"]
        switch call.method {
        case "GET" where data == nil, "POST" where data != nil: break
        case "HEAD": words.append("--head")
        default: words += ["-X", call.method.shellWord]
        }
        if includesHead { words.append("-i") }
        for header in call.headers { words += ["-H", "\(header.name): \(header.value)".shellWord] }
        // A text that begins with @ is no file here: `-d` took it for one.
        if let data { words += [data.hasPrefix("@") ? "--data-binary" : "--data-raw", data.shellWord] }
        if let output { words += ["-o", output.shellWord] }
        words.append(call.url.shellWord)
        let line = words.joined(separator: " ")
        return readsInput ? "{ \(headerCommand) | \(line) 3<&0 <&4; } 4<&0" : "\(headerCommand) | \(line)"
    }
}
