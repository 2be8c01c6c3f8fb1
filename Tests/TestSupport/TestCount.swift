private import System

package enum TestCount {
    package static func of(_ variable: String, else count: Int) -> Int {
        Int(ProcessEnvironment.variables()[variable] ?? "") ?? count
    }
}
