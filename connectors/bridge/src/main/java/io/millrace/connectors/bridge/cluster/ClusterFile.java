package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.KeptOutput;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What a cluster file says.
 *
 * @param kind of its system
 * @param values of all keys that are given or have a usual value
 * @param users accounts there by users here
 */
public record ClusterFile(OutsideKind kind, Map<String, String> values, Map<String, String> users) {

  public static final String MODE = "mode";
  public static final String OBSERVE = "observe";

  static final String FORWARD = "forward";
  public static final String PLACE = "place";
  static final String RESERVE = "reserve";

  /** The key that names a queue. */
  static final String QUEUE = "queue";

  private static final int TASKS_MOST = 32;

  private static final long BYTES_MOST = 1L << 20;

  private record ClusterFileLine(int number, String value) {}

  /** Reads a file. */
  public static ClusterFile read(Path path, List<OutsideKind> kinds)
      throws IOException, ClusterFault {
    if (Files.size(path) > BYTES_MOST) {
      throw new ClusterFault(path + ": more than 1 MiB: this is no cluster file");
    }
    try {
      return parse(path.toString(), Files.readAllLines(path), kinds);
    } catch (CharacterCodingException e) {
      throw new ClusterFault(path + ": this is no text in UTF-8");
    }
  }

  static ClusterFile parse(String file, List<String> lines, List<OutsideKind> kinds)
      throws ClusterFault {
    Map<String, ClusterFileLine> given = given(file, lines);
    Map<String, String> values = new LinkedHashMap<>();
    given.forEach((name, line) -> values.put(name, line.value));
    return of(
        values,
        kinds,
        key -> given.containsKey(key) ? file + ":" + given.get(key).number + ": " : file + ": ");
  }

