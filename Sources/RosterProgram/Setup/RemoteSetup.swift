import Database
import ListAPI
import Listings
import Locks
import Remote
import System
import TableFiles

/// A list of a remote service, fetched once and then refreshed.
struct RemoteSetup {
    let definition: ListDefinition
    /// The notices for the operator.
    let notices: [String]
    /// The groupings of the command line that apply to this list.
    let usedGroupings: [GroupArgument]

    /// Fetches a list.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - address: The address of the list.
    ///   - fields: The header fields of the requests.
    ///   - configuration: The configuration of the service.
    /// - Throws: ``Failure`` when it cannot be fetched.
    init(
        _ name: String,
        at address: RemoteAddress,
        sending fields: [RemoteField],
        _ configuration: Configuration
    ) throws(Failure) {
        let format = RecordFormat()
        var upstream = RemoteConfiguration(address, fields: fields)
        // Manual refreshes may be as frequent as the program's own.
        let pause = upstream.limits.shortestPause
        upstream.limits.shortestPause = min(pause, configuration.refresh ?? pause)
        let source = RemoteSource(
            of: upstream,
            as: format.format,
            over: ProcessTransport(path: Self.program)
        )
        switch Self.outcome(of: { await source.outcomeOfRefresh() }) {
        case .success: break
        case .failure(let error): throw Failure(error, at: address)
        }
        guard let shape = format.shape else {
            throw Failure(.software, "the list '\(name)' was fetched without columns")
        }
        var notices = [
            "\(name): fetched \(source.snapshot.models.count) rows from \(address.masked)"
        ]
        notices += shape.renames.map { rename in
            "\(name): column '\(rename.name)' is listed as '\(rename.id)'"
        }
        let maker = RemoteListMaker(
            name: name,
            shape: shape,
            source: source,
            described: configuration.description(of: name)
        )
        let made = try maker.definition(configuration.groupings)
        definition = made.definition
        usedGroupings = made.used
        self.notices = notices
        Self.report(source, name)
        if let interval = configuration.refresh { source.keepFresh(every: interval) }
    }

    /// The executable of this process, even if its file has been replaced.
    private static let program = "/proc/self/exe"

    /// Logs when refreshes begin to fail, and when they succeed again.
    private static func report(_ source: RemoteSource<Record>, _ name: String) {
        let states = source.states()
        let address = source.configuration.address
        Task.detached {
            var failure: RemoteError?
            for await state in states {
                switch state {
                case .failed(let error) where failure != error:
                    failure = error
                    let reason = Failure(error, at: address).text
                    Diagnostics.write("\(reason); showing the last rows", .warning)
                case .loaded where failure != nil:
                    failure = nil
                    Diagnostics.write("\(name): up to date again")
                case .idle, .loading, .loaded, .failed: break
                }
            }
        }
    }

    /// Waits for the result of a task; only for a thread without other work.
    private static func outcome<R: Sendable>(
        of operation: @escaping @Sendable () async -> Result<R, RemoteError>
    ) -> Result<R, RemoteError> {
        let result = Locked<Result<R, RemoteError>?>(nil)
        do throws(SystemError) {
            let wakeUp = try EventFD()
            Task.detached {
                let outcome = await operation()
                result.withLock { $0 = outcome }
                wakeUp.wake()
            }
            while true {
                if let outcome = result.withLock({ $0 }) { return outcome }
                let deadline = ContinuousClock.now + .seconds(60)
                _ = try wakeUp.descriptor.wait(for: .reading, until: deadline)
            }
        } catch {
            return .failure(.transport(.programFailed))
        }
    }
}

extension RemoteSource {
    /// Refreshes, and returns the outcome as a value.
    fileprivate func outcomeOfRefresh() async -> Result<ListVersion, RemoteError> {
        do throws(RemoteError) { return .success(try await refresh()) } catch {
            return .failure(error)
        }
    }
}

/// A maker of a remote list: of users, or of records.
private struct RemoteListMaker {
    let name: String
    let shape: RecordFormat.Shape
    let source: RemoteSource<Record>
    let described: DescribedList?

    func definition(
        _ groupings: [GroupArgument]
    ) throws(Failure) -> (definition: ListDefinition, used: [GroupArgument]) {
        let users = name == "users" ? UserColumns(shape.columns) : nil
        let shown = users.map { UserController(further: $0.further).columns } ?? shape.columns.shown
        let wish = GroupingOption(list: name, columns: shown, groupings)
        do throws(ListingError) {
            let list: any ListSource =
                if let users { try self.users(users, wish.grouping) } else {
                    try records(shown, wish.grouping)
                }
            return (ListDefinition(name, source: list).described(by: described), wish.used)
        } catch {
            throw Failure(.software, "the list '\(name)' cannot be shown: \(error)")
        }
    }

    private func records(
        _ columns: [Column],
        _ grouping: Grouping?
    ) throws(ListingError) -> RemoteList<Record> {
        var registry = ControllerRegistry()
        let registration = try registry.register(RecordController(list: name, columns: columns))
        let schema = try ListSchema(
            columns: columns,
            idType: shape.idType,
            defaultGrouping: grouping
        )
        return try RemoteList(
            of: source,
            using: registration,
            schema: described?.applied(to: schema) ?? schema
        )
    }

    private func users(
        _ columns: UserColumns,
        _ grouping: Grouping?
    ) throws(ListingError) -> RemoteList<User> {
        var registry = ControllerRegistry()
        let controller = UserController(further: columns.further)
        let registration = try registry.register(controller)
        let schema = try UserList.schema(for: controller, idType: shape.idType, grouping: grouping)
        let count = shape.columns.count
        return try RemoteList(
            of: source,
            using: registration,
            schema: described?.applied(to: schema) ?? schema
        ) { record in
            let values = (0..<count).map { record.value($0) }
            return columns.user(id: record.id, values: values, revision: 1)
        }
    }
}
