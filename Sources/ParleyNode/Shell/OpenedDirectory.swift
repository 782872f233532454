import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore

/// A data directory that this process has locked, with its key and its store.
struct OpenedDirectory: Sendable {
    let directory: DataDirectory
    let storage: any NodeStore
    let key: DeviceKey
    let recovery: Recovery
    let damage: DamageReports

    /// Locks and opens the directory at `path`, and creates it if it does not exist.
    init(path: String, keepsInMemory: Bool) throws(NodeError) {
        do throws(StoreError) {
            directory = try DataDirectory(path: path)
            storage = keepsInMemory ? MemoryStore() : try SQLiteStore(in: directory)
            let recovered = try storage.recover()
            recovery = recovered.recovery
            damage = recovered.damage
        } catch {
            throw NodeError(error)
        }
        do throws(DeviceKeyError) {
            key = try DeviceKeyFile(path: directory.file("device.key")).loadOrMake()
        } catch {
            throw .dataDirectoryUnusable(path: path, reason: error.message, hint: error.hint)
        }
    }
}
