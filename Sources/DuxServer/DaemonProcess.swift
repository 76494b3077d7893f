import DuxEngine
import DuxJSON
import DuxLog
import DuxNetwork
import DuxProtocol
import DuxStorage
import DuxStore
import Foundation

/// One run of a daemon: reads its log, serves, and ends in good order.
package struct DaemonProcess {
  private let configuration: DaemonConfiguration
  private let apps: AppRegistry

  /// Makes a daemon that has not begun.
  package init(_ configuration: DaemonConfiguration, apps: AppRegistry) {
    self.configuration = configuration
    self.apps = apps
  }

  /// Why a daemon could not start: what its process should end with, and what to say.
  package struct StartError: Error, Sendable {
    /// See ``ExitStatus``.
    package let status: Int32
    /// For people, naming the input and the way out.
    package let message: String
  }

  /// Serves until a signal ends it; the calling thread becomes the loop's.
  ///
  /// - Parameter announce: called once, with the line that says where it listens.
  /// - Returns: what the process should end with.
  /// - Throws: ``StartError`` when it can't begin; nothing was served then.
  package func run(announce: (String) -> Void) throws(StartError) -> Int32 {
    let diagnostics = Diagnostics(level: configuration.logLevel)
    DescriptorLimit.raise()
    let log = try openLog(diagnostics)
    let loop: EventLoop
    let server: Server
    let engine: Engine
    let storage: StorageThreads
    let endpoints: [Endpoint]
    do throws(NetworkError) {
      loop = try EventLoop()
      let receiver = Receiver()
      let mailbox = try Mailbox<StorageMessage>(on: loop) { receiver.server?.receive($0) }
      storage = try StorageThreads(
        writer: log.writer, reader: log.reader, copier: log.copier,
        retention: configuration.retention, mailbox: mailbox)
      engine = makeEngine(log.start, loop: loop)
      let effects = try Mailbox<EffectTasks.Message>(on: loop, atOnce: Self.effectsAtOnce) {
        receiver.server?.receive($0)
      }
      let store = log.start.store
      server = Server(
        loop: loop, engine: engine, storage: storage, diagnostics: diagnostics,
        makeEffectTasks: {
          EffectTasks(of: store, mailbox: effects) { diagnostics.warning($0) }
        }, wallClockMs: Self.wallClockMs)
      receiver.server = server
      endpoints = try server.start(
        listeningOn: configuration.endpoints, andIfFree: configuration.endpointIfFree)
    } catch {
      throw StartError(status: ExitStatus.unavailable, message: Self.explain(error))
    }
    announce(announcement(endpoints))
    loop.run()
    storage.close(writing: engine.lastCheckpoint(upToBytes: Self.lastCheckpointBytes))
    loop.close()
    return server.exitStatus
  }

  private static let lastCheckpointBytes = 16 << 20
  /// What many effects tell at once must not keep clients waiting.
  private static let effectsAtOnce = 64

  /// Lets the mailbox, which is made first, find the server.
  private final class Receiver {
    var server: Server?
  }

  private func openLog(_ diagnostics: Diagnostics) throws(StartError) -> OpenLog {
    let fresh = try makeStore()
    do throws(OpenFailure) {
      let log = try OpenLog.open(
        configuration.data, durability: configuration.durability, store: fresh,
        wallMs: Self.wallClockMs()
      ) {
        diagnostics.info("reading the log: \($0) actions so far")
      }
      log.warnings.forEach { diagnostics.warning("\($0)") }
      diagnostics.debug("read \(log.replayedCount) actions after the checkpoint")
      if let adoption = log.adoption { diagnostics.info(adoption) }
      let unknown = log.start.store.unknownSlices
      if !unknown.isEmpty {
        diagnostics.warning(
          "the app \(fresh.appName) does not know the state's \(unknown.joined(separator: ", "));"
            + " it is kept as it is")
      }
      warnOfLimits(log.start.store.view, diagnostics)
      return log
    } catch {
      switch error {
      case .storage(let error):
        throw StartError(status: error.exitStatus, message: error.description)
      case .state(let reason):
        throw StartError(status: ExitStatus.data, message: "\(configuration.data): \(reason)")
      }
    }
  }

  private func makeStore() throws(StartError) -> any HostedStore {
    do throws(AppFault) {
      if let store = try apps.makeStore(of: configuration.app, limits: configuration.limits) {
        return store
      }
    } catch {
      throw StartError(status: ExitStatus.usage, message: error.description)
    }
    throw StartError(
      status: ExitStatus.usage,
      message: "there is no app \"\(configuration.app)\"; there is "
        + apps.names.joined(separator: ", "))
  }

  private func warnOfLimits(_ state: JSON, _ diagnostics: Diagnostics) {
    let limits = configuration.limits
    if state.depth > limits.maximumDepth {
      diagnostics.warning(
        "the state is \(state.depth) levels deep, --max-depth allows \(limits.maximumDepth):"
          + " it may not get deeper")
    }
    if state.encodedByteCount > limits.maximumStateBytes {
      diagnostics.warning(
        "the state takes \(state.encodedByteCount) bytes, --max-state allows"
          + " \(limits.maximumStateBytes): it may not grow")
    }
  }

  private func makeEngine(_ start: Engine.Start, loop: EventLoop) -> Engine {
    let now = loop.now.components
    return Engine(
      start,
      configuration: EngineConfiguration(
        server: "duxd/\(Release.version)", limits: configuration.limits,
        durability: configuration.durability == .full ? "full" : "normal",
        heartbeatMs: configuration.heartbeatMs, helloTimeoutMs: 10_000, stallTimeoutMs: 60_000,
        maximumClients: configuration.maximumClients, ringBytes: 32 << 20, storageRetryMs: 1_000,
        checkpoint: CheckpointPolicy(minimumLogBytes: 64 << 20, maximumEntries: 1_000_000),
        processID: ProcessInfo.processInfo.processIdentifier),
      nowMs: now.seconds * 1_000, wallMs: Self.wallClockMs(),
      seed: UInt64.random(in: .min ... .max))
  }

  private func announcement(_ endpoints: [Endpoint]) -> String {
    let places = endpoints.map(\.description).joined(separator: " and ")
    return "duxd \(Release.version) serves \(configuration.app) at \(places), data in"
      + " \(configuration.data)"
  }

  private static func wallClockMs() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1_000)
  }

  private static func explain(_ error: NetworkError) -> String {
    guard error.isAddressInUse else { return error.description }
    return "\(error); another program, perhaps another duxd, listens there: stop it, or choose"
      + " another place with --listen or --socket"
  }
}

extension StorageError {
  fileprivate var exitStatus: Int32 {
    switch kind {
    case .busy: ExitStatus.busy
    case .damaged, .newerFormat, .foreign, .wrongApp: ExitStatus.data
    default: ExitStatus.storage
    }
  }
}
