package io.hdrsidecar.sidecar.conformance;

/** What a client promises. Each is judged in many cases, and has one row in the table. */
enum Law {
  EXACTLY_ONCE(
      "exactly once",
      "INTERVAL (4)",
      "Count each value in one interval, and keep count, sum, minimum and maximum beside the"
          + " buckets, exactly."),
  NUMBERS(
      "numbers",
      "The life of a connection",
      "Number intervals 1, 2, 3, ... within the instance, across all series and connections, and"
          + " give no number a second content."),
  RESEND(
      "resend",
      "The life of a connection",
      "Keep each interval until an ACK or WELCOME covers its number. After a reconnect drop what"
          + " WELCOME covers, and send all others again, lowest number first."),
  FRAMES(
      "frames",
      "Frame",
      "Write frames as the section draws them: length, type, 0, check of the header, body, CRC-32C;"
          + " strings with their length in bytes of UTF-8."),
  HELLO(
      "hello",
      "HELLO (1)",
      "Begin each connection with HELLO: the magic, version 1, the instance, common labels, the"
          + " token."),
  INSTANCE(
      "instance",
      "The life of a connection",
      "Make 16 random bytes when the client starts, and keep them across connections until it"
          + " ends."),
  SERIES(
      "series",
      "SERIES (3)",
      "Declare a series on each connection before its first interval there, with the unit, digits,"
          + " range and labels it was made with."),
  PAYLOAD(
      "payload",
      "INTERVAL (4)",
      "Let count, minimum and maximum agree with the buckets of the payload, and write the payload"
          + " in the configuration of its series; times are milliseconds since the epoch."),
  WISH(
      "payload form",
      "WELCOME (2)",
      "Write payloads raw (1c849313) where WELCOME asks for level 0, else deflated (1c849314)."),
  IN_FLIGHT_LIMIT(
      "in-flight limit",
      "The life of a connection",
      "Send no more intervals than WELCOME allows before they are settled; add to what waits"
          + " instead."),
  LONGEST_BODY(
      "longest body",
      "Limits",
      "Send an interval whose body would be longer than WELCOME allows in several, each with a range"
          + " of its buckets."),
  REFUSED_CONNECTION(
      "refused connection",
      "REJECT (6)",
      "After a REJECT of the connection send nothing more on it, close it, and come back with what is"
          + " not settled, also for reasons that are unknown."),
  REFUSED_SERIES(
      "refused series",
      "REJECT (6)",
      "After a REJECT of a series send no interval of it on this connection; other series go on."),
  REFUSED_INTERVAL(
      "refused interval",
      "REJECT (6)",
      "Forget an interval that is refused, and count it as lost; never send it again."),
  DAMAGE(
      "damaged answers",
      "Frame",
      "Check header, length, CRC-32C and type before acting on an answer. If one is wrong, close the"
          + " connection and connect again."),
  IMPOSSIBLE(
      "impossible answers",
      "At the edges",
      "Believe no number that was never sent: after such an ACK connect again, after such a WELCOME"
          + " go on as a new instance without what was sent and not settled."),
  LATER_VERSIONS(
      "later versions",
      "Versions",
      "Skip bytes behind the fields you know, and treat unknown reasons by their scope."),
  SILENCE(
      "silence",
      "The life of a connection",
      "Give up a connection on which an answer is owed for too long, and connect again."),
  BACK_OFF(
      "back-off",
      "The life of a connection",
      "Wait before connecting again, longer after each failure, up to a longest wait."),
  GOODBYE("goodbye", "GOODBYE (7)", "Send GOODBYE after the last interval, and nothing after it."),
  END(
      "end",
      "The life of a connection",
      "End when all is settled or the time for closing is over, whatever the sidecar does."),
  SPILL(
      "spill file",
      "Spill files",
      "Leave what could not be delivered in a whole file that the section draws; what was sent keeps"
          + " its number."),
  TLS(
      "TLS",
      "Transport",
      "Check the certificate against the host and the authorities you were given before you send"
          + " anything.");

  private final String title;
  private final String section;
  private final String advice;

  Law(String title, String section, String advice) {
    this.title = title;
    this.section = section;
    this.advice = advice;
  }

  /** What the table calls it. */
  String title() {
    return title;
  }

  /** The section of PROTOCOL.md that says it. */
  String section() {
    return section;
  }

  /** What a client has to do. */
  String advice() {
    return advice;
  }
}
