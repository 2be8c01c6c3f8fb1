import Bytes
package import Listings

/// The templates of a service, which are read and checked once at its start.
///
/// They correspond to nibs: a kind of row is rendered by the template of the same name, or else by
/// its own cells.
package struct TemplateSet: Sendable {
    private var rows: [String: Template] = [:]
    private var cells: [String: [String: Template]] = [:]
    private var headers: [String: Template] = [:]
    private var footers: [String: Template] = [:]
    /// The names and texts of the files, sorted by name, because rendered pages depend on them.
    package private(set) var files: [String] = []

    package init() {}

    package init(
        _ files: [String: String],
        kinds: [String: [Column]]
    ) throws(TemplateErrors) {
        var errors: [TemplateError] = []
        for (file, text) in files.sorted(by: { $0.key < $1.key }) {
            func refuse(_ fault: TemplateError.Fault) {
                errors.append(TemplateError(file: file, line: 1, column: 1, fault: fault))
            }
            self.files += [file, text]
            guard file.hasSuffix(".html"), file.count > 5 else {
                refuse(.strangeName)
                continue
            }
            let name = String(file.dropLast(5))
            if let id = name.removingPrefix("header-") {
                headers[id] = Self.read(file, text, columns: nil, &errors)
            } else if let id = name.removingPrefix("footer-") {
                footers[id] = Self.read(file, text, columns: nil, &errors)
            } else if let columns = kinds[name] {
                rows[name] = Self.read(file, text, columns: columns, &errors)
            } else if let (kind, column) = Self.cell(name, among: kinds) {
                let template = Self.read(file, text, columns: kinds[kind], &errors)
                cells[kind, default: [:]][column] = template
            } else {
                refuse(.unknownKind(name))
            }
        }
        guard errors.isEmpty else { throw TemplateErrors(errors: errors) }
    }

    package init(
        _ files: [String: String] = [:],
        of controllers: [RegistrationSummary]
    ) throws(TemplateErrors) {
        var all = files
        for summary in controllers { all.merge(summary.templates) { file, _ in file } }
        try self.init(all, kinds: Self.kinds(of: controllers))
    }

    private static func cell(
        _ name: String,
        among kinds: [String: [Column]]
    ) -> (kind: String, column: String)? {
        for (kind, columns) in kinds {
            guard let column = name.removingPrefix(kind + ".") else { continue }
            if columns.contains(where: { $0.id == column }) { return (kind, column) }
        }
        return nil
    }

    /// Returns the columns of each kind of row; lists with rows of one kind may differ in them.
    package static func kinds(of controllers: [RegistrationSummary]) -> [String: [Column]] {
        var kinds: [String: [Column]] = [:]
        for summary in controllers {
            for kind in summary.kinds {
                let known = kinds[kind] ?? []
                kinds[kind] =
                    known
                    + summary.columns.filter { column in !known.contains { $0.id == column.id } }
            }
        }
        return kinds
    }

    package func listing(of controllers: [RegistrationSummary]) -> [String] {
        controllers.flatMap { summary in
            summary.kinds.map { kind in
                let template = rows[kind] == nil ? "its own cells" : "\(kind).html"
                return "\(summary.model) → \(summary.controller) → \(kind) → \(template)"
            }
        }
    }

    package func hasRow(_ kind: String) -> Bool { rows[kind] != nil }

    var hasRows: Bool { !rows.isEmpty }

    var hasCells: Bool { !cells.isEmpty }

    func row(_ kind: String) -> Template? { rows[kind] }

    func cells(_ kind: String) -> [String: Template] { cells[kind] ?? [:] }

    func header(_ section: SectionID) -> Template? { find(section, in: headers) }

    func footer(_ section: SectionID) -> Template? { find(section, in: footers) }

    private func find(_ section: SectionID, in templates: [String: Template]) -> Template? {
        guard !templates.isEmpty else { return nil }
        return templates[PercentEncoding.encode(section.rawValue, for: .scriptComponent)]
    }

    private static func read(
        _ file: String,
        _ text: String,
        columns: [Column]?,
        _ errors: inout [TemplateError]
    ) -> Template? {
        var names: [String: Template.Name] = ["id": .id, "link": .link]
        let ids = columns?.map(\.id) ?? []
        if columns == nil {
            names["title"] = .title
            names["count"] = .count
        }
        for (position, id) in ids.enumerated() {
            // A column named `link` is available only by its longer name.
            if names[id] == nil { names[id] = .column(position) }
            names["cells.\(id)"] = .column(position)
        }
        let known = ids + (columns == nil ? ["id", "link", "title", "count"] : ["id", "link"])
        var reader = TemplateReader(file: file, text: text, names: names, known: known)
        let pieces = reader.read()
        errors += reader.errors
        return pieces.map { Template(pieces: $0, columns: ids) }
    }
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
    }
}
