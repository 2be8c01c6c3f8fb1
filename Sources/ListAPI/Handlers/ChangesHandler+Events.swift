import Bytes
import HTTP
import ListDiff
import Listings
import Rendering

extension ChangesHandler {
    /// Returns an event for a page that was just read.
    ///
    /// - Parameters:
    ///   - held: The version that the clients have.
    ///   - name: The current version; empty where there is no such page.
    ///   - question: The query of the page.
    /// - Returns: The event.
    func event(since held: String, name: String, of question: PageRequest) -> [UInt8] {
        var buffer = ByteBuffer(minimumCapacity: 4 * 1024)
        // A page that cannot be read makes the client reload.
        if !name.isEmpty,
            case .changed(let difference) =
                question.endpoint.outcome(of: try? PageDigest(held), question)
        {
            Self.write("changes", name, to: &buffer) { buffer in
                write(difference, of: question, since: held, to: &buffer)
            }
            if buffer.count <= Subscription.maximumEventBytes { return buffer.array() }
            buffer.removeAll()
        }
        Self.write("reset", name, to: &buffer) { buffer in
            state.json.renderReset(in: question.prepared.context(), to: &buffer)
        }
        return buffer.array()
    }

    private static func write(
        _ event: StaticString,
        _ name: String,
        to buffer: inout ByteBuffer,
        data: (inout ByteBuffer) -> Void
    ) {
        buffer.append("event: " as StaticString)
        buffer.append(event)
        buffer.append("\nid: " as StaticString)
        buffer.append(name)
        buffer.append("\ndata: " as StaticString)
        data(&buffer)
        buffer.append("\n\n" as StaticString)
    }

    /// Reads a page that clients of another loop follow, with their caller and language.
    ///
    /// - Parameters:
    ///   - origin: The request data of the page.
    ///   - held: The version that some of the clients have.
    /// - Returns: The current version and the event for these clients.
    /// - Throws: ``SourceError`` where the page cannot be read; `Refusal` where the caller may no
    ///   longer read the list.
    func renewal(
        of origin: Subscription.Origin,
        since held: String
    ) throws -> Subscription.Renewal {
        var context = RequestContext(state, for: origin.request, id: nil)
        context.caller = state.renewed(origin.caller)
        context.language = PageLanguage(for: origin.request)
        let endpoint = try context.requireEndpoint(origin.list, origin.request)
        let target = ListResource(endpoint, .changes, nil, in: context)
        let eventID = origin.request.field(.lastEventID)
        let question = try parse(target, eventID: eventID, origin.request, in: &context).page
        let name: String
        do {
            name = try question.endpoint.readName(of: question)
        } catch {
            // The loop drops the page when it adopts the current lists.
            if error == .redefined { state.options.lists?.refresh() }
            throw error
        }
        guard name != held else { return .init(name: name, event: nil) }
        return .init(name: name, event: event(since: held, name: name, of: question))
    }
}
