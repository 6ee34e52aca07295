extension String {
    /// Whether the text contains only characters of a token: visible ASCII and the space (RFC 6749 A.12 and A.17).
    /// Other characters could end a header or a line.
    package var isTokenText: Bool { utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
