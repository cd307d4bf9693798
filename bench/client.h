// WebSocket clients on one epoll: handshake, framing, pongs. Plain ws:// to this machine only.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure.h"

typedef struct {
    int fd;
    bool open;         // the handshake is done
    char *path;
    uint8_t *kept;     // the beginning of a frame that has not arrived completely
    uint32_t kept_size;
} client;

static client *clients;
static int epoll, port;

// Callbacks that the including file defines: the handshake is done, and a whole message has arrived.
static void on_open(int i);
static void on_message(int i, const uint8_t *data, uint32_t size, uint32_t wire_size, uint64_t now);

static void send_all(int i, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t sent = send(clients[i].fd, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) FAIL("socket %d: %s", i, strerror(errno));
        if (sent > 0) data += sent, size -= (size_t)sent;
    }
}

static void send_frame(int i, int opcode, const uint8_t *data, uint32_t size) {
    static uint8_t frame[4096];
    static uint32_t mask = 0x9e3779b9;
    uint32_t head = 2;
    frame[0] = 0x80 | (uint8_t)opcode;
    frame[1] = 0x80 | (uint8_t)size;
    if (size > 125) {
        if (size > 4000) FAIL("a message of %u bytes is too long", size);
        frame[1] = 0x80 | 126, frame[2] = (uint8_t)(size >> 8), frame[3] = (uint8_t)size, head = 4;
    }
    mask = mask * 1664525u + 1013904223u;
    memcpy(frame + head, &mask, 4);
    for (uint32_t k = 0; k < size; k++) frame[head + 4 + k] = data[k] ^ frame[head + (k & 3)];
    send_all(i, frame, head + 4 + size);
}

static void client_connect(int i) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) FAIL("cannot connect: %s", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event wanted = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &wanted);
    clients[i].fd = fd;
    char request[1024];
    int size = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        "Sec-WebSocket-Protocol: parley.v1.msgpack\r\n\r\n",
                        clients[i].path, port);
    send_all(i, (uint8_t *)request, (size_t)size);
}

// Handles every whole frame in these bytes; returns the number of bytes consumed.
static uint32_t client_parse(int i, const uint8_t *data, uint32_t size, uint64_t now) {
    uint32_t at = 0;
    if (!clients[i].open) {
        uint8_t *end = memmem(data, size, "\r\n\r\n", 4);
        if (!end) return 0;
        if (size < 12 || memcmp(data + 9, "101", 3)) FAIL("not accepted: %.*s", (int)size, data);
        at = (uint32_t)(end + 4 - data);
        clients[i].open = true;
        on_open(i);
    }
    while (size - at >= 2) {
        uint32_t length = data[at + 1] & 127, head = 2;
        if (length == 127) FAIL("a frame is too long");
        if (length == 126) {
            if (size - at < 4) break;
            length = (uint32_t)data[at + 2] << 8 | data[at + 3], head = 4;
        }
        if (size - at < head + length) break;
        const uint8_t *payload = data + at + head;
        int opcode = data[at] & 15;
        at += head + length;
        if (opcode == 2) on_message(i, payload, length, head + length, now);
        else if (opcode == 9) send_frame(i, 10, payload, length);
        else if (opcode == 8) FAIL("socket %d was closed with %d", i, payload[0] << 8 | payload[1]);
    }
    return at;
}

static void client_read(int i, uint64_t now) {
    static uint8_t buffer[1 << 18];
    client *c = &clients[i];
    memcpy(buffer, c->kept, c->kept_size);
    ssize_t got = recv(c->fd, buffer + c->kept_size, sizeof buffer - c->kept_size, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) FAIL("socket %d was cut off", i);
    uint32_t size = c->kept_size + (uint32_t)got, used = client_parse(i, buffer, size, now);
    c->kept_size = size - used;
    if (c->kept_size || c->kept) {
        c->kept = realloc(c->kept, c->kept_size ? c->kept_size : 1);
        memcpy(c->kept, buffer + used, c->kept_size);
    }
}

// Waits for input, until `moment` at the latest, and handles whatever has arrived.
static void poll_until(uint64_t moment) {
    static struct epoll_event found[1024];
    uint64_t now = now_ns(), wait = moment > now ? moment - now : 0;
    struct timespec most = {(time_t)(wait / 1000000000u), (long)(wait % 1000000000u)};
    int count = epoll_pwait2(epoll, found, 1024, &most, NULL);
    for (int k = 0; k < count; k++) client_read((int)found[k].data.u32, now_ns());
}
