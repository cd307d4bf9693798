// The load: people at tables of Almost, as the hub sees them.
//
//   load PORT SERVER_PID STORE_PID SERVER_CORE LOAD_CORE < commands
//
// Commands, one per line, each answered by one line of JSON:
//   room KIND SEATS WATCHERS     announces a room; then one line `PATH TICKET` for each of its sockets.
//                                KIND: play (at a hub), clock (the same, but its windows run out), bare (no hub)
//   open                         connects every socket; at a hub each says hello and waits for its view
//   start                        the hosts start; at `play` tables every seat spends both its extensions
//   play ROOMS FLIGHT RATE WARM SECONDS
//                                the first ROOMS rooms play: FLIGHT commands at once in each, the next ones when
//                                every viewer has its frames (RATE 0), or RATE commands per second in total, at
//                                random times
//
// A command locks or unlocks a bid. That changes every seat's view. At most three of the four bids are locked
// at any time, so the round never ends by itself.
#include <math.h>
#include <poll.h>

#include "client.h"

enum { PLAY, CLOCK, BARE };
enum { EXTENSIONS = 2, MOST_SEATS = 4, QUEUE = 1024 };

typedef struct {
    int kind, seats, members, first;  // sockets first .. first + members - 1; the seats come first
    int step;                         // of its start: 0 = start, then the extensions one by one
    uint32_t turn;                    // rounds of commands sent
    bool busy;
    int verdicts, wanted;
    uint32_t most, at_most;           // the highest count of frames among members, and how many have it
    uint64_t sent;
    uint64_t due[QUEUE];              // due times of commands that wait for the one before
    uint32_t due_from, due_to;
} room;

typedef struct {
    int room, seat;  // seat -1: a watcher
    char *ticket;
    bool ready, locked, moved;
    uint32_t session, n, frames;
} person;

static room *rooms;
static person *people;
static int room_count, people_count, ready_count, started_count, server, store, server_core, load_core;
static double rate;
static bool playing, measuring;
static int busy_rooms;
static uint64_t commands, frames_seen, watcher_frames, mover_bytes, other_bytes, other_frames;
static histogram latency;

// --- messages ---

static uint8_t message[4096];
static uint32_t length;

static void put(const char *bytes, size_t size) { memcpy(message + length, bytes, size), length += (uint32_t)size; }
static void put_text(const char *text) {
    size_t size = strlen(text);
    if (size < 32) message[length++] = 0xa0 | (uint8_t)size;
    else message[length++] = 0xda, message[length++] = (uint8_t)(size >> 8), message[length++] = (uint8_t)size;
    put(text, size);
}
static void put_number(uint32_t value) {
    int bits = value < 128 ? 0 : value < 1 << 8 ? 8 : value < 1 << 16 ? 16 : 32;
    if (bits) message[length++] = bits == 8 ? 0xcc : bits == 16 ? 0xcd : 0xce;
    for (int shift = bits ? bits - 8 : 0; shift >= 0; shift -= 8) message[length++] = (uint8_t)(value >> shift);
}
static void put_pair(const char *key, const char *value) { put_text(key), put_text(value); }
static void put_head(person *p, const char *kind, int fields) {
    length = 0;
    message[length++] = 0x80 | (uint8_t)fields;
    put_pair("t", kind);
    put_text("session"), put_number(p->session);
    put_text("n"), put_number(p->n++);
}

static void send_hello(int i) {
    length = 0;
    put("\x82", 1);
    put_pair("t", "hello"), put_pair("ticket", people[i].ticket);
    send_frame(i, 2, message, length);
}

static void send_start(int i) {
    put_head(&people[i], "manage", 4);
    put_text("act"), put("\x81", 1), put_pair("do", "start");
    send_frame(i, 2, message, length);
}

static void send_extend(int i, int extended) {
    char prompt[32];
    snprintf(prompt, sizeof prompt, "extend:bid:1:%d", extended);
    put_head(&people[i], "do", 5);
    put_pair("prompt", prompt), put_text("move"), put("\x81", 1), put_pair("move", "extend");
    send_frame(i, 2, message, length);
}

