public import CofferStorage
import Foundation

/// What a store says about itself: the rows of its table `coffer_metadata`, by name.
public enum SQLMetadata {
    /// The table with a text `value` for each `name`.
    public static let table = "coffer_metadata"
    /// The table with the `next` key of each `root`.
    public static let keys = "coffer_keys"
    /// The name of the row with the number of the ``SQLFormat``.
    public static let format = "format"

    /// The rows of a new store, or of one that is described anew.
    public static func rows(_ metadata: StoreMetadata) throws(StorageError) -> [(name: String, value: String)] {
        [
            (format, "\(SQLFormat.current.rawValue)"), ("store", metadata.store.uuidString),
            ("model", try text(metadata.model)),
        ]
    }

    /// What the rows say.
    ///
    /// - Parameters:
    ///   - place: what to call the store in errors: the name of its file or database.
    ///   - value: the value of the row with a name.
    /// - Throws: `foreign` for a store of a later release, `corrupt` where the rows contradict themselves.
    public static func description(
        _ place: String, _ value: (String) throws(StorageError) -> String?
    ) throws(StorageError) -> SQLDescription {
        guard let number = try value(format).flatMap({ Int($0) }) else { throw damaged(place) }
        // A later release may have other rows besides.
        guard number <= SQLFormat.current.rawValue else {
            throw StorageError(
                .foreign,
                "'\(place)' has format \(number), made by a later release; this one knows formats up to "
                    + "\(SQLFormat.current.rawValue). Update the program, or its version of Coffer, to open it."
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

    /// A model as it is kept.
    public static func text(_ model: StoreModel) throws(StorageError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return String(decoding: try encoder.encode(model), as: UTF8.self) } catch {
            throw .invalidModel("Version '\(model.version)' cannot be written down: \(error).")
        }
    }
}
