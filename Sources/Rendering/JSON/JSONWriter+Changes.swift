import ListDiff
import Listings

extension JSONWriter {
    /// Appends one stage of a change, without empty parts.
    mutating func stage(_ stage: ChangeStage) {
        object { writer in
            writer.sections(stage)
            writer.rows(stage)
            writer.array("counts") { writer in
                for count in stage.counts { writer.integer(Int64(count)) }
            }
        }
    }

    private mutating func sections(_ stage: ChangeStage) {
        columns("deleteSections", stage.deletedSections) { writer, sections in
            writer.places("at", sections.map(\.at))
            writer.ids(sections.map(\.id.rawValue))
        }
        columns("insertSections", stage.insertedSections) { writer, sections in
            writer.places("at", sections.map(\.at))
            writer.ids(sections.map(\.id.rawValue))
            writer.array("rows") { writer in
                for section in sections {
                    writer.array { writer in for id in section.rows { writer.string(id) } }
                }
            }
        }
        columns("moveSections", stage.movedSections) { writer, sections in
            writer.places("from", sections.map(\.from))
            writer.places("to", sections.map(\.to))
            writer.ids(sections.map(\.id.rawValue))
        }
    }

    private mutating func rows(_ stage: ChangeStage) {
        columns("delete", stage.deletedRows) { writer, rows in
            writer.places("at", rows.map(\.at))
            writer.ids(rows.map(\.id))
        }
        columns("insert", stage.insertedRows) { writer, rows in
            writer.places("at", rows.map(\.at))
            writer.ids(rows.map(\.id))
        }
        columns("move", stage.movedRows) { writer, rows in
            writer.places("from", rows.map(\.from))
            writer.places("to", rows.map(\.to))
            writer.ids(rows.map(\.id))
        }
        columns("reload", stage.reloadedRows) { writer, rows in
            writer.places("at", rows.map(\.at))
            writer.ids(rows.map(\.id))
        }
        columns("headers", stage.changedHeaders) { writer, sections in
            writer.places("at", sections.map(\.at))
            writer.ids(sections.map(\.id.rawValue))
        }
    }

    /// Appends changes of one kind, one array for each of their parts, or nothing for none.
    private mutating func columns<Change>(
        _ name: StaticString,
        _ changes: [Change],
        _ parts: (inout JSONWriter, [Change]) -> Void
    ) {
        guard !changes.isEmpty else { return }
        object(name) { parts(&$0, changes) }
    }

    private mutating func places(_ name: StaticString, _ places: [Int]) {
        array(name) { writer in for place in places { writer.integer(Int64(place)) } }
    }

    private mutating func places(_ name: StaticString, _ places: [IndexPath]) {
        array(name) { writer in
            for place in places {
                writer.array { writer in
                    writer.integer(Int64(place.section))
                    writer.integer(Int64(place.row))
                }
            }
        }
    }

    private mutating func ids(_ ids: [String]) {
        array("id") { writer in for id in ids { writer.string(id) } }
    }
}
