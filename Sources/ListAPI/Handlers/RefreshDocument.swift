import Bytes
import Listings
import Rendering

/// The refresh state of a remote list, as a JSON document.
struct RefreshDocument {
    let list: String
    let state: RefreshState
    let version: ListVersion
    let isStale: Bool
    let links: ListLinks

    func render(to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("list", list)
                writer.member("state", state.name)
                writer.string("version") { version.write(to: &$0) }
                writer.member("stale", isStale)
                if case .failed(let failure) = state {
                    writer.object("error") { writer in
                        writer.member("code", failure.text.code)
                        writer.member("detail", failure.text.detail)
                    }
                }
                writer.object("links") { writer in
                    writer.string("self") { links.write(.refresh, to: &$0) }
                    writer.string("list") { links.write(.current, to: &$0) }
                }
            }
        }
    }
}

extension RefreshState {
    fileprivate var name: String {
        switch self {
        case .idle: "idle"
        case .loading: "loading"
        case .loaded: "loaded"
        case .failed: "failed"
        }
    }
}