static void send_toggle(int i) {
    person *p = &people[i];
    put_head(p, "do", 5);
    put_pair("prompt", "bid:1"), put_text("move");
    if (p->locked) put("\x81", 1), put_pair("move", "unlock");
    else put("\x82", 1), put_pair("move", "lock"), put_text("number"), put_number(1 + p->n % 10);
    p->locked = !p->locked;
    send_frame(i, 2, message, length);
}

// --- the start of a table ---

static void start_next(room *r) {
    int step = r->step++, extensions = r->kind == PLAY ? EXTENSIONS * r->seats : 0;
    if (step == 0) send_start(r->first);
    else if (step <= extensions) send_extend(r->first + (step - 1) / EXTENSIONS, step - 1);
    else started_count++;
}

// --- the play ---

static void send_round(room *r, int flight, uint64_t moment) {
    r->busy = true, busy_rooms++;
    r->verdicts = 0, r->wanted = flight;
    r->sent = moment;
    // With one in flight, a seat locks and unlocks, then the next seat does. With several, all but one seat
    // lock at once and then unlock at once, and the seat left out rotates.
    uint32_t out = r->turn++ / 2;
    for (int k = 0; k < flight; k++) {
        int i = r->first + (int)((out + (uint32_t)k) % (uint32_t)r->seats);
        people[i].moved = true;
        send_toggle(i);
    }
}

static void round_done(room *r, uint64_t now) {
    r->busy = false, busy_rooms--;
    for (int k = 0; k < r->seats; k++) people[r->first + k].moved = false;
    if (measuring) {
        commands += (uint64_t)r->wanted;
        histogram_add(&latency, now - r->sent);
    }
    if (playing && rate > 0) {
        if (r->due_from != r->due_to) send_round(r, 1, r->due[r->due_from++ % QUEUE]);
    } else if (playing || r->turn & 1) send_round(r, r->wanted, now_ns());  // leaves nothing locked
}

static void on_verdict(int i, const uint8_t *data, uint32_t size, uint32_t wire_size) {
    room *r = &rooms[people[i].room];
    if (memmem(data, size, "\xa4" "code", 5)) FAIL("refused: %.*s", (int)size, data);
    if (r->step <= (r->kind == PLAY ? EXTENSIONS * r->seats + 1 : 1)) start_next(r);
    r->verdicts++;
    if (measuring) mover_bytes += wire_size;
}

static void on_frame(int i, uint32_t wire_size, uint64_t now) {
    person *p = &people[i];
    room *r = &rooms[p->room];
    if (++p->frames > r->most) r->most = p->frames, r->at_most = 0;
    if (p->frames == r->most) r->at_most++;
    if (!r->busy) return;
    if (measuring) {
        frames_seen++;
        watcher_frames += p->seat < 0;
        if (p->moved) mover_bytes += wire_size;
        else other_bytes += wire_size, other_frames++;
    }
    // A batch may merge the changes of several commands. The round is done when all verdicts have arrived and all
    // members have the same number of frames.
    if (r->verdicts >= r->wanted && (int)r->at_most == r->members) round_done(r, now);
}

static void on_open(int i) {
    if (rooms[people[i].room].kind == BARE) people[i].ready = true, ready_count++;
    else send_hello(i);
}

static uint32_t read_number(const uint8_t *at) {
    if (*at < 128) return *at;
    if (*at == 0xcc) return at[1];
    if (*at == 0xcd) return (uint32_t)at[1] << 8 | at[2];
    FAIL("not a number: %02x", *at);
}

static bool is_kind(const uint8_t *data, uint32_t size, const char *kind) {
    size_t wanted = strlen(kind);
    return size > 4 + wanted && !memcmp(data + 1, "\xa1t", 2) && !memcmp(data + 4, kind, wanted);
}

