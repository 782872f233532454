#define _GNU_SOURCE
#include "lab.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int attach(const char *device) {
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    if (strlen(device) >= sizeof request.ifr_name) return errno = ENAMETOOLONG, -1;
    strcpy(request.ifr_name, device);
    int number = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (number < 0 || ioctl(number, TUNSETIFF, &request) == 0) return number;
    int reason = errno;
    close(number);
    errno = reason;
    return -1;
}

// A namespace belongs to a thread, and this one returns to its own.
int lab_open_tap(const char *space, const char *device) {
    int home = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    int away = open(space, O_RDONLY | O_CLOEXEC);
    int number = -1, reason = errno;
    if (home >= 0 && away >= 0) {
        number = setns(away, CLONE_NEWNET) == 0 ? attach(device) : -1;
        reason = errno;
        // A thread that is lost in a network of the lab must not go on.
        if (setns(home, CLONE_NEWNET) != 0) _exit(71);
    }
    close(home);
    close(away);
    errno = reason;
    return number;
}
