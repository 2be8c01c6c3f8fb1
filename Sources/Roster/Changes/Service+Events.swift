import Bytes
import HTTP
import Listings
import Rendering
import Routing

/// What is told of pages that are followed, for this loop or for another one.
extension Service {
    /// What somebody is told of a page that was just read.
    ///
    /// - Parameters:
    ///   - held: Names what they hold.
    ///   - name: Names what there is; empty where there is no such page.
    ///   - question: What the page answers.
    /// - Returns: An event.
    func event(since held: String, name: String, of question: PageQuestion) -> [UInt8] {
        var buffer = ByteBuffer(minimumCapacity: 4 * 1024)
        // What cannot be read is told as a reset.
        if !name.isEmpty,
            case .changed(let difference) =
                question.endpoint.fate(of: try? WindowToken(held), question)
        {
            Self.write("changes", name, to: &buffer) { buffer in
                write(difference, of: question, since: held, to: &buffer)
            }
            if buffer.count <= FollowedPage.maximumEventBytes { return buffer.array() }
            buffer.removeAll()
        }
        Self.write("reset", name, to: &buffer) { buffer in
            json.renderReset(in: question.answer.context(), to: &buffer)
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

    /// Reads a page that another loop's clients follow, as that loop would.
    ///
    /// - Parameters:
    ///   - origin: How the page was asked for.
    ///   - held: Names what some of them hold.
    /// - Returns: What it is now, and what they are told.
    /// - Throws: ``SourceError`` where it cannot be read now; `Refusal` where its list is not for who
    ///   asked any more.
    func renewal(
        of origin: FollowedPage.Origin,
        since held: String
    ) throws -> FollowedPage.Renewal {
        beginRequest(origin.request, named: nil)
        caller = renewed(origin.caller)
        language = PageLanguage(for: origin.request)
        let match = router.match(origin.request.method, origin.request.path)
        guard case .found(let route, let captures) = match else {
            preconditionFailure("a page is followed at no address")
        }
        let target = try target(of: route, captures, origin.request)
        let eventID = origin.request.field(.lastEventID)
        let question = try changesCall(target, eventID: eventID, origin.request).page
        let name: String
        do {
            name = try question.endpoint.readName(of: question)
        } catch {
            // The loop drops the page when it has the lists that there are now.
            if error == .redefined { options.lists?.refresh() }
            throw error
        }
        guard name != held else { return .init(name: name, event: nil) }
        return .init(name: name, event: event(since: held, name: name, of: question))
    }
}
