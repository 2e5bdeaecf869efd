package io.hdrsidecar.fleet.gateway;

import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Something to be produced. */
interface Outgoing extends Callback {
  /** As the producer wants it, once. Sending thread. */
  ProducerRecord<byte[], byte[]> toSend(ProducerRun by);

  /** It will never be sent, or could not be. Sending thread. */
  default void discard() {}
}
