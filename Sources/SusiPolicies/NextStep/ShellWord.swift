extension String {
    /// The text as one word for a POSIX shell: a command that is shown to be typed must do what it says, whatever a name
    /// in it holds.
    public var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "@%_-+=:,./".utf8.contains(byte)
            }
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
