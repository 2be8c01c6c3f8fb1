import HTTP
import Listings
import Rendering

/// Lists that others define, taken over when they are defined otherwise.
extension Service {
    /// Takes over the lists of the board, where there are others than this service has; a comparison of
    /// two numbers where there are not.
    ///
    /// A list that is as it was keeps its reader. Nothing that was found out about another one is kept.
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

    /// Opens a list that could not be opened before; a loop leaves that to a worker, which may wait.
    ///
    /// - Throws: ``Refusal`` where it cannot be opened now either.
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

    private func adopt(_ now: ListBoard.State) {
        var adopted: [String: ListEndpoint] = [:]
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

    /// Opens every list anew, as options say how they are read and shown.
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
    func endpoint(of list: ListDefinition, _ number: Int) throws(SourceError) -> ListEndpoint {
        let endpoint = try ListEndpoint(list, options)
        endpoint.number = number
        // One that came later is counted among the requests for no list.
        endpoint.measures = measures.lists.firstIndex { $0.name == list.name }
        if let turn { endpoint.share(turn) }
        return endpoint
    }

    /// Looks for lists that are new where a request is for all lists, or for one that is not known.
    ///
    /// - Returns: Whether the request was left for it, to a thread that may wait.
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

    /// Takes note that a list has another definition than when it was opened.
    ///
    /// - Returns: Whether the request is to be answered anew, by what the list is now.
    func noticeRedefinition() -> Bool {
        guard options.lists != nil, redefinition == .none else { return redefinition == .noticed }
        redefinition = .noticed
        return true
    }

    /// The definitions that have changed while a request is answered.
    enum Redefinition {
        case none
        /// A list has another definition; the answer is not sent.
        case noticed
        /// The lists were looked at; what cannot be read now is told.
        case settled
    }
}

/// The parts that a reload replaces.
extension Service {
    /// Prepares what draws pages.
    func prepareLook() {
        // What is drawn in another way is another representation: who has the one is to get the other.
        let formulas = options.formulas == .neutralised ? "'" : ""
        let templates = Mark.of(options.templates.files).description
        fingerprint = [
            RosterVersion.current, WindowToken.format.description, assets.fingerprint, templates,
            formulas,
        ].joined(separator: " ")
        pages = PageRenderers(assets, options.templates)
        pages.use(addresses)
    }

    /// Adopts what a reload has replaced, and opens every list anew; a comparison of two numbers
    /// where nothing was replaced.
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
