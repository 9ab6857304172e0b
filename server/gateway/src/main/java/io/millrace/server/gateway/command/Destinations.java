package io.millrace.server.gateway.command;

import java.util.regex.Pattern;

/** Destinations as users write them: {@code queue}, {@code queue@server}, {@code @server}. */
final class Destinations {

  /** PBS's number for a host that does not exist, as exit status of qsub. */
  static final int UNKNOWN_HOST = 15008;

  /** Characters of a queue's name, in PBS. */
  private static final int QUEUE_MAX = 15;

  private static final Pattern FORM =
      Pattern.compile("\\s*[\\p{Graph}&&[^#@]]{0," + QUEUE_MAX + "}(?:@[\\p{Graph}&&[^#@]]+)?");

  private Destinations() {}

  /** Whether it has the form of one, whatever there is; {@code @} alone has not. */
  static boolean legal(String destination) {
    return FORM.matcher(destination).matches();
  }

  /**
   * The queue's name; empty for the server alone.
   *
   * @throws Failure when it names another server
   */
  static String queue(Call call, String destination) throws Failure {
    return queue(call, destination, Failure.status(UNKNOWN_HOST));
  }

  static String queue(Call call, String destination, int status) throws Failure {
    int at = destination.indexOf('@');
    String server = at < 0 ? null : destination.substring(at + 1);
    if (!JobIds.names(server, call.site().server())) {
      throw unknownHost(call, status);
    }
    return at < 0 ? destination : destination.substring(0, at);
  }

  static Failure unknownHost(Call call, int status) {
    String server = call.site().server();
    return new Failure(
        "Unknown Host.\n"
            + call.name()
            + ": cannot connect to server "
            + server
            + " (errno="
            + UNKNOWN_HOST
            + ")\n",
        status);
  }
}
