import Listings
import Locks

/// The writes of one or several requests in one transaction.
///
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
    /// The files of the database, as the queue knows them.
    var files = WriterQueue.Files()
    var member = 0

    private var state = State.idle
    /// The earlier members whose outcome depends on the commit.
    private var dependents: Set<Int> = []
    private var repeated: Set<Int> = []
    private var hasChanged = false
    private var hasSavepoint = false

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

    /// `mayBeUndone` is true if a refused write may leave changes that must be undone.
    func begin(
        mayBeUndone: Bool,
        _ open: () throws(WriteError) -> WriterSession
    ) throws(WriteError) -> WriterSession {
        hasChanged = false
        hasSavepoint = false
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
                state = .failed(error)
                throw error
            }
        }
    }

    /// Throws if the transaction was lost.
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

    /// Transactions without changes are ended.
    ///
    /// If it throws, all members are to be performed again.
    func commit() throws(WriteError) {
        guard case .open(let session) = state else { return }
        guard !dependents.isEmpty else { return close() }
        do throws(SQLiteError) {
            try session.connection.commit()
            state = .idle
        } catch {
            loseDependents()
            throw WriteError(error)
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
