import DuxJSON

/// What a run of `dux bench` is to do.
struct LoadSettings: Equatable {
  /// What decides when a writer sends.
  enum Pace: Equatable {
    /// Each writer keeps so many actions on their way: it waits for the daemon.
    case closed(depth: Int)
    /// So many actions a second over all writers are due, whatever the daemon does.
    case open(perSecond: Int)
  }

  var writers: Int
  var pace: Pace
  var subscribers: Int
  /// Bytes of each value.
  var valueBytes: Int
  var items: Int
  var duration: Duration
  var warm: Duration
  /// Where the run's own member is made.
  var parent: JSONPointer
  /// The name of that member.
  var name: String
  /// Whether what was written stays.
  var isKept: Bool

  /// Where the items are.
  var path: JSONPointer { parent.appending(name) }

  /// Connections that the run opens.
  var connections: Int { writers + subscribers }

  /// Bytes of a line with one action, or somewhat more.
  var lineBytes: Int { valueBytes + 2 * path.description.utf8.count + 160 }

  /// Actions that may be on their way at a time: of what a closed loop wants, or a daemon too slow for
  /// the rate leaves, no more than fits into a few tens of MiB.
  var inFlightLimit: Int {
    max(1, min(Self.greatestInFlight, Self.greatestInFlightBytes / lineBytes))
  }

  /// Bytes of the state's text once every item is there.
  var stateBytes: Int { items * (valueBytes + 20) }

  private static let greatestInFlight = 100_000
  private static let greatestInFlightBytes = 64 << 20

  // Bounds of the options.
  static let writersRange = 1...1_000
  static let depthRange = 1...10_000
  static let rateRange = 1...1_000_000
  static let subscribersRange = 0...1_000_000
  /// The mark that tells the values apart has up to 16 bytes.
  static let valueRange = 16...(512 << 10)
  static let itemsRange = 1...10_000_000
  static let durationRange = Duration.milliseconds(100)...Duration.seconds(3_600)
  static let warmRange = Duration.zero...Duration.seconds(60)

  /// Names of the path below which the run works; its objects lie around the first values.
  static let deepestParent = 12
  /// Bytes of the client's name, behind which each connection has a number.
  static let longestClient = 118

  /// Descriptors that the program needs beside those of the run's connections.
  static let otherDescriptors = 24

  /// Refuses a load that can't be made, naming what is too much of what.
  func check(descriptors: Int) throws(Failure) {
    let needed = connections + Self.otherDescriptors
    guard descriptors == 0 || needed <= descriptors else {
      throw Failure(
        .usage,
        "\(writers.counted("writer")) and \(subscribers.counted("subscriber")) need"
          + " \(needed.grouped) descriptors, and this process may have \(descriptors.grouped):"
          + " raise the limit (ulimit -n), or give less with --writers or --subscribers")
    }
    guard case .closed(let depth) = pace, writers * depth > inFlightLimit else { return }
    throw Failure(
      .usage,
      "--writers \(writers) times --depth \(depth) is \((writers * depth).grouped) actions on their"
        + " way, the most with values of \(valueBytes.grouped) bytes is \(inFlightLimit.grouped)")
  }

  /// Refuses what the daemon would refuse in the middle of the run.
  func check(maximumLineBytes: Int, maximumStateBytes: Int?) throws(Failure) {
    guard lineBytes <= maximumLineBytes else {
      throw Failure(
        .usage,
        "--size \(valueBytes): the daemon takes lines of \(maximumLineBytes.grouped) bytes, and an"
          + " action would have \(lineBytes.grouped)")
    }
    guard let maximumStateBytes, stateBytes > maximumStateBytes else { return }
    throw Failure(
      .usage,
      "--items \(items) of --size \(valueBytes) would be \(stateBytes.byteText), and the daemon's state"
        + " may have \(maximumStateBytes.byteText)")
  }
}
