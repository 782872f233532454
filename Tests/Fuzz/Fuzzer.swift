import Glibc

/// The target of this process, which the environment names; one binary has them all.
private let target: any FuzzTarget = {
    let name = getenv("PARLEY_FUZZ").map { String(cString: $0) } ?? ""
    guard let type = FuzzTargets.all[name] else {
        print("PARLEY_FUZZ: \(FuzzTargets.all.keys.sorted().joined(separator: ", "))")
        exit(64)
    }
    return type.init()
}()

/// The number of changed copies of each input that are tried as well; 0 unless wanted.
private let neighbours = getenv("PARLEY_FUZZ_NEIGHBOURS").flatMap { Int(String(cString: $0)) } ?? 0

/// The processor time after which an input counts as one that hangs.
private let secondsMax = 1.0

/// Prepares the target, or writes its seeds into a folder and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ words: UnsafeMutableRawPointer?) -> CInt
{
    HeapPeak.install()
    let seeds = target.seeds
    guard let folder = getenv("PARLEY_FUZZ_SEEDS").map({ String(cString: $0) }) else { return 0 }
    for (number, seed) in seeds.enumerated() {
        guard let file = fopen("\(folder)/seed-\(number)", "w") else { exit(74) }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
    }
    exit(0)
}

/// Runs one input; a trap, a broken promise, too much memory and too much time end the process.
@_cdecl("LLVMFuzzerTestOneInput")
public func runInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let begin = processorSeconds()
    HeapPeak.begin()
    target.run(bytes)
    if let factor = target.heapFactor { HeapPeak.check(inputBytes: count, factor: factor) }
    let taken = processorSeconds() - begin
    guard taken < secondsMax else { end("one input took \(taken) s of processor time") }
    if neighbours > 0, count > 0 { runNeighbours(of: &bytes) }
    return 0
}

/// Runs copies of an input that differ from it in one byte, and then in a few.
private func runNeighbours(of bytes: inout [UInt8]) {
    var mix = bytes.reduce(UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    func draw() -> UInt64 {
        mix ^= mix << 13
        mix ^= mix >> 7
        mix ^= mix << 17
        return mix
    }
    for _ in 0..<neighbours {
        let changes = (0..<Int(draw() % 3) + 1).map { _ in Int(draw() % UInt64(bytes.count)) }
        let before = changes.map { bytes[$0] }
        for index in changes { bytes[index] = UInt8(truncatingIfNeeded: draw()) }
        target.run(bytes)
        for (index, byte) in zip(changes, before).reversed() { bytes[index] = byte }
    }
}

/// The processor time of the process, which POSIX counts in microseconds.
private func processorSeconds() -> Double { Double(clock()) / 1e6 }
