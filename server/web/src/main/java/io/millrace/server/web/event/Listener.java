package io.millrace.server.web.event;

import io.millrace.server.http.AnswerSink;
import java.nio.charset.StandardCharsets;

/** One who is told of changes, and how far he was told. */
final class Listener {

  private final AnswerSink sink;
  private final EventFilter interest;
  private final Positions told;

  /**
   * @param interest of what he is told
   * @param told from where on; changed as he is told
   */
  Listener(AnswerSink sink, EventFilter interest, Positions told) {
    this.sink = sink;
    this.interest = interest;
    this.told = told;
  }

  Positions told() {
    return told;
  }

  /** Whether he is told of a kind. */
  boolean wants(ChangeText.ChangedObjectKind kind) {
    return interest.kinds().contains(kind.word());
  }

  boolean open() {
    return sink.open();
  }

  boolean keepsUp() {
    return sink.writable();
  }

  /**
   * Tells a change once, however often it comes.
   *
   * @return false when he does not keep up
   */
  boolean tell(Change change) {
    if (change.offset() < told.next(change.partition())) {
      return true;
    }
    long before = told.next(change.partition());
    told.advance(change.partition(), change.offset() + 1);
    if (!interest.in(change) || say(change.kind(), change.told().data())) {
      return true;
    }
    told.back(change.partition(), before);
    return false;
  }

  /** All before these positions was told, or is no change. */
  void pass(Positions positions) {
    for (int i = 0; i < positions.partitions(); i++) {
      told.advance(i, positions.next(i));
    }
  }

  private boolean say(String event, String data) {
    return sink.offer(bytes(event, data));
  }

  /** Says for the first time how far he is, so that he can go on from here. */
  boolean greet() {
    return say("ready", "{}");
  }

  /** A line that means nothing, so that a connection that is dead shows it. */
  boolean ping() {
    return sink.offer(":\n\n".getBytes(StandardCharsets.UTF_8));
  }

  /** The last event. */
  void end(String reason) {
    sink.end(bytes("end", "{\"reason\":\"" + reason + "\"}"));
  }

  private byte[] bytes(String event, String data) {
    String text = "id: " + told.text() + "\nevent: " + event + "\ndata: " + data + "\n\n";
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
