package import Listings

package struct SchemaDocument: Sendable {
    package struct Parameter: Sendable {
        package var name: String
        package var summary: Text
        package var example: String
        package var defaultValue: String?
        package var maximum: Int?

        package init(
            _ name: String,
            summary: Text,
            example: String,
            defaultValue: String? = nil,
            maximum: Int? = nil
        ) {
            self.name = name
            self.summary = summary
            self.example = example
            self.defaultValue = defaultValue
            self.maximum = maximum
        }
    }

    package struct Writing: Sendable {
        package var required: [String]
        package var requiresCondition: Bool
        package var rowsAddress: String
        package var importAddress: String?

        package init(
            required: [String],
            requiresCondition: Bool,
            rowsAddress: String,
            importAddress: String? = nil
        ) {
            self.required = required
            self.requiresCondition = requiresCondition
            self.rowsAddress = rowsAddress
            self.importAddress = importAddress
        }
    }

    package struct Reference: Sendable {
        package var name: String
        package var column: String
        package var list: String
        /// The id of the column of that list with the same values.
        package var key: String
        /// The ids of the columns of that list that label its rows; empty if it has none.
        package var labels: [String]
        package var address: String

        package init(
            _ name: String,
            column: String,
            list: String,
            key: String,
            labels: [String],
            address: String
        ) {
            self.name = name
            self.column = column
            self.list = list
            self.key = key
            self.labels = labels
            self.address = address
        }
    }

    package var list: String
    package var title: String
    package var about = ListAbout()
    package var idType: ColumnType
    package var columns: [Column]
    package var operators: [[Filter.Operator]]
    package var defaultColumns: [String]?
    package var references: [Reference] = []
    package var parameters: [Parameter]
    package var listAddress: String
    package var address: String
    package var alternates: [Alternate]
    package var writing: Writing?

    package init(
        list: String,
        title: String,
        schema: ListSchema,
        parameters: [Parameter],
        listAddress: String,
        address: String,
        alternates: [Alternate] = []
    ) {
        self.list = list
        self.title = title
        idType = schema.idType
        columns = schema.columns
        operators = schema.columns.map(schema.operators)
        defaultColumns = schema.defaultColumns?.map { schema.columns[$0].id }
        self.parameters = parameters
        self.listAddress = listAddress
        self.address = address
        self.alternates = alternates
    }
}
