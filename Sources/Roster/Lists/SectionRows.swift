import Listings
import Locks
import MemoryLists
import Rendering

protocol SectionContent: Sendable {
    var model: Any.Type { get }
    /// The text above the rows; nil for the only section of a list.
    var header: String? { get }
    var sectionName: String? { get }
    var footer: String? { get }
    var isCollapsed: Bool { get }
    var error: String? { get }
    var paths: [(path: AnyKeyPath, name: String)] { get }
    var isLoaded: Bool { get }
    /// Whether rows can only be written by a worker, because a closure fetches data first.
    var waitsForRows: Bool { get }
    var deadline: Duration { get }

    /// Those with the given names can group the list.
    func columns(groupable: Set<String>) -> [Listings.Column]

    func open(
        _ columns: [Listings.Column],
        prefix: String?,
        in list: AppList
    ) throws -> any OpenedSection
}

protocol OpenedSection: AnyObject, Sendable {
    var summary: [RegistrationSummary] { get }
    func rules(_ schema: ListSchema) -> RowRules?

    /// Loads models; the result takes them, and returns whether the rows look different.
    func load() async throws -> @Sendable () throws -> Bool
    func follow()
    func run() throws -> Run

    func contains(_ id: String) -> Bool
    /// Gives the models the order of the ids that a closure returns after it has moved a row.
    func move(_ move: () throws(ActionError) -> [String]) throws(ActionError)

    /// Nil if no row of the section has the id.
    func write(_ change: RowChange) throws -> ChangedRow?
}

struct SectionRows<Model: Sendable>: SectionContent {
    let rows: RowDeclaration<Model>
    let header: String?
    let sectionName: String?
    let footer: String?
    let isCollapsed: Bool

    init(_ rows: RowDeclaration<Model>) {
        self.rows = rows
        header = nil
        sectionName = nil
        footer = nil
        isCollapsed = false
    }

    init(_ section: Section<Model>) {
        rows = section.rows
        header = section.header
        sectionName = section.name
        footer = section.footer
        isCollapsed = section.isCollapsed
    }

    var model: Any.Type { Model.self }
    var deadline: Duration { rows.deadline }
    var waitsForRows: Bool { rows.prefetch != nil }
    var isLoaded: Bool { if case .loaded = rows.source { true } else { false } }

    var paths: [(path: AnyKeyPath, name: String)] {
        rows.columns.map { ($0.path, $0.name ?? "") }
    }

    var error: String? {
        for column in rows.columns {
            guard let name = column.name else {
                return "the computed property \(column.path) needs a name: "
                    + "Column(\"name\", \(column.path))"
            }
            guard column.codec != nil else {
                return "the column '\(name)' shows values of type \(column.valueType), which is no "
                    + "cell; make it Codable, or an enumeration with raw values"
            }
            if let error = column.formatError { return error }
            guard !column.isEditable || column.set != nil else {
                return "the column '\(name)' is editable, and \(column.path) is a constant; make "
                    + "it a var"
            }
        }
        if rows.columns.isEmpty { return "\(Model.self) has no columns; declare a Column" }
        if rows.update == nil, rows.create == nil,
            let column = rows.columns.first(where: \.isEditable)
        {
            return "the column '\(column.name ?? "")' is editable, but nothing stores it; add "
                + ".update { … }"
        }
        if rows.adjustMove != nil, isLoaded {
            return "rows that are loaded for each request cannot be moved; store their order"
        }
        if rows.update != nil, !rows.columns.contains(where: \.isEditable) {
            return "there is .update { … }, but no column is editable; add .editable()"
        }
        for action in rows.actions {
            if let error = action.error { return error }
            if RowAction.reservedNames.contains(action.action.name) {
                return "\(ListingError.reservedAction(action.action.name))"
            }
        }
        return nil
    }

    func columns(groupable: Set<String>) -> [Listings.Column] {
        rows.columns.enumerated().map { position, column in
            column.column(
                isFirst: position == 0,
                isGroupable: groupable.contains(column.name ?? "")
            )
        }
    }

    func open(
        _ columns: [Listings.Column],
        prefix: String?,
        in list: AppList
    ) throws -> any OpenedSection {
        try ServedSection(rows, columns, prefix: prefix, in: list)
    }
}

extension RowDeclaration {
    /// By file names.
    ///
    /// Fails with the first invalid template.
    func templates(
        ofKind kind: String,
        _ columns: [Listings.Column]
    ) throws(DeclarationError) -> [String: String] {
        var templates: [String: String] = [:]
        if let template { templates["\(kind).html"] = template }
        for column in self.columns {
            templates["\(kind).\(column.name ?? "").html"] = column.template
        }
        do throws(TemplateErrors) {
            _ = try TemplateSet(templates, kinds: [kind: columns])
        } catch {
            throw DeclarationError("\(error.errors[0])")
        }
        return templates
    }
}

struct DeclaredController<Model: Sendable>: RowController {
    let kind: String
    let columns: [Listings.Column]
    let declarations: [ColumnDeclaration<Model>]
    /// Whether clients write rows, whose states then need revisions.
    let hasRevisions: Bool

    func write(_ context: Context<ListedModel<Model>>, to cells: inout CellBuffer) {
        for column in declarations { column.write(context.model.model, to: &cells) }
    }

    func revision(of model: ListedModel<Model>) -> Int64? {
        hasRevisions ? Int64(bitPattern: hash(model, seed: 1) >> 1) : nil
    }

    func hash(_ model: ListedModel<Model>, seed: UInt64) -> UInt64 {
        var cells = CellBuffer()
        for column in declarations { column.write(model.model, to: &cells) }
        var hash = ContentHash(seed: seed)
        hash.add(model.id)
        hash.add(0..<cells.count, of: cells)
        return hash.value
    }
}
