import Bytes
import HTTP
import Listings

/// Whether a list can be read.
enum ListReadiness: String, Sendable {
    case ready
    /// An older state is shown, as the source does not answer.
    case stale
    /// Another program keeps the database locked, for a moment.
    case locked
    /// The source cannot be reached, or does not answer in time.
    case unavailable
}

extension Service {
    /// The longest time that asking all lists takes; those that were not asked are unavailable.
    private static let longestReadinessCheck = Duration.seconds(2)

    /// Tells whether the server takes requests, and which lists can be read.
    ///
    /// A required list that is unavailable makes the server unready. The names of lists are told to
    /// operators, and to everybody where there are no tokens.
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

    /// Asks every list; a loop leaves the request at the first one that has to be waited for.
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

    private static func readiness(of endpoint: ListEndpoint) -> ListReadiness {
        do throws(SourceError) {
            _ = try endpoint.reader.version()
            return endpoint.reader.isStale ? .stale : .ready
        } catch .locked {
            return .locked
        } catch .redefined {
            // The next request for it opens it anew.
            return .ready
        } catch {
            return .unavailable
        }
    }
}
