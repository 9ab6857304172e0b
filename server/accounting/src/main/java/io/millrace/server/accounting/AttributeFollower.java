package io.millrace.server.accounting;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Keeps the attributes of server and schedulers for those who go by them. */
public final class AttributeFollower implements FactReader {

  private final FactHandlers handlers = new FactHandlers();

  private final AccountBook book;
  private final List<Consumer<ClusterObject>> others;

  /**
   * @param others told of each change, from any shard
   */
  public AttributeFollower(AccountBook book, List<Consumer<ClusterObject>> others) {
    this.book = book;
    this.others = others;
    handlers.on(ObjectWritten.class, (shard, meta, fact) -> written(fact.getObject()));
  }

  private void written(ClusterObject object) {
    if (object.getKind() == ObjectKind.SERVER || object.getKind() == ObjectKind.SCHEDULER) {
      book.setting(object);
      others.forEach(it -> it.accept(object));
    }
  }

  /**
   * An object as the snapshot of a ledger that was cut has it. Another shard may have told a newer
   * version already, which stays.
   */
  void known(ClusterObject object) {
    boolean newer =
        book.settings().stream()
            .filter(it -> it.getKind() == object.getKind() && it.getName().equals(object.getName()))
            .allMatch(it -> it.getVersion() < object.getVersion());
    if (newer) {
      written(object);
    }
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
