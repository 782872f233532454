#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <malloc.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// Opens /dev/null for each of standard input, output and error that is closed: a socket or the
// database would get such a number, and be read as the input or written to as the output. The
// runtime opens descriptors before the first line of a program, so this is a constructor.
static __attribute__((constructor(101))) void occupy_standard_descriptors(void) {
    int number;
    do number = open("/dev/null", O_RDWR);
    while (number >= 0 && number <= STDERR_FILENO);
    if (number >= 0) close(number);
}

int parley_clock_signal(void) {
    int number = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (number < 0) return -1;
    // The timer itself is set to a time that does not come.
    struct itimerspec never = {.it_value = {.tv_sec = 1L << 33}};
    int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
    if (timerfd_settime(number, flags, &never, NULL) == 0) return number;
    close(number);
    return -1;
}

void parley_tune_heaps(int heaps, int mapped_bytes, int unused_bytes) {
    // A value that is refused leaves the default.
    mallopt(M_ARENA_MAX, heaps);
    mallopt(M_MMAP_THRESHOLD, mapped_bytes);
    mallopt(M_TRIM_THRESHOLD, unused_bytes);
}

// One end of a connection as inet_diag writes it: an IPv4 address is the first of the four words.
struct end {
    int family;
    __be16 port;
    __be32 address[4];
    __u32 interface;
};

static int read_end(const struct sockaddr_storage *from, struct end *to) {
    memset(to, 0, sizeof *to);
    to->family = from->ss_family;
    if (from->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)from;
        to->port = four->sin_port;
        to->address[0] = four->sin_addr.s_addr;
        return 0;
    }
    if (from->ss_family != AF_INET6) return -1;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)from;
    to->port = six->sin6_port;
    if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
        to->family = AF_INET;
        memcpy(to->address, &six->sin6_addr.s6_addr[12], 4);
    } else {
        memcpy(to->address, &six->sin6_addr, 16);
        to->interface = six->sin6_scope_id;
    }
    return 0;
}

static int is_loopback(const struct end *end) {
    if (end->family == AF_INET) return (ntohl(end->address[0]) >> 24) == 127;
    return end->address[0] == 0 && end->address[1] == 0 && end->address[2] == 0
        && end->address[3] == htonl(1);
}

// A message of the kernel, which is aligned as its head is.
union message {
    struct nlmsghdr head;
    char bytes[1024];
};

// Sends a request to a protocol of netlink and takes the answer, whose body has at least `wanted`
// bytes; returns 0, or -1 if there is none or it is an error.
static int exchange(
    int protocol, const struct nlmsghdr *request, union message *answer, size_t wanted
) {
    int number = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, protocol);
    if (number < 0) return -1;
    ssize_t count = -1;
    // Only the kernel can be at the other end, which answers before send returns.
    if (send(number, request, request->nlmsg_len, 0) == (ssize_t)request->nlmsg_len) {
        count = recv(number, answer, sizeof *answer, MSG_DONTWAIT);
    }
    int reason = count < 0 ? errno : EBADMSG;
    close(number);
    errno = reason;
    if (count < (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr))) return -1;
    if (answer->head.nlmsg_type == NLMSG_ERROR) {
        errno = -((struct nlmsgerr *)NLMSG_DATA(&answer->head))->error;
        return -1;
    }
    return count < (ssize_t)NLMSG_LENGTH(wanted) ? -1 : 0;
}

// Asks for the socket with these ends.
static int find_socket(
    const struct end *from, const struct end *to, struct inet_diag_msg *found
) {
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } request = {
        .head = {
            .nlmsg_len = sizeof request,
            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
            .nlmsg_flags = NLM_F_REQUEST,
        },
        .body = {
            .sdiag_family = (__u8)from->family,
            .sdiag_protocol = IPPROTO_TCP,
            .idiag_states = ~0u,
            .id = {
                .idiag_sport = from->port,
                .idiag_dport = to->port,
                .idiag_if = from->interface,
                .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE},
            },
        },
    };
    memcpy(request.body.id.idiag_src, from->address, sizeof from->address);
    memcpy(request.body.id.idiag_dst, to->address, sizeof to->address);
    union message answer;
    if (exchange(NETLINK_SOCK_DIAG, &request.head, &answer, sizeof *found) != 0) return -1;
    memcpy(found, NLMSG_DATA(&answer.head), sizeof *found);
    return 0;
}

// Whether the address of an end is one of this machine: the route to such an address is local.
// Returns -1 if the kernel does not answer.
static int is_local(const struct end *end) {
    struct {
        struct nlmsghdr head;
        struct rtmsg body;
        struct rtattr interface_head;
        __u32 interface;
        struct rtattr address_head;
        __be32 address[4];
    } request = {
        .head = {.nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST},
        .body = {.rtm_family = (unsigned char)end->family},
        .interface_head = {.rta_len = RTA_LENGTH(sizeof(__u32)), .rta_type = RTA_OIF},
        .interface = end->interface,
        .address_head = {.rta_type = RTA_DST},
    };
    size_t size = end->family == AF_INET ? 4 : 16;
    request.body.rtm_dst_len = (unsigned char)(size * 8);
    request.address_head.rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(request.address, end->address, size);
    request.head.nlmsg_len = (__u32)(sizeof request - sizeof request.address + size);
    union message answer;
    errno = 0;
    if (exchange(NETLINK_ROUTE, &request.head, &answer, sizeof(struct rtmsg)) != 0) {
        // An address that nothing leads to is none of this machine.
        return errno == ENETUNREACH || errno == EHOSTUNREACH ? 0 : -1;
    }
    return ((struct rtmsg *)NLMSG_DATA(&answer.head))->rtm_type == RTN_LOCAL;
}

int parley_socket_owner(int number, bool of_peer, struct parley_owner *owner) {
    struct sockaddr_storage address[2] = {0};
    struct end end[2];
    memset(owner, 0, sizeof *owner);
    socklen_t size = sizeof address[0];
    if (getsockname(number, (struct sockaddr *)&address[0], &size) != 0) return -1;
    if (read_end(&address[0], &end[0]) != 0) return -1;
    size = sizeof address[1];
    end[1] = (struct end){.family = end[0].family};
    if (of_peer) {
        if (getpeername(number, (struct sockaddr *)&address[1], &size) != 0) return -1;
        if (read_end(&address[1], &end[1]) != 0) return -1;
    }
    const struct end *from = &end[of_peer], *to = &end[!of_peer];
    struct inet_diag_msg found;
    bool is_there = find_socket(from, to, &found) == 0;
    if (!is_there && errno != ENOENT) return -1;
    // Without the comparison of the ends, a listener on the port would do.
    is_there = is_there && found.id.idiag_sport == from->port && found.id.idiag_dport == to->port;
    // A socket of this machine need not have an address of the loopback, and the kernel may have
    // forgotten it while its peer is still there.
    int known = is_there || is_loopback(from) || is_loopback(to) ? 1 : is_local(from);
    if (known < 0) return -1;
    owner->is_local = known != 0;
    if (!is_there) return 0;
    // A socket that its program has closed has no inode and reads as one of root.
    owner->is_found = found.idiag_inode != 0
        && (!of_peer || found.idiag_state == 1 /* TCP_ESTABLISHED */);
    owner->user = found.idiag_uid;
    return 0;
}

long parley_find(const void *bytes, unsigned long count, const void *part, unsigned long part_count) {
    const char *found = memmem(bytes, count, part, part_count);
    return found ? found - (const char *)bytes : -1;
}
