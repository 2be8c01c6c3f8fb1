package import Bytes
import Listings

extension JSONPageRenderer {
    /// Appends an object with the lists.
    package func render(_ directory: ListDirectory, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("title", directory.title)
                writer.array("lists") { writer in
                    for entry in directory.entries {
                        writer.object { writer in
                            writer.member("id", entry.name)
                            writer.member("title", entry.title)
                            writer.key("total")
                            writer.count(entry.count)
                            writer.object("links") { $0.member("self", entry.address) }
                        }
                    }
                }
                writer.object("links") { writer in
                    writer.member("self", directory.address)
                    writer.alternates(directory.alternates)
                }
            }
        }
    }

    /// Appends an object with the columns and the parameters.
    package func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.object("list") { writer in
                    writer.member("id", schema.list)
                    writer.member("title", schema.title)
                }
                writer.object("id") { $0.member("type", schema.idType.rawValue) }
                writer.array("columns") { writer in
                    for column in schema.columns { writer.column(column, isDescribed: true) }
                }
                writer.array("parameters") { writer in
                    for parameter in schema.parameters { writer.parameter(parameter) }
                }
                if let writing = schema.writing { writer.writing(writing, of: schema) }
                writer.object("links") { writer in
                    writer.member("self", schema.address)
                    writer.member("list", schema.listAddress)
                    writer.alternates(schema.alternates)
                }
            }
        }
    }

    /// Appends a problem in the format of RFC 9457 §3.
    package func render(_ problem: Problem, to buffer: inout ByteBuffer) {
        JSONWriter.write(to: &buffer) { writer in
            writer.object { writer in
                writer.member("type", problem.type)
                writer.member("title", problem.title)
                writer.member("status", problem.status)
                if let detail = problem.detail { writer.member("detail", detail) }
                if let instance = problem.instance { writer.member("instance", instance) }
                if !problem.faults.isEmpty { writer.faults(problem.faults) }
                if let order = problem.order {
                    writer.array("order") { writer in
                        for id in order { writer.string(id) }
                    }
                }
                if let row = problem.currentRow {
                    writer.key("row")
                    writer.drawn(row)
                }
                if !problem.ways.isEmpty {
                    writer.object("links") { writer in
                        for way in problem.ways {
                            writer.key(JSONKey(way.relation))
                            writer.string(way.address)
                        }
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func alternates(_ alternates: [Alternate]) {
        for alternate in alternates {
            key(JSONKey(alternate.format.rawValue))
            string(alternate.address)
        }
    }

    fileprivate mutating func writing(
        _ writing: SchemaDocument.Writing,
        of schema: SchemaDocument
    ) {
        object("writes") { writer in
            writer.array("required") { writer in
                for column in writing.required { writer.string(column) }
            }
            writer.member("requiresIfMatch", writing.requiresCondition)
            writer.object("links") { writer in
                writer.member("create", schema.listAddress)
                writer.member("rows", writing.rowsAddress)
                if let address = writing.importAddress { writer.member("import", address) }
            }
        }
    }

    fileprivate mutating func parameter(_ parameter: SchemaDocument.Parameter) {
        object { writer in
            writer.member("name", parameter.name)
            writer.member("summary", parameter.summary)
            writer.member("example", parameter.example)
            if let value = parameter.defaultValue { writer.member("default", value) }
            if let maximum = parameter.maximum { writer.member("maximum", maximum) }
        }
    }

    /// Appends the errors of a request as the member `errors`.
    package mutating func faults(_ faults: [Problem.Fault]) {
        array("errors") { writer in
            for fault in faults { writer.fault(fault) }
        }
    }

    private mutating func fault(_ fault: Problem.Fault) {
        object { writer in
            switch fault.place {
            case .parameter(let name): writer.member("parameter", name)
            case .pointer(let pointer): writer.member("pointer", pointer)
            case .field(let name): writer.member("header", name)
            case nil: break
            }
            writer.member("code", fault.code)
            writer.member("detail", fault.detail)
            if let suggestion = fault.suggestion { writer.member("suggestion", suggestion) }
            for member in fault.members {
                writer.key(JSONKey(member.name))
                writer.value(member.value)
            }
        }
    }
}
