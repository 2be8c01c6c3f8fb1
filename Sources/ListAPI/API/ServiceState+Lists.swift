import HTTP
import Listings

/// The adoption of list definitions that change while the server runs.
extension ServiceState {
    /// Adopts the current lists if they have changed; otherwise it only compares two numbers.
    ///
    /// An unchanged list keeps its reader. The statistics of changed lists are dropped.
    func adoptLists() {
        adoptReload()
        if let board = options.lists, board.generation != listGeneration {
            adopt(board.current)
        } else if !closedLists.isEmpty, nextOpening <= .now {
            for (name, list) in closedLists {
                endpoints[name] = LockWaiting.$isAllowed.withValue(options.thread == .ofWorker) {
                    try? open(list, number(ofList: name))
                }
                if endpoints[name] != nil { closedLists[name] = nil }
            }
            nextOpening = .now + .seconds(1)
            descriptions = [:]
        }
    }

    /// Opens a list that could not be opened before.
    ///
    /// - Returns: Whether the list is open now; false for a list that is not closed, too.
    /// - Throws: The error of the list; ``SourceError/offloaded`` on an event loop.
    func openClosedList(_ name: String) throws(SourceError) {
        guard let list = closedLists[name] else { return }
        guard canBlock else { throw .offloaded }
        endpoints[name] = try open(list, number(ofList: name))
        closedLists[name] = nil
        descriptions = [:]
    }

    private func number(ofList name: String) -> Int { options.lists?.current.numbers[name] ?? 0 }

    private func adopt(_ now: ServedLists.State) {
        var adopted: [String: ServedList] = [:]
        closedLists = [:]
        for list in now.lists where options.onlyList.map({ $0 == list.name }) ?? true {
            let number = now.numbers[list.name] ?? 0
            if let known = endpoints[list.name], known.number == number {
                adopted[list.name] = known
                continue
            }
            do {
                adopted[list.name] = try open(list, number)
            } catch {
                closedLists[list.name] = list
                Diagnostics.write("list '\(list.name)' cannot be opened: \(error)", .error)
            }
        }
        for (name, old) in endpoints where adopted[name] !== old { old.isRetired = true }
        names = now.lists.map(\.name).filter { adopted[$0] != nil || closedLists[$0] != nil }
        endpoints = adopted
        listGeneration = now.generation
        descriptions = [:]
    }

    /// Reopens every list, because the options decide how lists are read and shown.
    func reopenLists() {
        for (name, old) in endpoints {
            do {
                let mayWait = options.thread == .ofWorker
                endpoints[name] = try LockWaiting.$isAllowed.withValue(mayWait) {
                    try open(old.definition, old.number)
                }
                old.isRetired = true
            } catch {
                Diagnostics.write("list '\(name)' cannot be opened: \(error)", .error)
            }
        }
        descriptions = [:]
    }

    /// Opens a list of a generation.
    func open(_ list: ListDefinition, _ number: Int) throws(SourceError) -> ServedList {
        let endpoint = try ServedList(list, options)
        endpoint.number = number
        // A list added later has no counters of its own.
        endpoint.metrics = metrics.lists.firstIndex { $0.name == list.name }
        if let slice { endpoint.share(slice) }
        return endpoint
    }

    /// Looks for new lists.
    ///
    /// - Returns: Whether it has looked, which happens once in a while.
    /// - Throws: ``SourceError/offloaded`` on an event loop, which may not wait.
    func lookForLists() throws(SourceError) -> Bool {
        guard let board = options.lists, board.takeLook() else { return false }
        guard canBlock else {
            board.allowLook()
            throw .offloaded
        }
        board.refresh()
        return true
    }

    // MARK: - Access

    /// Returns the access policy for the lists of this thread.
    func policy(of store: AccessPolicyStore) -> AccessPolicy {
        adoptLists()
        var policy = cachedPolicy(of: store)
        while policy.generation != listGeneration {
            adoptLists()
            policy = cachedPolicy(of: store)
        }
        return policy
    }

    private func cachedPolicy(of store: AccessPolicyStore) -> AccessPolicy {
        let generation = store.generation
        if let accessPolicy, accessPolicy.generation == generation { return accessPolicy.policy }
        let policy = store.current
        accessPolicy = (generation, policy)
        return policy
    }

    /// Returns a caller with permissions for the current lists.
    ///
    /// A caller whose token was removed has no permissions.
    func renewed(_ caller: Caller?) -> Caller? {
        adoptLists()
        guard let caller, let store = options.access, caller.generation != listGeneration else {
            return caller
        }
        let policy = policy(of: store)
        guard let name = caller.name else { return policy.anonymous }
        return policy.caller(named: name)
            ?? Caller(name: name, mayOperate: false, views: [:], generation: listGeneration)
    }

    // MARK: - Offloaded requests

    /// Stores facts that a worker has found about a list.
    func learn(_ findings: [String: any Sendable], of list: String?) {
        if let list { endpoints[list]?.findings = findings }
    }

    /// Returns a worker's rendered page with the endpoint of this thread.
    ///
    /// Returns nil where this thread has another definition of the list.
    func own(_ shown: CacheableResponse) -> CacheableResponse? {
        guard let endpoint = own(shown.endpoint) else { return nil }
        var trace = shown.trace
        trace.list = endpoint.metrics ?? endpoints[endpoint.definition.name]?.metrics
        return CacheableResponse(
            tag: shown.tag,
            endpoint: endpoint,
            version: shown.version,
            trace: trace
        )
    }

    /// Continues an export that a worker has started.
    ///
    /// - Returns: Whether that is possible; false where the list has another definition here.
    func adopt(_ export: ExportStream) -> Bool {
        guard let endpoint = own(export.endpoint) else { return false }
        export.move(to: endpoint, workers)
        return true
    }

    private func own(_ other: ServedList) -> ServedList? {
        let endpoint = endpoints[other.definition.name]
        guard endpoint?.number == other.number else { return nil }
        return other.segment.map { endpoint?.endpoint(ofSegment: $0) } ?? endpoint
    }
}
