package io.hdrsidecar.fleet.demo;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongBinaryOperator;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Asks the JVM of a node what it does not show, which costs it next to nothing. */
final class JvmProbe implements AutoCloseable {
  private static final String STORES = "kafka.streams:type=stream-state-metrics,*";
  private static final String THREADS = "kafka.streams:type=stream-thread-metrics,*";
  private static final String TOPICS =
      "kafka.consumer:type=consumer-fetch-manager-metrics,topic=hdr.intervals,*";

  /**
   * Memory in bytes.
   *
   * @param liveHeap on the heap after a full collection
   * @param stores what all stores of a node have beside it: blocks read and written, and readers
   * @param resident of the whole process, by the kernel, before that collection
   */
  record Memory(long liveHeap, long stores, long resident) {}

  private final long pid;
  private final JMXConnector connector;
  private final MBeanServerConnection jvm;

  /** Attaches to a process of this user's, which it has started: no stranger answers. */
  @SuppressWarnings("BanJNDI")
  JvmProbe(ProcessHandle process) throws FleetException {
    this.pid = process.pid();
    try {
      VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
      try {
        connector =
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        jvm = connector.getMBeanServerConnection();
      } finally {
        machine.detach();
      }
    } catch (IOException | AttachNotSupportedException e) {
      throw new FleetException("cannot attach to process " + pid + ": " + e);
    }
  }

  /** Time on processors of a process so far, in nanoseconds; the kernel counts by 10 ms. */
  static long cpuNanos(ProcessHandle process) throws FleetException {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new FleetException("process " + process.pid() + " has ended"))
        .toNanos();
  }

  /** Intervals that the node has read from the topic. */
  long intervalsRead() throws FleetException {
    return sum(TOPICS, "records-consumed-total", Long::sum);
  }

  /** How long its longest commit of the last minute took, in milliseconds. */
  long longestCommitMillis() throws FleetException {
    return sum(THREADS, "commit-latency-max", Math::max);
  }

  /** Has it collect, and measures. */
  Memory memory() throws FleetException {
    try {
      long resident = resident();
      MemoryMXBean memory =
          ManagementFactory.newPlatformMXBeanProxy(
              jvm, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
      memory.gc();
      long live = memory.getHeapMemoryUsage().getUsed();
      // One cache for all stores, in which is what is written and not in files, too.
      long cache = sum(STORES, "block-cache-usage", Math::max);
      long readers = sum(STORES, "estimate-table-readers-mem", Long::sum);
      return new Memory(live, cache + readers, resident);
    } catch (IOException e) {
      throw new FleetException("cannot ask process " + pid + ": " + e);
    }
  }

  private long sum(String beans, String attribute, LongBinaryOperator together)
      throws FleetException {
    try {
      long all = 0;
      for (ObjectName bean : jvm.queryNames(new ObjectName(beans), null)) {
        // Some of these beans have other attributes alone; those are left out here.
        for (Attribute found : jvm.getAttributes(bean, new String[] {attribute}).asList()) {
          if (found.getValue() instanceof Number value) {
            all = together.applyAsLong(all, value.longValue());
          }
        }
      }
      return all;
    } catch (IOException | JMException e) {
      throw new FleetException("cannot ask process " + pid + ": " + e);
    }
  }

  private long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum()
        << 10;
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
