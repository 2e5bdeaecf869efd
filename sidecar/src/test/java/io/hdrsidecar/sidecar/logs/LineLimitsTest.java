package io.hdrsidecar.sidecar.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LineLimitsTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final LineLimits limits = new LineLimits(nanos::get);

  private static LogRecord log(String template, Object... values) {
    LogRecord log = new LogRecord(Level.SEVERE, template);
    log.setLoggerName("io.hdrsidecar.sidecar.http.Failures");
    log.setParameters(values);
    return log;
  }

  private long written(int times, String template, Object... values) {
    return LongStream.range(0, times).filter(i -> limits.admit(log(template, values)) >= 0).count();
  }

  @Test
  void admit_oneKindWithoutEnd_twentyAndThenOneASecond() {
    assertThat(written(1000, "event=request_failed path={0}", "/x")).isEqualTo(20);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
    assertThat(written(1000, "event=request_failed path={0}", "/y")).isZero();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(limits.admit(log("event=request_failed"))).isEqualTo(1980);
    assertThat(limits.admit(log("event=request_failed"))).isNegative();
    nanos.addAndGet(TimeUnit.DAYS.toNanos(1));
    assertThat(limits.admit(log("event=request_failed"))).isEqualTo(1);
    assertThat(written(1000, "event=request_failed")).isEqualTo(19);
    assertThat(limits.leftOut()).isEqualTo(1980 + 1 + 981);
  }

  @Test
  void admit_otherEventsAndLibraries_haveTheirOwnPlaces() {
    written(1000, "event=request_failed path={0}", "/x");

    assertThat(limits.admit(log("event=reloaded changed={0}", 1))).isZero();
    assertThat(limits.admit(log("event={0} rule={1}", "sla_broken", "a"))).isZero();
    assertThat(written(30, "event={0} rule={1}", "sla_met", "a")).isEqualTo(20);
    assertThat(written(30, "Unhandled exception")).isEqualTo(20);
  }

  @Test
  void admit_lifeOfTheProcess_isAlwaysTold() {
    for (String event : new String[] {"starting version={0}", "stopping", "stopped"}) {
      assertThat(written(100, "event=" + event)).isEqualTo(100);
    }
  }

  @Test
  void admit_moreKindsThanAre_shareTheLastPlaces() {
    for (int i = 0; i < 10_000; i++) {
      limits.admit(log("event={0}", "made_up_" + i));
    }

    assertThat(limits.leftOut()).isEqualTo(10_000 - 256 - 20);
  }

  @Test
  void line_afterOthersWereLeftOut_saysHowMany() {
    LogRecord log = log("event=request_failed path={0} it will be asked again", "/x");
    log.setMessage(log.getMessage() + " suppressed=12");

    assertThat(new LogfmtLines().format(log))
        .endsWith("path=/x suppressed=12 msg=\"it will be asked again\"\n");
    assertThat(new JsonLines().format(log)).contains("\"suppressed\":12,");
  }
}