static void on_message(int i, const uint8_t *data, uint32_t size, uint32_t wire_size, uint64_t now) {
    person *p = &people[i];
    if (is_kind(data, size, "frame")) on_frame(i, wire_size, now);
    else if (is_kind(data, size, "verdict")) on_verdict(i, data, size, wire_size);
    else if (is_kind(data, size, "do")) rooms[p->room].verdicts++, on_frame(i, wire_size, now);  // an echo
    else if (is_kind(data, size, "welcome")) {
        const uint8_t *session = memmem(data, size, "\xa7" "session", 8);
        if (p->seat >= 0 && session) p->session = read_number(session + 8);
    } else if (is_kind(data, size, "view")) p->ready = true, ready_count++;
    else if (is_kind(data, size, "error")) FAIL("error: %.*s", (int)size, data);
}

// --- the commands of the driver ---

static void add_room(const char *line) {
    char kind[16], path[512], ticket[2048];
    int seats, watchers;
    if (sscanf(line, "room %15s %d %d", kind, &seats, &watchers) != 3 || seats > MOST_SEATS) FAIL("bad: %s", line);
    rooms = realloc(rooms, sizeof *rooms * (size_t)(room_count + 1));
    room *r = &rooms[room_count];
    memset(r, 0, sizeof *r);
    r->kind = kind[0] == 'p' ? PLAY : kind[0] == 'c' ? CLOCK : BARE;
    r->seats = seats, r->members = seats + watchers, r->first = people_count;
    r->step = r->kind == BARE ? 100 : 0;
    size_t all = (size_t)(people_count + r->members);
    people = realloc(people, sizeof *people * all);
    clients = realloc(clients, sizeof *clients * all);
    for (int k = 0; k < r->members; k++, people_count++) {
        if (scanf("%511s %2047s", path, ticket) != 2) FAIL("a room without its sockets");
        people[people_count] = (person){.room = room_count, .seat = k < seats ? k : -1, .ticket = strdup(ticket)};
        clients[people_count] = (client){.fd = -1, .path = strdup(path)};
    }
    room_count++;
}

static void wait_for(int *counter, int wanted, const char *what) {
    uint64_t end = now_ns() + 30000000000u;
    while (*counter < wanted) {
        if (now_ns() > end) FAIL("%s: only %d of %d after 30 s", what, *counter, wanted);
        poll_until(now_ns() + 100000000u);
    }
}

static void idle(double seconds) {
    for (uint64_t end = now_ns() + (uint64_t)(seconds * 1e9); now_ns() < end;) poll_until(end);
}

static void open_all(void) {
    for (int i = 0; i < people_count; i++) {
        client_connect(i);
        if (i % 64 == 63 || i == people_count - 1) wait_for(&ready_count, i + 1, "opening sockets");
    }
    idle(0.5);  // for the effects of the arrivals: presence, the lobby
    printf("{\"sockets\": %d}\n", people_count);
}

static void start_all(void) {
    int wanted = 0;
    for (int k = 0; k < room_count; k++)
        if (rooms[k].kind != BARE) wanted++, start_next(&rooms[k]);
    wait_for(&started_count, wanted, "starting tables");
    idle(0.2);
    printf("{\"tables\": %d}\n", wanted);
}

