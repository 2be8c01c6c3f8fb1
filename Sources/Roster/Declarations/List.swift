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

    /// The list alone.
    public var listSet: ListSet {
        var list = declaration
        if list.sections.isEmpty, list.definition == nil {
            list.sections = [SectionRows(rows)]
        } else if !rows.actions.isEmpty || rows.isWritten {
            list.error = "actions and edits belong to a section of the list"
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
        _ part: Grouping.Part = .value
    ) -> List { changed { $0.grouping = (path, part) } }

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
    ) -> List { changed { $0.order.append((path, isDescending)) } }

    /// Sets the title of the page while the list has no rows.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - message: A hint below it.
    /// - Returns: The list.
    public func empty(_ title: String, message: String = "") -> List {
        changed { $0.emptyState = EmptyState(.noData, title: title, message: message) }
    }

    /// Sets the number of rows on a page; 50 by default, at most 500.
    ///
    /// - Parameter count: The number of rows.
    /// - Returns: The list.
    public func pageSize(_ count: Int) -> List { changed { $0.pageSize = count } }

    private func changed(_ change: (inout ListDeclaration) -> Void) -> List {
        var copy = self
        change(&copy.declaration)
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
