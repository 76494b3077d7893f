#include <microhttpd.h>

/* Swift cannot call a function that takes variable arguments. The context goes to every callback. */
static inline struct MHD_Daemon *MHD_start_on_socket(
    MHD_socket listening, unsigned int connections, unsigned int idle_seconds,
    void *(*on_line)(void *context, const char *uri, struct MHD_Connection *connection),
    MHD_AccessHandlerCallback on_request, MHD_RequestCompletedCallback on_end, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, context,
      MHD_OPTION_LISTEN_SOCKET, listening,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_URI_LOG_CALLBACK, on_line, context,
      MHD_OPTION_NOTIFY_COMPLETED, on_end, context,
      MHD_OPTION_END);
}
