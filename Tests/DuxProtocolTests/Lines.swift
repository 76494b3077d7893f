import DuxJSON
import DuxProtocol

extension Limits {
  static let test = Limits(
    maximumLineBytes: 1_048_576, maximumDepth: 16, maximumStateBytes: 1_048_576)
}

func decoded(_ line: String, limits: Limits = .test) -> Request.Decoded {
  Array(line.utf8).withUnsafeBytes { Request.decode($0, limits: limits) }
}

func request(_ line: String) throws -> Request {
  try decoded(line).result.get()
}

/// The refusal of a line; nothing where it is taken.
func refusal(_ line: String) -> RequestError? {
  guard case .failure(let error) = decoded(line).result else { return nil }
  return error
}

func dispatch(_ line: String) throws -> Request.Dispatch? {
  guard case .dispatch(let dispatch) = try request(line) else { return nil }
  return dispatch
}

/// The one line that `body` writes, read as a client reads it.
func message(_ body: (inout LineWriter) -> Void) throws -> ServerMessage {
  try ServerMessage(reading: written(body))
}

func written(_ body: (inout LineWriter) -> Void) -> [UInt8] {
  var writer = LineWriter()
  body(&writer)
  return writer.bytes
}

extension ServerMessage {
  init(reading line: [UInt8]) throws {
    self = try line.withUnsafeBytes { try ServerMessage($0) }
  }
}
