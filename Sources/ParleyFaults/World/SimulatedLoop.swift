package import ParleyCore

/// The event loop of a node: inputs that wait for the next round, the timer, and the events that
/// wait while the process is suspended.
package struct SimulatedLoop {
    /// A crash after a number of further effects, with the time until the next start; without a
    /// time, the node waits for an explicit start.
    package struct Crash {
        package var steps: Int
        package var down: Interval?

        package init(steps: Int, down: Interval? = nil) {
            self.steps = steps
            self.down = down
        }
    }

    /// Whether the process is suspended.
    package private(set) var isPaused = false
    private var held: [World.Event] = []
    /// Inputs from connections that wait for the next round.
    private var gathered: [NodeInput] = []
    /// The number of the armed timer.
    private var timer = 0
    /// When the machine wants its timer; the armed timer fires at that time or earlier.
    private var timerDue: Moment?
    private var timerArmed: Moment?
    package var crash: Crash?

    package init() {}

    // MARK: Rounds

    /// Adds inputs for the next round; returns whether they are the first.
    package mutating func gather(_ inputs: [NodeInput]) -> Bool {
        defer { gathered += inputs }
        return gathered.isEmpty
    }

    /// The inputs of a round: the gathered ones, then these.
    package mutating func round(_ news: [NodeInput]) -> [NodeInput] {
        guard !gathered.isEmpty else { return news }
        defer { gathered = [] }
        return gathered + news
    }

    // MARK: Pauses

    /// Suspends the process.
    package mutating func pause() { isPaused = true }

    /// Holds an event back while the process is suspended; returns whether it did.
    package mutating func holds(_ event: World.Event) -> Bool {
        if isPaused { held.append(event) }
        return isPaused
    }

    /// Continues the process; returns the events that were held back.
    package mutating func resume() -> [World.Event] {
        defer { held = [] }
        isPaused = false
        return held
    }

    // MARK: The timer

    /// Sets the time for the machine's timer; returns the number of a timer to be armed for that
    /// time.
    ///
    /// An armed timer that fires earlier stays, as deadlines often move later.
    package mutating func wantTimer(at due: Moment?) -> Int? {
        timerDue = due
        guard let due else { return nil }
        if let timerArmed, timerArmed <= due { return nil }
        return arm(at: due)
    }

    private mutating func arm(at due: Moment) -> Int {
        timerArmed = due
        timer += 1
        return timer
    }

    /// The result of a timer that fires.
    package enum Firing: Equatable {
        /// The machine gets its timer.
        case timer
        /// The timer is wanted later: the number is to be armed for the time.
        case later(Int, Moment)
    }

    /// Fires a timer; nil if another one was armed meanwhile, or the machine wants none.
    package mutating func fire(_ number: Int, at now: Moment) -> Firing? {
        guard number == timer else { return nil }
        timerArmed = nil
        return timerDue.map { $0 > now ? .later(arm(at: $0), $0) : .timer }
    }

    // MARK: Processes

    /// Counts an effect; returns the crash that comes before it.
    package mutating func crashBeforeStep() -> Crash? {
        guard let present = crash else { return nil }
        crash?.steps -= 1
        guard present.steps == 0 else { return nil }
        crash = nil
        return present
    }

    /// Begins a process; a planned crash stays.
    package mutating func restart() {
        gathered = []
        timerDue = nil
        timerArmed = nil
        timer += 1
    }

    /// Ends a process.
    package mutating func end() {
        isPaused = false
        held = []
        crash = nil
    }
}
