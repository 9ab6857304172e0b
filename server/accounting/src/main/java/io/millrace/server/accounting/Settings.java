package io.millrace.server.accounting;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ObjectWritten;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Keeps the attributes of server and schedulers for those who go by them. */
final class Settings implements FactReader {

  private final FactHandlers handlers = new FactHandlers();

  /**
   * @param others told of each change, from any shard
   */
  Settings(AccountBook book, List<Consumer<ClusterObject>> others) {
    handlers.on(
        ObjectWritten.class,
        (shard, meta, fact) -> {
          ObjectKind kind = fact.getObject().getKind();
          if (kind == ObjectKind.SERVER || kind == ObjectKind.SCHEDULER) {
            book.setting(fact.getObject());
            others.forEach(it -> it.accept(fact.getObject()));
          }
        });
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
