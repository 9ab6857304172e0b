package io.millrace.server.core.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.avro.specific.SpecificRecord;

/** All tables of a shard, frozen at the same moment and read one after the other. */
final class FrozenTables implements Frozen<SpecificRecord> {
  private final List<Frozen<?>> tables = new ArrayList<>();
  private int at;

  FrozenTables(Collection<Table<?>> live) {
    live.forEach(table -> tables.add(table.freeze()));
  }

  @Override
  public boolean hasNext() {
    while (at < tables.size() && !tables.get(at).hasNext()) {
      tables.get(at++).close();
    }
    return at < tables.size();
  }

  @Override
  public Map.Entry<String, SpecificRecord> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<String, ?> entry = tables.get(at).next();
    return Map.entry(entry.getKey(), (SpecificRecord) entry.getValue());
  }

  @Override
  public void close() {
    for (; at < tables.size(); at++) {
      tables.get(at).close();
    }
  }
}
