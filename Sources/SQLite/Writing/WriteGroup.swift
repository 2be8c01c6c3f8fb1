import Listings
import Locks

/// It may be sent although it is not safe to share, because only its thread uses it.
final class WriteGroup: @unchecked Sendable {
    private enum State {
        case idle
        case open(WriterSession)
        case failed(WriteError)
        /// The transaction was rolled back with the changes of several members.
        case lost
    }

    let thread = CurrentThread.id
    var files = WriterQueue.Files()
    var member = 0

    private var state = State.idle
    /// The earlier members whose outcome depends on the commit.
    private var dependents: Set<Int> = []
    private var repeated: Set<Int> = []
    private var hasChanged = false
    private var hasSavepoint = false
    /// Those of the only list in a file; nil if there is none.
    private(set) var edits: FileEdits?
    private var editCount = 0
    private(set) var history: TransactionChanges?
    private var changeCount = 0
    /// Whether readers use a copy of the database until the commit.
    var usesCopy = false

    /// The members to perform again, each alone.
    var membersToRepeat: [Int] { repeated.sorted() }

    var isUsable: Bool {
        switch state {
        case .idle, .open: true
        case .failed, .lost: false
        }
    }

    func noteChange() { hasChanged = true }

    func fail(_ error: WriteError) { state = .failed(error) }

    func repeatMember() { repeated.insert(member) }

    /// False if another list in a file has changes: no two files are replaced at once.
    func takes(_ new: FileEdits) -> Bool {
        if let edits { return edits.saver === new.saver }
        edits = new
        return true
    }

    /// `mayBeUndone` is true if a refused write may leave changes that must be undone.
    func begin(
        mayBeUndone: Bool,
        _ open: () throws(WriteError) -> WriterSession
    ) throws(WriteError) -> WriterSession {
        hasChanged = false
        hasSavepoint = false
        editCount = edits?.count ?? 0
        history = history ?? TransactionChanges()
        changeCount = history?.count ?? 0
        switch state {
        case .open(let session):
            guard mayBeUndone else { return session }
            do throws(SQLiteError) {
                try session.connection.beginSavepoint()
                hasSavepoint = true
                return session
            } catch {
                lose()
                throw WriteError(error)
            }
        case .failed(let error): throw error
        case .lost:
            repeated.insert(member)
            throw .busy
        case .idle:
            do throws(WriteError) {
                let session = try open()
                state = .open(session)
                return session
            } catch {
                // A list that is described again may be written.
                if error != .redefined { state = .failed(error) }
                throw error
            }
        }
    }

    func finish() throws(WriteError) {
        guard case .open(let session) = state else { return }
        do throws(SQLiteError) {
            if hasSavepoint { try session.connection.endSavepoint() }
        } catch {
            lose()
            throw WriteError(error)
        }
        if hasChanged || !dependents.isEmpty {
            dependents.insert(member)
        } else {
            close()
        }
    }

    /// A refusal of a single change has written nothing.
    func undo(after error: WriteError) {
        edits?.removeLast(from: editCount)
        history?.removeLast(from: changeCount)
        guard case .open(let session) = state else { return }
        // Other members must not decide what a client learns before they are committed.
        guard !dependents.isEmpty else { return close() }
        guard session.connection.isInTransaction else { return lose() }
        if hasSavepoint {
            do throws(SQLiteError) {
                try session.connection.rollbackToSavepoint()
            } catch {
                return lose()
            }
        } else {
            switch error {
            case .refused, .reusedKey: break
            default: return lose()
            }
        }
        repeated.insert(member)
    }

    /// If it throws, all members are to be performed again.
    func commit() throws(WriteError) {
        guard case .open(let session) = state else { return }
        guard !dependents.isEmpty else { return close() }
        do throws(WriteError) {
            let commit = { [edits] () throws(WriteError) in
                if let edits { return try edits.commit(session.connection) }
                try WriteError.ofDatabase { () throws(SQLiteError) in
                    try session.connection.commit()
                }
            }
            if let history { try history.commit(commit) } else { try commit() }
            state = .idle
        } catch {
            loseDependents()
            throw error
        }
    }

    private func lose() {
        loseDependents()
        repeated.insert(member)
    }

    private func loseDependents() {
        close()
        state = .lost
        repeated.formUnion(dependents)
        dependents = []
    }

    private func close() {
        if case .open(let session) = state { session.connection.rollback() }
        state = .idle
    }
}
