import Bytes
import Database
import Listings

/// The changes of a load, which the server receives by `COPY`.
///
/// They form slices. New rows are copied to the table itself. Other changes are staged in a
/// temporary table, and one statement performs those of one kind. So a change that the database
/// refuses concerns one slice, whose changes are then performed one at a time.
final class StagedChanges: RowLoad {
    static let maximumSlice = 20_000
    private static let minimumSlice = 500
    private static let bytesPerMessage = 64 << 10
    private static let maximumShapes = 16

    private struct Slice {
        enum State {
            case performed
            case staged
            case refused
        }

        var count = 0
        var shapes: [(shape: StagedSQL.Shape, count: Int)] = []
        var state: State

        var updates: Bool { shapes.contains { $0.shape.updates } }
    }

    private let changesPerSlice: Int
    private let transaction: PostgresTransaction
    private let performer: BatchWriter
    private let sql: StagedSQL
    private let updatesPlainly: Bool
    /// After a refusal, the changes are staged, so that they are performed in their order.
    private var copiesRows: Bool
    private var slices: [Slice] = []
    private var slice: Slice?
    private var lastShape = 0
    private var values: [CellValue?] = []
    private var bytes = ByteBuffer(minimumCapacity: StagedChanges.bytesPerMessage * 2)
    private var textForm: CopiedTexts?
    private var nextSlice = 0
    private(set) var hasChanged = false

    private var connection: PooledConnection { transaction.session.connection }

    /// Fails, for example, if the user may create no temporary table.
    init(
        _ transaction: PostgresTransaction,
        _ performer: BatchWriter,
        changesPerSlice: Int
    ) throws(PostgresError) {
        self.changesPerSlice = changesPerSlice
        self.transaction = transaction
        self.performer = performer
        sql = StagedSQL(transaction)
        let connection = transaction.session.connection
        let found = try connection.perform(StagedSQL.facts, [transaction.table.quotedName])
        updatesPlainly = found.text(0, 0) == "t"
        copiesRows = found.text(0, 1) == "t"
        try connection.perform(plainly: sql.definition)
    }

    func stage(_ change: RowChange) throws(WriteError) -> RowRefusal? {
        var key: [CellValue] = []
        var shape = StagedSQL.Shape(verb: change.verb)
        if let id = change.id {
            guard let values = transaction.key(of: id) else {
                return .invalid([FieldValidationError(column: nil, .againstRule)])
            }
            (key, shape.key) = (values, .staged)
        }
        values.removeAll(keepingCapacity: true)
        var mayBeRefused = false
        for column in sql.columns {
            var value = change.values[column.position]
            if let given = value {
                if let part = column.keyPart, shape.key == .staged {
                    mayBeRefused = mayBeRefused || key[part] != given
                    value = nil
                } else {
                    mayBeRefused = mayBeRefused || !column.takesValues
                    shape.columns.append(column.position)
                }
            }
            values.append(value)
        }
        if mayBeRefused {
            let given = change.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            let errors = transaction.faults(given, ofRow: change.id)
            guard errors.isEmpty else { return .invalid(errors) }
        }
        if shape.key != .staged {
            switch transaction.madeKey(for: change.values) {
            case .byTable: break
            case .missing: return .invalid([FieldValidationError(column: nil, .missing)])
            case .uuid: shape.key = .uuid
            case .text: (key, shape.key) = ([.text(RowID.random())], .staged)
            }
        }
        try append(key, shape)
        return nil
    }

    func endStaging() throws(WriteError) {
        try WriteError.ofDatabase { () throws(PostgresError) in
            try endSlice()
            guard slices.count(where: { $0.state == .staged }) > 1 else { return }
            try connection.perform(plainly: StagedSQL.index)
        }
    }

    func performNext() throws(WriteError) -> LoadedPart? {
        guard nextSlice < slices.count else { return nil }
        let (number, slice) = (nextSlice, slices[nextSlice])
        nextSlice += 1
        var counts: LoadedPart.Counts?
        switch slice.state {
        case .refused: break
        case .performed:
            counts = LoadedPart.Counts()
            counts?.created = slice.count
        case .staged:
            let outcome = try transaction.attempt { () throws(PostgresError) in
                try perform(slice, number)
            }
            counts = try? outcome.get()
        }
        if let counts, counts.created + counts.changed > 0 { hasChanged = true }
        return LoadedPart(count: slice.count, counts: counts)
    }

    func perform(_ change: RowChange) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let result = try performer.perform(change, in: transaction)
        if case .success(let row) = result, row.effect != .unchanged { hasChanged = true }
        return result
    }
}

extension StagedChanges {
    private func append(
        _ key: [CellValue],
        _ shape: StagedSQL.Shape
    ) throws(WriteError) {
        try WriteError.ofDatabase { () throws(PostgresError) in
            if let slice, slice.state == .performed, slice.shapes[0].shape != shape {
                // Changes of many kinds are staged.
                if slice.count < Self.minimumSlice { copiesRows = false }
                try endSlice()
            }
            if slice == nil { try beginSlice(shape) }
            let number = count(shape)
            if slice?.state == .staged {
                bytes.append("\(slices.count)\t\(number)\t")
                appendChange(key)
            } else {
                appendRow(key)
            }
            try endLine()
        }
    }

