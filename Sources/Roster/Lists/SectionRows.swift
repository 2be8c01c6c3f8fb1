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
    /// The text in place of the footer while there are no rows.
    var emptyText: String? { get }
    var error: String? { get }
    var paths: [(path: AnyKeyPath, name: String)] { get }
    var isLoaded: Bool { get }
    /// Whether rows can only be written by a worker, because a closure fetches data first.
    var waitsForRows: Bool { get }
    var takesNewRows: Bool { get }
    var isMovable: Bool { get }
    /// The kinds of rows, with the types of their models.
    var kinds: [(kind: String, model: Any.Type)] { get }
    var deadline: Duration { get }

    /// Those of each type of models; the given names can group the list.
    func columns(groupable: Set<String>) -> [[Listings.Column]]

    func open(
        _ columns: [[Listings.Column]],
        prefix: String?,
        in list: AppList
    ) throws -> any OpenedSection

    /// Nil for models that are not read by pages.
    func pages(of list: ListDeclaration, _ schema: ListSchema) -> PagedSource?
}

extension SectionContent {
    func pages(of list: ListDeclaration, _ schema: ListSchema) -> PagedSource? { nil }
}

protocol OpenedSection: AnyObject, Sendable {
    var summary: [RegistrationSummary] { get }
    var operations: Set<RowRules.Operation> { get }
    /// The names of the columns that clients set.
    var writableColumns: [String] { get }

    /// Loads models; the result takes them, and returns whether the rows look different.
    func load() async throws -> @Sendable () throws -> Bool
    func follow()
    func runs() throws -> [Run]

    func contains(_ id: String) -> Bool
    /// Gives the models the order of the ids that a closure returns after it has moved a row, which
    /// may be in another section then.
    func move(
        _ id: String,
        _ move: () throws(ActionError) -> (section: any OpenedSection, ids: [String])
    ) throws(ActionError)
    /// Returns the position of a row that is moved here; nil to refuse.
    func position(
        of model: any Sendable,
        at target: IndexPath,
        from other: any OpenedSection
    ) -> IndexPath?
    func insert(_ model: any Sendable, as id: String, _ ids: [String]) throws(ActionError)

    /// Nil if no row of the section has the id.
    func write(_ change: RowChange) throws -> ChangedRow?
}

struct SectionRows<Model: Sendable>: SectionContent {
    let rows: RowDeclaration<Model>
    let header: String?
    let sectionName: String?
    let footer: String?
    let isCollapsed: Bool
    let emptyText: String?

    init(_ rows: RowDeclaration<Model>) {
        self.rows = rows
        header = nil
        sectionName = nil
        footer = nil
        isCollapsed = false
        emptyText = nil
    }

    init(_ section: Section<Model>) {
        rows = section.rows
        header = section.header
        sectionName = section.name
        footer = section.footer
        isCollapsed = section.isCollapsed
        emptyText = section.emptyText
    }

    var model: Any.Type { Model.self }
    var deadline: Duration { rows.deadline }
    var waitsForRows: Bool { rows.prefetch != nil }
    var takesNewRows: Bool { rows.create != nil }
    var isMovable: Bool { rows.adjustMove != nil }
    var kinds: [(kind: String, model: Any.Type)] { [(rows.kindName, Model.self)] }
    var isLoaded: Bool { if case .loaded = rows.source { true } else { false } }

    var paths: [(path: AnyKeyPath, name: String)] {
        rows.columns.compactMap { column in column.path.map { ($0, column.name ?? "") } }
    }

