import HTTPTypes

/// The numbers in a query of the sample API. Those out of range count as missing: initializers of libraries trap on them.
struct HelloQuery {
    let query: Parameters

    var bytes: Int { number("bytes", 0...1 << 30) ?? 1 << 20 }
    var delay: Duration { .milliseconds(number("milliseconds", 0...3_600_000) ?? 1_000) }
    var redirect: HTTPResponse.Status { HTTPResponse.Status(code: number("status", 300...399) ?? 307) }
    var status: HTTPResponse.Status { HTTPResponse.Status(code: number("code", 200...599) ?? 500) }

    private func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        query[name].flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }
}
