import Configuration

/// A provider without values; reading one of its keys fails.
struct BrokenProvider: ConfigProvider, ConfigSnapshot {
    struct Failure: Error, CustomStringConvertible {
        let description = "The settings are out of reach."
    }

    let providerName = "Broken"
    let key: AbsoluteConfigKey

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        guard key != self.key else { throw Failure() }
        return LookupResult(encodedKey: key.description, value: nil)
    }

    func snapshot() -> any ConfigSnapshot { self }

    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
    ) async throws -> Return {
        try await watchValueFromValue(forKey: key, type: type, updatesHandler: updatesHandler)
    }

    func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        try await watchSnapshotFromSnapshot(updatesHandler: updatesHandler)
    }
}
