package io.hdrsidecar.tests.chaos;

/** What is done to a process or a connection, and how often among all faults. */
enum FaultKind {
  /** {@code kill -9}; a new process starts on the same journal after a while. */
  KILL_SIDECAR("kill sidecar", Target.SIDECAR, 7, 0, 1500),
  /** SIGSTOP, and SIGCONT after a while. */
  STOP_SIDECAR("stop sidecar", Target.SIDECAR, 3, 200, 5000),
  /** SIGTERM, and a new process once it has ended. */
  RESTART_SIDECAR("restart sidecar", Target.SIDECAR, 3, 0, 0),
  /** OutOfMemoryErrors on any thread until the process ends, and a new one. */
  FILL_SIDECAR("fill sidecar", Target.SIDECAR, 3, 0, 0),

  /** {@code kill -9}; a new process with a new instance takes its place. */
  KILL_CLIENT("kill client", Target.CLIENT, 8, 0, 0),
  /** SIGSTOP, and SIGCONT after a while. */
  STOP_CLIENT("stop client", Target.CLIENT, 7, 200, 5000),
  /** SIGTERM, and a new process once it has ended. */
  RESTART_CLIENT("restart client", Target.CLIENT, 6, 0, 0),

  /** The connection ends, at once or within a frame, by FIN or by RST. */
  CUT("cut", Target.WIRE, 30, 0, 0),
  /** Bytes vanish or are held back, one way or both; then the connection ends. */
  HALF_OPEN("half-open", Target.WIRE, 20, 200, 5000),
  /** The other end reads a few kilobytes a second. */
  SLOW("slow", Target.WIRE, 16, 200, 3000);

  /** Faults of one target of one client follow each other; those of different ones overlap. */
  enum Target {
    /** The sidecar's process. */
    SIDECAR,
    /** One of the clients' processes. */
    CLIENT,
    /** The connection of one of the clients. */
    WIRE
  }

  private final String label;
  private final Target target;
  private final int weight;
  private final int minMillis;
  private final int maxMillis;

  FaultKind(String label, Target target, int weight, int minMillis, int maxMillis) {
    this.label = label;
    this.target = target;
    this.weight = weight;
    this.minMillis = minMillis;
    this.maxMillis = maxMillis;
  }

  /** As in the closing line. */
  String label() {
    return label;
  }

  Target target() {
    return target;
  }

  /** Its share among all faults, of {@link #totalWeight}. */
  int weight() {
    return weight;
  }

  /** Shortest duration; 0 when it takes no time of its own. */
  int minMillis() {
    return minMillis;
  }

  /** Longest duration. */
  int maxMillis() {
    return maxMillis;
  }

  static int totalWeight() {
    int total = 0;
    for (FaultKind kind : values()) {
      total += kind.weight;
    }
    return total;
  }
}
