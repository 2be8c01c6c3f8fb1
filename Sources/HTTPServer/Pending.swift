import HTTP

extension HTTPConnectionMachine { var isIdle: Bool { false } }
