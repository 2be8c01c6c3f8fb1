import Database
import HTTP
import Rendering

/// The operations of imports into a list.
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
        // The schemas of files are open, because the progress reports the errors of their rows.
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

    /// Returns the operation that reads the progress of an import, or ends it.
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
