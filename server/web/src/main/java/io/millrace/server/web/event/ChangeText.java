package io.millrace.server.web.event;

import io.millrace.schemas.Topics;
import java.util.Optional;

/** Makes what is told of a record; empty for one of which nothing is. */
public interface ChangeText {

  /** Kinds of objects, and the topics in which they are: tables of the shards, or facts. */
  enum ChangedObjectKind {
    JOB("job", Topics.table("jobs")),
    NODE("node", Topics.table("nodes")),
    QUEUE("queue", Topics.table("queues")),
    RESERVATION("reservation", Topics.table("reservations")),
    CAMPAIGN("campaign", Topics.CAMPAIGN_LEDGER);

    private final String word;
    private final String topic;

    ChangedObjectKind(String word, String topic) {
      this.word = word;
      this.topic = topic;
    }

    public String word() {
      return word;
    }

    public String topic() {
      return topic;
    }
  }

  /**
   * What is told.
   *
   * @param data JSON on one line
   * @param owner whose job or campaign it is about; empty where nobody is known
   * @param open whether it is for everybody, whatever he may see of others
   */
  record ToldChange(String data, Optional<String> owner, boolean open) {

    /** Of what is nobody's. */
    public static ToldChange ofAll(String data) {
      return new ToldChange(data, Optional.empty(), true);
    }

    /** Of what is somebody's, who may be unknown. */
    public static ToldChange ofOne(String data, Optional<String> owner) {
      return new ToldChange(data, owner, false);
    }
  }

  /**
   * @param key of the record
   * @param value null when the object of a table has gone
   */
  Optional<ToldChange> of(ChangedObjectKind kind, String key, byte[] value);
}
