import SusiBase

// Codes that a page sends itself: the older verification of e-mail addresses, and phone factor.
extension JourneyRun {
    /// Sends a code to the address in a field (self-asserted-technical-profile, Verified.Email).
    mutating func sendEmailCode(_ claim: String, _ form: Form) throws -> Need? {
        let id = claim.lowercased()
        guard let field = form.allFields.first(where: { $0.id == id }), let page = state.page,
            needsVerification(field.entry, page), check(form, [field], isWhole: false), let address = form.values[id],
            !address.isEmpty
        else { return nil }
        return sendCode(id, .email, address, .page)
    }

    private mutating func sendCode(
        _ id: String, _ channel: CodeCall.Channel, _ address: String, _ rules: CodeRules
    ) -> Need? {
        guard let code = makeCode("\(channel.rawValue) \(address)", rules) else {
            show(message(rules.tooManyCodes, of: policy.profile(state.page?.profile)))
            return nil
        }
        state.page?.verified[id] = .sent
        state.page?.verifiedValues[id] = [id: address]
        work.sendsCode = true
        return .code(CodeCall(channel: channel, address: address, code: code))
    }

    mutating func verifyEmailCode(_ claim: String, _ answer: PageAnswer) {
        let id = claim.lowercased()
        guard let address = state.page?.verifiedValues[id]?[id] else { return }
        let failure = checkCode("email \(address)", answer.fields["verificationCode"] ?? "", .page)
        show(failure.map { message($0, of: nil) })
        if failure == nil { state.page?.verified[id] = .verified }
        note(state.page?.profile ?? "", "code for \(id): \(failure ?? "accepted")")
    }

    private static let phone = "number"

    /// Opens the page of phone factor: known numbers are verified, else a number is asked for
    /// (phone-factor-technical-profile).
    mutating func openPhone(_ page: OpenPage, _ profile: Profile) throws -> Need? {
        var page = page
        let numbers = try inputs(profile.inputClaims, of: profile).list.filter { $0.name.lowercased() != "userid" }
        page.options = numbers.map(\.value.text)
        guard !numbers.isEmpty || profile.isTrue("ManualPhoneNumberEntryAllowed") else {
            throw Failure.refusal(
                code: "AADB2C90145", "No phone number is provided, and the policy does not allow entering one.")
        }
        state.page = page
        note(profile.id, "page \(page.number)")
        return nil
    }

    func phoneItems(_ page: OpenPage) -> [PageItem] {
        let known = page.options.map { number in
            PageOption(
                text: "XXX-XXX-" + number.suffix(4), value: String(number.suffix(4)),
                isDefault: number == page.options.first)
        }
        var field = PageField(
            claim: Self.phone, label: "Phone Number", help: "", input: known.isEmpty ? "TextBox" : "RadioSingleSelect")
        field.options = known
        field.value = known.isEmpty ? page.values[Self.phone] ?? "" : ""
        field.isRequired = true
        field.verification = page.verified[Self.phone] ?? .open
        return [.field(field)]
    }

    mutating func submitPhone(_ answer: PageAnswer, _ profile: Profile) throws -> Need? {
        guard let page = state.page else { return nil }
        switch answer.action {
        case .sendCode:
            // A known number is never in the form, only its end.
            let text = answer.fields[Self.phone] ?? ""
            let known = page.options.first { $0.hasSuffix(text) } ?? page.options.first
            state.page?.values[Self.phone] = known == nil ? text : nil
            guard let number = known ?? PhoneNumber(text)?.text else {
                show(message("UserMessageIfInvalidFormat", of: profile))
                return nil
            }
            return sendCode(Self.phone, .phone, number, .phone)
        case .changeAddress: state.page?.verified[Self.phone] = nil
        case .verifyCode:
            guard let number = page.verifiedValues[Self.phone]?[Self.phone] else { return nil }
            let failure = checkCode("phone \(number)", answer.fields["verificationCode"] ?? "", .phone)
            if let failure {
                try failPage(message(failure, of: profile))
            } else {
                try closePhone(number, page, profile)
            }
        default: break
        }
        return nil
    }

    private mutating func closePhone(_ number: String, _ page: OpenPage, _ profile: Profile) throws {
        state.page = nil
        try finish(profile) { name in
            switch name.lowercased() {
            case "verified.officephone": .string(number)
            case "newphonenumberentered": page.options.isEmpty ? true : nil
            default: nil
            }
        }
        completeStep()
    }
}
