package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** As many stores as a node has that is alone, in the memory that they have by default. */
final class RocksMemoryTest {
  private static final int STORES = 4 * 16;
  private static final long STORE_MEMORY = 64 << 20;
  private static final int RECORDS = 100;

  @TempDir Path folder = Path.of("");

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<RocksDB> stores = new ArrayList<>();

  private void open(RocksMemory memory) throws RocksDBException {
    for (int i = 0; i < STORES; i++) {
      Options options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
      options.setTableFormatConfig(new BlockBasedTableConfig());
      new RocksMemory.Setter()
          .setConfig("store-" + i % 4, options, Map.of(RocksMemory.KEY, memory));
      RocksDB store = RocksDB.open(options, folder.resolve("store-" + i).toString());
      open.add(store);
      open.add(options);
      stores.add(store);
    }
  }

  private static void put(RocksDB store, long record) throws RocksDBException {
    byte[] key = ByteBuffer.allocate(8).putLong(record).array();
    try (WriteOptions options = new WriteOptions().setDisableWAL(true)) { // As Kafka Streams does.
      store.put(options, key, new byte[500]);
    }
  }

  private void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** 3 MB in all: far less than would have to be in files. */
  @Test
  void fewRecordsInEachStore_stayInMemory() throws Exception {
    try (RocksMemory memory = new RocksMemory(STORE_MEMORY, STORES)) {
      open(memory);
      for (int record = 0; record < RECORDS; record++) {
        for (RocksDB store : stores) {
          put(store, record);
        }
      }
      for (RocksDB store : stores) {
        assertThat(store.getLongProperty("rocksdb.num-immutable-mem-table")).isZero();
        assertThat(store.getProperty("rocksdb.num-files-at-level0")).isEqualTo("0");
      }
      close();
    }
  }

  /**
   * Most stores have written a little, and some write much: 10 MB each. A file is made when a store
   * has its part of the memory, half a MiB, so there are some 20, and not one for each record.
   */
  @Test
  void someStoresThatWriteMuch_makeFewFiles() throws Exception {
    try (RocksMemory memory = new RocksMemory(STORE_MEMORY, STORES)) {
      open(memory);
      for (RocksDB store : stores) {
        for (int record = 0; record < 900; record++) {
          put(store, record);
        }
      }
      for (RocksDB store : stores.subList(0, 4)) {
        for (int record = 0; record < 20_000; record++) {
          put(store, record);
        }
        long files = Long.parseLong(store.getProperty("rocksdb.num-files-at-level0"));
        assertThat(files).isBetween(10L, 40L);
      }
      close();
    }
  }
}
