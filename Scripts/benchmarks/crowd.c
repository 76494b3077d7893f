/* crowd: many clients that ask a server for the same large answer at the same moment.
 *
 *   crowd serve BYTES               a plain server: whoever sends a line gets BYTES bytes by sendfile;
 *                                   prints its port
 *   crowd fetch PORT CLIENTS END LINE...
 *                                   connects CLIENTS at once; each sends the lines and reads until
 *                                   END came, with at most a few lines behind it ("#N": until N bytes
 *                                   came); prints JSON
 *
 * One thread and epoll each; whatever goes wrong, or takes longer than five minutes, is status 1. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_SECONDS = 300, TAIL = 1024, RECEIVE_BUFFER = 128 << 10, SEND_BUFFER = 512 << 10 };

typedef struct {
    int fd, up;
    size_t sent;
    long long received;
    size_t tail_length;
    char tail[TAIL];
    double done;
} client;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void raise_descriptors(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void watch(int epoll, int fd, int operation, unsigned events, void *what) {
    struct epoll_event event = { .events = events, .data.ptr = what };
    if (epoll_ctl(epoll, operation, fd, &event)) fail("epoll_ctl");
}

/* ---- the plain server */

static void send_file(int epoll, client *c, int file, long long bytes) {
    while (c->received < bytes) {
        off_t offset = c->received;
        ssize_t n = sendfile(c->fd, file, &offset, bytes - c->received);
        if (n < 0 && errno == EAGAIN) {
            watch(epoll, c->fd, EPOLL_CTL_MOD, EPOLLOUT, c);
            return;
        }
        if (n <= 0) break;
        c->received += n;
    }
    watch(epoll, c->fd, EPOLL_CTL_MOD, EPOLLIN, c);
}

static _Noreturn void serve(long long bytes) {
    int file = memfd_create("answer", 0), epoll = epoll_create1(0);
    char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (long long left = bytes; left > 0;) {
        ssize_t n = write(file, block, left < (long long)sizeof block ? (size_t)left : sizeof block);
        if (n <= 0) fail("write");
        left -= n;
    }
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    if (bind(listener, (void *)&address, length) || listen(listener, 4096)
        || getsockname(listener, (void *)&address, &length)) fail("listen");
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    watch(epoll, listener, EPOLL_CTL_ADD, EPOLLIN, NULL);
    for (;;) {
        struct epoll_event events[256];
        int count = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            client *c = events[i].data.ptr;
            int fd;
            if (!c) {
                while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    c = calloc(1, sizeof *c);
                    if (!c) fail("calloc");
                    c->fd = fd;
                    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){ SEND_BUFFER }, sizeof(int));
                    watch(epoll, fd, EPOLL_CTL_ADD, EPOLLIN, c);
                }
            } else if (events[i].events & EPOLLIN) {
                ssize_t n = recv(c->fd, block, sizeof block, 0);
                if (n > 0) {
                    send_file(epoll, c, file, bytes);
                } else if (n == 0 || errno != EAGAIN) {
                    close(c->fd);
                    free(c);
                }
            } else {
                send_file(epoll, c, file, bytes);
            }
        }
    }
}

/* ---- the clients */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void keep_tail(client *c, const char *bytes, size_t count) {
    if (count >= TAIL) {
        memcpy(c->tail, bytes + count - TAIL, TAIL);
        c->tail_length = TAIL;
        return;
    }
    size_t keep = c->tail_length + count > TAIL ? TAIL - count : c->tail_length;
    memmove(c->tail, c->tail + c->tail_length - keep, keep);
    memcpy(c->tail + keep, bytes, count);
    c->tail_length = keep + count;
}

static int has_all(const client *c, const char *end) {
    if (*end == '#') return c->received >= atoll(end + 1);
    /* Looking through everything would cost more than reading it. */
    return memmem(c->tail, c->tail_length, end, strlen(end)) != NULL;
}

static void ask(int epoll, client *c, const char *request, size_t length) {
    ssize_t n = send(c->fd, request + c->sent, length - c->sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN) fail("send");
    if (n > 0) c->sent += n;
    if (c->sent == length) watch(epoll, c->fd, EPOLL_CTL_MOD, EPOLLIN, c);
}

static void report(const client *clients, int count, long long total) {
    double *times = calloc(count, sizeof *times);
    if (!times) fail("calloc");
    for (int i = 0; i < count; i++) times[i] = clients[i].done;
    qsort(times, count, sizeof *times, ascending);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("{\"seconds\":%.4f,\"p50\":%.4f,\"bytes\":%lld,\"cpu\":%.3f}\n", times[count - 1],
           times[count / 2], total / count, cpu);
    free(times);
}

static int fetch(int port, int count, const char *end, int lines, char **line) {
    static char buffer[1 << 18], request[1 << 16];
    size_t length = 0;
    for (int i = 0; i < lines; i++)
        length += snprintf(request + length, sizeof request - length, "%s\n", line[i]);
    if (length >= sizeof request || strlen(end) > TAIL) return 2;
    client *clients = calloc(count, sizeof *clients);
    if (!clients) fail("calloc");
    int epoll = epoll_create1(0), left = count;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    double begun = now();
    for (int i = 0; i < count; i++) {
        client *c = &clients[i];
        int one = 1;
        c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        if (c->fd < 0) fail("socket");
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        /* Left to itself the kernel lets a thousand receivers queue more than it has for all of TCP,
         * and what would be measured are its timeouts. */
        setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &(int){ RECEIVE_BUFFER }, sizeof(int));
        if (connect(c->fd, (void *)&address, sizeof address) && errno != EINPROGRESS) fail("connect");
        watch(epoll, c->fd, EPOLL_CTL_ADD, EPOLLOUT, c);
    }
    long long total = 0;
    while (left > 0) {
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, 1000);
        if (now() - begun > LIMIT_SECONDS) {
            fprintf(stderr, "crowd: %d of %d clients had not all after %d s\n", left, count, LIMIT_SECONDS);
            return 1;
        }
        for (int i = 0; i < ready; i++) {
            client *c = events[i].data.ptr;
            if (events[i].events & EPOLLOUT) ask(epoll, c, request, length);
            if (!(events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))) continue;
            ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
            if (n < 0 && errno == EAGAIN) continue;
            if (n <= 0) {
                fprintf(stderr, "crowd: a connection ended after %lld bytes\n", c->received);
                return 1;
            }
            c->received += n;
            total += n;
            keep_tail(c, buffer, n);
            if (c->done == 0 && has_all(c, end)) {
                c->done = now() - begun;
                left--;
            }
        }
    }
    report(clients, count, total);
    return 0;
}

int main(int argc, char **argv) {
    raise_descriptors();
    if (argc == 3 && !strcmp(argv[1], "serve")) serve(atoll(argv[2]));
    if (argc > 5 && !strcmp(argv[1], "fetch"))
        return fetch(atoi(argv[2]), atoi(argv[3]), argv[4], argc - 5, argv + 5);
    fputs("crowd serve BYTES | crowd fetch PORT CLIENTS END LINE...\n", stderr);
    return 2;
}
