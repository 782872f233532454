import Foundation
import ParleyCore
import ParleyKeys
import ParleyStore

/// A data directory locked by this process, with its key, store and device name.
struct OpenedDirectory: Sendable {
    let directory: DataDirectory
    let storage: any NodeStore
    let key: DeviceKey
    let recovery: Recovery
    let damage: DamageReports
    /// Nil if the key is that of the last start.
    let change: DeviceChange?
    let name: DeviceName
    /// The lists of blocked and allowed devices, and their file.
    let lists: DeviceLists
    let listFile: KeptFile?
    let personFile: PersonFile
    /// Nil until the device is linked to another one of its person.
    let person: KeptPerson?
    let linked: LinkedDevices

    /// Locks and opens the directory of `settings`, and creates it if it does not exist.
    init(_ settings: NodeSettings) throws(NodeError) {
        let path = settings.dataDirectory.path
        let keepsInMemory = settings.keepsInMemory
        var recovery: Recovery
        do throws(StoreError) {
            directory = try DataDirectory(path: path)
            storage =
                keepsInMemory
                ? MemoryStore()
                : try SQLiteStore(in: directory, freeBytesMin: settings.limits.freeSpace)
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
        listFile = keepsInMemory ? nil : KeptFile(path: directory.file("devices.json"))
        lists =
            try listFile.map { file throws(NodeError) in try DeviceLists(keptIn: file) }
            ?? DeviceLists()
        personFile = PersonFile(
            keepsInMemory ? nil : KeptFile(path: directory.file("person.key")),
            linked: keepsInMemory ? nil : KeptFile(path: directory.file("linked.json"))
        )
        person = try personFile.read()
        linked = try personFile.readLinked().having(person?.secret)
        change = recovery.adapt(to: key)
        self.recovery = recovery
        let given = try settings.givenName
        name =
            keepsInMemory
            ? DeviceName(given: given)
            : DeviceName(given: given, keptIn: KeptFile(path: directory.file("name")))
    }
}
