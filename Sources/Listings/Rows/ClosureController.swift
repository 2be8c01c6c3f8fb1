/// A column and what stands in it for a model.
public struct ModelColumn<Model: Sendable>: Sendable {
    /// The column.
    public let column: Column
    // Told of the context: a model that is handed on counts references for each of its texts.
    @usableFromInline let write: @Sendable (Context<Model>, inout CellBuffer) throws -> Void

    /// Creates a column whose cells a closure writes.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - write: Appends exactly one cell.
    public init(
        _ column: Column,
        write: @escaping @Sendable (Model, inout CellBuffer) throws -> Void
    ) {
        self.init(column, writing: { context, cells in try write(context.model, &cells) })
    }

    @usableFromInline
    init(
        _ column: Column,
        writing write: @escaping @Sendable (Context<Model>, inout CellBuffer) throws -> Void
    ) {
        self.column = column
        self.write = write
    }
}

/// Makes a column of a property: `column("name", \.name)`.
///
/// A key path written out becomes a function that reads the property directly: no key path is
/// followed when a cell is written. A closure does as well: `column("name") { $0.first }`.
///
/// - Parameters:
///   - id: The name in addresses and JSON.
///   - value: What stands in the cells.
///   - label: The name people read; nil makes it from the id.
///   - type: The type of the values; nil takes that of the property.
///   - priority: How readily the column gives way on narrow screens, 1...3.
///   - isSortable: Whether the list may be sorted by it.
///   - isGroupable: Whether the list may be cut into sections by it.
/// - Returns: The column, for ``ClosureController``.
@inlinable
public func column<Model: Sendable, Value: CellConvertible>(
    _ id: String,
    _ value: @escaping @Sendable (Model) -> Value,
    label: String? = nil,
    type: ColumnType? = nil,
    priority: Int = 2,
    isSortable: Bool = true,
    isGroupable: Bool = false
) -> ModelColumn<Model> {
    let column = Column(
        id,
        label: label,
        type: type ?? Value.columnType,
        priority: priority,
        isSortable: isSortable,
        isGroupable: isGroupable
    )
    return ModelColumn(
        column,
        writing: { context, cells in value(context.model).write(to: &cells) }
    )
}

/// A row controller made of closures, where a type of its own would say no more.
public struct ClosureController<Model>: RowController
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// Names the kind of row.
    public let kind: String
    /// The columns, in their order.
    public let columns: [Column]
    @usableFromInline let write: @Sendable (Context<Model>, inout CellBuffer) throws -> Void
    @usableFromInline let revision: (@Sendable (Model) -> Int64?)?

    /// Creates a controller of columns that know what stands in them.
    ///
    /// - Parameters:
    ///   - kind: Names the kind of row; nil makes it of the model's type: `User` shows `user.row`.
    ///   - columns: The columns, in their order.
    ///   - revision: The revision of a model; nil where none is kept.
    @inlinable
    public init(
        kind: String? = nil,
        columns: [ModelColumn<Model>],
        revision: (@Sendable (Model) -> Int64?)? = nil
    ) {
        self.kind = kind ?? Self.kind(of: "\(Model.self)")
        self.columns = columns.map(\.column)
        self.revision = revision
        write = Self.writer(of: columns[...])
    }

    // Of a few at a time: taken out of an array, each would count a reference for each row.
    @inlinable
    static func writer(
        of columns: ArraySlice<ModelColumn<Model>>
    ) -> @Sendable (Context<Model>, inout CellBuffer) throws -> Void {
        guard let first = columns.first?.write else { return { _, _ in } }
        let start = columns.startIndex
        guard columns.count > 1 else { return first }
        let second = columns[start + 1].write
        guard columns.count > 2 else {
            return { context, cells in
                try first(context, &cells)
                try second(context, &cells)
            }
        }
        let third = columns[start + 2].write
        guard columns.count > 3 else {
            return { context, cells in
                try first(context, &cells)
                try second(context, &cells)
                try third(context, &cells)
            }
        }
        let others = writer(of: columns.dropFirst(3))
        return { context, cells in
            try first(context, &cells)
            try second(context, &cells)
            try third(context, &cells)
            try others(context, &cells)
        }
    }

    /// Creates a controller of one function from a model to its cells.
    ///
    /// - Parameters:
    ///   - kind: Names the kind of row; nil makes it of the model's type.
    ///   - columns: The columns, in their order.
    ///   - cells: The values under the columns, as many as there are; a throw makes the row an
    ///     error.
    public init(
        kind: String? = nil,
        columns: [Column],
        cells: @escaping @Sendable (Model) throws -> [CellValue]
    ) {
        self.kind = kind ?? Self.kind(of: "\(Model.self)")
        self.columns = columns
        revision = nil
        write = { context, buffer in
            for cell in try cells(context.model) { buffer.append(cell) }
        }
    }

    /// Writes one cell per column.
    @inlinable
    public func write(_ context: Context<Model>, to cells: inout CellBuffer) throws {
        try write(context, &cells)
    }

    /// The revision of a model; nil when none is kept.
    @inlinable
    public func revision(of model: Model) -> Int64? { revision?(model) }

    /// Makes `user.row` of `User`; what cannot stand in the name of a file is left out.
    @usableFromInline
    static func kind(of type: String) -> String {
        let name = type.unicodeScalars.filter { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        }
        let text = String(String.UnicodeScalarView(name))
        return (text.first?.lowercased() ?? "") + text.dropFirst() + ".row"
    }
}
