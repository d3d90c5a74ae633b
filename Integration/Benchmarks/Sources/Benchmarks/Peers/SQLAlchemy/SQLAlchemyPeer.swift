import Foundation

/// SQLAlchemy's ORM on psycopg: the Python program in `SQLAlchemy`.
enum SQLAlchemyPeer {
    /// There is one where COFFER_BENCH_SQLALCHEMY is a virtual environment that has both, as `scripts/bench` makes it.
    static let all: [ForeignPeer] = {
        guard let environment = ProcessInfo.processInfo.environment["COFFER_BENCH_SQLALCHEMY"] else { return [] }
        let python = URL(fileURLWithPath: environment).appendingPathComponent("bin/python")
        let launcher = Launcher(program: python, leadingArguments: ["-B", "SQLAlchemy/peer.py"])
        return [ForeignPeer(name: "sqlalchemy", launcher: launcher)]
    }()
}