    var error: String? {
        if let error = rows.columns.lazy.compactMap(\.error).first { return error }
        if rows.columns.isEmpty { return "\(Model.self) has no columns; declare a Column" }
        guard
            Model.self is any Identifiable.Type || Model.self is any LosslessStringConvertible.Type
        else { return "the models \(Model.self) have no ids; make \(Model.self) Identifiable" }
        guard rows.deadline > .zero else { return "a deadline is longer than zero" }
        if let kind = rows.kind, !RowAction.isName(kind) {
            return "'\(kind)' is no kind of rows; it has letters, digits, '-', '_' and '.'"
        }
        let isEditable = rows.columns.contains(where: \.isEditable)
        if case .paged(_, let row) = rows.source {
            let names = ["onCreate", "onUpdate", "onDelete", "movable"]
            if let modifier = rows.modifiers.first(where: names.contains) {
                return ".\(modifier) needs models that are there; a list of pages has none"
            }
            if isEditable { return "a list of pages cannot be edited; leave out .editable()" }
            if row == nil,
                let modifier = rows.modifiers.first(where: ["action", "openable"].contains)
            {
                return ".\(modifier) needs the model of a row; add row: { id in … }"
            }
        }
        if rows.update == nil, rows.create == nil,
            let column = rows.columns.first(where: \.isEditable)
        {
            return "the column '\(column.name ?? "")' is editable, but nothing stores it; add "
                + ".onUpdate { … }"
        }
        for (closure, isThere) in [
            ("onUpdate", rows.update != nil), ("onCreate", rows.create != nil),
        ] where isThere && !isEditable {
            return "there is .\(closure) { … }, but no column is editable; add .editable()"
        }
        if rows.adjustMove != nil, isLoaded {
            return "rows that are loaded for each request cannot be moved; store their order"
        }
        var names: Set<String> = []
        for action in rows.actions {
            let name = action.action.name
            if let error = action.error { return error }
            guard !RowAction.reservedNames.contains(name) else {
                return "\(ListingError.reservedAction(name))"
            }
            guard RowAction.isName(name) else {
                return "'\(name)' is no name of an action; it has letters, digits, '-', '_' and '.'"
            }
            let built = ["delete": rows.delete != nil, "edit": rows.update != nil]
            guard !(built[name] ?? false) else {
                return "an action cannot have the name '\(name)' beside "
                    + ".on\(name == "edit" ? "Update" : "Delete"), whose form has this address"
            }
            guard names.insert(name).inserted else { return "two actions have the name '\(name)'" }
        }
        return nil
    }

    func columns(groupable: Set<String>) -> [[Listings.Column]] {
        let columns = rows.columns.enumerated().map { position, column in
            column.column(
                isFirst: position == 0,
                isGroupable: groupable.contains(column.name ?? "")
            )
        }
        return [columns]
    }

    func open(
        _ columns: [[Listings.Column]],
        prefix: String?,
        in list: AppList
    ) throws -> any OpenedSection {
        try ServedSection(rows, columns[0], prefix: prefix, in: list)
    }

    func pages(of list: ListDeclaration, _ schema: ListSchema) -> PagedSource? {
        guard case .paged(let read, let row) = rows.source else { return nil }
        let columns = columns(groupable: [])
        @Sendable func loaded(_ models: [Model]) -> PagedSource.Loaded {
            var fixed = (list: list, rows: rows)
            fixed.rows.source = .models(Models(models))
            fixed.list.sections = [SectionRows(fixed.rows)]
            return { [list = fixed.list] in try AppList(list, schema, [columns]) }
        }
        @Sendable func page(
            _ request: PageRequest
        ) async throws -> (list: PagedSource.Loaded, next: String?) {
            let page = try await read(request)
            let (count, limit) = (page.models.count, request.limit)
            guard count <= limit else {
                throw DeclarationError("\(count) models for a page of \(limit)")
            }
            guard page.next == nil || page.next != request.cursor else {
                throw DeclarationError("the page after '\(page.next ?? "")' leads to itself")
            }
            return (loaded(page.models), page.next)
        }
        guard let row else { return PagedSource(empty: loaded([]), page: page, row: nil) }
        return PagedSource(empty: loaded([]), page: page) { id in
            guard let model = try await row(id) else { return nil }
            return loaded([model])
        }
    }
}

extension SectionRows: RowKind {
    func open(
        _ columns: [Listings.Column],
        prefix: String,
        in list: AppList,
        replace: @escaping @Sendable (String, (any Sendable)?) throws -> Bool
    ) throws -> any OpenedKind {
        var rows = rows
        rows.source = .part { try replace($0, $1) }
        return try ServedSection(rows, columns, prefix: prefix, in: list)
    }
}

extension RowDeclaration {
    var kindName: String {
        kind ?? ClosureController<ListedModel<Model>>.kind(of: "\(Model.self)")
    }

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
