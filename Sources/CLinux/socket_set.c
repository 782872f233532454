#define _GNU_SOURCE
#include "CLinux.h"

#include <stddef.h>
#include <sys/epoll.h>
#include <time.h>

enum { events_max = 64 };

int parley_set_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

int parley_set_watch(int set, int number, unsigned long tag, bool reads, bool writes, bool is_new) {
    struct epoll_event event = {.data.u64 = tag};
    event.events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0);
    return epoll_ctl(set, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, number, &event);
}

void parley_set_forget(int set, int number) { epoll_ctl(set, EPOLL_CTL_DEL, number, NULL); }

int parley_set_wait(int set, struct parley_event *events, int count, long nanoseconds) {
    struct epoll_event found[events_max];
    struct timespec wait = {.tv_nsec = nanoseconds};
    // A kernel before 5.11 does not know the call, and libdispatch waits instead.
    int number = nanoseconds > 0
        ? epoll_pwait2(set, found, count < events_max ? count : events_max, &wait, NULL)
        : epoll_wait(set, found, count < events_max ? count : events_max, 0);
    for (int i = 0; i < number; i++) {
        events[i] = (struct parley_event){
            .tag = found[i].data.u64,
            .is_readable = found[i].events & EPOLLIN,
            .is_writable = found[i].events & EPOLLOUT,
            .is_over = found[i].events & (EPOLLHUP | EPOLLERR),
        };
    }
    return number > 0 ? number : 0;
}
