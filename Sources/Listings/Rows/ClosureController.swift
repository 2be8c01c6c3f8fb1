/// A column and the closure that writes its cells.
public struct ModelColumn<Model: Sendable>: Sendable {
    /// The column.
    public let column: Column
    // Takes the context, because passing a model counts a reference for each of its texts.
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

/// Creates a column from a property: `column("name", \.name)`.
///
/// A key path literal becomes a function that reads the property directly, so writing a cell
/// evaluates no key path. A closure works as well: `column("name") { $0.first }`.
///
/// - Parameters:
///   - id: The name in URLs and JSON.
///   - value: Returns the value of the cell.
///   - label: The displayed name; nil derives it from the id.
///   - type: The type of the values; nil uses the type of the property.
///   - priority: The priority on narrow screens, 1...3.
///   - isSortable: Whether the list can be sorted by the column.
///   - isGroupable: Whether the list can be grouped into sections by the column.
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

/// A row controller made of closures, for models that need no controller type of their own.
public struct ClosureController<Model>: RowController
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// The kind of row.
    public let kind: String
    /// The columns, in their order.
    public let columns: [Column]
    @usableFromInline let write: @Sendable (Context<Model>, inout CellBuffer) throws -> Void
    @usableFromInline let revision: (@Sendable (Model) -> Int64?)?

    /// Creates a controller of columns that write their own cells.
    ///
    /// - Parameters:
    ///   - kind: The kind of row. Nil derives it from the model's type: `User` becomes `user.row`.
    ///   - columns: The columns, in their order.
    ///   - revision: Returns the revision of a model; nil if models have none.
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

    // Unrolled, because reading each closure from an array would count a reference per row.
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

    /// Creates a controller with one function from a model to its cells.
    ///
    /// - Parameters:
    ///   - kind: The kind of row; nil derives it from the model's type.
    ///   - columns: The columns, in their order.
    ///   - cells: Returns one value for each column. If it throws, the row is an error.
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

    /// Returns the revision of a model; nil if it has none.
    @inlinable
    public func revision(of model: Model) -> Int64? { revision?(model) }

    /// `user.row` for `User`.
    ///
    /// Removes characters other than ASCII letters and digits.
    @usableFromInline
    package static func kind(of type: String) -> String {
        let name = type.unicodeScalars.filter { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        }
        let text = String(String.UnicodeScalarView(name))
        return (text.first?.lowercased() ?? "") + text.dropFirst() + ".row"
    }
}
