package io.millrace.server.gateway.operand;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.QueryException;
import java.util.regex.Pattern;

/** Destinations as users write them: {@code queue}, {@code queue@server}, {@code @server}. */
public final class Destinations {

  /** Characters of a queue's name, in PBS. */
  private static final int QUEUE_MAX = 15;

  private static final Pattern FORM =
      Pattern.compile("\\s*[\\p{Graph}&&[^#@]]{0," + QUEUE_MAX + "}(?:@[\\p{Graph}&&[^#@]]+)?");

  private Destinations() {}

  /** Whether the text is a well-formed destination, which {@code @} alone is not. */
  public static boolean legal(String destination) {
    return FORM.matcher(destination).matches();
  }

  /**
   * The queue's name; empty for the server alone.
   *
   * @throws Failure when it names another server
   */
  public static String queue(Call call, String destination) throws Failure {
    return queue(call, destination, PbsError.HOST_REFUSED.exitStatus());
  }

  public static String queue(Call call, String destination, int status) throws Failure {
    int at = destination.indexOf('@');
    String server = at < 0 ? null : destination.substring(at + 1);
    if (!JobIds.names(server, call.site().server())) {
      throw unknownHost(call, status);
    }
    return at < 0 ? destination : destination.substring(0, at);
  }

  /** The shard that gave the number of the reservation whose queue this is; -1 for any other. */
  public static int reservingShard(Call call, String queue)
      throws QueryException, InterruptedException {
    long number = ReservationIds.isReserved(queue) ? ReservationIds.number(queue) : -1;
    return number < 0 ? -1 : call.site().queries().birth(number).orElse(-1);
  }

  public static Failure unknownHost(Call call, int status) {
    String server = call.site().server();
    return new Failure(
        "Unknown Host.\n"
            + call.name()
            + ": cannot connect to server "
            + server
            + " (errno="
            + PbsError.HOST_REFUSED.code()
            + ")\n",
        status);
  }
}
