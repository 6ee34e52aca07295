/// The text of a file after `{Settings:…}` is replaced, with the lines of the file as it was written.
struct SourceText: Sendable {
    let bytes: [UInt8]
    private var pieces: [Piece] = []
    private let lineStarts: [Int]

    // A part of the replaced text. All of an inserted value is where the setting is named.
    private struct Piece {
        let offset: Int
        let original: Int
        let isInserted: Bool
    }

    init(_ original: [UInt8], replacing values: [(range: Range<Int>, value: [UInt8])] = []) {
        var (bytes, end) = ([UInt8](), 0)
        for (range, value) in values {
            pieces.append(Piece(offset: bytes.count, original: end, isInserted: false))
            bytes += original[end..<range.lowerBound]
            pieces.append(Piece(offset: bytes.count, original: range.lowerBound, isInserted: true))
            bytes += value
            end = range.upperBound
        }
        pieces.append(Piece(offset: bytes.count, original: end, isInserted: false))
        self.bytes = bytes + original[end...]
        lineStarts = [0] + original.indices.filter { original[$0] == 0x0a }.map { $0 + 1 }
    }

    /// Returns line and column in the original of a place in the replaced text; both count from 1, columns in bytes.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let piece = pieces[Self.last(of: pieces.count) { pieces[$0].offset <= offset }]
        let original = piece.isInserted ? piece.original : piece.original + offset - piece.offset
        let line = Self.last(of: lineStarts.count) { lineStarts[$0] <= original }
        return (line + 1, original - lineStarts[line] + 1)
    }

    // The last index for which a condition holds that holds for the first ones.
    private static func last(of count: Int, _ holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