    func stage(
        _ verb: RowChange.Verb,
        _ fields: TextFields,
        _ texts: borrowing Span<UInt8>,
        _ range: (Int) -> Range<Int>?
    ) throws(WriteError) -> Bool {
        guard verb == .insert, copiesRows else { return false }
        if textForm?.fields !== fields {
            textForm = CopiedTexts(fields, sql, performer.rules)
        }
        guard let textForm, let shape = textForm.shape else { return false }
        // Rows of another shape end the slice.
        if let slice, slice.shapes.first.map({ $0.shape != shape }) ?? true { return false }
        let start = bytes.count
        guard textForm.append(texts, range, to: &bytes) else {
            bytes.truncate(to: start)
            return false
        }
        try WriteError.ofDatabase { () throws(PostgresError) in
            if slice == nil { try beginSlice(shape) }
            _ = count(shape)
            try endLine()
        }
        return true
    }

    private func endLine() throws(PostgresError) {
        bytes.truncate(to: bytes.count - 1)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.bytesPerMessage { try send() }
        if slice?.count == changesPerSlice { try endSlice() }
    }

    private func appendRow(_ key: [CellValue]) {
        for part in key { bytes.append(copying: part, as: .other) }
        for (column, value) in zip(sql.columns, values) {
            if let value { bytes.append(copying: value, as: column.type) }
        }
    }

    private func appendChange(_ key: [CellValue]) {
        for part in sql.keyTypes.indices {
            bytes.append(copying: part < key.count ? key[part] : .null, as: .other)
        }
        for (column, value) in zip(sql.columns, values) where column.takesValues {
            bytes.append(copying: value ?? .null, as: column.type)
        }
    }

    /// Returns the number of the shape, which is usually that of the change before.
    private func count(_ shape: StagedSQL.Shape) -> Int {
        guard var current = slice.take() else { return 0 }
        let isSame = lastShape < current.shapes.count && current.shapes[lastShape].shape == shape
        if !isSame, let found = current.shapes.firstIndex(where: { $0.shape == shape }) {
            lastShape = found
        } else if !isSame {
            lastShape = current.shapes.count
            current.shapes.append((shape, 0))
        }
        current.count += 1
        current.shapes[lastShape].count += 1
        slice = current
        return lastShape
    }

    private func beginSlice(_ shape: StagedSQL.Shape) throws(PostgresError) {
        let target = copiesRows ? sql.copy(shape) : nil
        slice = Slice(state: target == nil ? .staged : .performed)
        try connection.perform(plainly: "SAVEPOINT change")
        try connection.current().beginCopy(
            target ?? StagedSQL.copy,
            until: connection.usualEnd
        )
    }

    private func send() throws(PostgresError) {
        try connection.current().copy(bytes, until: connection.usualEnd)
        bytes.removeAll()
    }

    private func endSlice() throws(PostgresError) {
        guard var ended = slice.take() else { return }
        try send()
        do throws(PostgresError) {
            // A trigger may leave out rows.
            let count = try connection.current().endCopy(until: connection.usualEnd)
            guard count == ended.count else {
                throw PostgresTransaction.unsuitable
            }
            try connection.perform(plainly: "RELEASE SAVEPOINT change")
        } catch .refused(let state, _) where PostgresTransaction.isBreach(state) {
            (ended.state, copiesRows) = (.refused, false)
            try connection.perform(
                plainly: "ROLLBACK TO SAVEPOINT change; RELEASE SAVEPOINT change"
            )
        }
        let isMixed = ended.shapes.count > Self.maximumShapes
        if isMixed || ended.updates && !updatesPlainly { ended.state = .refused }
        slices.append(ended)
    }
}

extension StagedChanges {
    private func perform(
        _ slice: Slice,
        _ number: Int
    ) throws(PostgresError) -> LoadedPart.Counts {
        func run(_ statement: String) throws(PostgresError) -> PostgresResult {
            try connection.perform(statement, isKept: false)
        }
        if slice.updates, try run(sql.repeatsKeys(inSlice: number)).text(0, 0) != "f" {
            throw PostgresTransaction.unsuitable
        }
        var counts = LoadedPart.Counts()
        for (shapeNumber, (shape, count)) in slice.shapes.enumerated() {
            let condition = "staged.slice = \(number) AND staged.shape = \(shapeNumber)"
            var existing = 0
            if shape.verb != .insert {
                existing = try run(sql.existingRows(condition)).text(0, 0).flatMap(Int.init) ?? 0
                let update = sql.update(shape, condition)
                let changed = if let update { try run(update).changedRows } else { 0 }
                counts.changed += changed
                counts.unchanged += existing - changed
            }
            guard let insert = sql.insert(shape, condition) else {
                throw PostgresTransaction.unsuitable
            }
            // A trigger may leave out rows, and another client may have created them.
            guard try run(insert).changedRows == count - existing else {
                throw PostgresTransaction.unsuitable
            }
            counts.created += count - existing
        }
        return counts
    }
}
