/*
 * A library for LD_PRELOAD that counts the file calls of a process below one folder and spoils one of
 * them, so that a fault of the storage, or the death of the process, can be had at every moment.
 *
 *   FAULTS_FOLDER  calls on paths and files below it count
 *   FAULTS_AT      number of the call that is spoilt, counted from 1; without it none is
 *   FAULTS_KIND    "kill" (SIGKILL before the call), "short" (half of a read or write), or an errno
 *   FAULTS_STAYS   set: all later calls fail as well, as on a disk that is full or gone
 *   FAULTS_COUNT   file into which the number of calls is written at the end
 *   FAULTS_PEAK    file into which the largest resident memory in KiB is written at the end
 *   FAULTS_CLOCK   how many times as fast the monotonic clock runs
 *   FAULTS_LIST    file into which every call is listed: its number, name and path
 *
 * It also counts the pieces of memory that the process asks for, and refuses one of them.
 *
 *   FAULTS_LEAST   smallest counted piece in bytes; without it no piece counts
 *   FAULTS_REFUSED number of the piece that is refused, counted from 1
 *   FAULTS_PIECES  file into which the number of pieces is written at the end
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum verdict { PASS, FAIL, HALF };

static const char *folder, *kind, *list;
static size_t folder_len;
static long at, count;
static int stays;
static size_t least;
static long refused, pieces;
static double clock_factor = 1.0;
static struct timespec begun;
static __thread int inside;

#define REAL(name, type, ...)                                                                      \
    static type (*real)(__VA_ARGS__);                                                              \
    if (!real)                                                                                     \
    real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int real_open(const char *path, int flags, mode_t mode) {
    REAL(open64, int, const char *, int, ...);
    return real(path, flags, mode);
}

static ssize_t real_write(int fd, const void *bytes, size_t len) {
    REAL(write, ssize_t, int, const void *, size_t);
    return real(fd, bytes, len);
}

__attribute__((constructor)) static void begin(void) {
    const char *text;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    folder = getenv("FAULTS_FOLDER");
    folder_len = folder ? strlen(folder) : 0;
    kind = getenv("FAULTS_KIND");
    list = getenv("FAULTS_LIST");
    stays = getenv("FAULTS_STAYS") != NULL;
    if ((text = getenv("FAULTS_AT")))
        at = atol(text);
    if ((text = getenv("FAULTS_CLOCK")))
        clock_factor = atof(text);
    if ((text = getenv("FAULTS_REFUSED")))
        refused = atol(text);
    if ((text = getenv("FAULTS_LEAST")))
        least = (size_t)atol(text);
}

static void put(const char *path, const char *text, int flags) {
    int fd = real_open(path, O_WRONLY | O_CREAT | flags, 0644);
    if (fd >= 0) {
        if (real_write(fd, text, strlen(text)) < 0) {
        }
        close(fd);
    }
}

__attribute__((destructor)) static void end(void) {
    char text[64], line[256];
    const char *path;
    inside = 1;
    if ((path = getenv("FAULTS_COUNT"))) {
        snprintf(text, sizeof text, "%ld\n", count);
        put(path, text, O_TRUNC);
    }
    if ((path = getenv("FAULTS_PIECES"))) {
        snprintf(text, sizeof text, "%ld\n", pieces);
        put(path, text, O_TRUNC);
    }
    if ((path = getenv("FAULTS_PEAK"))) {
        FILE *status = fopen("/proc/self/status", "r");
        while (status && fgets(line, sizeof line, status)) {
            if (!strncmp(line, "VmHWM:", 6)) {
                snprintf(text, sizeof text, "%ld\n", atol(line + 6));
                put(path, text, O_TRUNC);
            }
        }
        if (status)
            fclose(status);
    }
}

static enum verdict judge(const char *name, const char *path, int can_be_short) {
    if (!folder_len || inside || !path || strncmp(path, folder, folder_len))
        return PASS;
    long number = __sync_add_and_fetch(&count, 1);
    if (list) {
        char line[1200];
        inside = 1;
        snprintf(line, sizeof line, "%ld %s %s\n", number, name, path);
        put(list, line, O_APPEND);
        inside = 0;
    }
    if (!at || !(number == at || (stays && number > at)))
        return PASS;
    if (!strcmp(kind, "kill")) {
        kill(getpid(), SIGKILL);
        for (;;)
            pause();
    }
    if (!strcmp(kind, "short"))
        return can_be_short ? HALF : PASS;
    errno = atoi(kind);
    return FAIL;
}

static enum verdict judge_file(const char *name, int fd, int can_be_short) {
    char link[64], path[1024];
    if (!folder_len || inside || fd < 0)
        return PASS;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, path, sizeof path - 1);
    if (len <= 0)
        return PASS;
    path[len] = 0;
    return judge(name, path, can_be_short);
}

#define BY_PATH(name, type, path, declared, ...)                                                   \
    type name declared {                                                                           \
        REAL(name, type, TYPES_##name);                                                            \
        return judge(#name, path, 0) == FAIL ? -1 : real(__VA_ARGS__);                             \
    }
#define TYPES_rename const char *, const char *
#define TYPES_unlink const char *
#define TYPES_rmdir const char *
#define TYPES_mkdir const char *, mode_t
BY_PATH(rename, int, to, (const char *from, const char *to), from, to)
BY_PATH(unlink, int, path, (const char *path), path)
BY_PATH(rmdir, int, path, (const char *path), path)
BY_PATH(mkdir, int, path, (const char *path, mode_t mode), path, mode)

#define BY_FILE(name, declared, ...)                                                               \
    int name declared {                                                                            \
        REAL(name, int, TYPES_##name);                                                             \
        return judge_file(#name, fd, 0) == FAIL ? -1 : real(__VA_ARGS__);                          \
    }
#define TYPES_fsync int
#define TYPES_fdatasync int
#define TYPES_flock int, int
#define TYPES_ftruncate64 int, off64_t
BY_FILE(fsync, (int fd), fd)
BY_FILE(fdatasync, (int fd), fd)
BY_FILE(flock, (int fd, int operation), fd, operation)
BY_FILE(ftruncate64, (int fd, off64_t len), fd, len)

#define TRANSFER(name, declared, ...)                                                               \
    ssize_t name declared {                                                                        \
        REAL(name, ssize_t, TYPES_##name);                                                         \
        switch (judge_file(#name, fd, len > 1)) {                                                  \
        case FAIL:                                                                                 \
            return -1;                                                                             \
        case HALF:                                                                                 \
            len /= 2;                                                                              \
            break;                                                                                 \
        default:                                                                                   \
            break;                                                                                 \
        }                                                                                          \
        return real(__VA_ARGS__);                                                                  \
    }
#define TYPES_write int, const void *, size_t
#define TYPES_read int, void *, size_t
#define TYPES_pwrite64 int, const void *, size_t, off64_t
#define TYPES_pread64 int, void *, size_t, off64_t
TRANSFER(write, (int fd, const void *bytes, size_t len), fd, bytes, len)
TRANSFER(read, (int fd, void *bytes, size_t len), fd, bytes, len)
TRANSFER(pwrite64, (int fd, const void *bytes, size_t len, off64_t from), fd, bytes,
         len, from)
TRANSFER(pread64, (int fd, void *bytes, size_t len, off64_t from), fd, bytes, len, from)

ssize_t writev(int fd, const struct iovec *parts, int len) {
    REAL(writev, ssize_t, int, const struct iovec *, int);
    switch (judge_file("writev", fd, len > 1)) {
    case FAIL:
        return -1;
    case HALF:
        len /= 2;
        break;
    default:
        break;
    }
    return real(fd, parts, len);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return judge("open", path, 0) == FAIL ? -1 : real_open(path, flags, mode);
}

int unlinkat(int fd, const char *path, int flags) {
    REAL(unlinkat, int, int, const char *, int);
    return judge_file("unlinkat", fd, 0) == FAIL ? -1 : real(fd, path, flags);
}

DIR *opendir(const char *path) {
    REAL(opendir, DIR *, const char *);
    return judge("opendir", path, 0) == FAIL ? NULL : real(path);
}

int statx(int fd, const char *path, int flags, unsigned mask, struct statx *found) {
    REAL(statx, int, int, const char *, int, unsigned, struct statx *);
    return judge("statx", path, 0) == FAIL ? -1 : real(fd, path, flags, mask, found);
}

int clock_gettime(clockid_t id, struct timespec *time) {
    REAL(clock_gettime, int, clockid_t, struct timespec *);
    int result = real(id, time);
    if (clock_factor != 1.0 && id == CLOCK_MONOTONIC && !result) {
        double passed = (double)(time->tv_sec - begun.tv_sec) +
                        (double)(time->tv_nsec - begun.tv_nsec) * 1e-9;
        double shown = (double)begun.tv_sec + (double)begun.tv_nsec * 1e-9 + passed * clock_factor;
        time->tv_sec = (time_t)shown;
        time->tv_nsec = (long)((shown - (double)time->tv_sec) * 1e9);
    }
    return result;
}

static int refuses(size_t bytes) {
    if (!least || bytes < least)
        return 0;
    return __sync_add_and_fetch(&pieces, 1) == refused;
}

/* The C library's own names for what is replaced here; to look them up would ask for memory. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void *no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t bytes) { return refuses(bytes) ? no_memory() : __libc_malloc(bytes); }

void *calloc(size_t count, size_t bytes) {
    return refuses(count * bytes) ? no_memory() : __libc_calloc(count, bytes);
}

void *realloc(void *from, size_t bytes) {
    return refuses(bytes) ? no_memory() : __libc_realloc(from, bytes);
}

void *aligned_alloc(size_t align, size_t bytes) {
    return refuses(bytes) ? no_memory() : __libc_memalign(align, bytes);
}

int posix_memalign(void **to, size_t align, size_t bytes) {
    if (refuses(bytes) || !(*to = __libc_memalign(align, bytes)))
        return ENOMEM;
    return 0;
}

void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off64_t from) {
    REAL(mmap64, void *, void *, size_t, int, int, int, off64_t);
    if (flags & MAP_ANONYMOUS && refuses(bytes)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(at, bytes, protection, flags, fd, from);
}
