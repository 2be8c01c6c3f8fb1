package import Listings

package struct ProgressDocument: Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        case waiting
        case checking
        case writing
        case checked
        case done
        case failed
        case interrupted

        package var isRunning: Bool { self == .waiting || self == .checking || self == .writing }
    }

    package struct FileColumn: Hashable, Sendable {
        package let name: String
        package let label: String?
        package let type: ColumnType?

        package init(name: String, label: String? = nil, type: ColumnType? = nil) {
            self.name = name
            self.label = label
            self.type = type
        }
    }

    package struct Rows: Hashable, Sendable {
        package var read = 0
        package var inserted = 0
        package var replaced = 0
        package var unchanged = 0
        package var refused = 0

        package init() {}
    }

    package var list: String
    package var title: String
    package var state: State
    package var rows: Rows
    package var bytes: Int
    package var totalBytes: Int
    package var rowsPerSecond: Int?
    package var secondsLeft: Int?
    package var detail: Text?
    package var faults: [Problem.Fault]
    package var columns: [FileColumn] = []
    package var sample: [[String?]] = []
    package var mayBegin = false
    package var address: String
    package var listAddress: String

    package init(list: String, title: String, totalBytes: Int, address: String, listAddress: String)
    {
        self.list = list
        self.title = title
        self.totalBytes = totalBytes
        self.address = address
        self.listAddress = listAddress
        state = .waiting
        rows = Rows()
        bytes = 0
        faults = []
    }
}
