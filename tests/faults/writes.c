/* Loaded before libc: the n-th change of a file under FAULTS_BELOW fails with an I/O error.

   Writes, syncs, truncations and renames count. `arm(n, forever)` starts to count; `seen()` is how
   many there were since. SQLite and Python call these functions of libc, and so ours. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls, at;
static atomic_int always;

void arm(long n, int forever) { calls = 0; always = forever; at = n; }
long seen(void) { return calls; }

static int below(const char *path) {
    const char *folder = getenv("FAULTS_BELOW");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int fails(void) {
    long call = ++calls;
    if (at && (call == at || (always && call > at))) { errno = EIO; return 1; }
    return 0;
}

static int fails_for(int fd) {
    char link[64], path[4096];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length < 0) return 0;
    path[length] = 0;
    return below(path) && fails();
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write); return fails_for(fd) ? -1 : real(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t place) {
    REAL(pwrite); return fails_for(fd) ? -1 : real(fd, data, size, place);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t place) {
    REAL(pwrite64); return fails_for(fd) ? -1 : real(fd, data, size, place);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev); return fails_for(fd) ? -1 : real(fd, parts, count);
}
int fsync(int fd) { REAL(fsync); return fails_for(fd) ? -1 : real(fd); }
int fdatasync(int fd) { REAL(fdatasync); return fails_for(fd) ? -1 : real(fd); }
int ftruncate(int fd, off_t size) { REAL(ftruncate); return fails_for(fd) ? -1 : real(fd, size); }
int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64); return fails_for(fd) ? -1 : real(fd, size);
}
int rename(const char *from, const char *to) {
    REAL(rename); return below(to) && fails() ? -1 : real(from, to);
}
