package io.millrace.server.web.event;

import java.util.Optional;

/** Makes what is told of a record; empty for one of which nothing is. */
public interface ChangeText {

  /** Kinds of objects, and the tables in which they are. */
  enum Kind {
    JOB("job", "jobs"),
    NODE("node", "nodes"),
    QUEUE("queue", "queues");

    private final String word;
    private final String table;

    Kind(String word, String table) {
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
   * @param key of the record
   * @param value null when the object has gone
   * @return JSON on one line
   */
  Optional<String> of(Kind kind, String key, byte[] value);
}
