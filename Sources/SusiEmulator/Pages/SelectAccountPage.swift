import SusiBase
import SusiPolicies

/// Lets the user choose one of the accounts with a session in this browser (`prompt=select_account`).
enum SelectAccountPage {
    static func page(_ transaction: Transaction, _ users: [User]) -> Response {
        let words = transaction.words
        return transaction.page(
            words[.chooseAccount], lead: words[.toContinueWith, words.name(of: transaction.endpoint.tenant)],
            """
            <form method="post" class="asks accounts" action="\(transaction.endpoint.page("select-account"))">
            \(transaction.hiddenFields)
            \(AccountButton.all(users, words))
            <button class="quiet" id="another" name="another" value="1" type="submit">\(words[.anotherAccount])</button>
            <button class="quiet" id="cancel" name="cancel" value="1" type="submit">\(words[.cancel])</button>
            </form>
            """)
    }

    static func submit(_ transaction: inout Transaction) throws -> Response {
        guard let objectID = transaction.context.form["account"] else { return try transaction.entryPage(name: nil) }
        guard let chosen = try transaction.browser.all().first(where: { $0.session.user.objectID == objectID }) else {
            throw PageError.ended
        }
        return try transaction.page(for: chosen, name: chosen.session.user.signInName, isChosen: true)
    }
}

/// A button for each of some users, with the name and the address.
enum AccountButton {
    static func all(_ users: [User], _ words: Words) -> HTML {
        HTML(
            users.enumerated().map { index, user in
                HTML(
                    """
                    <button class="quiet account" id="account\(String(index + 1))" name="account" value="\(user.objectID)" \
                    type="submit"><span class="aside-name">\(words[.continue])</span>
                    <bdi>\(DisplayText.safe(user.displayName))</bdi> \
                    <bdi class="detail">\(DisplayText.safe(user.signInName))</bdi></button>
                    """)
            })
    }
}
