// The main thread of a program runs the main queue.
//
// On Linux a program whose `main` is asynchronous ends its main thread with `dispatch_main`, and any
// thread of Dispatch then runs the work of the main queue. Code for Apple's systems asks
// `Thread.isMainThread` before it waits for the main queue; where the answer is wrong on that queue,
// it waits for itself, which ends the process. A run loop also fires the timers of the main thread.

typedef __attribute__((swiftcall)) void (*drain)(void);

/// Called by the main function of a program in place of `dispatch_main`, if it is set. It never
/// returns.
extern __attribute__((swiftcall)) void (*swift_task_asyncMainDrainQueue_hook)(drain, drain);

/// The run loop of Foundation; a program without Foundation has none.
extern __attribute__((weak)) void CFRunLoopRun(void);

static __attribute__((swiftcall)) void run_main_thread(drain original, drain replaced) {
    (void)replaced;
    if (!CFRunLoopRun) original();
    // A run loop that is stopped by the code of an app goes on.
    for (;;) CFRunLoopRun();
}

/// Runs before `main`, which reads the hook at once.
static __attribute__((constructor)) void keep_main_thread(void) {
    if (!swift_task_asyncMainDrainQueue_hook) swift_task_asyncMainDrainQueue_hook = run_main_thread;
}
