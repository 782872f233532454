#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { mdns_port = 5353, hops = 255 };

static struct sockaddr_in group_four(void) {
    struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(mdns_port)};
    group.sin_addr.s_addr = htonl(0xe00000fb);
    return group;
}

static struct sockaddr_in6 group_six(unsigned int interface) {
    struct sockaddr_in6 group = {.sin6_family = AF_INET6, .sin6_port = htons(mdns_port)};
    group.sin6_scope_id = interface;
    inet_pton(AF_INET6, "ff02::fb", &group.sin6_addr);
    return group;
}

static int set(int number, int level, int option, int value) {
    return setsockopt(number, level, option, &value, sizeof value);
}

static int open_four(int number, unsigned int interface) {
    struct sockaddr_in group = group_four();
    struct ip_mreqn member = {.imr_multiaddr = group.sin_addr, .imr_ifindex = (int)interface};
    if (bind(number, (struct sockaddr *)&group, sizeof group) != 0) return -1;
    // Without this, the kernel gives the socket what any socket of the machine has joined.
    if (set(number, IPPROTO_IP, IP_MULTICAST_ALL, 0) != 0) return -1;
    if (set(number, IPPROTO_IP, IP_MULTICAST_TTL, hops) != 0) return -1;
    if (setsockopt(number, IPPROTO_IP, IP_MULTICAST_IF, &member, sizeof member) != 0) return -1;
    return setsockopt(number, IPPROTO_IP, IP_ADD_MEMBERSHIP, &member, sizeof member);
}

static int open_six(int number, unsigned int interface) {
    struct sockaddr_in6 group = group_six(interface);
    struct ipv6_mreq member = {.ipv6mr_multiaddr = group.sin6_addr, .ipv6mr_interface = interface};
    if (set(number, IPPROTO_IPV6, IPV6_V6ONLY, 1) != 0) return -1;
    if (bind(number, (struct sockaddr *)&group, sizeof group) != 0) return -1;
    if (set(number, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, hops) != 0) return -1;
    if (set(number, IPPROTO_IPV6, IPV6_MULTICAST_IF, (int)interface) != 0) return -1;
    return setsockopt(number, IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &member, sizeof member);
}

int parley_mdns_open(unsigned int interface, bool is_six) {
    int kind = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int number = socket(is_six ? AF_INET6 : AF_INET, kind, 0);
    if (number < 0) return -1;
    // The socket is bound to the group, so what is sent to the daemon alone still goes to it.
    if (set(number, SOL_SOCKET, SO_REUSEADDR, 1) == 0 &&
        (is_six ? open_six : open_four)(number, interface) == 0)
        return number;
    int reason = errno;
    close(number);
    errno = reason;
    return -1;
}

int parley_mdns_open_to(const char *address, unsigned int interface) {
    struct sockaddr_in four = group_four();
    struct sockaddr_in6 six = group_six(interface);
    bool is_six = inet_pton(AF_INET, address, &four.sin_addr) != 1;
    if (is_six && inet_pton(AF_INET6, address, &six.sin6_addr) != 1) {
        errno = EINVAL;
        return -1;
    }
    int number = socket(is_six ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const struct sockaddr *to = is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four;
    if (number < 0 || connect(number, to, is_six ? sizeof six : sizeof four) == 0) return number;
    int reason = errno;
    close(number);
    errno = reason;
    return -1;
}

int parley_mdns_ask(int number, unsigned int interface, bool is_six, const void *bytes, int count) {
    struct sockaddr_in four = group_four();
    struct sockaddr_in6 six = group_six(interface);
    const struct sockaddr *to = is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four;
    socklen_t size = is_six ? sizeof six : sizeof four;
    return sendto(number, bytes, (size_t)count, 0, to, size) < 0 ? -1 : 0;
}

int parley_mdns_read(int number, void *bytes, int count, unsigned char source[16], int *source_count) {
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    ssize_t got = recvfrom(number, bytes, (size_t)count, 0, (struct sockaddr *)&from, &size);
    if (got < 0) return -1;
    if (from.ss_family == AF_INET) {
        *source_count = 4;
        memcpy(source, &((struct sockaddr_in *)&from)->sin_addr, 4);
    } else {
        *source_count = 16;
        memcpy(source, &((struct sockaddr_in6 *)&from)->sin6_addr, 16);
    }
    return (int)got;
}
