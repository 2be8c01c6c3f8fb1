import Bytes
import Database
import HTTP
import Listings
import Rendering

extension Service {
    /// Responds with the columns and parameters of a list.
    func showSchema(_ answer: PreparedRequest, with response: inout HTTPResponse) {
        let endpoint = answer.target.endpoint
        func address(_ link: PageLink) -> String {
            var buffer = ByteBuffer()
            answer.links.write(link, to: &buffer)
            return buffer.text()
        }
        var document = SchemaDocument(
            list: endpoint.definition.name,
            title: endpoint.definition.title,
            schema: endpoint.schema,
            parameters: ParameterCatalog.parameters(
                of: endpoint.schema,
                segments: answer.target.segments,
                canCollapse: endpoint.reader.canCollapse,
                hasOutline: endpoint.reader.hasOutline
            ),
            listAddress: address(.list),
            address: address(.current),
            alternates: answer.target.formats.filter { $0 != answer.representation.format }
                .map { Alternate($0, address: address(.alternate($0))) }
        )
        let writer = endpoint.view.mayWrite ? endpoint.writer : nil
        document.writing = writer.map { writer in
            SchemaDocument.Writing(
                required: writer.rules.required.sorted().map { endpoint.schema.columns[$0].id },
                requiresCondition: options.writing.requiresCondition,
                rowsAddress: addresses.rows(of: endpoint.definition.name),
                importAddress: writer is any StreamingWriter
                    ? addresses.imports(of: endpoint.definition.name) : nil
            )
        }
        addFields(for: answer.representation, to: &response)
        draw(answer.representation.format, into: &response) { $0.render(document, to: &$1) }
    }
}
