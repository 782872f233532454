// Preloaded into a node: records its calls on the files of one directory, in one order, and fails
// one of them, or all of a kind from one on.
//
// DISK_DIRECTORY=DIR     the directory; nothing else is touched
// DISK_LOG=FILE          gets a record of each call, and of what goes to local sockets
// DISK_FAULT=KIND:N:ERROR:LAST    fails the calls N to LAST of a kind, counted from 1 on;
//                               ERROR 0 lets reads and writes do half of their bytes
//                               In a run with a fault, only failed calls are recorded.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The kinds of calls are letters: o open, c create, r read, w write, s sync, t truncate,
// n name (rename and link), u unlink, d mkdir.

struct record {
    char kind;      // a letter of above; S when a sync begins, s when it has ended, a for a socket
    char failed;    // 1 if the call was made to fail
    uint16_t names; // the bytes of the name or names, which follow; with a 0 between two
    uint32_t bytes; // the written bytes, which follow the names
    uint64_t file;  // the inode
    int64_t offset; // of a write; the new size of a truncation
};

static const char *directory;
static size_t directory_length;
static int log_file = -1;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static char fault_kind;
static unsigned long fault_first, fault_last;
static int fault_error;
static atomic_ulong calls;

enum { files_max = 4096 };
static _Atomic uint64_t inodes[files_max]; // of descriptors in the directory; 0 for others

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("DISK_FAULT"), *path = getenv("DISK_LOG");
    directory = getenv("DISK_DIRECTORY");
    directory_length = directory ? strlen(directory) : 0;
    if (fault) sscanf(fault, "%c:%lu:%d:%lu", &fault_kind, &fault_first, &fault_error, &fault_last);
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    if (path) log_file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

static uint64_t inode(int file) {
    return file >= 0 && file < files_max ? atomic_load(&inodes[file]) : 0;
}

static void note(char kind, bool failed, uint64_t file, const char *one, const char *two,
                 const struct iovec *parts, int count, size_t bytes, int64_t offset) {
    if (log_file < 0 || (fault_kind && !failed)) return;
    int saved = errno;
    size_t first = one ? strlen(one) : 0, second = two ? strlen(two) + 1 : 0;
    struct record record = {kind, failed, (uint16_t)(first + second), (uint32_t)bytes, file, offset};
    struct iovec all[20] = {{&record, sizeof record}, {(void *)one, first}, {"", second ? 1 : 0},
                            {(void *)two, second ? second - 1 : 0}};
    int used = 4;
    for (int i = 0; i < count && bytes > 0 && used < 20; i++, used++) {
        all[used] = parts[i];
        if (all[used].iov_len > bytes) all[used].iov_len = bytes;
        bytes -= all[used].iov_len;
    }
    syscall(SYS_writev, log_file, all, used);
    errno = saved;
}

// Whether the call of this kind is one to fail; `errno` is the error then.
static bool fails(char kind) {
    if (kind != fault_kind) return false;
    unsigned long number = atomic_fetch_add(&calls, 1) + 1;
    errno = fault_error;
    return number >= fault_first && number <= fault_last;
}

// Fails a call that has nothing but an error.
static bool refuses(char kind, uint64_t file, const char *one, const char *two) {
    if (!fails(kind)) return false;
    note(kind, true, file, one, two, NULL, 0, 0, fault_error);
    return true;
}

// The path below the directory; NULL for any other.
static const char *below(int parent, const char *path, char *space) {
    if (!directory || !path) return NULL;
    if (path[0] != '/') {
        char link[32];
        if (parent == AT_FDCWD) strcpy(link, "/proc/self/cwd");
        else snprintf(link, sizeof link, "/proc/self/fd/%d", parent);
        ssize_t length = readlink(link, space, PATH_MAX - 1);
        if (length < 0) return NULL;
        snprintf(space + length, PATH_MAX - (size_t)length, "/%s", path);
        path = space;
    }
    if (strncmp(path, directory, directory_length) != 0) return NULL;
    if (path[directory_length] == 0) return ".";
    return path[directory_length] == '/' ? path + directory_length + 1 : NULL;
}

// MARK: Names

