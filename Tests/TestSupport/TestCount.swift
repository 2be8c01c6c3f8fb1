private import System

/// How many times a property is tried.
package enum TestCount {
    /// What a variable of the environment asks for, else what is enough for every run.
    package static func of(_ variable: String, else count: Int) -> Int {
        Int(ProcessEnvironment.variables()[variable] ?? "") ?? count
    }
}
