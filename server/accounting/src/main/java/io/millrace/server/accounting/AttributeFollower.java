package io.millrace.server.accounting;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Keeps the attributes of server and schedulers for those who go by them. */
public final class AttributeFollower implements FactReader {

  private final FactHandlers handlers = new FactHandlers();

  private final AccountBook book;
  private final List<Consumer<ClusterObject>> others;

  /** Of what is kept, by kind and name: the number of the change that wrote it. */
  private final Map<String, Long> versions = new HashMap<>();

  /**
   * @param others told of each change, from any shard
   */
  public AttributeFollower(AccountBook book, List<Consumer<ClusterObject>> others) {
    this.book = book;
    this.others = others;
    book.settings().forEach(this::isNewer);
    handlers.on(ObjectWritten.class, (shard, meta, fact) -> written(fact.getObject()));
  }

  /**
   * Each shard tells each version. Shards are read independently of each other, so that one of them
   * may tell a version after another one has told a newer one, which stays. A shard tells a version
   * before what happens there under it.
   *
   * @param object also as the snapshot of a ledger that was cut has it
   */
  void written(ClusterObject object) {
    boolean setting =
        object.getKind() == ObjectKind.SERVER || object.getKind() == ObjectKind.SCHEDULER;
    if (setting && isNewer(object)) {
      book.setting(object);
      others.forEach(it -> it.accept(object));
    }
  }

  private boolean isNewer(ClusterObject object) {
    String key = object.getKind() + "/" + object.getName();
    long before = versions.getOrDefault(key, Long.MIN_VALUE);
    versions.put(key, Math.max(before, object.getVersion()));
    return object.getVersion() > before;
  }

  @Override
  public boolean tells(String fact) {
    return handlers.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    handlers.follow(shard, fact);
  }
}
