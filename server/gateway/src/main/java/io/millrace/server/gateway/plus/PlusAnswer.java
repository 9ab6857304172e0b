package io.millrace.server.gateway.plus;

import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.operand.JobList;
import java.util.List;

/** What a shard and the scheduler have answered. */
final class PlusAnswer {

  /** Exit status of what is refused. */
  static final int REFUSED = 1;

  /**
   * Longest time that the scheduler has. It is negative: what is not decided by then is withdrawn,
   * so that whoever asked knows what there is.
   */
  static final long WAIT_S = -10;

  private static final String CONFIRMED = "CONFIRMED";

  private PlusAnswer() {}

  /**
   * The id of the reservation that was confirmed.
   *
   * @throws Failure when it was not, with the reason
   */
  static String confirmed(Call call, Reply reply) throws Failure {
    if (reply.getCode() != 0) {
      throw call.failure(JobList.text(reply), REFUSED);
    }
    List<String> lines = reply.getLines();
    String[] words = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", 2);
    if (words.length < 2 || !words[1].equals(CONFIRMED)) {
      throw call.failure("denied" + (lines.size() > 1 ? ": " + lines.get(1) : ""), REFUSED);
    }
    return words[0];
  }

  /** Its name without the server, which is that of its queue. */
  static String shortName(String id) {
    int dot = id.indexOf('.');
    return dot < 0 ? id : id.substring(0, dot);
  }
}
