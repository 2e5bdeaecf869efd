import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.schedule.OpenLoad;
import io.hdrsidecar.client.schedule.Schedule;
import io.hdrsidecar.client.schedule.ScheduledCall;
import io.hdrsidecar.client.schedule.ScheduledRecorder;
import io.hdrsidecar.series.Labels;

public class OpenLoadMain {
  public static void main(String[] args) throws InterruptedException {
    try (HdrSidecarClient client = HdrSidecarClient.fromEnvironment()) {
      ScheduledRecorder pay = ScheduledRecorder.of(client, "pay", Labels.empty());
      OpenLoad.of(Schedule.fixedRate(1_000)) // 1,000 calls a second, whatever happens
          .run(
              500,
              intendedStart -> {
                try (ScheduledCall call = pay.begin(intendedStart)) {
                  Math.sqrt(2);
                }
              });
    }
  }
}
