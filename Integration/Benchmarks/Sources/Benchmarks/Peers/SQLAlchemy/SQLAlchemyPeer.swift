import Foundation

/// SQLAlchemy's ORM on psycopg: the Python program in `SQLAlchemy`.
enum SQLAlchemyPeer {
    /// The peer, if COFFER_BENCH_SQLALCHEMY names a virtual environment with SQLAlchemy and psycopg.
    ///
    /// `scripts/bench` creates such an environment.
    static let all: [ForeignPeer] = {
        guard let environment = ProcessInfo.processInfo.environment["COFFER_BENCH_SQLALCHEMY"] else { return [] }
        let python = URL(fileURLWithPath: environment).appendingPathComponent("bin/python")
        let launcher = Launcher(program: python, leadingArguments: ["-B", "SQLAlchemy/peer.py"])
        return [ForeignPeer(name: "sqlalchemy", launcher: launcher)]
    }()
}
