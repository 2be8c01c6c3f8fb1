import Listings

/// The values that a client sent for a new model.
///
/// ```swift
/// .onCreate { draft in
///     let todo = Todo(title: try draft[\.title], state: try draft[\.state] ?? .open)
///     await store.save(todo)
///     return todo
/// }
/// ```
///
/// A missing or unfit value throws an error, which becomes 422 with the name of the column. The name
/// of the client is ``Caller/currentName``.
public struct Draft<Model: Sendable>: Sendable {
    /// By the positions of the columns.
    let values: [Int: CellValue]
    let columns: [ColumnDeclaration<Model>]

    /// The value of a property.
    public subscript<Value>(_ path: KeyPath<Model, Value>) -> Value {
        get throws {
            let (position, value) = try find(path)
            guard let value = value as? Value else {
                throw InvalidValues([FieldValidationError(column: position, .missing)])
            }
            return value
        }
    }

    /// The value of a property; nil if the client sent none.
    public subscript<Value>(_ path: KeyPath<Model, Value>) -> Value? {
        get throws { try find(path).value as? Value }
    }

    private func find(_ path: PartialKeyPath<Model>) throws -> (position: Int, value: Any?) {
        guard let position = columns.firstIndex(where: { $0.shows(path) }) else {
            throw DeclarationError("\(path) is no column of the list")
        }
        let codec = columns[position].codec
        let cell = values[position] ?? .null
        if cell.isNull {
            return (position, codec?.isOptional == true ? Any?.some(Any?.none as Any) : nil)
        }
        return (position, codec?.value(cell))
    }
}

/// A value that a program refuses, with the reason for the client.
///
/// ```swift
/// throw Invalid(\Todo.title, "A title has at most 80 characters.")
/// ```
///
/// Thrown by the closures of `onCreate` and `onUpdate`, it becomes 422.
public struct Invalid<Model: Sendable>: Error {
    let path: any PartialKeyPath<Model> & Sendable
    let reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - path: The property whose value is refused.
    ///   - reason: The reason, a sentence for the client.
    public init(_ path: any PartialKeyPath<Model> & Sendable, _ reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// By the positions of the columns.
struct InvalidValues: Error {
    let errors: [FieldValidationError]

    init(_ errors: [FieldValidationError]) { self.errors = errors }
}

/// An error in the declaration of an app, which is found when it starts.
struct DeclarationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
