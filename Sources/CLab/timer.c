// Timers on a host of the lab whose wall clock was set.
//
// libfaketime takes every absolute timer for one of the wall clock. Those of Dispatch are of the
// monotonic clock, and would be late, or fire again and again, by as much as the wall clock was
// set. The linker prefers this function, as it is the executable's own.
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int timerfd_settime(int timer, int flags, const struct itimerspec *value,
                    struct itimerspec *before) {
    return (int)syscall(SYS_timerfd_settime, timer, flags, value, before);
}
