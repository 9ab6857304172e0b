package io.millrace.server.streams.store;

import java.io.IOException;
import java.util.Collection;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;

/**
 * The context for a store that is opened after its name was registered: Kafka Streams refuses to
 * register a name twice, so what the store wants to be called with is kept here.
 */
final class RestoredStore extends ForwardingContext {

  private RecordBatchingStateRestoreCallback restore;
  private CommitCallback commit = () -> {};

  RestoredStore(StateStoreContext context) {
    super(context);
  }

  void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
    restore.restoreBatch(records);
  }

  void onCommit() throws IOException {
    commit.onCommit();
  }

  @Override
  public void register(StateStore store, StateRestoreCallback restore) {
    this.restore = (RecordBatchingStateRestoreCallback) restore;
  }

  @Override
  public void register(StateStore store, StateRestoreCallback restore, CommitCallback commit) {
    register(store, restore);
    this.commit = commit;
  }
}
