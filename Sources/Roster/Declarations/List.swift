public import Listings

/// A list of an app.
///
/// ```swift
/// List("books", books) {
///     Column(\.title)
///     Column(\.author)
/// }
/// .grouped(by: \.genre)
/// .sorted(by: \.author)
/// ```
///
/// A list of models of several types has sections instead; see ``Section``.
public struct List<Model: Sendable>: Lists, Rows {
    var declaration: ListDeclaration
    /// The rows of the list.
    public var rows: RowDeclaration<Model>

    /// Creates a list of models that only actions, moves and edits change.
    ///
    /// - Parameters:
    ///   - name: The name in URLs: `books` is served at `/books`.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: The models, in their order.
    ///   - columns: The columns of the rows.
    public init(
        _ name: String,
        title: String? = nil,
        _ models: [Model],
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        self.init(name, title: title, live: Models(models), columns: columns)
    }

    /// Creates a list of models that the program changes.
    ///
    /// - Parameters:
    ///   - name: The name in URLs: `books` is served at `/books`.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: The models.
    ///   - columns: The columns of the rows.
    public init(
        _ name: String,
        title: String? = nil,
        live models: Models<Model>,
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        declaration = ListDeclaration(name: name, title: title)
        rows = RowDeclaration(.models(models), columns().columnSet)
    }

    /// Creates a list whose models are loaded for each request.
    ///
    /// Requests that arrive together share one load. A load that fails, or exceeds the deadline of
    /// the rows, makes the request fail with 503.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: Loads the models, in their order.
    ///   - columns: The columns of the rows.
    public init(
        _ name: String,
        title: String? = nil,
        models: @escaping @Sendable () async throws -> [Model],
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        declaration = ListDeclaration(name: name, title: title)
        rows = RowDeclaration(.loaded(models), columns().columnSet)
    }

    /// Creates a list of which the program reads one page for each request.
    ///
    /// The rows have the order of the program. Clients read one page after the other, and cannot
    /// sort, filter or count.
    ///
    /// ```swift
    /// List("events", pages: { request in
    ///     let events = await log.events(after: request.cursor, limit: request.limit)
    ///     return ModelPage(events, next: events.last?.id)
    /// }) { Column(\.text) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - pages: Reads a page of models.
    ///   - row: Reads the model of a row by its id; without it, rows have no pages of their own and
    ///     no actions.
    ///   - columns: The columns of the rows.
    public init(
        _ name: String,
        title: String? = nil,
        pages: @escaping @Sendable (PageRequest) async throws -> ModelPage<Model>,
        row: (@Sendable (String) async throws -> Model?)? = nil,
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        declaration = ListDeclaration(name: name, title: title)
        rows = RowDeclaration(.paged(pages, row: row), columns().columnSet)
    }

    /// The list alone.
    public var listSet: ListSet {
        var list = declaration
        if list.definition == nil, !list.isOfSections, list.segments == nil {
            list.sections = [SectionRows(rows)]
        } else if let modifier = rows.modifiers.first {
            let isMixed = Model.self == (any Sendable).self
            let parts =
                isMixed
                ? "a Row of the list"
                : list.segments == nil ? "a section of the list" : "a list of the segments"
            list.error =
                list.definition == nil
                ? ".\(modifier) belongs to \(parts)"
                : ".\(modifier) has no effect on a list of a source of its own; the source decides"
        } else if list.definition != nil, let modifier = list.modifiers.first {
            list.error =
                ".\(modifier) has no effect on a list of a source of its own; its schema decides"
        }
        return ListSet(lists: [list])
    }

    /// Groups the list into sections by a column, unless a request has another grouping.
    ///
    /// - Parameters:
    ///   - path: The property of a column of the list.
    ///   - part: The part of the values; the initial letters of texts make an index.
    /// - Returns: The list.
    public func grouped<Value>(
        by path: any KeyPath<Model, Value> & Sendable,
        part: Grouping.Part = .value
    ) -> List { changed(by: "grouped") { $0.grouping = (path, part) } }

    /// The earlier spelling of ``grouped(by:part:)``.
    @available(*, deprecated, renamed: "grouped(by:part:)")
    public func grouped<Value>(
        by path: any KeyPath<Model, Value> & Sendable,
        _ part: Grouping.Part
    ) -> List { grouped(by: path, part: part) }

    /// Sorts the list by a column, unless a request has another order.
    ///
    /// A second call adds a key for rows that the first leaves equal.
    ///
    /// - Parameters:
    ///   - path: The property of a column of the list.
    ///   - isDescending: Whether the largest value is first.
    /// - Returns: The list.
    public func sorted<Value>(
        by path: any KeyPath<Model, Value> & Sendable,
        descending isDescending: Bool = false
    ) -> List { changed(by: "sorted") { $0.order.append((path, isDescending)) } }

    /// Sets the title of the page while the list has no rows.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - message: A hint below it.
    /// - Returns: The list.
    public func emptyText(_ title: String, message: String = "") -> List {
        changed(by: "emptyText") {
            $0.emptyState = EmptyState(.noData, title: title, message: message)
        }
    }

