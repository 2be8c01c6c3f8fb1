import HTTP
import ListDiff
import Listings
import Rendering

/// The adoption of list definitions that change while the server runs.
extension Service {
    /// Adopts the lists of the board if they have changed; otherwise it only compares two numbers.
    ///
    /// An unchanged list keeps its reader. The statistics of changed lists are dropped.
    func adoptLists() {
        adoptReload()
        if let board = options.lists, board.generation != listGeneration {
            adopt(board.current)
        } else if !closedLists.isEmpty, nextOpening <= .now {
            for (name, list) in closedLists {
                let number = options.lists?.current.numbers[name] ?? 0
                endpoints[name] = LockWaiting.$isAllowed.withValue(options.thread == .ofWorker) {
                    try? endpoint(of: list, number)
                }
                if endpoints[name] != nil { closedLists[name] = nil }
            }
            nextOpening = .now + .seconds(1)
            descriptions = [:]
        }
    }

    /// Opens a list that could not be opened before; an event loop offloads this to a worker.
    ///
    /// - Throws: ``Refusal`` where it still cannot be opened.
    func openClosedList(_ name: String, suffix: PageFormat?) throws(Refusal) {
        guard let list = closedLists[name], shownNames.contains(name) else { return }
        var reason = SourceError.locked
        if let turn, turn.isRunning {
            turn.leave()
        } else {
            do throws(SourceError) {
                endpoints[name] = try endpoint(of: list, options.lists?.current.numbers[name] ?? 0)
                closedLists[name] = nil
                descriptions = [:]
                return
            } catch {
                reason = error
            }
        }
        throw Refusal(problem: problem(for: reason), suffix: suffix)
    }

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
                adopted[list.name] = try endpoint(of: list, number)
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
                    try endpoint(of: old.definition, old.number)
                }
                old.isRetired = true
            } catch {
                Diagnostics.write("list '\(name)' cannot be opened: \(error)")
            }
        }
        descriptions = [:]
    }

    /// Opens a list.
    func endpoint(of list: ListDefinition, _ number: Int) throws(SourceError) -> ServedList {
        let endpoint = try ServedList(list, options)
        endpoint.number = number
        // A list added later has no counters of its own.
        endpoint.measures = measures.lists.firstIndex { $0.name == list.name }
        if let turn { endpoint.share(turn) }
        return endpoint
    }

    /// Looks for new lists, for requests to all lists or to an unknown one.
    ///
    /// - Returns: Whether the request was offloaded to a worker, which may wait.
    func looksForLists(_ request: borrowing HTTPRequest, _ route: Route) -> Bool {
        guard let board = options.lists, board.takeLook() else { return false }
        if let turn, turn.isRunning {
            board.allowLook()
            turn.leave()
            return true
        }
        board.refresh()
        caller = renewed(caller)
        return false
    }

    /// Notes that the definition of a list has changed since it was opened.
    ///
    /// - Returns: Whether the request is to be restarted with the new definition.
    func noticeRedefinition() -> Bool {
        guard options.lists != nil, redefinition == .none else { return redefinition == .noticed }
        redefinition = .noticed
        return true
    }

    /// The changes of list definitions during a request.
    enum Redefinition {
        case none
        /// A definition has changed, so that the response is not sent.
        case noticed
        /// The lists were refreshed; errors are sent to the client now.
        case settled
    }
}

/// The parts that a reload replaces.
extension Service {
    /// Prepares the renderers and their fingerprint.
    func prepareLook() {
        // Other programs or templates render differently, so that cached pages become stale.
        let formulas = options.formulas == .neutralised ? "'" : ""
        let templates = FNV1a.of(options.templates.files).description
        fingerprint = [
            RosterVersion.current, PageDigest.format.description, assets.fingerprint, templates,
            formulas,
        ].joined(separator: " ")
        pages = PageRenderers(assets, options.templates)
        pages.use(addresses)
    }

    /// Adopts the parts that a reload replaced, and reopens every list.
    ///
    /// Without a reload it only compares two numbers.
    func adoptReload() {
        guard let reloads, reloads.generation != reloadGeneration else { return }
        let new = reloads.current
        reloadGeneration = new.generation
        let (thread, onlyList) = (options.thread, options.onlyList)
        (options, assets) = (new.options, new.assets)
        (options.thread, options.onlyList) = (thread, onlyList)
        prepareLook()
        reopenLists()
    }
}
