import SusiBase

/// Checks the head of a file: tenant, name, base, and placeholders that are still there.
enum FileCheck {
    static func problems(of file: PolicyFile, in folder: PolicyFolder) -> ProblemList {
        var problems = ProblemList()
        checkBase(of: file, folder, &problems)
        if !file.key.hasPrefix("b2c_1a_"), !file.policyID.isEmpty, !file.policyID.contains("{") {
            problems.add(.wrongPrefix(file.policyID), at: file.root, "PolicyId")
        }
        if let tenant = file.root["TenantId"], Placeholder.isOne(tenant), PolicySettings.names(in: tenant).isEmpty {
            problems.add(.placeholder(tenant), at: file.root, "TenantId")
        }
        var found: [(Element, String)] = []
        file.root.forEach { element in
            for text in [element.text, element["DefaultValue"] ?? ""] where Placeholder.known.contains(text) {
                found.append((element, text))
            }
        }
        for (element, text) in found { problems.add(.placeholder(text), at: element) }
        return problems
    }

    private static func checkBase(of file: PolicyFile, _ folder: PolicyFolder, _ problems: inout ProblemList) {
        guard let base = file.base, let id = file.baseID else { return }
        if let tenant = base.text(of: "TenantId"), let own = file.root["TenantId"],
            tenant.lowercased() != own.lowercased()
        {
            problems.add(.otherTenant(own, tenant), at: base.child("TenantId") ?? base)
        }
        guard let found = folder.base(of: file) else {
            let (place, others) = (base.child("PolicyId") ?? base, folder.files(named: id).map(\.path))
            guard others.isEmpty else { return problems.add(.severalBases(id, others), at: place) }
            let near = NearMatch.of(id, in: folder.policyIDs.filter { $0 != file.policyID })
            return problems.add(.noBase(id, near), at: place)
        }
        guard let tenant = found.root["TenantId"], let named = base.text(of: "TenantId"),
            let own = file.root["TenantId"],
            tenant.lowercased() != named.lowercased(), named.lowercased() == own.lowercased()
        else { return }
        problems.add(.otherTenant(own, tenant), at: base.child("TenantId") ?? base)
    }
}
