public import CofferStorage
import Foundation

/// Converts the metadata of a store to and from rows; refuses later formats and damaged metadata.
public enum SQLMetadata {
    /// The name of the table with a string `value` for each `name`.
    public static let table = "coffer_metadata"
    /// The name of the table with the `next` key of each `root`.
    public static let keys = "coffer_keys"
    /// The name of the row with the number of the ``SQLFormat``.
    public static let format = "format"

    /// Returns the rows of a new store, or of a store with a new description.
    public static func rows(_ metadata: StoreMetadata) throws(StorageError) -> [(name: String, value: String)] {
        [
            (format, "\(SQLFormat.current.rawValue)"), ("store", metadata.store.uuidString),
            ("model", try text(metadata.model)),
        ]
    }

    /// Returns the description of a store from its rows.
    ///
    /// - Parameters:
    ///   - place: the name of the store in errors: the name of its file or database.
    ///   - value: returns the value of the row with a name.
    /// - Throws: `foreign` if a later release has written the store, `corrupt` if the rows contradict each other.
    public static func description(
        _ place: String, _ value: (String) throws(StorageError) -> String?
    ) throws(StorageError) -> SQLDescription {
        guard let number = try value(format).flatMap({ Int($0) }) else { throw damaged(place) }
        // A later release may also use other rows.
        guard number <= SQLFormat.current.rawValue else {
            throw StorageError(
                .foreign,
                "'\(place)' has format \(number) of a later release of Coffer. This release supports formats up to "
                    + "\(SQLFormat.current.rawValue). To open the store, update the program, or its version of Coffer."
            )
        }
        guard let format = SQLFormat(rawValue: number), let model = try value("model"),
            let store = try value("store").flatMap(UUID.init(uuidString:))
        else { throw damaged(place) }
        do {
            let model = try JSONDecoder().decode(StoreModel.self, from: Data(model.utf8))
            return SQLDescription(format: format, metadata: StoreMetadata(store: store, model: model))
        } catch { throw damaged(place) }
    }

    private static func damaged(_ place: String) -> StorageError {
        StorageError(
            .corrupt,
            "The description of the store in '\(place)' is damaged. Restore it from a backup, or erase the store."
        )
    }

    /// Returns the string in which the store keeps a model.
    public static func text(_ model: StoreModel) throws(StorageError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return String(decoding: try encoder.encode(model), as: UTF8.self) } catch {
            throw .invalidModel("Version '\(model.version)' of the model cannot be encoded: \(error).")
        }
    }
}
