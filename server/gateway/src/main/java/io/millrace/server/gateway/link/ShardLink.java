package io.millrace.server.gateway.link;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Sends commands to shards and brings their answers. Thread-safe. */
public interface ShardLink {

  /**
   * Sends a command and repeats it under its id until it is answered. It gets a deadline, after
   * which no shard takes it, so that nothing of it happens long after its caller has gone.
   *
   * @param client whose window it counts in, for example a user's session
   * @param shard the shard that decides it
   * @param id id in the command's envelope; sending one that waits already joins that wait
   * @param command record of the protocol Commands whose reply_to is {@link #replyPlace}
   * @param interim told each line that a shard says while the caller waits; must not block
   * @param patience how long the caller waits; the usual time when it is zero
   * @return the final reply, or failed with a {@link LinkException}; a command of more than {@code
   *     Topics.COMMAND_BYTES_MAX} fails at once. Who waits no more cancels it; the command may have
   *     been decided all the same
   * @throws InterruptedException while waiting for room in the window
   */
  CompletableFuture<Reply> send(
      String client,
      int shard,
      CommandId id,
      SpecificRecord command,
      Consumer<String> interim,
      Duration patience)
      throws InterruptedException;

  /**
   * Why the outcome of a command is open, in a few words; empty when it is not.
   *
   * @param due whether the shard should have answered by now, and was not asked to wait
   */
  default String trouble(CommandId id, boolean due) {
    return "no answer yet";
  }

  /** Where this link waits for answers, see {@link io.millrace.schemas.Topics#replyPlace}. */
  int replyPlace();
}