static int open_file(int parent, const char *path, int flags, mode_t mode) {
    char space[PATH_MAX];
    const char *name = below(parent, path, space);
    if (!name) return (int)syscall(SYS_openat, parent, path, flags, mode);
    bool is_new = flags & O_CREAT && syscall(SYS_faccessat, parent, path, F_OK) != 0;
    char kind = is_new ? 'c' : 'o';
    if (refuses(kind, 0, name, NULL)) return -1;
    pthread_mutex_lock(&order);
    int file = (int)syscall(SYS_openat, parent, path, flags, mode);
    struct stat status;
    if (file >= 0 && file < files_max && fstat(file, &status) == 0) {
        atomic_store(&inodes[file], status.st_ino);
        note(kind, false, status.st_ino, name, NULL, NULL, 0, 0, 0);
        if (flags & O_TRUNC) note('t', false, status.st_ino, NULL, NULL, NULL, 0, 0, 0);
    }
    pthread_mutex_unlock(&order);
    return file;
}

#define OPEN(function, parameters, parent)                                                         \
    int function parameters {                                                                      \
        mode_t mode = 0;                                                                           \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                       \
            va_list list;                                                                          \
            va_start(list, flags);                                                                 \
            mode = (mode_t)va_arg(list, int);                                                      \
            va_end(list);                                                                          \
        }                                                                                          \
        return open_file(parent, path, flags, mode);                                               \
    }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int parent, const char *path, int flags, ...), parent)
OPEN(openat64, (int parent, const char *path, int flags, ...), parent)

int close(int file) {
    if (file >= 0 && file < files_max) atomic_store(&inodes[file], 0);
    return (int)syscall(SYS_close, file);
}

static int named(char kind, long number, int parent, const char *path, int other_parent,
                 const char *other, int flags) {
    char space[PATH_MAX], other_space[PATH_MAX];
    const char *one = below(parent, path, space);
    const char *two = other ? below(other_parent, other, other_space) : NULL;
    if (!one && !two) goto call;
    if (refuses(kind, 0, one, two)) return -1;
    pthread_mutex_lock(&order);
    int result = -1;
    if (kind == 'n') result = (int)syscall(number, parent, path, other_parent, other, flags);
    else result = (int)syscall(number, parent, path, flags);
    if (result == 0) note(kind, false, number == SYS_linkat, one, two, NULL, 0, 0, 0);
    pthread_mutex_unlock(&order);
    return result;
call:
    if (kind == 'n') return (int)syscall(number, parent, path, other_parent, other, flags);
    return (int)syscall(number, parent, path, flags);
}

