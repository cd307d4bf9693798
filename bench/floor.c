// The floor: the least work with which a server can send the same frames. One recv, one send per viewer; no
// game, no check, no view, no durability.
//
//   floor PORT MOVER OTHER      bytes for a command's sender (verdict and frame), and for each other viewer
//
// Sockets are grouped by the path they ask for.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#define FAIL(what) do { fprintf(stderr, "floor: %s\n", what); exit(2); } while (0)

typedef struct { char path[64]; int count, size, *fds; } group;
static group *groups;
static int group_count, of[1 << 16];
static uint8_t mover[1 << 16], other[1 << 16];

// Writes one frame with this many bytes in total, which begins like the hub's.
static int frame(uint8_t *to, int bytes, const char *beginning, int size) {
    int head = bytes - 2 < 126 ? 2 : 4;
    memset(to, 0, (size_t)bytes);
    to[0] = 0x82;
    if (head == 2) to[1] = (uint8_t)(bytes - 2);
    else to[1] = 126, to[2] = (uint8_t)((bytes - 4) >> 8), to[3] = (uint8_t)(bytes - 4);
    memcpy(to + head, beginning, (size_t)size);
    return bytes;
}

static void join(int fd, const char *request) {
    char path[64];
    if (sscanf(request, "GET %63s", path) != 1) FAIL("no handshake");
    int found = 0;
    while (found < group_count && strcmp(groups[found].path, path)) found++;
    if (found == group_count) {
        groups = realloc(groups, sizeof *groups * (size_t)++group_count);
        groups[found] = (group){0};
        strcpy(groups[found].path, path);
    }
    group *g = &groups[found];
    if (g->count == g->size) g->fds = realloc(g->fds, sizeof(int) * (size_t)(g->size = g->size * 2 + 8));
    g->fds[g->count++] = fd;
    of[fd] = found + 1;
    const char *yes = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    send(fd, yes, strlen(yes), MSG_NOSIGNAL);
}

int main(int count, char **given) {
    if (count != 4) FAIL("usage: floor PORT MOVER OTHER");
    static uint8_t in[1 << 16];
    int verdict = frame(mover, 2 + 14, "\x82\xa1t\xa7verdict\xa1n\0", 14), one = 1;
    int to_mover = verdict + frame(mover + verdict, atoi(given[2]) - verdict, "\x84\xa1t\xa5" "frame", 9);
    int to_other = frame(other, atoi(given[3]), "\x84\xa1t\xa5" "frame", 9);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(given[1]))};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listening, (struct sockaddr *)&at, sizeof at) || listen(listening, 2048)) FAIL("cannot listen");
    int epoll = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = listening}, found[1024];
    epoll_ctl(epoll, EPOLL_CTL_ADD, listening, &wanted);
    puts("ready"), fflush(stdout);
    for (;;) {
        int events = epoll_wait(epoll, found, 1024, -1);
        for (int k = 0; k < events; k++) {
            int fd = found[k].data.fd;
            if (fd == listening) {
                while ((fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    wanted.data.fd = fd, of[fd] = 0;
                    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &wanted);
                }
                continue;
            }
            ssize_t got = recv(fd, in, sizeof in - 1, 0);
            if (got <= 0) { if (got == 0 || errno != EAGAIN) return 0; continue; }  // the load has ended
            in[got] = 0;
            if (!of[fd]) { join(fd, (char *)in); continue; }
            group *g = &groups[of[fd] - 1];
            for (uint8_t *p = in, *end = in + got; p < end;) {
                uint32_t size = p[1] & 127, head = 2;
                if (size == 126) size = (uint32_t)p[2] << 8 | p[3], head = 4;
                uint8_t *mask = p + head, *data = mask + 4;
                for (uint32_t j = 0; j < size; j++) data[j] ^= mask[j & 3];
                for (int j = 0; j < g->count; j++) {
                    if (g->fds[j] == fd) send(fd, mover, (size_t)to_mover, MSG_NOSIGNAL);
                    else send(g->fds[j], other, (size_t)to_other, MSG_NOSIGNAL);
                }
                p = data + size;
            }
        }
    }
}
