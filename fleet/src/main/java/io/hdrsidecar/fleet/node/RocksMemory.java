package io.hdrsidecar.fleet.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The memory of all stores of a node, beside the heap: one cache for what is read, and in it what
 * is written and not yet in files. Without a bound of their own each store of each partition would
 * take some 100 MB.
 */
final class RocksMemory implements AutoCloseable {
  /** Where the setter below finds it. */
  static final String KEY = "hdr.sidecar.rocks.memory";

  private static final double BITS_PER_KEY = 10;
  private static final long LEAST_BUFFER_BYTES = 64 << 10;
  private static final long MOST_BUFFER_BYTES = 4 << 20;

  /**
   * Files of a store that are not yet joined. Stores are written far more than read: each record is
   * copied less often when more files are joined at a time.
   */
  private static final int FILES_TO_JOIN = 8;

  /** Of a write buffer: what a store takes of the memory at a time. */
  private static final int ARENA_BLOCKS = 16;

  static {
    RocksDB.loadLibrary();
  }

  private final Cache cache;
  private final WriteBufferManager buffers;
  private final Map<String, BloomFilter> filters = new ConcurrentHashMap<>();
  private final long bufferBytes;

  /**
   * Half of it is for what is written, in equal parts: were stores to share it, then with all of it
   * taken each store would make a file of each record that it is given, however full the others
   * are. A buffer that becomes a file has a second one beside it for that time. Were all to do so
   * at once, nothing would be left for what is read.
   *
   * @param stores that there may be
   */
  RocksMemory(long bytes, int stores) {
    this.cache = new LRUCache(bytes);
    this.buffers = new WriteBufferManager(bytes, cache);
    this.bufferBytes =
        Math.max(LEAST_BUFFER_BYTES, Math.min(MOST_BUFFER_BYTES, bytes / 2 / stores));
  }

  private void use(String store, Options options) {
    BlockBasedTableConfig tables = (BlockBasedTableConfig) options.tableFormatConfig();
    tables
        .setBlockCache(cache)
        .setCacheIndexAndFilterBlocks(true)
        .setPinL0FilterAndIndexBlocksInCache(true)
        .setFilterPolicy(filters.computeIfAbsent(store, s -> new BloomFilter(BITS_PER_KEY)));
    options
        .setTableFormatConfig(tables)
        .setWriteBufferManager(buffers)
        .setWriteBufferSize(bufferBytes)
        .setMaxWriteBufferNumber(2)
        .setLevel0FileNumCompactionTrigger(FILES_TO_JOIN)
        .setArenaBlockSize(bufferBytes / ARENA_BLOCKS)
        .setCompressionType(CompressionType.LZ4_COMPRESSION);
  }

  /** After the last store. */
  @Override
  public void close() {
    filters.values().forEach(BloomFilter::close);
    buffers.close();
    cache.close();
  }

  /** Made by Kafka Streams, for each store. */
  public static final class Setter implements RocksDBConfigSetter {
    /** By its name. */
    public Setter() {}

    @Override
    public void setConfig(String store, Options options, Map<String, Object> configs) {
      if (configs.get(KEY) instanceof RocksMemory memory) {
        memory.use(store, options);
      } else {
        throw new IllegalStateException(KEY + " must be set");
      }
    }

    @Override
    public void close(String store, Options options) {}
  }
}