int rename(const char *from, const char *to) {
    return named('n', SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int one, const char *from, int two, const char *to) {
    return named('n', SYS_renameat2, one, from, two, to, 0);
}
int renameat2(int one, const char *from, int two, const char *to, unsigned flags) {
    return named('n', SYS_renameat2, one, from, two, to, (int)flags);
}
int link(const char *from, const char *to) {
    return named('n', SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int linkat(int one, const char *from, int two, const char *to, int flags) {
    return named('n', SYS_linkat, one, from, two, to, flags);
}
int unlink(const char *path) {
    return named('u', SYS_unlinkat, AT_FDCWD, path, AT_FDCWD, NULL, 0);
}
int unlinkat(int parent, const char *path, int flags) {
    return named('u', SYS_unlinkat, parent, path, AT_FDCWD, NULL, flags);
}
int mkdir(const char *path, mode_t mode) {
    return named('d', SYS_mkdirat, AT_FDCWD, path, AT_FDCWD, NULL, (int)mode);
}

// MARK: Bytes

static ssize_t read_file(int file, void *bytes, size_t count, bool has_offset, off_t offset) {
    uint64_t number = inode(file);
    if (number && fails('r')) {
        note('r', true, number, NULL, NULL, NULL, 0, 0, fault_error);
        if (fault_error) return -1;
        count = (count + 1) / 2;
    }
    if (number) note('r', false, number, NULL, NULL, NULL, 0, 0, 0);
    return has_offset ? syscall(SYS_pread64, file, bytes, count, offset)
                      : syscall(SYS_read, file, bytes, count);
}

ssize_t read(int file, void *bytes, size_t count) {
    return read_file(file, bytes, count, false, 0);
}
ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
    return read_file(file, bytes, count, true, offset);
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
    return read_file(file, bytes, count, true, offset);
}

static bool is_local_socket(int file) {
    int domain = 0;
    socklen_t size = sizeof domain;
    return getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

static size_t length(const struct iovec *parts, int count) {
    size_t sum = 0;
    for (int i = 0; i < count; i++) sum += parts[i].iov_len;
    return sum;
}

// What goes to a socket is recorded before it is sent: nobody has read it earlier.
static void answer(int file, const struct iovec *parts, int count) {
    if (log_file < 0 || fault_kind) return;
    int saved = errno;
    if (is_local_socket(file)) {
        pthread_mutex_lock(&order);
        note('a', false, 0, NULL, NULL, parts, count > 16 ? 16 : count, length(parts, count), 0);
        pthread_mutex_unlock(&order);
    }
    errno = saved;
}

static ssize_t write_file(int file, const void *bytes, size_t count, bool has_offset,
                          off_t offset) {
    uint64_t number = inode(file);
    struct iovec part = {(void *)bytes, count};
    if (!number) {
        if (!has_offset) answer(file, &part, 1);
        return has_offset ? syscall(SYS_pwrite64, file, bytes, count, offset)
                          : syscall(SYS_write, file, bytes, count);
    }
    if (fails('w')) {
        note('w', true, number, NULL, NULL, NULL, 0, 0, fault_error);
        if (fault_error) return -1;
        count = (count + 1) / 2;
    }
    pthread_mutex_lock(&order);
    if (!has_offset) offset = lseek(file, 0, SEEK_CUR);
    ssize_t written = has_offset ? syscall(SYS_pwrite64, file, bytes, count, offset)
                                 : syscall(SYS_write, file, bytes, count);
    if (written > 0) note('w', false, number, NULL, NULL, &part, 1, (size_t)written, offset);
    pthread_mutex_unlock(&order);
    return written;
}

ssize_t write(int file, const void *bytes, size_t count) {
    return write_file(file, bytes, count, false, 0);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return write_file(file, bytes, count, true, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return write_file(file, bytes, count, true, offset);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
    if (inode(file) && count > 0) return write_file(file, parts->iov_base, parts->iov_len, false, 0);
    answer(file, parts, count);
    return syscall(SYS_writev, file, parts, count);
}
ssize_t send(int file, const void *bytes, size_t count, int flags) {
    struct iovec part = {(void *)bytes, count};
    answer(file, &part, 1);
    return syscall(SYS_sendto, file, bytes, count, flags, NULL, 0);
}
ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    answer(file, message->msg_iov, (int)message->msg_iovlen);
    return syscall(SYS_sendmsg, file, message, flags);
}

static int truncate_file(int file, off_t size) {
    uint64_t number = inode(file);
    if (!number) return (int)syscall(SYS_ftruncate, file, size);
    if (refuses('t', number, NULL, NULL)) return -1;
    pthread_mutex_lock(&order);
    int result = (int)syscall(SYS_ftruncate, file, size);
    if (result == 0) note('t', false, number, NULL, NULL, NULL, 0, 0, size);
    pthread_mutex_unlock(&order);
    return result;
}

int ftruncate(int file, off_t size) { return truncate_file(file, size); }
int ftruncate64(int file, off64_t size) { return truncate_file(file, size); }

// A sync covers what was written before it began, and counts once it has ended.
static int sync_file(int file, long call) {
    uint64_t number = inode(file);
    if (!number) return (int)syscall(call, file);
    if (refuses('s', number, NULL, NULL)) return -1;
    pthread_mutex_lock(&order);
    note('S', false, number, NULL, NULL, NULL, 0, 0, 0);
    pthread_mutex_unlock(&order);
    int result = (int)syscall(call, file);
    pthread_mutex_lock(&order);
    if (result == 0) note('s', false, number, NULL, NULL, NULL, 0, 0, 0);
    pthread_mutex_unlock(&order);
    return result;
}

int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }
