public import Listings

/// The columns of models of one type, which several lists or sections can share.
///
/// ```swift
/// @ColumnBuilder<Paint> var paint: some Columns<Paint> {
///     Column("name", \.id)
///     Column(\.hex)
/// }
/// ```
public protocol Columns<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Sendable

    /// The columns, in their order.
    var columnSet: ColumnSet<Model> { get }
}

/// Columns that a ``ColumnBuilder`` has collected.
///
/// ```swift
/// let paint: ColumnSet<Paint> = Column("name", \.id).columnSet
/// List("paints", paints) { paint }
/// ```
public struct ColumnSet<Model: Sendable>: Columns {
    var columns: [ColumnDeclaration<Model>]

    /// The columns themselves.
    public var columnSet: ColumnSet<Model> { self }
}

/// A column of a list: a property of its models.
///
/// ```swift
/// Column(\.title)
/// Column("name", \.id)
/// Column(\.due).editable()
/// ```
///
/// The property may be a text, a Boolean value, any number, a `Date`, a `UUID`, a `URL`, an
/// enumeration with raw values, an optional of these, or any `Encodable` value, which becomes JSON.
public struct Column<Model: Sendable, Value>: Columns {
    private var declaration: ColumnDeclaration<Model>

    /// Creates a column with the name of a stored property.
    ///
    /// - Parameter path: The property.
    public init(_ path: any KeyPath<Model, Value> & Sendable) {
        declaration = ColumnDeclaration(KeyPathName.of(path), path)
    }

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - name: The name in URLs and JSON.
    ///   - path: The property.
    public init(_ name: String, _ path: any KeyPath<Model, Value> & Sendable) {
        declaration = ColumnDeclaration(name, path)
    }

    /// The column alone.
    public var columnSet: ColumnSet<Model> { ColumnSet(columns: [declaration]) }

    /// Lets clients set the property, which must be a `var`.
    public func editable() -> Column { changed { $0.isEditable = true } }

    /// Sets the displayed name, which is otherwise derived from the name.
    public func label(_ label: String) -> Column { changed { $0.label = label } }

    /// Sets the priority on narrow screens: 1 comes first, 3 last.
    ///
    /// The first column has 1, all others have 2.
    public func priority(_ priority: Int) -> Column { changed { $0.priority = priority } }

    /// Lets clients group the list into sections by the column.
    public func groupable() -> Column { changed { $0.isGroupable = true } }

    /// Sets the type of the column, for texts that are addresses or links.
    public func type(_ type: ColumnType) -> Column { changed { $0.type = type } }

    /// Sets the only texts that the column takes, which forms offer.
    ///
    /// ```swift
    /// Column(\.state).editable().choices(["new", "done"])
    /// ```
    public func choices(_ choices: [String]) -> Column { changed { $0.choices = choices } }

    /// Sets the presentation of the values on pages, such as `.badge` or `.currency("EUR")`.
    public func format(_ format: ColumnFormat) -> Column { changed { $0.format = format } }

    /// Sets the HTML of the cells on pages, in which `{{name}}` is the value of a column.
    ///
    /// ```swift
    /// Column(\.name).template("<strong>{{name}}</strong> <small>{{city}}</small>")
    /// ```
    ///
    /// Values are escaped. `{{#city}}…{{/city}}` is shown only for rows with the value, and
    /// `{{link}}` is the address of the row. Markup that could run code stops the start.
    public func template(_ template: String) -> Column { changed { $0.template = template } }

    private func changed(_ change: (inout ColumnDeclaration<Model>) -> Void) -> Column {
        var copy = self
        change(&copy.declaration)
        return copy
    }
}

/// Collects the columns of a list or of a section.
///
/// ```swift
/// @ColumnBuilder<Paint> var paint: some Columns<Paint> {
///     Column("name", \.id)
///     if showsPrices { Column(\.price) }
/// }
/// ```
@resultBuilder
public enum ColumnBuilder<Model: Sendable> {
    /// Takes a column.
    public static func buildExpression<Value>(
        _ column: Column<Model, Value>
    ) -> ColumnSet<Model> { column.columnSet }

    /// Takes columns that are declared elsewhere.
    public static func buildExpression(
        _ columns: some Columns<Model>
    ) -> ColumnSet<Model> { columns.columnSet }

    /// Takes columns in their order.
    public static func buildBlock(_ parts: ColumnSet<Model>...) -> ColumnSet<Model> {
        ColumnSet(columns: parts.flatMap(\.columns))
    }

    /// Takes columns of a condition.
    public static func buildOptional(_ part: ColumnSet<Model>?) -> ColumnSet<Model> {
        part ?? ColumnSet(columns: [])
    }

    /// Takes columns of a condition.
    public static func buildEither(first part: ColumnSet<Model>) -> ColumnSet<Model> { part }

    /// Takes columns of a condition.
    public static func buildEither(second part: ColumnSet<Model>) -> ColumnSet<Model> { part }
}

struct ColumnDeclaration<Model: Sendable>: Sendable {
    let name: String?
    let path: any PartialKeyPath<Model> & Sendable
    let codec: ValueCodec?
    let valueType: String
    let read: @Sendable (Model) -> Any
    /// Nil if the property cannot be set.
    let set: (@Sendable (Any, inout Model) -> Void)?
    var label: String?
    var type: ColumnType?
    var priority: Int?
    var format: ColumnFormat?
    var template: String?
    var isGroupable = false
    var isEditable = false
    var choices: [String] = []

    init<Value>(_ name: String?, _ path: any KeyPath<Model, Value> & Sendable) {
        self.name = name
        self.path = path
        codec = ValueCodec.of(Value.self)
        valueType = "\(Value.self)"
        read = { $0[keyPath: path] }
        guard path is WritableKeyPath<Model, Value> else {
            set = nil
            return
        }
        set = { value, model in
            guard let path = path as? WritableKeyPath<Model, Value>, let value = value as? Value
            else { return }
            model[keyPath: path] = value
        }
    }

    func column(isFirst: Bool, isGroupable isUsed: Bool) -> Listings.Column {
        Listings.Column(
            name ?? "",
            label: label,
            type: type ?? codec?.type ?? .text,
            priority: priority ?? (isFirst ? 1 : 2),
            isGroupable: isGroupable || isUsed
        )
        .formatted(as: format)
        .choosing(among: choices)
    }

    var formatError: String? {
        let type = type ?? codec?.type ?? .text
        guard let format, !format.suits(type) else { return nil }
        return "the column '\(name ?? "")' is \(type), which cannot be shown as \(format.text)"
    }

    func write(_ model: Model, to cells: inout CellBuffer) {
        cells.append(codec?.cell(read(model)) ?? .null)
    }
}
