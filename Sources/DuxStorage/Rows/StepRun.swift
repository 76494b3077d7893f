/// Steps whose numbers follow one another, read from one row of the log.
///
/// A row for each step of a commit would be most of the commit's price. A run is two stretches of
/// bytes, all numbers in them little endian. `heads` has 28 bytes for each step:
///
/// | bytes | what |
/// |---|---|
/// | 8 | time |
/// | 8 | the client's `n`, 0 where it gave none |
/// | 4 | twice the client's place in the list of clients, and 1 more where there is an `n` |
/// | 4 | where the step's actions end in `payloads` |
/// | 4 | where the step's patch ends in `payloads` |
///
/// and then the list of clients: 8 bytes for the number of each, in the order of their first steps.
/// `payloads` has the actions and the patch of one step after another, with nothing between.
///
/// All heads are of one length, so that a step is found without a look at those before it.
///
/// The bytes must stay where they are as long as the value is used.
struct StepRun {
  /// What stands for a client in a row that is a run: no client's number.
  static let mark: Int64 = 0
  /// The bytes of a step in `heads`.
  static let headSize = 28
  /// The bytes of a client in `heads`.
  static let clientSize = 8

  /// What is known of each step beside its payloads.
  let heads: RunHeads
  private let payloads: UnsafeRawBufferPointer

  /// Bytes that are no run of steps.
  struct Malformed: Error {}

  /// A step of a run, but for its number.
  struct Step {
    var time: Int64
    /// The client's place among the run's clients.
    var client: Int
    var n: Int64?
    var actions: UnsafeRawBufferPointer
    var patch: UnsafeRawBufferPointer
  }

  /// Makes a run of a row's bytes.
  ///
  /// - Throws: `Malformed` when the lengths do not go together; a step's own are checked when it
  ///   is asked for.
  init(
    count: Int64, heads: UnsafeRawBufferPointer, payloads: UnsafeRawBufferPointer
  ) throws(Malformed) {
    self.heads = try RunHeads(count: count, heads, payloadSize: payloads.count)
    self.payloads = payloads
  }

  /// One step.
  ///
  /// - Throws: `Malformed` when there is none at the index, or its head says what cannot be.
  func step(at index: Int) throws(Malformed) -> Step {
    let head = try heads.head(at: index)
    let start = index == 0 ? 0 : try heads.end(of: index - 1)
    guard start <= head.actionsEnd, head.actionsEnd <= head.end, head.end <= payloads.count,
      head.client < heads.clientCount
    else {
      throw Malformed()
    }
    return Step(
      time: head.time, client: head.client, n: head.n,
      actions: UnsafeRawBufferPointer(rebasing: payloads[start..<head.actionsEnd]),
      patch: UnsafeRawBufferPointer(rebasing: payloads[head.actionsEnd..<head.end]))
  }
}
