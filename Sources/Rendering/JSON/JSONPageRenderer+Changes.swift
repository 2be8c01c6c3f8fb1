package import Bytes
package import Listings

extension JSONPageRenderer {
    /// Appends what became of a page, as an object of its steps, the rows and sections they need,
    /// and the page's place in the list.
    ///
    /// - Parameters:
    ///   - changes: How what the client holds became the page; not as a reload.
    ///   - page: The page as it is, named.
    ///   - context: Its context.
    ///   - buffer: What to append to.
    package func render(
        _ changes: PageChanges,
        of page: borrowing Page,
        in context: ListingContext,
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

    /// Appends what a reader of events is told who has to read the page again.
    package func renderReset(in context: ListingContext, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("reason", "version-expired")
                writer.link("reload", .current, context)
            }
        }
    }
}
