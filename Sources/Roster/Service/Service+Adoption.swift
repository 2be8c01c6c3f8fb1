import HTTP
import Listings

/// Lists that others define, taken over when they are defined otherwise.
extension Service {
    /// Takes over the lists of the board, where there are others than this service has; a comparison of
    /// two numbers where there are not.
    ///
    /// A list that is as it was keeps its reader. Nothing that was found out about another one is kept.
    func adoptLists() {
        guard let board = options.lists, board.generation != listGeneration || lacksLists else {
            return
        }
        let now = board.current
        var adopted: [String: ListEndpoint] = [:]
        lacksLists = false
        for list in now.lists where options.onlyList.map({ $0 == list.name }) ?? true {
            let number = now.numbers[list.name] ?? 0
            if let known = endpoints[list.name], known.number == number {
                adopted[list.name] = known
                continue
            }
            do {
                adopted[list.name] = try endpoint(of: list, number)
            } catch {
                // It is opened by the next request.
                lacksLists = true
                Diagnostics.write("list '\(list.name)' cannot be opened: \(error)", .error)
            }
        }
        for (name, old) in endpoints where adopted[name] !== old { old.isRetired = true }
        names = now.lists.map(\.name).filter { adopted[$0] != nil }
        endpoints = adopted
        listGeneration = now.generation
        questions = KnownQuestions()
        knownDescription = nil
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
