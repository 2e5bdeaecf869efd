package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What one broker with KRaft needs: a folder, and ports. Clients may come by several ways, each
 * with an address of its own, which leads to a port of the broker.
 */
final class BrokerFiles {
  private static final String LOOPBACK = "127.0.0.1:";

  private BrokerFiles() {}

  /**
   * Writes the file of properties of a broker whose folder is beside it.
   *
   * @param controller the port on which it speaks with itself
   * @param listening ports at which clients arrive
   * @param entered port at which clients enter the way to each of these; the same if there is none
   */
  static Path write(Path folder, int controller, List<Integer> listening, List<Integer> entered)
      throws IOException {
    List<String> listeners = new ArrayList<>(List.of("CONTROLLER://" + LOOPBACK + controller));
    List<String> advertised = new ArrayList<>();
    List<String> protocols = new ArrayList<>(List.of("CONTROLLER:PLAINTEXT"));
    for (int i = 0; i < listening.size(); i++) {
      listeners.add("WAY" + i + "://" + LOOPBACK + listening.get(i));
      advertised.add("WAY" + i + "://" + LOOPBACK + entered.get(i));
      protocols.add("WAY" + i + ":PLAINTEXT");
    }
    Properties properties = new Properties();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", "0");
    properties.put("controller.quorum.voters", "0@" + LOOPBACK + controller);
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("listeners", String.join(",", listeners));
    properties.put("advertised.listeners", String.join(",", advertised));
    properties.put("listener.security.protocol.map", String.join(",", protocols));
    properties.put("inter.broker.listener.name", "WAY0");
    properties.put("log.dirs", folder.resolve("kafka").toString());
    properties.put("offsets.topic.replication.factor", "1");
    properties.put("offsets.topic.num.partitions", "4");
    properties.put("transaction.state.log.replication.factor", "1");
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("transaction.state.log.num.partitions", "4");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("auto.create.topics.enable", "false");
    Path file = folder.resolve("broker.properties");
    try (var writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    }
    return file;
  }
}
