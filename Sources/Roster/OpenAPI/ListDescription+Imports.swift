import Database
import HTTP
import Rendering

/// What can be asked of the imports into a list.
extension ListDescription {
    private var progress: [(mediaType: String, schema: JSONPart)] {
        [
            (PageFormat.json.mediaType.description, OpenAPISchemas.reference("Import")),
            (PageFormat.html.mediaType.description, OpenAPISchemas.text),
        ]
    }

    /// The operation that begins an import.
    var importing: OpenAPIOperation {
        var operation = operation("import", "Import a file of rows")
        operation.description =
            "Written in the background, all rows or none; the answer says where its progress is told."
        operation.parameters = [onDuplicate]
        // Files: what is wrong with their rows is told where the progress is.
        operation.content = RequestContent.fileTypes.map { ($0.mediaType, [:]) }
        operation.answers = [
            .init(
                status: 202,
                text: "Begun: how far it is.",
                content: progress,
                fields: ["Location"]
            )
        ]
        operation.problems = [400, 403, 404, 406, 409, 413, 415, 503, 507]
        if writing.requiresCondition { operation.problems.append(428) }
        return operation
    }

    /// The operation that tells how far an import is, or ends it.
    func imported(_ method: HTTPMethod) -> OpenAPIOperation {
        let isEnd = method == .delete
        var operation = operation(
            isEnd ? "interruptImport" : "importState",
            isEnd ? "Interrupt an import, or forget one that has ended" : "How far an import is"
        )
        operation.segments = [("import", OpenAPISchemas.segment)]
        operation.answers = [
            .init(status: isEnd ? 202 : 200, text: "How far it is.", content: progress)
        ]
        if isEnd { operation.answers.append(.init(status: 204, text: "Forgotten.")) }
        operation.problems = [400, 404, 406]
        return operation
    }
}
