package import DuxJSON
package import DuxLog

/// What a server says, one case a line of the protocol.
package enum ServerMessage: Sendable {
  case welcome(Welcome)
  case snapshot(Snapshot)
  case part(Part)
  case resumed(path: String, Request.Position, head: SequenceNumber)
  case patch(Patch)
  case mark(path: String, seq: SequenceNumber)
  case unsubscribed(path: String)
  case settled(Settlement)
  /// An answer that carries the id of its request; `isLast` tells whether more will follow.
  case answer(id: RequestID?, op: String, json: JSON, isLast: Bool)
  case error(Failure, id: RequestID?)
  case bye(Failure, retryMs: Int64?)
  /// A line of a kind that this version does not know.
  case unknown(op: String)

  /// Whom the client speaks to.
  package struct Welcome: Sendable {
    package var epoch: String
    package var seq: SequenceNumber
    package var client: String
    package var lastN: Int64
    package var heartbeatMs: Int64
    package var maximumLineBytes: Int
    package var json: JSON
  }

  /// The value at a path, whole or as a skeleton that parts fill.
  package struct Snapshot: Sendable {
    package var path: String
    package var position: Request.Position
    package var reason: String?
    /// `nil`: nothing is at the path.
    package var state: JSON?
    package var hasMore: Bool
  }

  /// A piece of a big snapshot.
  package struct Part: Sendable {
    package var path: String
    package var patch: JSONPatch
    package var hasMore: Bool
  }

  /// One step, as a subscription sees it.
  package struct Patch: Sendable {
    package var path: String
    package var seq: SequenceNumber
    package var patch: JSONPatch
    package var json: JSON
  }

  /// How a dispatch ended.
  package struct Settlement: Sendable {
    package var n: Int64?
    package var result: Result<Accepted, Failure>
    package var isDuplicate: Bool
    package var json: JSON
  }

  /// A step that was taken.
  package struct Accepted: Sendable {
    package var seq: SequenceNumber
    package var changed: Bool
  }

  /// A refusal.
  package struct Failure: Error, Sendable {
    package var code: String
    package var reason: String?
    package var message: String
    /// Whether the same `n` may be sent again.
    package var isTransient: Bool
    /// When it may be worth while, in milliseconds from now, where the daemon told that.
    package var retryMs: Int64?
    package var json: JSON
  }
}

extension ServerMessage {
  /// Reads one line.
  ///
  /// - Throws: ``RequestError`` when the line is none of the protocol's.
  /// - Complexity: O(*n*), *n* = `line.count`.
  package init(_ line: UnsafeRawBufferPointer) throws(RequestError) {
    let json: JSON
    do throws(JSONParseError) {
      json = try JSON(parsing: line, maximumDepth: .max)
    } catch {
      throw RequestError(.badJSON, "the daemon sent a line that is no JSON: \(error)")
    }
    guard let object = json.objectValue else {
      throw RequestError(.badRequest, "the daemon sent a line that is no object")
    }
    self = try Self.read(Fields(object), json)
  }

  private static func read(_ fields: Fields, _ json: JSON) throws(RequestError) -> ServerMessage {
    let op = try fields.string("op")
    let id = try fields.id()
    switch op {
    case "welcome": return .welcome(try Welcome(fields, json))
    case "snapshot": return .snapshot(try Snapshot(fields))
    case "part":
      return .part(
        Part(
          path: try fields.string("path"), patch: try fields.patch(),
          hasMore: try fields.optionalBool("more") ?? false))
    case "resumed":
      let position = Request.Position(
        epoch: try fields.string("epoch"), seq: SequenceNumber(try fields.integer("from")))
      return .resumed(
        path: try fields.string("path"), position,
        head: SequenceNumber(try fields.integer("seq")))
    case "patch":
      return .patch(
        Patch(
          path: try fields.string("path"), seq: SequenceNumber(try fields.integer("seq")),
          patch: try fields.patch(), json: json))
    case "mark":
      return .mark(
        path: try fields.string("path"), seq: SequenceNumber(try fields.integer("seq")))
    case "unsubscribed": return .unsubscribed(path: try fields.string("path"))
    case "ack", "reject": return .settled(try Settlement(fields, json, isAccepted: op == "ack"))
    case "value", "end", "effects", "cancelled", "presence", "pong", "status":
      return .answer(id: id, op: op, json: json, isLast: true)
    case "entry": return .answer(id: id, op: op, json: json, isLast: false)
    case "error": return .error(try Failure(fields, json), id: id)
    case "bye":
      return .bye(try Failure(fields, json), retryMs: try fields.optionalWait("retryMs"))
    default: return .unknown(op: op)
    }
  }
}

