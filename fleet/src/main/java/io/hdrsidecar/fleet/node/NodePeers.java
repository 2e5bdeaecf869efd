package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.route.FleetSeriesSource;
import io.hdrsidecar.fleet.route.HeldPartitions;
import io.hdrsidecar.fleet.route.PeerAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.jspecify.annotations.Nullable;

/** Which node has which partitions, as Kafka Streams tells all of them. Any thread. */
final class NodePeers implements FleetSeriesSource.Placement {
  private static final List<String> ANY = List.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

  private final FleetView view;
  private final Supplier<String> trouble;
  private volatile @Nullable KafkaStreams streams;
  private volatile @Nullable PeerAddress own;

  /**
   * Nobody is known yet.
   *
   * @param trouble why this node does not have all that it should, for people; empty if it has
   */
  NodePeers(FleetView view, Supplier<String> trouble) {
    this.view = view;
    this.trouble = trouble;
  }

  /** From now on these say who is there; they know this node by its address. */
  void use(KafkaStreams running, PeerAddress address) {
    own = address;
    streams = running;
  }

  /** Where others ask a node that is told nothing else. */
  static PeerAddress address(String httpHost, int httpPort) throws UnknownHostException {
    return new PeerAddress(
        ANY.contains(httpHost) ? InetAddress.getLocalHost().getHostName() : httpHost, httpPort);
  }

  @Override
  public HeldPartitions held() {
    return view.held();
  }

  @Override
  public String trouble() {
    return trouble.get();
  }

  @Override
  public List<PeerAddress> others() {
    KafkaStreams running = streams;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running.metadataForAllStreamsClients().stream()
        .filter(each -> !each.topicPartitions().isEmpty())
        .map(StreamsMetadata::hostInfo)
        .map(host -> new PeerAddress(host.host(), host.port()))
        .filter(each -> !each.equals(own))
        .distinct()
        .sorted(Comparator.comparing(PeerAddress::toString))
        .toList();
  }
}
