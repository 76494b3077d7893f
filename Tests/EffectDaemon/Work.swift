import DuxJSON
import DuxStore
import Foundation

/// What the versions of the app's state have in common.
protocol WorkState: Codable, Equatable, Sendable {
  var jobs: Table<String, Job> { get set }
  init()
}

struct Job: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var status: String
}

struct FirstState: WorkState {
  var jobs = Table<String, Job>()
  var total = 3
}

/// Version 2: `total` is called `sum`.
struct SecondState: WorkState {
  var jobs = Table<String, Job>()
  var sum = 0
}

/// Version 1 with a slice more.
struct WideState: WorkState {
  var jobs = Table<String, Job>()
  var total = 3
  var extra = ["colour": "green"]
}

@Sendable func renamed(_ state: JSON, from version: Int) throws -> JSON {
  guard var members = state.objectValue, let total = members["total"] else { throw Broken() }
  members["total"] = nil
  members["sum"] = total
  return .object(members)
}

/// Does jobs as commands; each try leaves a line in a file.
struct Work<State: WorkState>: App {
  enum Action: Codable, Equatable, Sendable {
    case ask(id: String, ms: Int, failures: Int)
    case hang(id: String)
    case started(String)
    case done(String)
    case failed(id: String, reason: String)
  }

  let name = "work"
  let version: Int
  var handles = true
  let migration: (@Sendable (JSON, Int) throws -> JSON)?
  var initialState: State { State() }

  func migrate(_ state: JSON, from version: Int) throws -> JSON {
    guard let migration else { return try Unmigrated().migrate(state, from: version) }
    return try migration(state, version)
  }

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .ask(let id, let ms, let failures):
      try state.jobs.append(Job(id: id, status: "asked"))
      return .command(Labour(id: id, ms: ms, failures: failures))
    case .hang(let id):
      try state.jobs.append(Job(id: id, status: "asked"))
      return .command(Hang(id: id))
    case .started(let id): state.jobs.update(id) { $0.status = "started" }
    case .done(let id): state.jobs.update(id) { $0.status = "done" }
    case .failed(let id, let reason): state.jobs.update(id) { $0.status = reason }
    }
    return .none
  }

  var commands: [CommandHandler<Action>] {
    guard handles else { return [] }
    return [
      CommandHandler(
        Labour.self, retry: .quick, started: { command, _ in .started(command.id) },
        failed: { error, command, _ in .failed(id: command.id, reason: "\(error)") }
      ) { command, context in
        note("begin \(command.id) \(context.key) \(context.attempt)")
        try await Task.sleep(for: .milliseconds(command.ms))
        guard context.attempt > command.failures else { throw Broken() }
        note("end \(command.id) \(context.key) \(context.attempt)")
        return .done(command.id)
      },
      CommandHandler(
        Hang.self, retry: .impatient,
        failed: { error, command, _ in .failed(id: command.id, reason: "\(error)") }
      ) { command, context in
        note("begin \(command.id) \(context.key) \(context.attempt)")
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        return .done(command.id)
      },
    ]
  }
}

struct Labour: Command {
  var id: String
  var ms: Int
  var failures: Int
}

struct Hang: Command {
  var id: String
}

extension RetryPolicy {
  fileprivate static let quick = RetryPolicy(
    attempts: 20, firstDelay: .milliseconds(20), longestDelay: .milliseconds(100),
    timeout: .seconds(120), deadline: .seconds(3_600))
  fileprivate static let impatient = RetryPolicy(
    attempts: 2, firstDelay: .milliseconds(20), longestDelay: .milliseconds(20),
    timeout: .milliseconds(200), deadline: .seconds(3_600))
}

/// Adds a line to the file that the environment names.
private func note(_ line: String) {
  guard let path = ProcessInfo.processInfo.environment["WORK_FILE"] else { return }
  let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return }
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  close(descriptor)
}

/// An app that has written no migration.
private struct Unmigrated: App {
  let name = "work"
  let initialState = FirstState()

  func reduce(into state: inout FirstState, action: String) -> Effect<String> { .none }
}