extension ServerMessage.Welcome {
  fileprivate init(_ fields: Fields, _ json: JSON) throws(RequestError) {
    self.init(
      epoch: try fields.string("epoch"), seq: SequenceNumber(try fields.integer("seq")),
      client: try fields.string("client"), lastN: try fields.integer("lastN"),
      heartbeatMs: try fields.integer("heartbeatMs"),
      maximumLineBytes: Int(clamping: try fields.integer("maxLine")), json: json)
  }
}

extension ServerMessage.Snapshot {
  fileprivate init(_ fields: Fields) throws(RequestError) {
    self.init(
      path: try fields.string("path"),
      position: .init(
        epoch: try fields.string("epoch"), seq: SequenceNumber(try fields.integer("seq"))),
      reason: try fields.optionalString("reason"), state: fields.json("state"),
      hasMore: try fields.optionalBool("more") ?? false)
  }
}

extension ServerMessage.Settlement {
  /// Makes the end of a dispatch that a failure told without a number is about.
  package init(_ failure: ServerMessage.Failure) {
    self.init(n: nil, result: .failure(failure), isDuplicate: false, json: failure.json)
  }

  fileprivate init(_ fields: Fields, _ json: JSON, isAccepted: Bool) throws(RequestError) {
    n = try fields.optionalInteger("n")
    isDuplicate = try fields.optionalBool("duplicate") ?? false
    self.json = json
    if isAccepted {
      result = .success(
        .init(
          seq: SequenceNumber(try fields.integer("seq")),
          changed: try fields.optionalBool("changed") ?? true))
    } else {
      result = .failure(try ServerMessage.Failure(fields, json))
    }
  }
}

extension ServerMessage.Failure {
  /// Makes a final refusal of a dispatch by the client itself, in the form of the daemon's own.
  package init(refusing n: Int64?, _ code: String, _ message: String) {
    var json: JSONObject = [
      "op": "reject", "code": .string(code), "message": .string(message),
    ]
    json["n"] = n.map { .integer($0) }
    self.init(
      code: code, reason: nil, message: message, isTransient: false, retryMs: nil,
      json: .object(json))
  }

  /// Makes the end of a session that the client itself decided, in the form of the daemon's own.
  package init(ending code: String, _ message: String) {
    self.init(
      code: code, reason: nil, message: message, isTransient: false, retryMs: nil,
      json: ["op": "bye", "code": .string(code), "message": .string(message)])
  }

  fileprivate init(_ fields: Fields, _ json: JSON) throws(RequestError) {
    self.init(
      code: try fields.string("code"), reason: try fields.optionalString("reason"),
      message: try fields.optionalString("message") ?? "",
      isTransient: try fields.optionalBool("final") == false,
      retryMs: try fields.optionalWait("retryMs"), json: json)
  }
}

extension Fields {
  fileprivate func patch() throws(RequestError) -> JSONPatch {
    guard let json = json("patch") else {
      throw RequestError(.badRequest, "the line lacks \"patch\"")
    }
    do throws(JSONPatchError) {
      return try JSONPatch(json)
    } catch {
      throw RequestError(.badRequest, "\"patch\": \(error)")
    }
  }
}
