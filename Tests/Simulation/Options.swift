import DuxEngine
import DuxProtocol

/// What a run is like; drawn from its seed, so that each run strains other parts.
package struct Options: Sendable {
  /// How long faults and work go on, in virtual milliseconds.
  package var durationMs: Int64
  var libraryClients: Int
  var scriptedClients: Int
  /// Whether several connections use one name.
  var hasTakeovers: Bool
  var thinkingMs: Int
  var window: Int
  var favoursArrays: Bool
  var bigValuePercent: Int

  var ringBytes: Int
  var maximumLineBytes: Int
  var heartbeatMs: Int
  var stallTimeoutMs: Int
  var storageRetryMs: Int
  var checkpointEntries: Int
  var recentCount: Int
  var maximumStateBytes: Int

  /// Chances a virtual second, in percent.
  var crashPercent: Int
  var stopPercent: Int
  var cutPercent: Int
  var clogPercent: Int
  var fullDiskPercent: Int
  var compactionPercent: Int
  var compactsUnderReaders: Bool

  var diskDelayMs: Int
  var threadDelayMs: Int
  var networkDelayMs: Int
  var chunkBytes: Int
  var socketBytes: Int
  var slowReaderPercent: Int
  /// Whether the app is the one with effects.
  package var hasEffects: Bool
  var followUpsPerTurn: Int
  /// Clients that say something of themselves, and follow what others say.
  var presenceClients: Int

  /// Whether programs keep their steps in a journal, and end and begin again.
  var hasJournals = false
  var restartPercent = 0

  /// Draws options.
  package init(using random: inout SeededGenerator) {
    durationMs = random.pick([700, 1_500, 4_000])
    libraryClients = random.below(4)
    scriptedClients = 1 + random.below(4)
    hasTakeovers = random.chance(30)
    thinkingMs = random.pick([20, 60, 200])
    window = random.pick([1, 4, 64])
    favoursArrays = random.chance(50)
    bigValuePercent = random.pick([0, 0, 5, 20])
    ringBytes = random.pick([4_096, 8_192, 65_536, 4 << 20])
    maximumLineBytes = random.pick([1_536, 4_096, 16_384, 1 << 20])
    heartbeatMs = random.pick([1_000, 3_000, 15_000])
    stallTimeoutMs = random.pick([3_000, 60_000])
    storageRetryMs = random.pick([0, 100, 1_000])
    checkpointEntries = random.pick([5, 40, 1_000])
    recentCount = random.pick([0, 10, 1_000])
    maximumStateBytes = random.pick([2_000, 12_000, 100_000])
    crashPercent = random.pick([0, 10, 40])
    stopPercent = random.pick([0, 0, 5])
    cutPercent = random.pick([0, 20, 80])
    clogPercent = random.pick([0, 20, 80])
    fullDiskPercent = random.pick([0, 0, 10, 30])
    compactionPercent = random.pick([0, 30, 90])
    compactsUnderReaders = random.chance(30)
    diskDelayMs = random.pick([1, 10, 100])
    threadDelayMs = random.pick([1, 20, 300])
    networkDelayMs = random.pick([1, 10, 60])
    chunkBytes = random.pick([7, 300, 100_000])
    socketBytes = random.pick([64, 2_000, 100_000])
    slowReaderPercent = random.pick([0, 30, 60])
    if chunkBytes == 7 { networkDelayMs = 1 }
    hasEffects = random.chance(50)
    followUpsPerTurn = random.pick([1, 5, 1_000])
    presenceClients = random.below(5)
    hasJournals = random.chance(50)
    restartPercent = hasJournals ? random.pick([0, 2, 10]) : 0
    // An answer that is refused, since the state is full, would be no fault of the daemon's.
    if hasEffects { maximumStateBytes = 100_000 }
  }

  /// Whether the daemon may refuse what it could take at another time.
  var refusesForTheMoment: Bool { fullDiskPercent > 0 || stopPercent > 0 }

  var limits: Limits {
    Limits(
      maximumLineBytes: maximumLineBytes, maximumDepth: 12, maximumStateBytes: maximumStateBytes)
  }

  var engineConfiguration: EngineConfiguration {
    EngineConfiguration(
      server: "virtual", limits: limits, durability: "full", heartbeatMs: heartbeatMs,
      helloTimeoutMs: 10_000, stallTimeoutMs: stallTimeoutMs, maximumClients: 100,
      ringBytes: ringBytes, storageRetryMs: storageRetryMs,
      checkpoint: CheckpointPolicy(minimumLogBytes: 4_096, maximumEntries: checkpointEntries),
      followUpsPerTurn: followUpsPerTurn, processID: 1)
  }
}
