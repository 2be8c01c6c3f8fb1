import Listings

/// An index has the order of the other list, and another one finds the rows that refer to each of
/// its rows.
///
/// Rows without a value are read without the other list.
extension KeysetPlan {
    func makeRelated() -> KeysetPlan? {
        let isOrdered =
            dialect.knowsSelectivity
            ? !accessPath.leavesOrder
            : conditions.isEmpty || accessPath == .order || accessPath == .gathered
        guard grouping == nil, isOrdered, case .column(let column)? = order.first?.field,
            let table = table.joined(by: column)
        else { return nil }
        return KeysetPlan(
            table,
            schema: schema,
            dialect: dialect,
            grouping: nil,
            order: order,
            conditions: conditions.joined(table),
            accessPath: accessPath
        )
    }

    /// Nil if the range has no values in this step.
    ///
    /// An engine without statistics also needs indexes of the other list's order and of the keys.
    func related(
        to range: KeysetRange,
        on connection: any EngineConnection
    ) throws(ReadingError) -> KeysetPlan? {
        guard let bound = range.bounds.first, bound != .isNull, let related else { return nil }
        related.operands = operands
        if readsRelated == nil, !dialect.knowsSelectivity {
            let values = KeysetRange([.isNotNull])
            let plan = try related.explain(.records, of: values, .forwards, on: connection)
            readsRelated = plan.sorting != .everything && plan.finds
        }
        return readsRelated ?? true ? related : nil
    }

    enum Beginning {
        case at
        case behind
    }

    func ranges(
        _ values: [CellValue],
        fixed: Int,
        _ direction: Direction,
        _ beginning: Beginning = .behind
    ) -> [KeysetRange] {
        let terms = terms(direction)
        // Rows that are sorted in any case need no range of their own for nulls.
        if accessPath.leavesOrder, fixed == values.count {
            return [KeysetRange(values.map { $0.isNull ? .isNull : .equal })]
        }
        // No index has values of two tables.
        let comparesRows = dialect.comparesRows && related == nil
        return switch beginning {
        case .at where fixed < values.count:
            KeysetRange.beginning(at: values, fixed: fixed, in: terms, comparesRows: comparesRows)
        case .at, .behind:
            KeysetRange.following(values, fixed: fixed, in: terms, comparesRows: comparesRows)
        }
    }
}
