/// What a ``RemoteStore`` may be told beside its app and its daemon's address.
public struct ClientOptions: Sendable {
  /// The client's name, told to the daemon and to others; one is made that nobody else has unless
  /// said.
  ///
  /// Of two connections with one name the later one replaces the earlier, for good.
  public var name: String?
  /// The folder in which steps are kept until their outcome is known, so that they survive the end of
  /// the program; they are kept in memory unless said.
  ///
  /// It is made when it is not there, and holds the client's name too. One store at a time can use
  /// it.
  public var offlineQueue: String?
  /// How many steps may be without an outcome; further ones are refused as `queue_full`.
  public var queuedSteps = 10_000
  /// How many bytes the actions of the steps without an outcome may take.
  public var queuedBytes = 64 << 20
  /// How many steps may be on their way at a time.
  public var window = 256
  /// The wait before the first attempt to connect again; later ones double.
  public var firstRetry = Duration.milliseconds(250)
  /// The longest wait between attempts to connect.
  public var longestRetry = Duration.seconds(30)
  /// Makes options in which all is as it is unless said.
  public init(name: String? = nil, offlineQueue: String? = nil) {
    self.name = name
    self.offlineQueue = offlineQueue
  }
}
