package io.millrace.server.streams;

import java.util.Collections;
import java.util.Map;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * A store without content that is told when Kafka Streams is about to commit the task, so that the
 * shard can write what changed since the last commit, once, however often it changed. Any other
 * place would be too early (each command) or too late (the commit may be asked for by a neighbour
 * on the same thread).
 */
final class WriteBehind implements StateStore, CachedStateStore<byte[], byte[]> {
  static final String NAME = "write-behind";

  private Runnable flush = () -> {};
  private boolean open;

  /** What is to be done before each commit. */
  void beforeCommit(Runnable flush) {
    this.flush = flush;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    context.register(root, (key, value) -> {});
    open = true;
  }

  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public void flushCache() {
    flush.run();
  }

  /** The task is recycled; commands that were not committed are decided again. */
  @Override
  public void clearCache() {
    flush = () -> {};
  }

  @Override
  public void close() {
    open = false;
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** Registers the store without a changelog. */
  static StoreBuilder<WriteBehind> builder() {
    return new StoreBuilder<>() {
      @Override
      public StoreBuilder<WriteBehind> withCachingEnabled() {
        return this;
      }

      @Override
      public StoreBuilder<WriteBehind> withCachingDisabled() {
        return this;
      }

      @Override
      public StoreBuilder<WriteBehind> withLoggingEnabled(Map<String, String> config) {
        return this;
      }

      @Override
      public StoreBuilder<WriteBehind> withLoggingDisabled() {
        return this;
      }

      @Override
      public WriteBehind build() {
        return new WriteBehind();
      }

      @Override
      public Map<String, String> logConfig() {
        return Collections.emptyMap();
      }

      @Override
      public boolean loggingEnabled() {
        return false;
      }

      @Override
      public String name() {
        return NAME;
      }
    };
  }
}
