import DuxHTTP
import Foundation
import Login

/// Where a password is handed in, and a ticket for it comes back that only the daemon can use.
struct TicketDesk: Sendable {
  /// Where the login server is unless it was told otherwise.
  static let usualServer = "http://127.0.0.1:8392"

  let server: URL
  var http = HTTPClient.live

  private struct Reply: Decodable {
    struct Content: Decodable { let ticket: String }
    let code: Int
    let data: Content?
  }

  /// Asks for a ticket.
  ///
  /// - Parameters:
  ///   - password: what the ticket stands for.
  ///   - challenge: what the state says that tickets are to be asked for with.
  /// - Returns: the ticket.
  /// - Throws: why there is none; never anything that was sent or received.
  func ticket(
    for password: String, challenge: String
  ) async throws(LoginFailure) -> String {
    let reply: Reply
    do throws(HTTPError) {
      reply = try await http.post(
        server.appending(path: "api/ticket"),
        json: ["password": password, "challenge": challenge]
      ).json(as: Reply.self)
    } catch {
      switch error.reason {
      case .unreachable, .timedOut, .cancelled: throw .unreachable
      default: throw .serverFault
      }
    }
    guard reply.code == 0, let data = reply.data else { throw LoginFailure(code: reply.code) }
    return data.ticket
  }
}
