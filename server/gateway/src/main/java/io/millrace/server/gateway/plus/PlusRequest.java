package io.millrace.server.gateway.plus;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.resources.ParsedRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.reservation.KnownAccounts;
import io.millrace.server.gateway.reservation.OtherWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What plus_reserve asks for, as a select: so many nodes on different hosts. They are the
 * reservation's alone, unless slots of them are asked for.
 */
final class PlusRequest {
  /** Most nodes: each is a chunk, of which a reservation has no more. */
  static final int NODES_MAX = 5_000;

  private static final int AMOUNT_MAX = 1_000_000;
  private static final String WHOLE = "scatter:excl";
  private static final String PART = "scatter";
  private static final Pattern PAIR = Pattern.compile("([A-Za-z][A-Za-z0-9_-]*)=([^:+=,\\s\"']+)");
  private static final Pattern COUNTED = Pattern.compile("\\d+(:[^+]*)?");

  private PlusRequest() {}

  /** The request of a new reservation. */
  static ParsedRequest of(Call call, PlusOptions options, int nodes, long durationMs)
      throws Failure {
    options.exclude("-sn", "-ncpu");
    int cpus = options.number(options.has("-sn") ? "-sn" : "-ncpu", AMOUNT_MAX, 1);
    Map<String, String> each = new LinkedHashMap<>();
    each.put("ncpus", Integer.toString(cpus));
    put(options, each, "-mem", "mem");
    put(options, each, "-arch", "arch");
    put(options, each, "-os", "os");
    attributes(options, each);
    StringBuilder select = new StringBuilder().append(nodes);
    each.forEach((name, value) -> select.append(':').append(name).append('=').append(value));
    return parse(call, select.toString(), options.has("-sn") ? PART : WHOLE, durationMs / 1000);
  }

  private static void put(
      PlusOptions options, Map<String, String> each, String word, String resource) throws Failure {
    if (options.has(word)) {
      String value = options.value(word);
      if (!PAIR.matcher(resource + "=" + value).matches()) {
        throw options.wrong("option " + word + ": no value: " + value);
      }
      each.put(resource, value);
    }
  }

  private static void attributes(PlusOptions options, Map<String, String> each) throws Failure {
    if (!options.has("-l")) {
      return;
    }
    for (String pair : options.value("-l").split(",", -1)) {
      if (!PAIR.matcher(pair).matches()) {
        throw options.wrong("option -l: not attr=value: " + pair);
      }
      String name = pair.substring(0, pair.indexOf('='));
      boolean first = !options.has("-ncpu") && !options.has("-sn") && name.equals("ncpus");
      if (each.containsKey(name) && !first) {
        throw options.wrong("option -l: " + name + " is given twice");
      }
      each.put(name, pair.substring(pair.indexOf('=') + 1));
    }
  }

  /**
   * The request of a reservation with another number of nodes.
   *
   * @throws Failure when its nodes are not all alike
   */
  static ParsedRequest withNodes(Call call, List<Attribute> now, int nodes, long durationMs)
      throws Failure {
    String select = find(now, "select");
    if (!COUNTED.matcher(select).matches()) {
      throw call.failure("option -n is for reservations whose nodes are all alike: " + select, 1);
    }
    String rest = select.replaceFirst("^\\d+", "");
    return parse(call, nodes + rest, find(now, "place"), durationMs / 1000);
  }

  private static String find(List<Attribute> list, String name) {
    return list.stream()
        .filter(it -> it.getName().equals(name))
        .map(Attribute::getValue)
        .findFirst()
        .orElse("");
  }

  /**
   * The users of -U.
   *
   * @throws Failure when one of them does not exist
   */
  static List<String> users(Call call, String text, String usage) throws Failure {
    List<String> users = OtherWords.users(call, text, usage);
    Optional<String> stranger = new KnownAccounts().stranger(call.invocation().user(), users);
    if (stranger.isPresent()) {
      throw call.failure("option -U: unknown user: " + stranger.get(), PlusAnswer.REFUSED);
    }
    return users;
  }

  private static ParsedRequest parse(Call call, String select, String place, long seconds)
      throws Failure {
    try {
      return call.site()
          .requests()
          .parse(
              List.of(
                  new Attribute("select", select),
                  new Attribute("place", place),
                  new Attribute("walltime", Times.duration(seconds))));
    } catch (RequestException e) {
      throw call.failure(e.getMessage(), 1);
    }
  }
}
