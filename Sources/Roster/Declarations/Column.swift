public import Listings

// Members of these types, such as `.currency("EUR")`, need no import of `Listings`.
@_exported public import enum Listings.ColumnFormat
@_exported public import enum Listings.ColumnType
@_exported public import struct Listings.Grouping
@_exported public import enum Listings.PageLayout
@_exported public import struct Listings.Refusal

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

    /// Creates a column of a value that is computed from each model.
    ///
    /// ```swift
    /// Column("name") { person in "\(person.given) \(person.family)" }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in URLs and JSON.
    ///   - value: Returns the value of a model.
    public init(_ name: String, value: @escaping @Sendable (Model) -> Value) {
        declaration = ColumnDeclaration(name, value)
    }

    /// The column alone.
    public var columnSet: ColumnSet<Model> { ColumnSet(columns: [declaration]) }

    /// Lets clients set the property, which must be a `var`.
    public func editable() -> Column { changed { $0.isEditable = true } }

    /// Sets the displayed name, which is otherwise derived from the name.
    public func label(_ label: String) -> Column { changed { $0.label = label } }

    /// Sets the priority on narrow screens: 1 comes first, 3 last.
    ///
    /// The first column has 1, all others have 2. Other numbers stop the start.
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
    /// The name in URLs, such as `limit_` for `limit`; nil for a computed property.
    let name: String?
    private let ownName: String
    /// Nil for the value of a closure.
    let path: (any PartialKeyPath<Model> & Sendable)?
    let codec: ValueCodec?
    private let valueType: String
    private let hasSize: Bool
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
        var set: (@Sendable (Any, inout Model) -> Void)?
        if path is WritableKeyPath<Model, Value> {
            set = { value, model in
                guard let path = path as? WritableKeyPath<Model, Value>, let value = value as? Value
                else { return }
                model[keyPath: path] = value
            }
        }
        self.init(name, path, Value.self, set) { $0[keyPath: path] }
    }

    init<Value>(_ name: String, _ value: @escaping @Sendable (Model) -> Value) {
        self.init(name, nil, Value.self, nil, value)
    }

    private init<Value>(
        _ name: String?,
        _ path: (any PartialKeyPath<Model> & Sendable)?,
        _ type: Value.Type,
        _ set: (@Sendable (Any, inout Model) -> Void)?,
        _ read: @escaping @Sendable (Model) -> Value
    ) {
        ownName = name ?? ""
        self.name = name.map(PublicColumnName.id(declared:))
        (self.path, self.read, self.set) = (path, read, set)
        codec = ValueCodec.of(type)
        valueType = "\(type)"
        hasSize = MemoryLayout<Value>.size > 0
    }

    func column(isFirst: Bool, isGroupable isUsed: Bool) -> Listings.Column {
        Listings.Column(
            name ?? "",
            label: label ?? Listings.Column.label(from: ownName),
            type: type ?? codec?.type ?? .text,
            priority: priority ?? (isFirst ? 1 : 2),
            isGroupable: isGroupable || isUsed
        )
        .named(inFiles: ownName)
        .formatted(as: format)
        .choosing(among: choices.isEmpty && codec?.type == .text ? codec?.choices ?? [] : choices)
    }

    /// The error of the declaration with its remedy; nil for a column that can be served.
    var error: String? {
        let text = path.map { "\($0)" } ?? ownName
        let shown = text.contains("<") ? "its property" : text
        guard let name else {
            return "the computed property \(text) needs a name: Column(\"name\", \(text))"
        }
        guard PublicColumnName.isAllowed(name) else {
            return "'\(name)' is no name of a column; it has no ',', ':' or control character, no "
                + "'-' in front, and no two '_' in a row"
        }
        guard let codec else {
            return "the column '\(name)' shows values of type \(valueType), which is no "
                + "cell; make it Codable, or an enumeration with raw values"
        }
        guard hasSize else {
            return
                "the type \(valueType) of the column '\(name)' has one value, so that the column "
                + "shows nothing; leave it out"
        }
        if let priority, !(1...3).contains(priority) {
            return "the column '\(name)' has the priority \(priority); allowed are 1, 2 and 3"
        }
        let type = type ?? codec.type
        guard type.form == codec.type.form || (type.isNumber && codec.type.isNumber) else {
            return "the column '\(name)' shows values of type \(valueType), which cannot be "
                + ".\(type); allowed are \(Self.types(of: codec.type))"
        }
        if let format {
            guard format.suits(type) else {
                return "the column '\(name)' is \(type), which cannot be shown as \(format.text)"
            }
            guard ColumnFormat(format.text) == format else {
                return "the column '\(name)' cannot have the format \(format.text); a currency is "
                    + "a code of three letters, such as EUR"
            }
        }
        guard !isEditable || set != nil else {
            return path == nil
                ? "the column '\(name)' is editable, but a closure computes it; give it a property"
                : "the column '\(name)' is editable, and \(shown) is a constant; make it a var"
        }
        return nil
    }

    private static func types(of type: ColumnType) -> String {
        ColumnType.allCases.filter { $0.form == type.form || ($0.isNumber && type.isNumber) }
            .map { ".\($0)" }.joined(separator: ", ")
    }

    func shows(_ path: AnyKeyPath) -> Bool { self.path.map { $0 == path } ?? false }

    func write(_ model: Model, to cells: inout CellBuffer) {
        cells.append(codec?.cell(read(model)) ?? .null)
    }
}
