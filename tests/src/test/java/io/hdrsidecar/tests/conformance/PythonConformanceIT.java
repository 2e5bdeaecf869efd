package io.hdrsidecar.tests.conformance;

import io.hdrsidecar.tests.support.ClientCommands;
import io.hdrsidecar.tests.support.RequiresPrograms;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The Python client in front of the conformance kit; and the same with one mistake each, which the
 * kit has to find: what a judge is worth is what fails before it.
 */
@RequiresPrograms("python3")
@Execution(ExecutionMode.CONCURRENT)
final class PythonConformanceIT {
  @Test
  void pythonClient_keepsAllLaws() throws Exception {
    KitRun.of(List.of(), ClientCommands.python("conformance_client.py")).assertPassed();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource({
    "new-numbers-at-reconnect, ack-lost, exactly once",
    "new-numbers-at-reconnect, killed, resend",
    "forgets-at-reconnect, killed, resend",
    "uses-numbers-again, killed, numbers",
    "replaces-what-waits, in-flight-1, exactly once",
    "resends-what-is-settled, ack-lost, resend",
    "ignores-the-limit, in-flight-3, in-flight limit",
    "ignores-the-longest-body, longest-body, longest body",
    "ignores-the-wish, raw, payload form",
    "rounds-the-sum, plain, exactly once",
    "says-seconds, plain, payload",
    "counts-in-the-next-bucket, plain, payload",
    "damages-frames, unix, frames",
    "forgets-the-token, token, hello",
    "takes-a-new-instance, killed, instance",
    "declares-series-once, killed, series",
    "ignores-a-refused-connection, refused-later, refused connection",
    "ignores-a-refused-series, refused-series, refused series",
    "sends-a-refused-interval-again, refused-intervals, refused interval",
    "believes-damaged-frames, damaged-ack, damaged answers",
    "believes-any-number, ack-too-high, impossible answers",
    "chokes-on-what-is-new, later-versions, later versions",
    "waits-for-ever, silent-ack, silence",
    "comes-back-at-once, back-off, back-off",
    "says-no-goodbye, goodbye-unanswered, goodbye",
    "speaks-behind-goodbye, goodbye-unanswered, goodbye",
    "never-ends, never-there, end",
    "leaves-half-a-file, spill-in-flight, spill file",
    "leaves-new-numbers, spill-in-flight, resend",
    "trusts-anyone, tls-stranger, TLS",
  })
  void clientWithAMistake_breaksTheLaw(String mistake, String played, String law) throws Exception {
    List<String> options = List.of("--case=" + played, "--seed=7", "--limit=20");

    List<String> client = new ArrayList<>(ClientCommands.python("broken_client.py"));
    client.add(mistake);
    KitRun.of(options, client).assertBroken(law);
  }
}
