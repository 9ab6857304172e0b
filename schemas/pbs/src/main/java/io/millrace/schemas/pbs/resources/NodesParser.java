package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.pbs.PbsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Turns {@code nodes=SPEC[+SPEC...][#WORD...]} into a select and a place. A SPEC is {@code
 * [N][:ppn=P][:cpp=C][:NAME...]}: N chunks of P processes with C cpus each. A NAME is a boolean
 * resource that is True on the nodes that have it, or a node. The WORDs {@code excl} and {@code
 * shared} set how nodes are shared; every other WORD is added to all SPECs.
 */
final class NodesParser {

  private static final String WHERE = "Resource_List.nodes";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

  private final ResourceTable table;
  private final Predicate<String> nodes;

  /**
   * @param nodes true for the name of a node
   */
  NodesParser(ResourceTable table, Predicate<String> nodes) {
    this.table = table;
    this.nodes = nodes;
  }

  /** The place directive that a nodes= text implies. */
  static String place(String text) {
    if (text.contains("#excl")) {
      return "scatter:excl";
    }
    return text.contains("#shared") ? "scatter:shared" : "scatter";
  }

  /**
   * @param onHost job-wide amounts beside nodes=: ncpus is divided by the processes and mem by the
   *     nodes, as in PBS; each chunk gets the full amount of the others
   * @throws RequestException for a wrong text, and when ncpus does not fit it
   */
  String toSelect(String text, Map<String, String> onHost) throws RequestException {
    String[] parts = text.split("#", -1);
    List<Spec> specs = new ArrayList<>();
    for (String word : parts[0].split("\\+", -1)) {
      Spec spec = Spec.of(word);
      for (int i = 1; i < parts.length; i++) {
        if (!parts[i].equalsIgnoreCase("excl") && !parts[i].equalsIgnoreCase("shared")) {
          spec.read(parts[i]);
        }
      }
      specs.add(spec);
    }
    TreeMap<String, String> each = new TreeMap<>(onHost);
    long times = cpusOfEach(specs, each.remove("ncpus"));
    String memory = each.remove("mem");
    if (memory != null) {
      long count = specs.stream().mapToLong(it -> it.count).sum();
      long bytes = Amounts.parse(table.find("mem").orElseThrow(), memory);
      // Whole kilobytes, as in PBS; the remainder is dropped.
      each.put("mem", bytes / 1024 / count + "KB");
    }
    each.remove("mpiprocs");
    each.remove("host");
    List<String> chunks = new ArrayList<>();
    for (Spec spec : specs) {
      chunks.add(chunk(spec, times, each));
    }
    return String.join("+", chunks);
  }

  /** Factor by which each chunk's cpus are increased so that the job has {@code ncpus} in total. */
  private static long cpusOfEach(List<Spec> specs, String ncpus) throws RequestException {
    if (ncpus == null) {
      return 1;
    }
    long wanted = Long.parseLong(ncpus);
    long said = 0;
    try {
      for (Spec spec : specs) {
        said = Math.addExact(said, Math.multiplyExact(spec.count, spec.cpus()));
      }
    } catch (ArithmeticException e) {
      throw RequestException.badValue(WHERE);
    }
    boolean given = specs.stream().anyMatch(it -> it.cpp > 0);
    if (wanted % said != 0 || given && wanted != said) {
      throw RequestException.badValue("");
    }
    return Math.max(1, wanted / said);
  }

  private String chunk(Spec spec, long times, Map<String, String> each) {
    StringBuilder select = new StringBuilder();
    select.append(spec.count).append(":ncpus=").append(times * spec.cpus());
    each.forEach((name, value) -> select.append(':').append(name).append('=').append(value));
    for (String name : spec.names) {
      if (isProperty(name) || !nodes.test(name)) {
        select.append(':').append(name).append("=True");
      } else {
        select.append(":host=").append(name);
      }
    }
    if (spec.ppn > 1) {
      select.append(":mpiprocs=").append(spec.ppn);
    }
    return select.toString();
  }

  private boolean isProperty(String name) {
    return table
        .find(name)
        .map(it -> it.onHost() && it.kind() == ResourceKind.BOOLEAN)
        .orElse(false);
  }

  /** One SPEC, the text between two plus signs. */
  private static final class Spec {
    private final List<String> names = new ArrayList<>();
    private long count = 1;
    private long ppn = 1;

    /** Cpus per process; 0 when not given. */
    private long cpp;

    static Spec of(String text) throws RequestException {
      Spec spec = new Spec();
      int colon = text.indexOf(':');
      String first = colon < 0 ? text : text.substring(0, colon);
      if (!NUMBER.matcher(first).matches()) {
        spec.read(text);
        return spec;
      }
      spec.count = Long.parseLong(first);
      if (spec.count == 0) {
        throw new RequestException(PbsError.BAD_NODES, "");
      }
      if (colon >= 0) {
        spec.read(text.substring(colon + 1));
      }
      return spec;
    }

    void read(String words) throws RequestException {
      for (String word : words.split(":", -1)) {
        int equals = word.indexOf('=');
        String value = word.substring(equals + 1);
        switch (equals < 0 ? "" : word.substring(0, equals).toLowerCase(Locale.ROOT)) {
          case "ppn" -> ppn = positive(value);
          case "cpp", "ncpus" -> cpp = positive(value);
          default -> {
            if (!NAME.matcher(word).matches()) {
              throw RequestException.badValue(WHERE);
            }
            names.add(word);
          }
        }
      }
    }

    long cpus() {
      return ppn * Math.max(1, cpp);
    }

    private static long positive(String text) throws RequestException {
      if (!NUMBER.matcher(text).matches() || Long.parseLong(text) == 0) {
        throw RequestException.badValue(WHERE);
      }
      return Long.parseLong(text);
    }
  }
}
