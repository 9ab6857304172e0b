package io.millrace.server.web.event;

import java.util.Optional;

/** Makes what is told of a record; empty for one of which nothing is. */
public interface ChangeText {

  /** Kinds of objects, and the tables in which they are. */
  enum ChangedObjectKind {
    JOB("job", "jobs"),
    NODE("node", "nodes"),
    QUEUE("queue", "queues"),
    RESERVATION("reservation", "reservations");

    private final String word;
    private final String table;

    ChangedObjectKind(String word, String table) {
      this.word = word;
      this.table = table;
    }

    public String word() {
      return word;
    }

    public String table() {
      return table;
    }
  }

  /**
   * What is told.
   *
   * @param data JSON on one line
   * @param owner whose job it is about; empty where nobody is known
   */
  record ToldChange(String data, Optional<String> owner) {}

  /**
   * @param key of the record
   * @param value null when the object has gone
   */
  Optional<ToldChange> of(ChangedObjectKind kind, String key, byte[] value);
}
