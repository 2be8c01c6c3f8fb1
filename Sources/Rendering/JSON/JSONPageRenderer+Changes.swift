package import Bytes
import ListDiff
package import Listings

extension JSONPageRenderer {
    /// Appends the changes of a page as an object: stages, their rows and sections, and the page's
    /// position in the list.
    ///
    /// - Parameters:
    ///   - changes: The changes, which must not be a reload.
    ///   - page: The current page, with its digest.
    ///   - context: The context of the page.
    ///   - buffer: The buffer to append to.
    package func render(
        _ changes: PageChanges,
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    ) {
        let layout = JSONRowLayout(page)
        let rows = changes.html.map {
            let canMove = $0.context.canMove
            return HTMLRowLayout(page, $0.renderer.templates, canMove: canMove)
        }
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("list", page.list)
                writer.member("from", changes.since)
                writer.string("to") { $0.append(page.windowName) }
                writer.array("stages") { writer in
                    for stage in changes.difference.stages { writer.stage(stage) }
                }
                writer.object("rows") { writer in
                    for row in changes.difference.rowsToSend {
                        writer.key(JSONKey(page.id(ofRow: row)))
                        self.row(row, of: page, layout, in: context, to: &writer) { writer in
                            guard let html = changes.html, let rows else { return }
                            writer.string("html") {
                                html.render(row, of: page, rows, to: &$0)
                            }
                        }
                    }
                }
                writer.object("sections") { writer in
                    for index in changes.difference.sectionsToSend {
                        writer.key(JSONKey(page.sections[index].info.id.rawValue))
                        writer.object { writer in
                            writer.head(ofSection: index, of: page)
                            writer.links(ofSection: index, of: page, in: context)
                            guard let html = changes.html, let rows else { return }
                            writer.string("html") {
                                html.render(section: index, of: page, rows, to: &$0)
                            }
                        }
                    }
                }
                writer.key("total")
                writer.count(page.total)
                if let html = changes.html, page.total != nil {
                    writer.string("html") { html.renderCount(of: page, to: &$0) }
                }
                place(of: page, in: context, to: &writer)
                if page.isStale { writer.member("stale", true) }
                writer.object("links") { writer in
                    writer.changes(since: page, in: context)
                    writer.link("reload", .alternate(.json), context)
                }
            }
        }
    }

    /// Appends the data of an event that makes clients reload the page.
    package func renderReset(in context: RenderContext, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("reason", "version-expired")
                writer.link("reload", .current, context)
            }
        }
    }
}
