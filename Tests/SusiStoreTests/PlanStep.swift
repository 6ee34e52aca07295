import SusiSQLite

/// A step of a query plan, as facts. This is the only code that reads the text of `EXPLAIN QUERY PLAN`, which differs between
/// versions of SQLite.
struct PlanStep: Equatable, CustomStringConvertible {
    /// Rows are read one after another, without a search.
    var scans = false
    /// Rows are sorted or collected first.
    var sorts = false
    /// The name of the table in the query; empty for a step that reads none.
    var table = ""
    /// The index; nil for the primary key.
    var index: String?
    /// Whether the index contains every column that is read.
    var isCovering = false
    /// The comparisons by which the rows are searched, for example `tenant=?`.
    var compared: [String] = []

    /// Reads one line of a plan.
    init(_ line: String) {
        description = line
        sorts = line.contains("TEMP B-TREE")
        let step = #/(SEARCH|SCAN) (?:TABLE )?(\w+)(?: AS (\w+))?(?: USING (.*))?/#
        guard let match = line.wholeMatch(of: step) else { return }
        scans = match.1 == "SCAN"
        table = String(match.3 ?? match.2)
        guard let using = match.4 else { return }
        index = using.firstMatch(of: #/\bINDEX (\w+)/#).map { String($0.1) }
        isCovering = using.contains("COVERING INDEX")
        if let comparisons = using.firstMatch(of: #/\((.+)\)/#)?.1 {
            compared = comparisons.split(separator: " AND ").map(String.init)
        }
    }

    let description: String
}

extension Connection {
    /// Returns the plan of a query, without the steps that only head others.
    func plan(of sql: String) throws -> [PlanStep] {
        let places = sql.count { $0 == "?" }
        let steps = try rows("EXPLAIN QUERY PLAN \(sql)", Array(repeating: .null, count: places)) {
            PlanStep(try $0.text(3))
        }
        return steps.filter { !$0.table.isEmpty || $0.sorts }
    }
}
