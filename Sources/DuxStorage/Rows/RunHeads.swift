/// The heads of a run of steps: what is known of each beside its payloads.
///
/// `StepRun` says how they are laid out. The bytes must stay where they are as long as the value
/// is used.
struct RunHeads {
  /// The number of steps, at least 1.
  let count: Int
  private let bytes: UnsafeRawBufferPointer

  /// The head of one step.
  struct Head {
    var time: Int64
    var n: Int64?
    /// The client's place among the run's clients.
    var client: Int
    /// Where the step's actions end in the payloads.
    var actionsEnd: Int
    /// Where the step's patch ends in the payloads.
    var end: Int
  }

  /// Makes heads of a row's bytes.
  ///
  /// - Throws: `Malformed` when the lengths do not go together.
  init(
    count: Int64, _ bytes: UnsafeRawBufferPointer, payloadSize: Int
  ) throws(StepRun.Malformed) {
    guard let count = Int(exactly: count), count > 0, count <= bytes.count / StepRun.headSize,
      (bytes.count - count * StepRun.headSize) % StepRun.clientSize == 0
    else { throw StepRun.Malformed() }
    self.count = count
    self.bytes = bytes
    guard try end(of: count - 1) == payloadSize else { throw StepRun.Malformed() }
  }

  /// The number of clients that have steps in the run.
  var clientCount: Int {
    (bytes.count - count * StepRun.headSize) / StepRun.clientSize
  }

  /// The number that stands for a client.
  func client(at place: Int) throws(StepRun.Malformed) -> Int64 {
    guard (0..<clientCount).contains(place) else { throw StepRun.Malformed() }
    return load(count * StepRun.headSize + place * StepRun.clientSize)
  }

  /// The head of one step; what it says is not checked.
  func head(at index: Int) throws(StepRun.Malformed) -> Head {
    let place = try place(of: index)
    let client: UInt32 = load(place + 16)
    return Head(
      time: load(place), n: client % 2 == 0 ? nil : load(place + 8), client: Int(client / 2),
      actionsEnd: Int(load(place + 20) as UInt32), end: Int(load(place + 24) as UInt32))
  }

  /// The time of one step.
  func time(of index: Int) throws(StepRun.Malformed) -> Int64 {
    load(try place(of: index))
  }

  /// The bytes of the payloads up to and with one step.
  func end(of index: Int) throws(StepRun.Malformed) -> Int {
    Int(load(try place(of: index) + 24) as UInt32)
  }

  private func place(of index: Int) throws(StepRun.Malformed) -> Int {
    guard (0..<count).contains(index) else { throw StepRun.Malformed() }
    return index * StepRun.headSize
  }

  /// A number at a place that is known to be within the bytes.
  private func load<Number: FixedWidthInteger>(_ place: Int) -> Number {
    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }
}
