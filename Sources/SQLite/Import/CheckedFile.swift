import TableFiles

/// The facts about all records of a file, from which its list is planned.
struct CheckedFile {
    let columns: ColumnNames
    let survey: SchemaInference
    let exported: ExportColumns
    let findings: FileFindings
    let count: Int

    func plan(_ options: ImportOptions, isNumbered: Bool = false) -> ImportPlan {
        ImportPlan(
            columns,
            survey: survey,
            options: options.completed(by: findings),
            exported: exported,
            isNumbered: isNumbered
        )
    }
}
