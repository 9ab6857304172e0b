package io.millrace.server.gateway.link;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A command that has not been answered yet. */
final class UnansweredCommand {

  final String client;
  final int shard;
  final CommandId id;
  final Consumer<String> interim;
  final Duration patience;

  /** How long a command that has not left waits for a broker. */
  volatile Duration unsentPatience;

  final CompletableFuture<Reply> reply = new CompletableFuture<>();

  /** Bytes that it takes in the window. */
  final int size;

  /** How many callers wait for the answer; guarded by this. */
  int takers;

  final long sentNanos = System.nanoTime();

  /** The encoded command; null once its shard has sent an interim line, and so has it. */
  volatile byte[] bytes;

  /** The latest deadline with which it was sent. */
  volatile long deadlineMs;

  volatile long nextSendNanos;

  /** A broker has taken it. */
  volatile boolean delivered;

  /** It has left this process, and nobody can tell whether a broker has taken it. */
  volatile boolean left;

  /** Its shard has refused for good all copies that were sent. */
  volatile boolean withdrawn;

  /** A copy came after its deadline: the next one needs a later deadline. */
  volatile boolean late;

  /** Its caller waits no more: what is under way is the last attempt. */
  volatile boolean ending;

  /** The last sending failed or was refused, and nothing else will repeat it. */
  volatile boolean failed;

  /** Why the last sending failed; null when none did. */
  volatile String failure;

  /** Sendings whose end is not known yet. */
  final AtomicInteger attempts = new AtomicInteger();

  /** Whether the last of them may have left this process. */
  volatile BooleanSupplier leaving = () -> false;

  volatile int sends;

  UnansweredCommand(
      String client,
      int shard,
      CommandId id,
      byte[] bytes,
      Consumer<String> interim,
      Duration patience) {
    this.client = client;
    this.shard = shard;
    this.id = id;
    this.bytes = bytes;
    this.size = bytes.length;
    this.interim = interim;
    this.patience = patience;
    this.unsentPatience = patience;
  }

  /** How much longer its caller waits; negative when he does not. */
  Duration remaining() {
    return (isOpen() ? patience : unsentPatience).minusNanos(System.nanoTime() - sentNanos);
  }

  /** Whether a broker has it, or may have it. */
  boolean isOpen() {
    return delivered || left || (attempts.get() > 0 && leaving.getAsBoolean());
  }
}
