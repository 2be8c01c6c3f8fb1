import Archives
package import Listings
import Locks
import System
import TableFiles

/// Writes the edits of a list back to the file from which it was imported.
package final class FileSaver: Sendable {
    /// Imports the file again.
    ///
    /// Returns whether it has other columns now.
    package typealias ImportAgain = @Sendable () throws(ImportError) -> Bool

    /// The file as it was last read or written.
    private struct Known: Sendable {
        var state: FileReplacement.State
        var form: FileForm
        var starts: [Int]
        var listStart: Int?
        var fingerprints: [Int]
        var ids: [String]
        /// The last row, for new ones to resemble.
        var template: [UInt8] = []
        /// The neighbours of deleted rows, which an undo inserts between them.
        var removed: [String: (before: String?, after: String?)] = [:]
        /// Whether a first value has given a column another type.
        var hasOtherTypes = false
        /// Whether another program still writes the last line.
        var isUnfinished = false

        var stamp: SourceFile.Stamp {
            SourceFile.Stamp(bytes: state.bytes, modified: state.modified)
        }
    }

    let list: String
    private let table: SourceTable
    private let maximumBytes: Int
    private let importAgain: ImportAgain
    private let known = Locked<Known?>(nil)
    private let isOutdated = Locked(false)
    private static let maximumRemoved = 10_000

    private var path: String { table.location.path }

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    private func unsaved(_ reason: String) -> WriteError { .unsaved(file: name, reason: reason) }

    package init(
        _ table: SourceTable,
        as list: String,
        maximumBytes: Int,
        importAgain: @escaping ImportAgain
    ) {
        (self.table, self.list, self.maximumBytes) = (table, list, maximumBytes)
        self.importAgain = importAgain
    }

    /// Nil before ``prepare()``.
    var form: FileForm? { known.withLock { $0?.form } }

    /// The size of the file as it was last read or written.
    var knownBytes: Int { known.withLock { Int($0?.state.bytes ?? 0) } }

    /// Whether the file is as it was last read or written.
    package var isCurrent: Bool {
        known.withLock { known in
            // A file that cannot be found is another one.
            let now = try? FileReplacement.State(ofFileAt: path)
            return now != nil && now == known?.state
        }
    }

    /// Whether a deleted row of the file had the id.
    func hasRemoved(_ id: String) -> Bool { known.withLock { $0?.removed[id] != nil } }

    /// The next write reads the file again.
    func forget() { known.replace(with: nil) }

    /// The columns of the list are no longer those of the file.
    func describeAgain() { isOutdated.withLock { $0 = true } }

    /// Whether the list must be described again, which the caller does.
    package func takeDescription() -> Bool {
        isOutdated.withLock { isOutdated in
            defer { isOutdated = false }
            return isOutdated
        }
    }

    func readAgain() throws(WriteError) {
        let isOther: Bool
        do throws(ImportError) { isOther = try importAgain() } catch { throw self.error(error) }
        guard !isOther else {
            describeAgain()
            throw .redefined
        }
        try prepare()
    }

    private func error(_ error: ImportError) -> WriteError {
        switch error {
        case .busy, .changed, .cancelled: .busy
        case .database(let error): WriteError(error)
        case .missing: unsaved("the file is gone")
        case .unreadable(_, let code):
            unsaved("it cannot be read: \(SystemError(call: "read", code: code).reason)")
        case .refused(_, let errors):
            unsaved(
                errors.first.map { "line \($0.location.line) cannot be read: \($0.reason.text)" }
                    ?? "it cannot be read"
            )
        case .missingKey(let key, _): unsaved("it has no column '\(key)', which --key names")
        case .unknownFormat, .directory, .notRegular, .archive, .workbook, .foreign, .noTable,
            .severalTables, .reservedName, .nameTaken, .written:
            unsaved("it is no file with one list")
        }
    }

    /// Finds whether a new version of the file can be made, and removes what a killed process has
    /// left.
    package func check() throws(WriteError) { _ = try contents() }

    private func contents() throws(WriteError) -> ([UInt8], FileReplacement.State) {
        guard case .path = table.location else {
            throw unsaved("it is read only once")
        }
        switch table.part {
        case .sheet: throw unsaved("a workbook is not written")
        case .entry: throw unsaved("an archive is not written")
        case .list: throw unsaved("the document has several lists")
        case nil: break
        }
        let (bytes, state) = try ofSystem { () throws(SystemError) in
            let replacement = try FileReplacement(ofFileAt: path)
            return (try replacement.contents(maximum: maximumBytes), replacement.original)
        }
        guard let bytes else { throw tooLarge }
        guard !state.hasSeveralNames else {
            throw unsaved("the file has several names (hard links)")
        }
        guard !DecompressingReader.isGzip(bytes.span) else {
            throw unsaved("the file is compressed")
        }
        return (bytes, state)
    }

    /// Reads the file, from which the list was imported.
    package func prepare() throws(WriteError) {
        guard !isCurrent else { return }
        let (bytes, state) = try contents()
        let rows: FileRows
        do { rows = try FileRows(bytes, of: table) } catch { throw self.error(error) }
        guard rows.findings.json?.layout != .other else {
            throw unsaved("the rows of the document are not the objects of one array")
        }
        let plan = rows.plan(table.options)
        // Edits would not change the copy.
        guard plan.omittedNames.allSatisfy({ $0.source == nil }) else {
            throw unsaved("it is an export with a column that repeats another one")
        }
        let encoding = rows.findings.encoding
        guard encoding.encoded(encoding.decoded(bytes)) == bytes else {
            throw unsaved("the file has bytes that are no text in \(encoding.name)")
        }
        let stamp = SourceFile.Stamp(bytes: state.bytes, modified: state.modified)
        if let before = known.withLock({ $0 }), before.stamp == stamp {
            // The import takes such a file for the one that it has read.
            guard rows.fingerprints == before.fingerprints else {
                throw unsaved("the file has other rows, but size and time of before")
            }
            return known.withLock { $0?.state = state }
        }
        let form = FileForm(rows, plan, of: table)
        known.replace(
            with: Known(
                state: state,
                form: form,
                starts: rows.starts,
                listStart: rows.listStart,
                fingerprints: rows.fingerprints,
                ids: form.isNumbered ? rows.starts.indices.map { "\($0 + 1)" } : rows.ids,
                isUnfinished: rows.findings.repairs.contains(.unfinishedLine)
            )
        )
    }

    private var tooLarge: WriteError {
        unsaved("the file is larger than --save-limit, \(maximumBytes >> 20) MiB")
    }

    /// Writes a new version of the file.
    ///
    /// The positions are those of the columns of the list in the file. The connection is in the
    /// transaction of the same changes, which is committed next. An error means that the file is as
    /// before, except ``WriteError/uncertain(reason:)``.
    func save(
        _ edits: [(id: String, edit: RowEdit)],
        of positions: [Int?],
        _ connection: DatabaseConnection
    ) throws(WriteError) {
        try known.withLock { (known) throws(WriteError) in
            guard let before = known else { throw .busy }
            guard !before.isUnfinished else { throw unsaved("its last line is not finished") }
            var replacement = try ofSystem { () throws(SystemError) in
                try FileReplacement(ofFileAt: path)
            }
            let isImported = try WriteError.ofDatabase { () throws(SQLiteError) in
                try ListCatalog.hasSource(before.stamp, of: list, in: connection)
            }
            guard replacement.original == before.state, isImported else {
                // The file changed after its import, so that the next write imports it again.
                known = nil
                throw .busy
            }
            let contents = try ofSystem { () throws(SystemError) in
                try replacement.contents(maximum: maximumBytes)
            }
            guard let contents else { throw tooLarge }
            let (bytes, after) = try edited(contents, before, edits, positions)
            let state = try ofSystem { () throws(SystemError) in
                try replacement.write(bytes)
            }
            var next = after
            next.state = state
            // No file has less than 0 bytes, so that the next reading imports the file again.
            let stamp = next.hasOtherTypes ? SourceFile.Stamp(bytes: -1, modified: 0) : next.stamp
            try WriteError.ofDatabase { () throws(SQLiteError) in
                try ListCatalog.setSource(stamp, of: list, in: connection)
            }
            // Another program may have written meanwhile.
            guard replacement.isCurrent() else { throw .busy }
            do throws(SystemError) {
                try replacement.commit()
                known = next.hasOtherTypes ? nil : next
                if next.hasOtherTypes { describeAgain() }
            } catch {
                guard replacement.isCommitted else { throw self.error(error) }
                known = nil
                throw .uncertain(reason: "\(path): \(error.call): \(error.reason)")
            }
        }
    }

    private func edited(
        _ contents: [UInt8],
        _ before: Known,
        _ edits: [(id: String, edit: RowEdit)],
        _ positions: [Int?]
    ) throws(WriteError) -> ([UInt8], Known) {
        var after = before
        let text = before.form.encoding.decoded(contents)
        var byID: [String: RowEdit] = [:]
        for (id, edit) in edits { byID[id] = edit }
        var changed: [(row: Int, edit: RowEdit)] = []
        // The rows that there will be, with their numbers before.
        var rows: [(id: String, row: Int?)] = []
        for (row, id) in before.ids.enumerated() {
            let edit = byID[id]
            if let edit, edit.kind != .insert { changed.append((row, edit)) }
            guard edit?.kind != .delete else {
                let next = row + 1 < before.ids.count ? before.ids[row + 1] : nil
                after.removed[id] = (row > 0 ? before.ids[row - 1] : nil, next)
                continue
            }
            rows.append((id, row))
        }
        guard changed.count == edits.count(where: { $0.edit.kind != .insert }) else { throw .busy }
        if after.removed.count > Self.maximumRemoved { after.removed = [:] }
        for (id, edit) in edits where edit.kind == .insert {
            rows.insert((id, nil), at: place(of: after.removed.removeValue(forKey: id), in: rows))
        }
        var added: [(after: Int?, edit: RowEdit)] = []
        var last: Int?
        for (id, row) in rows {
            last = row ?? last
            if row == nil, let edit = byID[id] { added.append((last, edit)) }
        }
        after.ids = rows.map(\.id)
        let expected = rows.map { (byID[$0.id], $0.row.map { before.fingerprints[$0] }) }
        if let last = before.starts.last { after.template = before.form.row(at: last, in: text) }
        let patches = before.form.editor(like: after.template).patches(
            of: RowPositions(text, starts: before.starts, list: before.listStart),
            changed: changed,
            added: added
        )
        guard let bytes = before.form.encoding.encoded(TextPatch.apply(patches, to: text)) else {
            throw differing
        }
        guard bytes.count <= maximumBytes else {
            let limit = "--save-limit, \(maximumBytes >> 20) MiB"
            throw refused(nil, .refused("The file of the list would be larger than \(limit)."))
        }
        try check(bytes, expected, &after, positions)
        return (bytes, after)
    }

    /// Beside a row that was next to a deleted one, otherwise at the end.
    private func place(
        of neighbours: (before: String?, after: String?)?,
        in rows: [(id: String, row: Int?)]
    ) -> Int {
        guard let neighbours else { return rows.count }
        if let before = rows.firstIndex(where: { $0.id == neighbours.before }) {
            return before + 1
        }
        return rows.firstIndex { $0.id == neighbours.after } ?? rows.count
    }

    /// Reads the new version as the next start will.
    ///
    /// `expected` has the edit of each row, or what its values were.
    private func check(
        _ bytes: [UInt8],
        _ expected: [(edit: RowEdit?, fingerprint: Int?)],
        _ after: inout Known,
        _ positions: [Int?]
    ) throws(WriteError) {
        let form = after.form
        let values = expected.compactMap(\.edit).flatMap(\.values)
        let written = Set(values.filter { !$0.value.isNull }.map(\.key))
        var isEqual = true
        let rows: FileRows
        do {
            rows = try FileRows(
                bytes,
                of: table,
                isNumbered: form.isNumbered,
                surveyed: Set(written.map { form.names[$0] }),
                readings: form.idReadings
            ) { row, record, names in
                guard row < expected.count else {
                    isEqual = false
                    return
                }
                guard let edit = expected[row].edit else {
                    if record.fingerprint() != expected[row].fingerprint { isEqual = false }
                    return
                }
                for (column, value) in edit.values {
                    let text = names.position(of: form.names[column]).flatMap { record.text($0) }
                    let found = text.map { form.readings[column]?.value($0) ?? .text($0) } ?? .null
                    let wanted = form.readings[column] == nil ? value.asText : value
                    if found != wanted { isEqual = false }
                }
            }
        } catch {
            throw differing
        }
        let plan = rows.plan(table.options)
        let areOmitted = rows.starts.isEmpty || plan.omitted == form.omitted
        guard isEqual, areOmitted, form.isJSON || rows.columns.all == form.names,
            rows.starts.count == after.ids.count, form.isNumbered || rows.ids == after.ids
        else { throw differing }
        for column in written where column != form.idColumn && form.isInferred(column) {
            guard let position = rows.columns.position(of: form.names[column]) else { continue }
            let (now, before) = (plan.columns[position], form.columns[column])
            if form.empty.contains(column) {
                if now.type != before.type || now.isMixed { after.hasOtherTypes = true }
            } else if now.type != before.type, !before.isMixed {
                throw refused(positions.firstIndex(of: column), .readAs(now.type))
            }
        }
        (after.starts, after.fingerprints) = (rows.starts, rows.fingerprints)
        after.listStart = rows.listStart
        after.form.empty = Set(
            form.names.indices.filter { column in
                rows.columns.position(of: form.names[column]).map { !rows.filled.contains($0) }
                    ?? true
            }
        )
    }

    private var differing: WriteError {
        refused(nil, .refused("The file of the list would be read differently with this row."))
    }

    private func refused(_ column: Int?, _ reason: FieldValidationError.Reason) -> WriteError {
        .refused([0: .invalid([FieldValidationError(column: column, reason)])])
    }

    private func error(_ error: SystemError) -> WriteError {
        if error.isFull { return .full }
        if error.isLocked { return .busy }
        if error.isMissing { return unsaved("the file is gone") }
        if error.isReadOnly {
            return unsaved("the user of the server may not write to it or its folder")
        }
        return .unavailable(reason: "\(path): \(error.call): \(error.reason)")
    }

    private func ofSystem<R: ~Copyable>(
        _ body: () throws(SystemError) -> R
    ) throws(WriteError) -> R {
        do { return try body() } catch { throw self.error(error) }
    }
}

extension CellValue {
    /// The text of the value in a file; null stays.
    fileprivate var asText: CellValue { isNull ? self : .text(plainText) }
}
