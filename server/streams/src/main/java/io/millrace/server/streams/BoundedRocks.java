package io.millrace.server.streams;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/** All stores of the process share one block cache and one budget of write buffers. */
public final class BoundedRocks implements RocksDBConfigSetter {
  /** Configuration key: bytes of memory for all stores together. */
  static final String BYTES_CONFIG = "millrace.rocksdb.bytes";

  static final long BYTES_DEFAULT = 256L << 20;
  private static final long WRITE_BUFFER_BYTES = 8L << 20;

  private static final long ARENA_BYTES = 64L << 10;

  static final int LOG_FILES = 2;
  static final long LOG_BYTES = 1L << 20;

  private static Shared shared;

  private record Shared(Cache cache, WriteBufferManager buffers) {}

  // Kafka Streams makes one instance for each store and offers no other place for what they share.
  private static synchronized Shared shared(Map<String, Object> configs) {
    if (shared == null) {
      RocksDB.loadLibrary();
      Object bytes = configs.getOrDefault(BYTES_CONFIG, BYTES_DEFAULT);
      long all = Long.parseLong(String.valueOf(bytes));
      Cache cache = new LRUCache(all);
      shared = new Shared(cache, new WriteBufferManager(all / 2, cache));
    }
    return shared;
  }

  @Override
  public void setConfig(String store, Options options, Map<String, Object> configs) {
    Shared all = shared(configs);
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(all.cache());
    table.setCacheIndexAndFilterBlocks(true);
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(all.buffers());
    options.setWriteBufferSize(WRITE_BUFFER_BYTES);
    options.setMaxWriteBufferNumber(2);
    // An eighth of the buffer otherwise, in each of some sixty stores, most of them almost empty.
    options.setArenaBlockSize(ARENA_BYTES);
    // Sixteen threads by default, made and ended for the few files of each of the sixty.
    options.setMaxFileOpeningThreads(1);
    // Its own log, a new one at each opening: a thousand old ones of any size without this.
    options.setKeepLogFileNum(LOG_FILES);
    options.setMaxLogFileSize(LOG_BYTES);
  }

  @Override
  public void close(String store, Options options) {
    // The shared cache and budget live as long as the process.
  }
}
