package io.millrace.server.gateway.reservation;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.link.LinkSettings;
import java.time.Duration;
import org.apache.avro.specific.SpecificRecord;

/** The answer to a command with -I: the shard gives it when the time is over at the latest. */
final class AwaitedReply {

  /** Longest wait: whoever wants to know later asks pbs_rstat. */
  static final long SECONDS_MAX = 3600;

  private AwaitedReply() {}

  /**
   * Sends a command and waits.
   *
   * @param seconds of -I; 0 for an answer at once, less than 0 when it is withdrawn by then
   * @throws Failure when it would have to be waited for too long
   */
  static Reply of(Call call, int shard, CommandMeta meta, SpecificRecord command, long seconds)
      throws Failure, LinkException, InterruptedException {
    if (Math.abs(seconds) > SECONDS_MAX) {
      throw call.failure("-I waits for " + SECONDS_MAX + " seconds at most", 2);
    }
    Duration asked = Duration.ofSeconds(Math.abs(seconds));
    Duration patience = asked.isZero() ? asked : LinkSettings.ANSWER.plus(asked);
    return call.await(call.sendAsync(shard, meta, command, patience), asked);
  }
}
