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

/** As many stores as a node has that is alone, in the memory that they have by default. */
final class RocksMemoryTest {
  private static final int STORES = 4 * 16;
  private static final long STORE_MEMORY = 64 << 20;
  private static final int RECORDS = 100;

  @TempDir Path folder = Path.of("");

  /** 3 MB in all: far less than would have to be in files. */
  @Test
  void fewRecordsInEachStore_stayInMemory() throws Exception {
    List<AutoCloseable> open = new ArrayList<>();
    try (RocksMemory memory = new RocksMemory(STORE_MEMORY)) {
      List<RocksDB> stores = new ArrayList<>();
      for (int i = 0; i < STORES; i++) {
        Options options = new Options().setCreateIfMissing(true);
        options.setTableFormatConfig(new BlockBasedTableConfig());
        new RocksMemory.Setter()
            .setConfig("store-" + i % 4, options, Map.of(RocksMemory.KEY, memory));
        RocksDB store = RocksDB.open(options, folder.resolve("store-" + i).toString());
        open.add(store);
        open.add(options);
        stores.add(store);
      }
      for (int record = 0; record < RECORDS; record++) {
        for (RocksDB store : stores) {
          store.put(ByteBuffer.allocate(8).putLong(record).array(), new byte[500]);
        }
      }
      for (RocksDB store : stores) {
        assertThat(store.getLongProperty("rocksdb.num-immutable-mem-table")).isZero();
        assertThat(store.getProperty("rocksdb.num-files-at-level0")).isEqualTo("0");
      }
      for (AutoCloseable each : open) {
        each.close();
      }
    }
  }
}
