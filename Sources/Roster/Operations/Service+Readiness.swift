import Bytes
import HTTP
import Listings

/// The state of a list in the readiness check.
enum ListReadiness: String, Sendable {
    case ready
    /// The source does not respond, so that an older state is shown.
    case stale
    /// Another program locks the database for a moment.
    case locked
    /// The source cannot be reached, or does not respond in time.
    case unavailable
}

extension Service {
    /// The time limit of the check; lists that were not checked in time are unavailable.
    private static let longestReadinessCheck = Duration.seconds(2)

    /// Responds whether the server takes requests, and with the states of the lists.
    ///
    /// A required list that is unavailable makes the server unready. Only operators see the names
    /// of lists; without access control all clients do.
    func showReadiness(with response: inout HTTPResponse) {
        var word = "ready"
        var lists: [(name: String, state: ListReadiness)] = []
        if isDraining() {
            word = "draining"
        } else {
            lists = readiness()
            guard !isLeft else { return }
            let isDown = lists.contains { name, state in
                state == .unavailable && !options.optionalLists.contains(name)
            }
            if isDown { word = "unavailable" }
        }
        if word != "ready" { response.status = .serviceUnavailable }
        response.addFields(Self.fieldsOfWords)
        response.body.append("\(word)\n")
        guard options.access == nil || caller?.mayOperate == true else { return }
        for (name, state) in lists { response.body.append("\(name): \(state.rawValue)\n") }
    }

    /// Checks every list; an event loop offloads the request at the first list that blocks.
    private func readiness() -> [(name: String, state: ListReadiness)] {
        let deadline = ContinuousClock.now + Self.longestReadinessCheck
        var lists: [(name: String, state: ListReadiness)] = []
        for name in names {
            var state = ListReadiness.unavailable
            try? openClosedList(name, suffix: nil)
            guard !isLeft else { return [] }
            if let endpoint = endpoints[name], ContinuousClock.now < deadline {
                state = Self.readiness(of: endpoint)
            }
            guard !isLeft else { return [] }
            lists.append((name, state))
        }
        return lists
    }

    private static func readiness(of endpoint: ServedList) -> ListReadiness {
        do throws(SourceError) {
            _ = try endpoint.reader.version()
            return endpoint.reader.isStale ? .stale : .ready
        } catch .locked {
            return .locked
        } catch .redefined {
            // The next request for the list reopens it.
            return .ready
        } catch {
            return .unavailable
        }
    }
}
