// Clocks, CPU time from /proc, and a histogram of latencies.
#pragma once
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAIL(...) do { fprintf(stderr, "load: " __VA_ARGS__); fputc('\n', stderr); exit(2); } while (0)

static inline uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// The nanoseconds that all threads of a process have run in total (schedstat: user and system).
static uint64_t process_cpu(int pid) {
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    if (!tasks) FAIL("process %d is gone", pid);
    uint64_t sum = 0, one;
    for (struct dirent *entry; (entry = readdir(tasks));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/schedstat", pid, entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        if (fscanf(file, "%lu", &one) == 1) sum += one;
        fclose(file);
    }
    closedir(tasks);
    return sum;
}

typedef struct { uint64_t busy, all; } core_time;

// The busy time and total time of a core since the machine started, in hundredths of a second.
static core_time core_ticks(int core) {
    char line[512], name[16];
    core_time found = {0, 0};
    snprintf(name, sizeof name, "cpu%d ", core);
    FILE *file = fopen("/proc/stat", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name))) continue;
        uint64_t t[8] = {0};  // user nice system idle iowait irq softirq steal
        sscanf(line + strlen(name), "%lu %lu %lu %lu %lu %lu %lu %lu", t, t + 1, t + 2, t + 3, t + 4, t + 5,
               t + 6, t + 7);
        for (int i = 0; i < 8; i++) found.all += t[i];
        found.busy = found.all - t[3] - t[4];
    }
    if (file) fclose(file);
    return found;
}

static double core_busy(core_time before, core_time after) {
    return after.all > before.all ? (double)(after.busy - before.busy) / (double)(after.all - before.all) : 0;
}

// Log-linear buckets, 128 per octave: a quantile is accurate to within 0.8%.
#define OCTAVE 7
typedef struct { uint64_t count, bucket[64 << OCTAVE]; } histogram;

static void histogram_add(histogram *h, uint64_t ns) {
    int exponent = 63 - __builtin_clzll(ns | 1);
    uint64_t i = exponent <= OCTAVE ? ns : ((uint64_t)(exponent - OCTAVE) << OCTAVE) + (ns >> (exponent - OCTAVE));
    h->bucket[i]++;
    h->count++;
}

static double histogram_ms(const histogram *h, double quantile) {
    uint64_t wanted = (uint64_t)(quantile * (double)h->count), seen = 0;
    for (uint64_t i = 0; i < 64 << OCTAVE; i++) {
        seen += h->bucket[i];
        if (seen <= wanted) continue;
        if (i < 2 << OCTAVE) return (double)i / 1e6;
        uint64_t exponent = (i >> OCTAVE) - 1;
        return (double)(((i & ((1 << OCTAVE) - 1)) | 1 << OCTAVE) << exponent) / 1e6;
    }
    return 0;
}
