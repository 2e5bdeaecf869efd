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
  private static final long WRITE_BUFFER_BYTES = 4 << 20;

  /**
   * What a store takes of the memory at a time. By default it is an eighth of the write buffer: the
   * 64 stores of 16 partitions then fill all there is as soon as each has one record, and each
   * further record makes a file.
   */
  private static final long ARENA_BLOCK_BYTES = 32 << 10;

  static {
    RocksDB.loadLibrary();
  }

  private final Cache cache;
  private final WriteBufferManager buffers;
  private final Map<String, BloomFilter> filters = new ConcurrentHashMap<>();

  RocksMemory(long bytes) {
    this.cache = new LRUCache(bytes);
    this.buffers = new WriteBufferManager(bytes / 2, cache);
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
        .setWriteBufferSize(WRITE_BUFFER_BYTES)
        .setArenaBlockSize(ARENA_BLOCK_BYTES)
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
