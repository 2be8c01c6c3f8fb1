import ListAPI
import Listings

/// A declared list, without the type of its models.
struct ListDeclaration: Sendable {
    let name: String
    let title: String?
    var sections: [any SectionContent] = []
    /// Whether the sections are declared, rather than the rows of the list.
    var isOfSections = false
    /// Nil for a list that is no list of lists.
    var segments: [ListDeclaration]?
    var definition: ListDefinition?
    var grouping: (path: any AnyKeyPath & Sendable, part: Grouping.Part)?
    var order: [(path: any AnyKeyPath & Sendable, isDescending: Bool)] = []
    var emptyState: EmptyState?
    var pageSize = 50
    var layout = PageLayout.table
    /// The names of the methods that changed it.
    var modifiers: [String] = []
    var error: String?
    /// Nil unless another service has the models.
    var remote: RemoteRows?

    init(name: String, title: String?) {
        self.name = name
        self.title = title
    }

    /// The text in front of the ids of a section: models of several types may have equal ids.
    func prefix(ofSection position: Int) -> String? {
        let models = Set(sections.map { ObjectIdentifier($0.model) })
        guard models.count > 1 else { return nil }
        return RowID.prefix(of: sections[position].model)
    }

    var sectionInfos: [SectionInfo] {
        sections.enumerated().map { position, section in
            guard let header = section.header else { return SectionInfo("all") }
            let name = section.sectionName ?? Self.name(ofSection: header)
            return SectionInfo(
                SectionID(name.isEmpty ? "section-\(position + 1)" : name),
                header: header,
                footer: section.footer,
                isCollapsed: section.isCollapsed
            )
        }
    }

    /// Returns `old-books` for `Old books`.
    private static func name(ofSection header: String) -> String {
        let words = header.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.joined(separator: "-")
    }

    /// Also returns the summaries of its row controllers.
    ///
    /// Fails with the list and the reason.
    func open() throws(Failure) -> (list: ListDefinition, kinds: [RegistrationSummary]) {
        do {
            guard ListName.isAllowed(name) else {
                throw DeclarationError("a list cannot have this name")
            }
            if let error { throw DeclarationError(error) }
            if let segments { return try open(segments) }
            if let definition {
                let sources = definition.segments?.all.map(\.source) ?? [definition.source]
                for source in sources { try check(source) }
                let known = sources.flatMap(controllers).filter { !$0.columns.isEmpty }
                return (definition, known)
            }
            if isOfSections, sections.isEmpty { throw DeclarationError("it has no section") }
            let movable = sections.contains(where: \.isMovable)
            if movable, let modifier = modifiers.first(where: ["grouped", "sorted"].contains) {
                throw DeclarationError(
                    "rows that are \(modifier) have no order of their own to be moved in; leave "
                        + "out .movable or .\(modifier)"
                )
            }
            guard sections.count(where: \.takesNewRows) < 2 else {
                throw DeclarationError(
                    "two sections have onCreate, so that the section of a new row is unknown; "
                        + "leave it to one"
                )
            }
            try checkNames()
            if let error = sections.compactMap(\.error).first {
                throw DeclarationError(error)
            }
            let used = try [grouping?.path].compactMap { $0 }.map { (path) in
                try column(path, "is grouped by")
            }
            let columns = sections.map { $0.columns(groupable: Set(used)) }
            let schema = try schema(Array(columns.joined()))
            if let pages = sections.first?.pages(of: self, schema) {
                if let modifier = modifiers.first(where: ["grouped", "sorted"].contains) {
                    throw DeclarationError(
                        ".\(modifier) needs all models; the program decides on the order of pages"
                    )
                }
                let source = PagedList(pages, schema, of: self)
                let kinds = try pages.empty().opened.flatMap(\.summary)
                return (ListDefinition(name, title: title, source: source), kinds)
            }
            let source = try AppList(self, schema, columns)
            return (
                ListDefinition(name, title: title, source: source),
                source.opened.flatMap(\.summary)
            )
        } catch {
            throw Failure(.configuration, "list '\(name)': \(Self.text(of: error))")
        }
    }

