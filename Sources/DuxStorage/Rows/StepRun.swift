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

  /// The number of steps, at least 1.
  let count: Int
  private let heads: UnsafeRawBufferPointer
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
    guard let count = Int(exactly: count), count > 0, count <= heads.count / Self.headSize,
      (heads.count - count * Self.headSize) % Self.clientSize == 0
    else { throw Malformed() }
    self.count = count
    self.heads = heads
    self.payloads = payloads
    guard try end(of: count - 1) == payloads.count else { throw Malformed() }
  }

  /// The number of clients that have steps in the run.
  var clientCount: Int {
    (heads.count - count * Self.headSize) / Self.clientSize
  }

  /// The number that stands for a client.
  func client(at place: Int) throws(Malformed) -> Int64 {
    guard (0..<clientCount).contains(place) else { throw Malformed() }
    return load(count * Self.headSize + place * Self.clientSize)
  }

  /// One step.
  ///
  /// - Throws: `Malformed` when there is none at the index, or its head says what cannot be.
  func step(at index: Int) throws(Malformed) -> Step {
    let head = try head(at: index)
    let start = index == 0 ? 0 : try end(of: index - 1)
    let middle = Int(load(head + 20) as UInt32)
    let end = try end(of: index)
    let client: UInt32 = load(head + 16)
    guard start <= middle, middle <= end, end <= payloads.count, client / 2 < clientCount else {
      throw Malformed()
    }
    return Step(
      time: load(head), client: Int(client / 2), n: client % 2 == 0 ? nil : load(head + 8),
      actions: UnsafeRawBufferPointer(rebasing: payloads[start..<middle]),
      patch: UnsafeRawBufferPointer(rebasing: payloads[middle..<end]))
  }

  /// The time of one step.
  func time(of index: Int) throws(Malformed) -> Int64 {
    load(try head(at: index))
  }

  /// The bytes of the payloads up to and with one step.
  func end(of index: Int) throws(Malformed) -> Int {
    Int(load(try head(at: index) + 24) as UInt32)
  }

  private func head(at index: Int) throws(Malformed) -> Int {
    guard (0..<count).contains(index) else { throw Malformed() }
    return index * Self.headSize
  }

  /// A number at a place that is known to be within the heads.
  private func load<Number: FixedWidthInteger>(_ place: Int) -> Number {
    Number(littleEndian: heads.loadUnaligned(fromByteOffset: place, as: Number.self))
  }
}
