/// A type whose values can be cells.
public protocol CellConvertible: Sendable {
    /// The type of a column of such values.
    static var columnType: ColumnType { get }

    /// Appends the value as one cell.
    func write(to cells: inout CellBuffer)
}

extension String: CellConvertible {
    /// ``ColumnType/text``.
    public static var columnType: ColumnType { .text }

    /// Appends the text.
    @inlinable
    public func write(to cells: inout CellBuffer) { cells.append(self) }
}

extension Int: CellConvertible {
    /// ``ColumnType/integer``.
    public static var columnType: ColumnType { .integer }

    /// Appends the number.
    @inlinable
    public func write(to cells: inout CellBuffer) { cells.append(Int64(self)) }
}

extension Int64: CellConvertible {
    /// ``ColumnType/integer``.
    public static var columnType: ColumnType { .integer }

    /// Appends the number.
    @inlinable
    public func write(to cells: inout CellBuffer) { cells.append(self) }
}

extension Double: CellConvertible {
    /// ``ColumnType/real``.
    public static var columnType: ColumnType { .real }

    /// Appends the number, or null if it is not finite.
    @inlinable
    public func write(to cells: inout CellBuffer) { cells.append(self) }
}

extension Bool: CellConvertible {
    /// ``ColumnType/boolean``.
    public static var columnType: ColumnType { .boolean }

    /// Appends the Boolean value.
    @inlinable
    public func write(to cells: inout CellBuffer) { cells.append(self) }
}

extension CalendarDate: CellConvertible {
    /// ``ColumnType/date``.
    public static var columnType: ColumnType { .date }

    /// Appends the day.
    @inlinable
    public func write(to cells: inout CellBuffer) { cells.append(self) }
}

extension CellValue: CellConvertible {
    /// ``ColumnType/text``, because the type of a value is only known at run time.
    public static var columnType: ColumnType { .text }

    /// Appends the value.
    @inlinable
    public func write(to cells: inout CellBuffer) { cells.append(self) }
}

extension Optional: CellConvertible where Wrapped: CellConvertible {
    /// The type of the wrapped values.
    public static var columnType: ColumnType { Wrapped.columnType }

    /// Appends the value, or null for nil.
    @inlinable
    public func write(to cells: inout CellBuffer) {
        if let self { self.write(to: &cells) } else { cells.appendNull() }
    }
}