    private func open(
        _ segments: [ListDeclaration]
    ) throws -> (list: ListDefinition, kinds: [RegistrationSummary]) {
        guard !segments.isEmpty else { throw DeclarationError("it has no segment") }
        if let modifier = modifiers.first {
            throw DeclarationError(".\(modifier) belongs to a list of the segments")
        }
        let opened = try segments.map { segment in
            guard segment.segments == nil else {
                throw DeclarationError("the segment '\(segment.name)' has segments itself")
            }
            let (list, kinds) = try segment.open()
            guard list.source.rules == nil, !segment.sections.contains(where: \.isMovable) else {
                throw DeclarationError(
                    "the segment '\(segment.name)' takes edits, which segments do not; declare it "
                        + "as a list of its own"
                )
            }
            return (list, kinds)
        }
        let all = opened.map { Segments.Segment($0.0.name, title: $0.0.title, source: $0.0.source) }
        return (
            ListDefinition(name, title: title, segments: try Segments(all)),
            opened.flatMap(\.1)
        )
    }

    /// Two types of one name, or one name for two types, would share cells and templates.
    private func checkNames() throws(DeclarationError) {
        var kinds: [String: Any.Type] = [:]
        for (kind, model) in sections.flatMap(\.kinds) {
            guard let other = kinds.updateValue(model, forKey: kind), other != model else {
                continue
            }
            throw DeclarationError(
                "the models \(String(reflecting: other)) and \(String(reflecting: model)) both "
                    + "have the kind '\(kind)'; name one of them: .kind(\"…\")"
            )
        }
        for name in sections.compactMap(\.sectionName)
        where name.isEmpty || name.contains("/") || name.allSatisfy({ $0 == "." }) {
            throw DeclarationError("'\(name)' is no name of a section in URLs")
        }
    }

    static func text(of error: any Error) -> String {
        switch error {
        case let failure as Failure: return failure.text
        case DataSourceError.duplicateSection(let id, _, _):
            return "two sections have the name '\(id)'; give one another: Section(…, name: \"…\")"
        case DataSourceError.duplicateSegment(let id): return "two segments have the name '\(id)'"
        case DataSourceError.duplicateID(let id, let first, let second):
            return "two models have the id '\(id)', at \(first) and \(second) ([section, row])"
        default: return "\(error)"
        }
    }

    /// Has the columns of all sections, each once.
    private func schema(_ columns: [[Listings.Column]]) throws -> ListSchema {
        var all: [Listings.Column] = []
        for column in columns.joined() {
            guard let position = all.firstIndex(where: { $0.id == column.id }) else {
                all.append(column)
                continue
            }
            let known = all[position]
            guard known.type == column.type || (known.type.isNumber && column.type.isNumber)
            else {
                throw DeclarationError(
                    "the column '\(column.id)' is \(known.type) in one section and "
                        + "\(column.type) in another; name one of them differently"
                )
            }
            if column.type == .real { all[position] = column }
        }
        for rows in columns where Set(rows.map(\.id)).count < rows.count {
            let id = rows.first { column in rows.count { $0.id == column.id } > 1 }?.id
            throw DeclarationError("two columns have the name '\(id ?? "")'")
        }
        guard (1...500).contains(pageSize) else {
            throw DeclarationError("a page has 1 to 500 rows, not \(pageSize)")
        }
        func position(_ path: AnyKeyPath, _ use: String) throws -> Int {
            let name = try column(path, use)
            return all.firstIndex { $0.id == name } ?? 0
        }
        guard layout != .board || isOfSections || grouping != nil else {
            throw DeclarationError("a board shows sections; add .grouped(by:), or declare sections")
        }
        var schema = try ListSchema(
            columns: all,
            idType: sections.count == 1 && RowID.isInteger(sections[0].model) ? .integer : .text,
            defaultGrouping: try grouping.map {
                Grouping(column: try position($0.path, "is grouped by"), part: $0.part)
            },
            defaultSort: try order.map { key in
                SortKey(
                    .column(try position(key.path, "is sorted by")),
                    key.isDescending ? .descending : .ascending
                )
            },
            defaultLimit: pageSize
        )
        schema.defaultLayout = layout
        return schema
    }

    private func column(_ path: AnyKeyPath, _ use: String) throws -> String {
        for section in sections {
            if let name = section.paths.first(where: { $0.path == path })?.name { return name }
        }
        throw DeclarationError("it \(use) \(path), which no column shows; add Column(\(path))")
    }
}
