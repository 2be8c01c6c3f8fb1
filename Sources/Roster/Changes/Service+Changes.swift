import Bytes
import HTTP
import Listings
import Rendering

extension Service {
    /// Tells what changed on a page since a client was given it.
    func tellChanges(
        _ target: ListTarget,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let choice = try choose(among: target.formats, suffix: target.suffix, request)
        let call = try changesCall(target, choice, request)
        do throws(SourceError) {
            try call.endpoint.readNamed(call.answer)
        } catch {
            guard !error.isOfPage else { throw expired(call) }
            throw Refusal(problem: problem(for: error), suffix: target.suffix)
        }
        guard case .changed(let difference) = call.endpoint.fate(of: call.held, shown: call.shown)
        else { throw expired(call) }
        addFields(for: choice, caching: "no-store", to: &response)
        write(call, difference, to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
    }

    /// Appends what became of the page that a client holds.
    private func write(
        _ call: ChangesCall,
        _ difference: ListDifference,
        to buffer: inout ByteBuffer
    ) {
        let pieces = call.shown.map { HTMLPieces(html, in: $0.context) }
        let changes = PageChanges(since: call.since, difference, html: pieces)
        json.render(changes, of: call.endpoint.page, in: call.answer.context, to: &buffer)
    }

    /// Understands a request to be told what changed.
    private func changesCall(
        _ target: ListTarget,
        _ choice: Representation,
        _ request: borrowing HTTPRequest
    ) throws(Refusal) -> ChangesCall {
        guard target.endpoint.reader.canBeFollowed else { throw cannotBeFollowed(target) }
        var parameters = ListParameters(request, of: target.endpoint, accepted: target.accepted)
        let held = parameters.readVersion(eventID: nil)
        let isShown = parameters.readIncluded()
        guard let query = target.query(&parameters), let held else {
            throw refusal(parameters, request, target)
        }
        let list = self.target(target.endpoint, .list, nil)
        func answer(_ format: PageFormat) -> ListAnswer {
            ListAnswer(
                target: list,
                representation: Representation(forced: format, suffix: nil),
                query: query,
                layout: parameters.layout,
                sent: parameters.sent,
                fingerprint: fingerprint,
                language: language
            )
        }
        let call = ChangesCall(
            answer: answer(.json),
            shown: isShown ? answer(.html) : nil,
            since: parameters.values["since"]?.first ?? "",
            held: held
        )
        // A version of a list that is set up otherwise now names no question of this one.
        if held.list == target.endpoint.mark, held.question != call.answer.questionMark {
            parameters.refuse(.invalidVersion("since"))
            throw refusal(parameters, request, target)
        }
        return call
    }

    /// The problem of a page that has to be read again.
    private func expired(_ call: ChangesCall) -> Refusal {
        let detail = "The page is to be read again: what changed on it is not told."
        let way = reload(call.answer.target, call.answer.sent)
        return Refusal(
            problem: problem(.versionExpired, detail, ways: [way]),
            suffix: nil
        )
    }

    /// The problem of a list whose changes nobody can know.
    private func cannotBeFollowed(_ target: ListTarget) -> Refusal {
        let list = target.endpoint.definition
        let way = Problem.Way("list", label: list.title, address: Address.list(list.name))
        let detail = "The source of \(list.name) does not tell when it changes."
        return Refusal(
            problem: problem(.notFound, detail, ways: [way]),
            suffix: target.suffix
        )
    }

    /// The way to the page that a request wants to follow.
    func reload(_ target: ListTarget, _ sent: [QueryItems.Item]) -> Problem.Way {
        let address = CorrectedAddress.make(
            path: "\(Address.list(target.endpoint.definition.name)).\(PageFormat.json.rawValue)",
            items: sent.filter { $0.name != "since" && $0.name != "include" }
        )
        return Problem.Way("reload", label: target.endpoint.definition.title, address: address)
    }
}
