/// A section of a developer's page that can be folded. In a narrow window all but the first one start folded.
struct Section {
    let id: String
    let title: String
    var isOpen = false
    let content: HTML

    var html: HTML {
        let state: HTML? = isOpen ? " open" : nil
        return """
            <details class="fold" id="\(id)"\(state)><summary><h2>\(title)</h2></summary>
            \(content)
            </details>
            """
    }
}