    /// The earlier name of ``emptyText(_:message:)``.
    @available(*, deprecated, renamed: "emptyText")
    public func empty(_ title: String, message: String = "") -> List {
        emptyText(title, message: message)
    }

    /// Sets the layout of pages; a table by default, and clients choose others.
    ///
    /// - Parameter layout: The layout. A board needs sections.
    /// - Returns: The list.
    public func layout(_ layout: PageLayout) -> List {
        changed(by: "layout") { $0.layout = layout }
    }

    /// Sets the number of rows on a page; 50 by default, at most 500.
    ///
    /// - Parameter count: The number of rows.
    /// - Returns: The list.
    public func pageSize(_ count: Int) -> List {
        changed(by: "pageSize") { $0.pageSize = count }
    }

    private func changed(
        by modifier: String,
        _ change: (inout ListDeclaration) -> Void
    ) -> List {
        var copy = self
        change(&copy.declaration)
        copy.declaration.modifiers.append(modifier)
        return copy
    }
}

/// The model of a list that has sections of its own, or a source of its own.
///
/// ```swift
/// let list: List<Mixed> = List("colors") { Section("Red", reds) { paint } }
/// ```
public enum Mixed: Sendable {}

extension List where Model == Mixed {
    /// Creates a list of sections, whose models may be of several types.
    ///
    /// The list has the columns of all sections. A row has the cells of its own section.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - sections: The sections, in their order.
    public init(
        _ name: String,
        title: String? = nil,
        @SectionBuilder sections: () -> SectionSet
    ) {
        declaration = ListDeclaration(name: name, title: title)
        declaration.sections = sections().sections
        declaration.isOfSections = true
        rows = RowDeclaration(.models(Models()), ColumnSet(columns: []))
    }

    /// Creates a list of a source of your own.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - source: The source of the rows.
    public init(_ name: String, title: String? = nil, source: any ListSource) {
        declaration = ListDeclaration(name: name, title: title)
        declaration.definition = ListDefinition(name, title: title, source: source)
        rows = RowDeclaration(.models(Models()), ColumnSet(columns: []))
    }
}

extension List where Model == Mixed {
    /// Creates a list of several sources, of which `?segment=` selects one.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - segments: The sources; the first is the default.
    public init(_ name: String, title: String? = nil, segments: Segments) {
        declaration = ListDeclaration(name: name, title: title)
        declaration.definition = ListDefinition(name, title: title, segments: segments)
        rows = RowDeclaration(.models(Models()), ColumnSet(columns: []))
    }

    /// Creates a list of several lists at one URL, of which a page shows one: its tabs.
    ///
    /// ```swift
    /// List("notes", segments: {
    ///     List("recent", recent) { Column(\.text) }
    ///     List("archive", archive) { Column(\.text) }.sorted(by: \.text)
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - segments: The lists; the first is the default. Clients write none of them.
    public init(
        _ name: String,
        title: String? = nil,
        @ListBuilder segments: () -> some Lists
    ) {
        declaration = ListDeclaration(name: name, title: title)
        declaration.segments = segments().listSet.lists
        rows = RowDeclaration(.models(Models()), ColumnSet(columns: []))
    }
}

/// The lists of an app.
///
/// ```swift
/// @ListBuilder var archive: some Lists {
///     List("old", old) { Column(\.title) }
///     if showsDrafts { List("drafts", drafts) { Column(\.title) } }
/// }
/// ```
public protocol Lists: Sendable {
    /// The lists, in their order.
    var listSet: ListSet { get }
}

/// Lists that a ``ListBuilder`` has collected.
///
/// ```swift
/// let archive: ListSet = List("old", old) { Column(\.title) }.listSet
/// ```
public struct ListSet: Lists {
    var lists: [ListDeclaration]

    /// The lists themselves.
    public var listSet: ListSet { self }
}

/// Collects the lists of an app.
///
/// ```swift
/// @ListBuilder var lists: some Lists {
///     List("books", books) { Column(\.title) }
///     for year in years { List("\(year)", books(of: year)) { Column(\.title) } }
/// }
/// ```
@resultBuilder
public enum ListBuilder {
    /// Takes a list, or lists that are declared elsewhere.
    public static func buildExpression(_ lists: some Lists) -> ListSet { lists.listSet }

    /// Takes lists in their order.
    public static func buildBlock(_ parts: ListSet...) -> ListSet {
        ListSet(lists: parts.flatMap(\.lists))
    }

    /// Takes lists of a condition.
    public static func buildOptional(_ part: ListSet?) -> ListSet { part ?? ListSet(lists: []) }

    /// Takes lists of a condition.
    public static func buildEither(first part: ListSet) -> ListSet { part }

    /// Takes lists of a condition.
    public static func buildEither(second part: ListSet) -> ListSet { part }

    /// Takes lists of a loop.
    public static func buildArray(_ parts: [ListSet]) -> ListSet {
        ListSet(lists: parts.flatMap(\.lists))
    }
}
