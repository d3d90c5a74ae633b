import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Archives that are complete but cannot be decoded.
struct ArchivedFieldTests {
    @Test(.pins("FLD-33")) func `decoding an archive with an unknown class throws an error`() throws {
        let value: NSDictionary = ["a": NSUUID()]
        let data = try #require(FieldCoders.NSCoding.encodeToStoredData(value))
        // The archive follows a mark of four bytes and the checksum of the archive.
        var archive = Data(data.dropFirst(36))
        let sealing = data.prefix(4) + SHA256.hash(archive)
        #expect(sealing + archive == data)
        while let range = archive.range(of: Data("NSUUID".utf8)) {
            archive.replaceSubrange(range, with: Data("NSGONE".utf8))
        }
        let renamed = data.prefix(4) + SHA256.hash(archive) + archive
        let error = #expect(throws: (any Error).self) { try FieldCoders.NSCoding<NSDictionary>.decoded(renamed) }
        #expect("\(try #require(error))" == "The archive contains an object of the missing class 'NSGONE'.")
    }
}
