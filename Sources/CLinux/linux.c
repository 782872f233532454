#define _GNU_SOURCE
#include "CLinux.h"

#include <malloc.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

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
