import SusiJourneys

/// Fields with choices.
extension JourneyFields {
    func labelled(_ field: PageField, _ content: HTML) -> HTML {
        let error: HTML? = field.error.map {
            "<p class=\"error itemLevel show\" id=\"\(field.claim)-error\" role=\"alert\">\($0)</p>"
        }
        return """
            <div class="field\(field.isRequired ? " needed" : "")">
            <label for="\(field.claim)">\(field.label)</label>
            \(content)
            \(error)
            </div>
            """
    }

    func select(_ id: String, _ name: String, _ field: PageField) -> HTML {
        let options = field.options.map { option -> HTML in
            let isChosen = field.value.isEmpty ? option.isDefault : option.value == field.value
            return "<option value=\"\(option.value)\"\(isChosen ? " selected" : "")>\(option.text)</option>"
        }
        return """
            <select id="\(id)" name="\(name)" autocomplete="off">
            <option value="">\(words[.pleaseChoose])</option>
            \(HTML(options))
            </select>
            """
    }

    func group(_ field: PageField, _ name: String) -> HTML {
        let isSingle = field.input == "RadioSingleSelect"
        let chosen = isSingle ? [field.value] : field.value.split(separator: ",").map(String.init)
        let options = field.options.enumerated().map { index, option -> HTML in
            let isChosen = field.value.isEmpty ? option.isDefault : chosen.contains(option.value)
            let id = "\(field.claim)_\(option.value)"
            return """
                <div class="check"><input id="\(id)" name="\(isSingle ? name : "\(name):\(index)")" \
                type="\(isSingle ? "radio" : "checkbox")" value="\(option.value)" autocomplete="off"\(isChosen ? " checked" : "")>
                <label for="\(id)">\(option.text)</label></div>
                """
        }
        let error: HTML? = field.error.map { "<p class=\"error itemLevel show\" role=\"alert\">\($0)</p>" }
        return """
            <fieldset id="\(field.claim)" class="choices"><legend>\(field.label)</legend>
            \(HTML(options))\(error)
            </fieldset>
            """
    }

    // Three lists, as in the service.
    func date(_ field: PageField, _ name: String) -> HTML {
        let parts = field.value.prefix(10).split(separator: "-").map(String.init)
        let rows: [(String, [Int], Int)] = [
            ("day", Array(1...31), 2), ("month", Array(1...12), 1), ("year", Array((1900...2100).reversed()), 0),
        ]
        let lists = rows.map { part, numbers, index -> HTML in
            let value = parts.count == 3 ? parts[index] : ""
            let options = numbers.map { number -> HTML in
                let text = number < 10 ? "0\(number)" : "\(number)"
                return "<option\(text == value ? " selected" : "")>\(text)</option>"
            }
            let id = "\(field.claim)_\(part)"
            return """
                <label class="aside-name" for="\(id)">\(field.label): \(part)</label>
                <select id="\(id)" name="\(name)_\(part)" autocomplete="off">
                <option value=""></option>\(HTML(options, between: ""))
                </select>
                """
        }
        let error: HTML? = field.error.map { "<p class=\"error itemLevel show\" role=\"alert\">\($0)</p>" }
        return "<fieldset id=\"\(field.claim)\"><legend>\(field.label)</legend>\(HTML(lists))\(error)</fieldset>"
    }
}
