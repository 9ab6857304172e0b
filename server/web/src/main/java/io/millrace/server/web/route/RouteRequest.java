package io.millrace.server.web.route;

import io.millrace.server.web.credential.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A request of a verified caller, as its route understands it.
 *
 * @param principal who asks; null on routes for everybody
 * @param peer address of the other end
 * @param variables parts of the path by name
 * @param query values of the query by name, each of which the route knows
 * @param headers those at which routes look, of those that came
 * @param commandId identity of what is asked, the same when it is asked again
 */
public record RouteRequest(
    Principal principal,
    String peer,
    Map<String, String> variables,
    Map<String, String> query,
    byte[] body,
    Map<String, String> headers,
    UUID commandId) {

  /** From which event on a listener wants to hear. */
  public static final String LAST_EVENT = "Last-Event-ID";

  /** What stands before the paths of CiGri's door where somebody passes it on. */
  public static final String PATH_PREFIX = "X-CIGRI-API-PATH-PREFIX";

  public static final List<String> HEADERS = List.of(LAST_EVENT, PATH_PREFIX);

  public String lastEvent() {
    return headers.getOrDefault(LAST_EVENT, "");
  }

  public Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** A whole number of the query within bounds. */
  public int number(String name, int whenAbsent, int least, int most) throws Problem {
    String text = query.get(name);
    if (text == null) {
      return whenAbsent;
    }
    if (text.matches("\\d{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw Problem.bad(name + " is a number from " + least + " to " + most + ", not " + text);
  }

  public boolean flag(String name) throws Problem {
    String text = query.getOrDefault(name, "false");
    if (!text.equals("true") && !text.equals("false")) {
      throw Problem.bad(name + " is true or false, not " + text);
    }
    return text.equals("true");
  }
}