static double uniform(void) {
    static uint64_t seed = 88172645463325252u;
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static uint64_t next_due;
static int next_room;

// With a rate: sends the commands that are due, even if rooms are slow; latency counts from their due time.
static void send_due(int playing_rooms) {
    for (uint64_t now = now_ns(); next_due <= now;) {
        room *r = &rooms[next_room++ % playing_rooms];
        if (!r->busy) send_round(r, 1, next_due);
        else if (r->due_to - r->due_from < QUEUE) r->due[r->due_to++ % QUEUE] = next_due;
        else FAIL("the server cannot keep up with the rate");
        next_due += (uint64_t)(-log(uniform()) * 1e9 / rate);
    }
}

static void run_until(uint64_t end, int playing_rooms) {
    while (now_ns() < end) {
        if (rate > 0) send_due(playing_rooms);
        poll_until(rate > 0 && next_due < end ? next_due : end);
    }
}

static void play(const char *line) {
    int count, flight;
    double warm, seconds;
    if (sscanf(line, "play %d %d %lf %lf %lf", &count, &flight, &rate, &warm, &seconds) != 5) FAIL("bad: %s", line);
    if (count > room_count || flight >= MOST_SEATS) FAIL("bad: %s", line);
    for (int k = 0; k < room_count; k++) rooms[k].most = 0, rooms[k].at_most = (uint32_t)rooms[k].members;
    for (int i = 0; i < people_count; i++) people[i].frames = 0;
    commands = frames_seen = watcher_frames = mover_bytes = other_bytes = other_frames = 0;
    memset(&latency, 0, sizeof latency);
    playing = true;
    next_due = now_ns();
    if (rate == 0)
        for (int k = 0; k < count; k++) send_round(&rooms[k], flight, now_ns());
    run_until(now_ns() + (uint64_t)(warm * 1e9), count);

    measuring = true;
    uint64_t begin = now_ns(), cpu = process_cpu(server), stored = process_cpu(store), own = process_cpu(getpid());
    core_time there = core_ticks(server_core), here = core_ticks(load_core);
    run_until(begin + (uint64_t)(seconds * 1e9), count);
    measuring = false;
    double took = (double)(now_ns() - begin) / 1e9;
    cpu = process_cpu(server) - cpu, stored = process_cpu(store) - stored, own = process_cpu(getpid()) - own;
    double there_busy = core_busy(there, core_ticks(server_core)), here_busy = core_busy(here, core_ticks(load_core));

    playing = false;
    for (int k = 0; k < count; k++)
        if (!rooms[k].busy && rooms[k].turn & 1) send_round(&rooms[k], 1, now_ns());
    for (uint64_t end = now_ns() + 5000000000u; busy_rooms;) {
        if (now_ns() > end) FAIL("%d rooms never got all their frames", busy_rooms);
        poll_until(now_ns() + 10000000u);
    }
    for (int k = 0; k < room_count; k++) rooms[k].due_from = rooms[k].due_to = 0;
    double each = commands ? (double)commands : 1;
    printf("{\"seconds\": %.3f, \"commands\": %lu, \"frames\": %lu, \"watcher_frames\": %lu, "
           "\"mover_bytes\": %.0f, \"other_bytes\": %.0f, \"server_us\": %.3f, \"store_us\": %.3f, "
           "\"server_cpu\": %.3f, \"store_cpu\": %.3f, \"load_cpu\": %.3f, \"server_core\": %.3f, "
           "\"load_core\": %.3f, \"p50_ms\": %.3f, \"p99_ms\": %.3f}\n",
           took, commands, frames_seen, watcher_frames, (double)mover_bytes / each,
           other_frames ? (double)other_bytes / (double)other_frames : 0, (double)cpu / 1e3 / each,
           (double)stored / 1e3 / each, (double)cpu / 1e9 / took, (double)stored / 1e9 / took,
           (double)own / 1e9 / took, there_busy, here_busy, histogram_ms(&latency, 0.5),
           histogram_ms(&latency, 0.99));
}

// Answers pings until the driver sends its next command.
static void await_command(void) {
    struct pollfd two[] = {{.fd = 0, .events = POLLIN}, {.fd = epoll, .events = POLLIN}};
    while (ready_count && poll(two, 2, -1) > 0 && !two[0].revents) poll_until(0);
}

int main(int count, char **given) {
    if (count != 6) FAIL("usage: load PORT SERVER_PID STORE_PID SERVER_CORE LOAD_CORE");
    port = atoi(given[1]), server = atoi(given[2]), store = atoi(given[3]);
    server_core = atoi(given[4]), load_core = atoi(given[5]);
    epoll = epoll_create1(0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    char line[256];
    while (await_command(), fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "room", 4)) add_room(line);
        else if (!strncmp(line, "open", 4)) open_all();
        else if (!strncmp(line, "start", 5)) start_all();
        else if (!strncmp(line, "play", 4)) play(line);
        else if (line[0] != '\n') FAIL("bad: %s", line);
    }
    return 0;
}