  /**
   * The same of keys and values that stand in no file.
   *
   * @param at where a key stands, as faults begin; also of one that is not given
   */
  public static ClusterFile of(
      Map<String, String> given, List<OutsideKind> kinds, UnaryOperator<String> at)
      throws ClusterFault {
    List<String> systems = kinds.stream().map(OutsideKind::name).sorted().toList();
    List<ClusterKey> keys = new ArrayList<>(ClusterKeys.common(systems));
    String system = given.get("system");
    Optional<OutsideKind> kind = kinds.stream().filter(it -> it.name().equals(system)).findFirst();
    kind.ifPresent(it -> keys.addAll(it.keys()));
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, String> users = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : given.entrySet()) {
      String name = each.getKey();
      ClusterKey key =
          keys.stream().filter(it -> ClusterKeys.isOf(name, it)).findFirst().orElse(null);
      if (key == null && kind.isEmpty()) {
        // Which keys there are depends on the system, whose own line says what is wrong.
        continue;
      }
      if (key == null) {
        throw new ClusterFault(
            at.apply(name)
                + "there is no key '"
                + name
                + "'"
                + nearest(name, keys)
                + " for "
                + system);
      }
      Optional<String> wrong = key.form().wrong(each.getValue());
      if (wrong.isPresent()) {
        throw new ClusterFault(at.apply(name) + name + " " + wrong.get());
      }
      if (key.name().equals(ClusterKeys.USER)) {
        users.put(name.substring(ClusterKeys.USER.length()), each.getValue());
      } else {
        values.put(name, each.getValue());
      }
    }
    complete(keys, values, users, at);
    noneTwice(values, at);
    Optional<String> unfit = unfit(values, kind.orElseThrow());
    if (unfit.isPresent()) {
      throw new ClusterFault(at.apply(MODE) + unfit.get());
    }
    if (values.containsKey(ClusterKeys.STARTER) && !"sudo".equals(values.get(ClusterKeys.AS))) {
      throw new ClusterFault(
          at.apply(ClusterKeys.STARTER)
              + "starter is what sudo starts in the names of accounts: it needs as = sudo");
    }
    Optional<String> transport = TransportKeys.unfit(values, given.keySet());
    if (transport.isPresent()) {
      throw new ClusterFault(at.apply(TransportKeys.TRANSPORT) + transport.get());
    }
    Optional<String> more = kind.orElseThrow().unfit(values);
    if (more.isPresent()) {
      throw new ClusterFault(at.apply("") + more.get());
    }
    return new ClusterFile(kind.orElseThrow(), Map.copyOf(values), users);
  }

  /** Puts usual values in for what is not given. */
  private static void complete(
      List<ClusterKey> keys,
      Map<String, String> values,
      Map<String, String> users,
      UnaryOperator<String> at)
      throws ClusterFault {
    boolean observes = OBSERVE.equals(values.get(MODE));
    for (ClusterKey key : keys) {
      boolean absent =
          key.name().equals(ClusterKeys.USER) ? users.isEmpty() : !values.containsKey(key.name());
      boolean needless = observes && ClusterKeys.isOfRuns(key);
      if (absent && key.required() && !needless) {
        String name = key.name().equals(ClusterKeys.USER) ? key.name() + "NAME" : key.name();
        throw new ClusterFault(at.apply(key.name()) + name + " is missing");
      }
      key.usual().filter(it -> absent).ifPresent(it -> values.put(key.name(), it));
    }
  }

  /** No two resources are the same one there. */
  private static void noneTwice(Map<String, String> values, UnaryOperator<String> at)
      throws ClusterFault {
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, String> each : values.entrySet()) {
      String key = each.getKey();
      if (ClusterKeys.isResource(key) && !seen.add(each.getValue())) {
        throw new ClusterFault(at.apply(key) + key + " is another resource's already");
      }
    }
  }

  /** What a mode lacks; empty for nothing. */
  private static Optional<String> unfit(Map<String, String> values, OutsideKind kind) {
    String mode = values.get(MODE);
    if (RESERVE.equals(mode) && !kind.reserves()) {
      return Optional.of("mode = reserve is not possible with " + kind.name());
    }
    if (RESERVE.equals(mode) && !values.containsKey(QUEUE)) {
      return Optional.of(
          "mode = reserve needs 'queue', the queue there that those of reservations are like");
    }
    return PLACE.equals(mode) && !values.containsKey(QUEUE)
        ? Optional.of("mode = place needs 'queue', the queue there that has jobs from here only")
        : Optional.empty();
  }

  private static Map<String, ClusterFileLine> given(String file, List<String> lines)
      throws ClusterFault {
    Map<String, ClusterFileLine> given = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String at = file + ":" + (i + 1) + ": ";
      int equals = line.indexOf('=');
      if (equals <= 0) {
        throw new ClusterFault(at + "this is not KEY = VALUE");
      }
      String key = line.substring(0, equals).strip();
      if (given.containsKey(key)) {
        throw new ClusterFault(at + key + " stands in line " + given.get(key).number + " already");
      }
      given.put(key, new ClusterFileLine(i + 1, line.substring(equals + 1).strip()));
    }
    return given;
  }

  private static String nearest(String name, List<ClusterKey> keys) {
    return keys.stream()
        .map(ClusterKey::name)
        .filter(it -> it.replace("_", "").equalsIgnoreCase(name.replaceAll("[-_ ]", "")))
        .findFirst()
        .map(it -> " (is it " + (it.endsWith(".") ? it + "NAME" : it) + "?)")
        .orElse("");
  }

  public String name() {
    return values.get("name");
  }

  /** Whether nothing is submitted there, and what it has is shown here. */
  public boolean observes() {
    return OBSERVE.equals(values.get(MODE));
  }

  /** So many runs may go as one array; what stands between sudo and commands takes no arrays. */
  public int tasksMost() {
    return values.containsKey(ClusterKeys.STARTER) ? 1 : TASKS_MOST;
  }

  /** Whether the host of each run is chosen here. */
  public boolean places() {
    return PLACE.equals(values.get(MODE));
  }

  /** Whether runs are there in reservations only, beside the jobs of its own scheduler. */
  public boolean reserves() {
    return RESERVE.equals(values.get(MODE));
  }

  /** The queue that only has jobs from here; empty where there is none. */
  public Optional<String> managedQueue() {
    return given(QUEUE).filter(it -> places());
  }

  /** Value of a key that has one in each file. */
  public String text(String key) {
    return Optional.ofNullable(values.get(key)).orElseThrow();
  }

  public Optional<String> given(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** What the system calls resources here, by their names here. */
  public Map<String, String> resources() {
    Map<String, String> table = new TreeMap<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(ClusterKeys.RESOURCE)) {
            table.put(key.substring(ClusterKeys.RESOURCE.length()), value);
          }
        });
    return table;
  }

  public long number(String key) {
    return Long.parseLong(text(key));
  }

  /** Path of one of the system's programs. */
  public String program(String name) {
    return text("commands") + "/" + name;
  }

  /**
   * Bytes of an answer that comes over HTTP, which stands in memory some times over until it is
   * read: as many as may be printed, or what the heap has room for.
   */
  public long bodyMost() {
    return Math.min(number(ClusterKeys.OUTPUT_MOST) << 20, KeptOutput.heapMost());
  }

  /** How commands are started. */
  public AccountCommands commands(Map<String, String> environment) {
    return new AccountCommands(
        text(ClusterKeys.AS).equals("sudo") ? Optional.of(text("sudo")) : Optional.empty(),
        given(ClusterKeys.STARTER),
        environment,
        Duration.ofSeconds(number("command_limit_s")),
        Math.toIntExact(number(ClusterKeys.OUTPUT_MOST) << 20),
        text(ClusterKeys.AS).equals(ClusterKeys.ENGINE));
  }
}
