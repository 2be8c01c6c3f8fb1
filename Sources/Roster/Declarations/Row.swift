/// The rows of the models of one type, in a list or section whose models are of several types.
///
/// ```swift
/// List("feed", mixed: feed) {
///     Row(Post.self) { Column(\.text) }
///     Row(Photo.self) { Column(\.url) }.action("like") { photo, _ in .done() }
/// }
/// ```
///
/// A row has the id `post-7`, and the cells of its own columns.
public struct Row<Model: Sendable>: Rows {
    /// The rows.
    public var rows: RowDeclaration<Model>

    /// Creates the rows of a type.
    ///
    /// - Parameters:
    ///   - type: The type of the models.
    ///   - columns: The columns of their rows.
    public init(
        _ type: Model.Type,
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) { rows = RowDeclaration(.part { _, _ in false }, columns().columnSet) }
}

/// Collects the rows of the types of a list or section.
///
/// ```swift
/// @RowBuilder var kinds: RowSet {
///     Row(Post.self) { Column(\.text) }
///     if showsPhotos { Row(Photo.self) { Column(\.url) } }
/// }
/// ```
@resultBuilder
public enum RowBuilder {
    /// Takes the rows of a type.
    public static func buildExpression<Model>(_ row: Row<Model>) -> RowSet {
        RowSet(kinds: [SectionRows(row.rows)])
    }

    /// Takes rows that are declared elsewhere.
    public static func buildExpression(_ rows: RowSet) -> RowSet { rows }

    /// Takes rows of several types.
    public static func buildBlock(_ parts: RowSet...) -> RowSet {
        RowSet(kinds: parts.flatMap(\.kinds))
    }

    /// Takes rows of a condition.
    public static func buildOptional(_ part: RowSet?) -> RowSet { part ?? RowSet(kinds: []) }
}

/// Rows that a ``RowBuilder`` has collected.
///
/// ```swift
/// @RowBuilder var kinds: RowSet { Row(Post.self) { Column(\.text) } }
/// ```
public struct RowSet: Sendable { let kinds: [any RowKind] }

extension List where Model == any Sendable {
    /// Creates a list of models of several types, in one order.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: The models, in their order.
    ///   - kinds: The rows of each type.
    public init(
        _ name: String,
        title: String? = nil,
        mixed models: [any Sendable],
        @RowBuilder rows kinds: () -> RowSet
    ) { self.init(name, title: title, mixed: Models(models), rows: kinds) }

    /// Creates a list of models of several types that the program changes.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: The models.
    ///   - kinds: The rows of each type.
    public init(
        _ name: String,
        title: String? = nil,
        mixed models: Models<any Sendable>,
        @RowBuilder rows kinds: () -> RowSet
    ) { self.init(name, title, MixedRows(.models(models), kinds(), nil)) }

    /// Creates a list of models of several types that are loaded for each request.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - models: Loads the models, in their order.
    ///   - kinds: The rows of each type.
    public init(
        _ name: String,
        title: String? = nil,
        mixed models: @escaping @Sendable () async throws -> [any Sendable],
        @RowBuilder rows kinds: () -> RowSet
    ) { self.init(name, title, MixedRows(.loaded(models), kinds(), nil)) }

    private init(_ name: String, _ title: String?, _ content: MixedRows) {
        declaration = ListDeclaration(name: name, title: title)
        (declaration.sections, declaration.isOfSections) = ([content], true)
        rows = RowDeclaration(.models(Models()), ColumnSet(columns: []))
    }
}

extension Section where Model == any Sendable {
    /// Creates a section of models of several types, in one order.
    ///
    /// - Parameters:
    ///   - header: The text above the rows.
    ///   - name: The name in URLs; nil makes `old-books` of `Old books`.
    ///   - models: The models, in their order.
    ///   - kinds: The rows of each type.
    public init(
        _ header: String,
        name: String? = nil,
        mixed models: [any Sendable],
        @RowBuilder rows kinds: () -> RowSet
    ) { self.init(header, name: name, mixed: Models(models), rows: kinds) }

    /// Creates a section of models of several types that the program changes.
    ///
    /// - Parameters:
    ///   - header: The text above the rows.
    ///   - name: The name in URLs; nil makes `old-books` of `Old books`.
    ///   - models: The models.
    ///   - kinds: The rows of each type.
    public init(
        _ header: String,
        name: String? = nil,
        mixed models: Models<any Sendable>,
        @RowBuilder rows kinds: () -> RowSet
    ) { self.init(header, name, .models(models), kinds()) }

    /// Creates a section of models of several types that are loaded for each request.
    ///
    /// - Parameters:
    ///   - header: The text above the rows.
    ///   - name: The name in URLs; nil makes `old-books` of `Old books`.
    ///   - models: Loads the models, in their order.
    ///   - kinds: The rows of each type.
    public init(
        _ header: String,
        name: String? = nil,
        mixed models: @escaping @Sendable () async throws -> [any Sendable],
        @RowBuilder rows kinds: () -> RowSet
    ) { self.init(header, name, .loaded(models), kinds()) }

    private init(
        _ header: String,
        _ name: String?,
        _ source: RowDeclaration<any Sendable>.Source,
        _ kinds: RowSet
    ) {
        (self.header, self.name, self.kinds) = (header, name, kinds)
        rows = RowDeclaration(source, ColumnSet(columns: []))
    }
}
