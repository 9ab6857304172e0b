package io.millrace.server.gateway.link;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A command that has not been answered yet. */
final class UnansweredCommand {

  final String client;
  final int shard;
  final CommandId id;
  final Consumer<String> interim;
  final Duration patience;
  final CompletableFuture<Reply> reply = new CompletableFuture<>();

  /** How many callers wait for the answer; guarded by this. */
  int takers;

  final long sentNanos = System.nanoTime();

  /** The encoded command; null once its shard has sent an interim line, and so has it. */
  volatile byte[] bytes;

  volatile long nextSendNanos;
  volatile boolean delivered;

  /** The last sending failed, and nothing else will repeat it. */
  volatile boolean failed;

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
    this.interim = interim;
    this.patience = patience;
  }

  /** The longer of the usual time and what the caller is willing to wait. */
  Duration atLeast(Duration usual) {
    return patience.compareTo(usual) > 0 ? patience : usual;
  }
}
