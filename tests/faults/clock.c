/* Loaded before libc: `jump(seconds)` sets the clock of this process forward or back.

   Only the time of day jumps. The monotonic clock goes on, as it does on a real machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

static atomic_long offset;

void jump(long seconds) { offset += seconds; }

int clock_gettime(clockid_t kind, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(kind, now);
    if (code == 0 && (kind == CLOCK_REALTIME || kind == CLOCK_REALTIME_COARSE)) now->tv_sec += offset;
    return code;
}

int gettimeofday(struct timeval *now, void *zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
    int code = real(now, zone);
    if (code == 0) now->tv_sec += offset;
    return code;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
