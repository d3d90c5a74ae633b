import CofferStorage
import Foundation

/// The Chinook data set: a shop for music with 15,607 rows, 8,715 of which link playlists with tracks.
enum Chinook {
    /// The data, which lie beside the repository or where `COFFER_DATA` says.
    static let file: URL? = {
        let repository = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder =
            ProcessInfo.processInfo.environment["COFFER_DATA"].map { URL(filePath: $0) }
            ?? repository.deletingLastPathComponent().appending(path: "shared/data")
        let file = folder.appending(path: "chinook/ChinookData.json")
        return FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) ? file : nil
    }()

    /// A table of the data: its attributes, and for each column that refers to another table the relationship, its
    /// destination and its inverse.
    private struct Source {
        let name: String
        var attributes: [String: AttributeType] = [:]
        var references: [(column: String, name: String, destination: String, inverse: String)] = []
    }

    private static let text = AttributeType.stringAttributeType

    private static let sources = [
        Source(name: "Genre", attributes: ["Name": text]),
        Source(name: "MediaType", attributes: ["Name": text]),
        Source(name: "Artist", attributes: ["Name": text]),
        Source(name: "Album", attributes: ["Title": text], references: [("ArtistId", "artist", "Artist", "albums")]),
        Source(
            name: "Track",
            attributes: [
                "Name": text, "Composer": text, "Milliseconds": .integer64AttributeType,
                "Bytes": .integer64AttributeType, "UnitPrice": .decimalAttributeType,
            ],
            references: [
                ("AlbumId", "album", "Album", "tracks"), ("MediaTypeId", "mediaType", "MediaType", "tracks"),
                ("GenreId", "genre", "Genre", "tracks"),
            ]),
        Source(
            name: "Employee",
            attributes: [
                "LastName": text, "FirstName": text, "Title": text, "BirthDate": .dateAttributeType,
                "HireDate": .dateAttributeType, "Address": text, "City": text, "State": text, "Country": text,
                "PostalCode": text, "Phone": text, "Fax": text, "Email": text,
            ], references: [("ReportsTo", "manager", "Employee", "reports")]),
        Source(
            name: "Customer",
            attributes: [
                "FirstName": text, "LastName": text, "Company": text, "Address": text, "City": text, "State": text,
                "Country": text, "PostalCode": text, "Phone": text, "Fax": text, "Email": text,
            ], references: [("SupportRepId", "supporter", "Employee", "customers")]),
        Source(
            name: "Invoice",
            attributes: [
                "InvoiceDate": .dateAttributeType, "BillingAddress": text, "BillingCity": text, "BillingState": text,
                "BillingCountry": text, "BillingPostalCode": text, "Total": .decimalAttributeType,
            ], references: [("CustomerId", "customer", "Customer", "invoices")]),
        Source(
            name: "InvoiceLine",
            attributes: ["UnitPrice": .decimalAttributeType, "Quantity": .integer64AttributeType],
            references: [("InvoiceId", "invoice", "Invoice", "lines"), ("TrackId", "track", "Track", "sales")]),
        Source(name: "Playlist", attributes: ["Name": text]),
    ]

    private static var model: StoreModel {
        var entities = sources.map { source in
            EntityDescription(
                name: source.name,
                attributes: source.attributes.keys.sorted().map {
                    .init(name: $0, type: source.attributes[$0] ?? text, isOptional: true)
                },
                relationships: source.references.map {
                    .init(name: $0.name, destination: $0.destination, inverse: $0.inverse, isToMany: false)
                })
        }
        for source in sources {
            for reference in source.references {
                guard let place = entities.firstIndex(where: { $0.name == reference.destination }) else { continue }
                entities[place].relationships.append(
                    .init(name: reference.inverse, destination: source.name, inverse: reference.name, isToMany: true))
            }
        }
        for (name, relationship, destination, inverse) in [
            ("Playlist", "tracks", "Track", "playlists"), ("Track", "playlists", "Playlist", "tracks"),
        ] {
            guard let place = entities.firstIndex(where: { $0.name == name }) else { continue }
            entities[place].relationships.append(
                .init(name: relationship, destination: destination, inverse: inverse, isToMany: true))
        }
        return StoreModel(version: "Chinook", entities: entities)
    }

    private struct Unreadable: Error {}

    /// Makes a store of the data.
    static func make(_ place: Place, _ url: String) throws {
        guard let file,
            let tables = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [[String: Any]]],
            let links = tables["PlaylistTrack"]
        else { throw Unreadable() }
        try place.make(url, model) { loader, layout throws(StorageError) in
            for source in sources {
                var rows: [Row] = []
                for record in tables[source.name] ?? [] { rows.append(try row(record, source, layout)) }
                try loader.add(rows)
            }
            guard let playlist = layout.entity(named: "Playlist"), let tracks = playlist.relationship(named: "tracks"),
                case .links(let table, let isFirst) = layout.relationships[tracks].storage
            else { throw .invalidModel("There is no 'Playlist.tracks'.") }
            try loader.add(
                links.compactMap { record in
                    guard let playlist = record["PlaylistId"] as? Int, let track = record["TrackId"] as? Int else {
                        return nil
                    }
                    let (own, other) = (Int64(playlist), Int64(track))
                    return .init(table: table, first: isFirst ? own : other, second: isFirst ? other : own)
                })
        }
    }

    private static func row(
        _ record: [String: Any], _ source: Source, _ layout: ModelLayout
    ) throws(StorageError) -> Row {
        guard let entity = layout.entity(named: source.name), let key = record["\(source.name)Id"] as? Int else {
            throw .invalidModel("A record of '\(source.name)' has no key.")
        }
        let values = entity.columns.map { column in
            let reference = source.references.first { $0.name == column.name }
            return value(record[reference?.column ?? column.name], column.kind)
        }
        guard let row = Row.make(entity: entity.index, key: Int64(key), version: 1, values: values, kinds: entity.kinds)
        else { throw .invalidModel("A record of '\(source.name)' does not fit.") }
        return row
    }

    private static func value(_ found: Any?, _ kind: ColumnKind) -> Value {
        switch (kind, found) {
        case (.date, let text as String): (try? Date(text + "Z", strategy: .iso8601)).map(Value.date) ?? .null
        case (.text, let text as String): .text(text)
        case (.decimal, let number as Double): .decimal(Decimal(Int64((number * 100).rounded())) / 100)
        case (.integer, let number as Int), (.reference, let number as Int): .integer(Int64(number))
        default: .null
        }
    }
}
