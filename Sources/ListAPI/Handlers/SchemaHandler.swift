import Bytes
import Database
import HTTP
import Listings
import Rendering

enum SchemaHandler {
    static func respond(_ prepared: PreparedRequest, in call: inout Call) {
        let endpoint = prepared.target.endpoint
        call.checkDefinition(of: endpoint)
        let links = prepared.links
        var traits = prepared.target.traits
        traits.embeddable = call.service.relations
            .embeddable(in: endpoint.definition.name, for: call.caller).map(\.name)
        // A caller may not see the section, if the scope has conditions.
        traits.ownSection = endpoint.reader.firstOwnSection.map {
            endpoint.view.scope.isEveryRow ? $0 : SectionID("~")
        }
        var document = SchemaDocument(
            list: endpoint.definition.name,
            title: endpoint.definition.title,
            schema: endpoint.schema,
            parameters: Parameter.documented(in: traits),
            listAddress: links.address(of: .list),
            address: links.address(of: .current),
            alternates: prepared.target.formats.filter { $0 != prepared.representation.format }
                .map { Alternate($0, address: links.address(of: .alternate($0))) }
        )
        document.about = endpoint.definition.about
        document.references = prepared.query.lookups.map { lookup in
            SchemaDocument.Reference(
                lookup.relation.name,
                column: lookup.relation.column,
                list: lookup.relation.target,
                key: lookup.relation.key ?? ListSchema.idName,
                labels: lookup.labels,
                address: call.addresses.list(lookup.relation.target)
            )
        }
        let writer = endpoint.view.mayWrite ? endpoint.writer : nil
        document.writing = writer.map { writer in
            SchemaDocument.Writing(
                required: writer.rules.required.sorted().map { endpoint.schema.columns[$0].id },
                requiresCondition: call.service.options.writing.requiresCondition,
                rowsAddress: call.addresses.rows(of: endpoint.definition.name),
                importAddress: writer.abilities.stream != nil
                    ? call.addresses.imports(of: endpoint.definition.name) : nil
            )
        }
        DocumentFields.add(for: prepared, to: &call.response)
        call.render(prepared.representation.format) {
            $0.render(document, to: &$1)
        }
    }
}
