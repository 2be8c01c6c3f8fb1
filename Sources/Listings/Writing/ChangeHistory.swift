import JSON

/// The durable record of the changes that a service commits.
package protocol ChangeHistory: Sendable {
    /// Stores changes that are about to be committed.
    ///
    /// They are durable when this returns, and shown after ``settle(_:isCommitted:)``. Changes
    /// that are never settled, because the process ended, are shown with an unknown outcome.
    ///
    /// - Parameters:
    ///   - changes: The changes, in their order.
    ///   - batch: The number of the batch that they belong to; nil begins another one.
    /// - Returns: The number of the batch.
    /// - Throws: ``WriteError``; the changes must not be committed then.
    func prepare(_ changes: [RecordedChange], in batch: Int64?) throws(WriteError) -> Int64

    /// Confirms the changes of a batch, or removes them if they were not committed.
    func settle(_ batch: Int64, isCommitted: Bool)
}

package struct RecordedChange: Sendable {
    package let caller: String?
    package let list: String
    package let row: String
    /// As in ``ChangedRow/Effect``, or `action` with the name of an action.
    package let change: String
    /// The values before and after the change as JSON objects; nil where there was no row.
    package let (old, new): (String?, String?)

    package init(
        of list: String,
        row: String,
        _ change: String,
        from old: String? = nil,
        to new: String? = nil
    ) {
        caller = ChangeRecorder.current?.caller
        (self.list, self.row, self.change, self.old, self.new) = (list, row, change, old, new)
    }

    /// The start of the value of a column in ``old`` and ``new``.
    package static func start(ofMember column: String) -> String { JSONText.quoted(column) + ":" }
}

/// Records the changes of one client, in every write that runs meanwhile.
package struct ChangeRecorder: Sendable {
    /// That of the request which the current thread handles; nil if the service has no history.
    @TaskLocal package static var current: ChangeRecorder?

    package let history: any ChangeHistory
    package let caller: String?

    package init(_ history: any ChangeHistory, caller: String?) {
        (self.history, self.caller) = (history, caller)
    }
}

extension ChangeRecorder {
    /// Records the effect of code that commits by itself.
    ///
    /// Until its result is known, the history has the intended change.
    ///
    /// - Parameters:
    ///   - intended: The change that is expected.
    ///   - body: Returns its result, and the change; nil if there was none. If it throws, nothing
    ///     has changed, except for ``WriteError/uncertain(reason:)``.
    /// - Returns: The result of the body.
    /// - Throws: ``WriteError`` if nothing can be recorded, and the errors of the body.
    package func record<R>(
        _ intended: RecordedChange,
        _ body: () throws -> (R, RecordedChange?)
    ) throws -> R {
        let batch = try history.prepare([intended], in: nil)
        do {
            let (result, change) = try body()
            if let change {
                // Without room for the result, the intended change stays with an unknown outcome.
                guard let known = try? history.prepare([change], in: nil) else { return result }
                history.settle(known, isCommitted: true)
            }
            history.settle(batch, isCommitted: false)
            return result
        } catch {
            if case .uncertain? = error as? WriteError { throw error }
            history.settle(batch, isCommitted: false)
            throw error
        }
    }
}

/// The changes of one transaction, which the history has before the list has them.
package final class TransactionChanges {
    /// The maximum number of changes in memory, as an import has many.
    private static let maximumHeld = 1_000

    private let history: any ChangeHistory
    private var changes: [RecordedChange] = []
    private var batch: Int64?

    /// Nil without a history.
    package init?() {
        guard let recorder = ChangeRecorder.current else { return nil }
        history = recorder.history
    }

    deinit { if let batch { history.settle(batch, isCommitted: false) } }

    package var count: Int { changes.count }

    /// Removes the last changes, which were undone.
    package func removeLast(from count: Int) { changes.removeSubrange(count...) }

    package func add(
        _ row: ChangedRow,
        of list: String,
        _ columns: [Column],
        from old: [CellValue]?,
        to new: [CellValue]?
    ) {
        changes.append(
            RecordedChange(
                of: list,
                row: row.id,
                row.effect.rawValue,
                from: old.map { columns.json(of: $0) },
                to: new.map { columns.json(of: $0) }
            )
        )
    }

    /// Stores changes of a long transaction, which nothing undoes one by one.
    package func spill() throws(WriteError) {
        guard changes.count >= Self.maximumHeld else { return }
        batch = try history.prepare(changes, in: batch)
        changes = []
    }

    package func commit(_ body: () throws(WriteError) -> Void) throws(WriteError) {
        guard batch != nil || !changes.isEmpty else { return try body() }
        let batch = try history.prepare(changes, in: batch)
        (changes, self.batch) = ([], batch)
        do throws(WriteError) {
            try body()
        } catch .uncertain(let reason) {
            // The entries keep their unknown outcome.
            self.batch = nil
            throw .uncertain(reason: reason)
        }
        self.batch = nil
        history.settle(batch, isCommitted: true)
    }
}

extension [Column] {
    /// The values by the ids of the columns; bytes are `{"bytes": count}`.
    package func json(of values: [CellValue]) -> String {
        let members = zip(self, values).map { column, value in
            RecordedChange.start(ofMember: column.id) + value.json
        }
        return "{\(members.joined(separator: ","))}"
    }
}

extension CellValue {
    fileprivate var json: String {
        switch self {
        case .null: "null"
        case .boolean, .integer: plainText
        case .real(let real): real.isFinite ? plainText : JSONText.quoted(plainText)
        case .decimal(let decimal):
            JSONNumber.isNumber(decimal.text.utf8.span) ? decimal.text : decimal.canonicalText
        case .text(let text): JSONText.quoted(text)
        case .date, .timestamp: JSONText.quoted(plainText)
        case .json(let text): text
        case .bytes(let bytes): "{\"bytes\":\(bytes.count)}"
        }
    }
}

extension Page {
    /// The values of a row, as the history has them.
    package func json(ofRow row: Int) -> String {
        schema.columns.json(of: schema.columns.indices.map { value(row: row, column: $0) })
    }
}
