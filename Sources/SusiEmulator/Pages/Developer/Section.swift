/// A part of a developer's page that can be folded. One that is open at first is folded where the window is narrow.
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
