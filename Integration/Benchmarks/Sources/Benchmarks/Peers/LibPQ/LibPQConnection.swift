import CBenchmarkPostgreSQL

/// A connection of libpq, and the statements prepared on it.
final class LibPQConnection {
    private let connection: OpaquePointer?
    private var statementCount = 0

    init(url: String) throws {
        connection = PQconnectdb(url)
        guard PQstatus(connection) == CONNECTION_OK else { throw failure }
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    var failure: BenchmarkError { BenchmarkError("libpq: \(String(cString: PQerrorMessage(connection)))") }

    func execute(_ sql: String) throws {
        _ = try checked(PQexec(connection, sql))
    }

    func prepare(_ sql: String, _ types: [UInt32] = []) throws -> LibPQStatement {
        statementCount += 1
        let name = "s\(statementCount)"
        _ = try checked(PQprepare(connection, name, sql, Int32(types.count), types))
        return LibPQStatement(self, name)
    }

    @inline(__always)
    func run(_ name: String, _ parameters: LibPQParameters) throws -> LibPQResult {
        let result = parameters.withPointers { values, lengths, formats in
            PQexecPrepared(connection, name, Int32(lengths.count), values, lengths, formats, 1)
        }
        return try checked(result)
    }

    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN")
        let result = try body()
        try execute("COMMIT")
        return result
    }

    /// Runs `COPY … FROM STDIN` with binary rows that the closure appends, one for each element.
    func copy<Element>(
        _ sql: String, _ elements: some Sequence<Element>, _ write: (Element, inout [UInt8]) -> Void
    ) throws {
        _ = try checked(PQexec(connection, sql), PGRES_COPY_IN)
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
        func send() throws {
            let code = bytes.withUnsafeBytes { PQputCopyData(connection, $0.baseAddress, Int32($0.count)) }
            guard code == 1 else { throw failure }
            bytes.removeAll(keepingCapacity: true)
        }
        for element in elements {
            write(element, &bytes)
            if bytes.count > 1 << 16 { try send() }
        }
        bytes.appendBigEndian(Int16(-1))
        try send()
        guard PQputCopyEnd(connection, nil) == 1 else { throw failure }
        _ = try checked(PQgetResult(connection))
        while let result = PQgetResult(connection) { PQclear(result) }
    }

    private func checked(
        _ result: OpaquePointer?, _ expected: ExecStatusType = PGRES_TUPLES_OK
    ) throws -> LibPQResult {
        let status = PQresultStatus(result)
        guard status == expected || status == PGRES_COMMAND_OK else {
            PQclear(result)
            throw failure
        }
        return LibPQResult(result)
    }
}

/// A prepared statement.
struct LibPQStatement {
    private let connection: LibPQConnection
    private let name: String

    init(_ connection: LibPQConnection, _ name: String) {
        self.connection = connection
        self.name = name
    }

    @inline(__always)
    func run(_ parameters: LibPQParameters = LibPQParameters()) throws -> LibPQResult {
        try connection.run(name, parameters)
    }
}
