/// A section of a list, with models of one type.
///
/// ```swift
/// Section("Red", reds) { Column(\.hex) }.footer("Warm.")
/// ```
public struct Section<Model: Sendable>: Rows {
    let header: String
    let name: String?
    var footer: String?
    var isCollapsed = false
    var emptyText: String?
    /// Nil for models of one type.
    var kinds: RowSet?
    /// The rows of the section.
    public var rows: RowDeclaration<Model>

    /// Creates a section of models that only actions, moves and edits change.
    ///
    /// - Parameters:
    ///   - header: The text above the rows.
    ///   - name: The name in URLs; nil makes `old-books` of `Old books`.
    ///   - models: The models, in their order.
    ///   - columns: The columns of the rows.
    public init(
        _ header: String,
        name: String? = nil,
        _ models: [Model],
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        self.init(header, name: name, live: Models(models), columns: columns)
    }

    /// Creates a section of models that the program changes.
    ///
    /// - Parameters:
    ///   - header: The text above the rows.
    ///   - name: The name in URLs; nil makes `old-books` of `Old books`.
    ///   - models: The models.
    ///   - columns: The columns of the rows.
    public init(
        _ header: String,
        name: String? = nil,
        live models: Models<Model>,
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        self.header = header
        self.name = name
        rows = RowDeclaration(.models(models), columns().columnSet)
    }

    /// Creates a section whose models are loaded for each request.
    ///
    /// - Parameters:
    ///   - header: The text above the rows.
    ///   - name: The name in URLs; nil makes `old-books` of `Old books`.
    ///   - models: Loads the models, in their order.
    ///   - columns: The columns of the rows.
    public init(
        _ header: String,
        name: String? = nil,
        models: @escaping @Sendable () async throws -> [Model],
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        self.header = header
        self.name = name
        rows = RowDeclaration(.loaded(models), columns().columnSet)
    }

    /// Sets the text below the rows.
    public func footer(_ footer: String) -> Section { changed { $0.footer = footer } }

    /// Sets the text below the header while the section has no rows.
    public func emptyText(_ text: String) -> Section { changed { $0.emptyText = text } }

    /// Hides the rows of the section at first.
    public func collapsed() -> Section { changed { $0.isCollapsed = true } }

    private func changed(_ change: (inout Section) -> Void) -> Section {
        var copy = self
        change(&copy)
        return copy
    }
}

/// Collects the sections of a list.
///
/// ```swift
/// List("colors") {
///     for family in families { Section(family.name, family.paints) { paint } }
/// }
/// ```
@resultBuilder
public enum SectionBuilder {
    /// Takes a section.
    public static func buildExpression<Model>(_ section: Section<Model>) -> SectionSet {
        guard let kinds = section.kinds, let mixed = section as? Section<any Sendable> else {
            return SectionSet(sections: [SectionRows(section)])
        }
        return SectionSet(sections: [MixedRows(mixed.rows.source, kinds, mixed)])
    }

    /// Takes sections that are declared elsewhere.
    public static func buildExpression(_ sections: SectionSet) -> SectionSet { sections }

    /// Takes sections in their order.
    public static func buildBlock(_ parts: SectionSet...) -> SectionSet {
        SectionSet(sections: parts.flatMap(\.sections))
    }

    /// Takes sections of a condition.
    public static func buildOptional(_ part: SectionSet?) -> SectionSet {
        part ?? SectionSet(sections: [])
    }

    /// Takes sections of a condition.
    public static func buildEither(first part: SectionSet) -> SectionSet { part }

    /// Takes sections of a condition.
    public static func buildEither(second part: SectionSet) -> SectionSet { part }

    /// Takes sections of a loop.
    public static func buildArray(_ parts: [SectionSet]) -> SectionSet {
        SectionSet(sections: parts.flatMap(\.sections))
    }
}

/// Sections that a ``SectionBuilder`` has collected.
///
/// ```swift
/// @SectionBuilder var sections: SectionSet {
///     Section("Red", reds) { paint }
///     Section("Blue", blues) { paint }
/// }
/// ```
public struct SectionSet: Sendable {
    let sections: [any SectionContent]
}
