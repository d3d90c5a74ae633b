import CLibPQ
import CofferStorage

/// Rows on their way to the server by COPY, in its binary format.
struct PostgreSQLCopyData {
    private let columnCount: Int
    private var bytes: [UInt8] = []

    /// The bytes after which what there is should be sent.
    private static let limit = 1 << 20
    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF] + Array("\r\n".utf8) + [0]

    init(columnCount: Int) {
        self.columnCount = columnCount
        removeAll()
    }

    private(set) var isEmpty = true
    var isFull: Bool { bytes.count >= Self.limit }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        bytes += Self.signature
        // No flags, no extension of the header.
        bytes.append(bigEndian: 0 as Int32)
        bytes.append(bigEndian: 0 as Int32)
        isEmpty = true
    }

    /// All bytes, with the end.
    var finished: [UInt8] {
        var bytes = bytes
        bytes.append(bigEndian: -1 as Int16)
        return bytes
    }

    mutating func beginRow() {
        isEmpty = false
        bytes.append(bigEndian: Int16(truncatingIfNeeded: columnCount))
    }

    mutating func append(_ number: Int64?) {
        guard let number else { return bytes.append(bigEndian: -1 as Int32) }
        bytes.append(bigEndian: 8 as Int32)
        bytes.append(bigEndian: number)
    }

    mutating func append(_ text: String) {
        bytes.append(bigEndian: Int32(truncatingIfNeeded: text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a slot of a row.
    mutating func append(_ row: Row, _ slot: Int, _ kind: ColumnKind) {
        guard !row.isNull(slot) else { return bytes.append(bigEndian: -1 as Int32) }
        let place = bytes.count
        bytes.append(bigEndian: 0 as Int32)
        bytes.append(row, slot, kind)
        let length = Int32(truncatingIfNeeded: bytes.count - place - 4).bigEndian
        withUnsafeBytes(of: length) { length in
            for index in 0..<4 { bytes[place + index] = length[index] }
        }
    }
}

extension PostgreSQLConnection {
    /// Runs a COPY from this side with all its data.
    func copy(_ text: String, _ data: [UInt8]) throws(StorageError) {
        waitForAnswer()
        configuration.onStatement?(text)
        let begun = PQexec(handle, text)
        guard PQresultStatus(begun) == PGRES_COPY_IN else {
            _ = try checked(begun)
            return
        }
        PQclear(begun)
        let isSent = data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                PQputCopyData(handle, $0.baseAddress, Int32(truncatingIfNeeded: $0.count)) == 1
            }
        }
        if isSent { PQputCopyEnd(handle, nil) } else { PQputCopyEnd(handle, "The data could not be sent.") }
        let result = PQgetResult(handle)
        // What follows the result says that there is no other.
        while let rest = PQgetResult(handle) { PQclear(rest) }
        _ = try checked(result)
    }
}
