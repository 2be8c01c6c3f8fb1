import Database
import ListAPI
import Listings
import Locks
import RemoteLists
import TableFiles

struct RemoteSetup {
    let definition: ListDefinition
    let notices: [String]
    let usedGroupings: [GroupArgument]

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
        // An error of the first refresh is that of the start.
        let isFetched = Locked(false)
        upstream.log = RemoteLog(.failures) { line in
            if isFetched.withLock({ $0 }) { Diagnostics.write("\(name): \(line)", .warning) }
        }
        let source = RemoteSource(
            of: upstream,
            as: format.format,
            over: ProcessTransport(path: Self.program)
        )
        do { try Self.fetch(source) } catch { throw Failure(error, at: address) }
        isFetched.withLock { $0 = true }
        guard let shape = format.shape else {
            throw Failure(.software, "the list '\(name)' was fetched without columns")
        }
        var notices = [
            "\(name): fetched \(source.snapshot.models.count) rows from \(address.masked)"
        ]
        notices += shape.renames.map { rename in
            "\(name): column '\(rename.name)' is listed as '\(rename.id)'"
        }
        let form = ListForm(
            name,
            shape.columns,
            idType: shape.idType,
            groupings: configuration.groupings
        )
        let described = configuration.description(of: name)
        do throws(ListingError) {
            let list = try Self.list(source, form, shape.columns.count, described)
            definition = ListDefinition(name, source: list).described(by: described)
        } catch {
            throw Failure(.software, "the list '\(name)' cannot be shown: \(error)")
        }
        usedGroupings = form.usedGroupings
        self.notices = notices
        if let interval = configuration.refresh { source.keepFresh(every: interval) }
    }

    private static func list(
        _ source: RemoteSource<Record>,
        _ form: ListForm,
        _ columnCount: Int,
        _ described: DescribedList?
    ) throws(ListingError) -> any ListSource {
        let schema = try form.schema()
        let shown = described?.applied(to: schema) ?? schema
        guard let users = form.users else {
            let registration = try form.registration(form.columns)
            return try RemoteList(of: source, using: registration, schema: shown)
        }
        var registry = ControllerRegistry()
        let registration = try registry.register(UserController(further: users.further))
        return try RemoteList(of: source, using: registration, schema: shown) { record in
            let values = (0..<columnCount).map { record.value($0) }
            return users.user(id: record.id, values: values, revision: 1)
        }
    }

    /// The executable of this process, even if its file has been replaced.
    private static let program = "/proc/self/exe"

    /// Fetches the first rows, and waits for them; only for a thread without other work.
    private static func fetch(_ source: RemoteSource<Record>) throws(RemoteError) {
        let outcome = Monitor<Result<ListVersion, RemoteError>?>(nil)
        Task.detached {
            let result: Result<ListVersion, RemoteError>
            do throws(RemoteError) { result = .success(try await source.refresh()) } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
        }
        while true {
            _ = outcome.wait(for: .seconds(60)) { $0 != nil }
            guard let result = outcome.withLock({ $0 }) else { continue }
            _ = try result.get()
            return
        }
    }
}
