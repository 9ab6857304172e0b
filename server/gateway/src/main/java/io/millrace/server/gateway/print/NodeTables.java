package io.millrace.server.gateway.print;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The tables of pbsnodes -S, one row for each node or host: what it has, or who is on it. */
public final class NodeTables {

  private static final String NODES =
      """
      vnode           state           OS       hardware host            queue        mem     ncpus   nmics   ngpus  comment
      --------------- --------------- -------- -------- --------------- ---------- -------- ------- ------- ------- ---------
      """;

  private static final String JOBS =
      """
                                                              mem       ncpus   nmics   ngpus
      vnode           state           njobs   run   susp      f/t        f/t     f/t     f/t   jobs
      --------------- --------------- ------ ----- ------ ------------ ------- ------- ------- -------
      """;

  private static final String NONE = "--";

  private final boolean ofJobs;
  private final boolean whole;
  private final String server;

  /**
   * @param ofJobs who is on the node, not what it has
   * @param whole nothing is cut off at the end of its column
   * @param server name that is left away behind the numbers of jobs
   */
  public NodeTables(boolean ofJobs, boolean whole, String server) {
    this.ofJobs = ofJobs;
    this.whole = whole;
    this.server = server;
  }

  /**
   * What one row is about.
   *
   * @param attributes as they are listed
   * @param suspended suspended runs on it
   */
  public record NodeRow(String name, List<ShownAttribute> attributes, int suspended) {

    private String text(String attribute) {
      return attributes.stream()
          .filter(it -> it.part() == null && it.name().equals(attribute))
          .map(ShownAttribute::value)
          .findFirst()
          .orElse(NONE);
    }

    private String resource(String attribute, String resource, String otherwise) {
      return attributes.stream()
          .filter(it -> it.name().equals(attribute) && resource.equals(it.part()))
          .map(ShownAttribute::value)
          .findFirst()
          .orElse(otherwise);
    }

    private String available(String resource, String otherwise) {
      return resource("resources_available", resource, otherwise);
    }

    private long free(String resource) {
      String assigned = resource("resources_assigned", resource, "0");
      return SizeText.leading(available(resource, "0")) - SizeText.leading(assigned);
    }

    private String jobs() {
      return text("jobs");
    }
  }

  public String head() {
    return ofJobs ? JOBS : NODES;
  }

  /** A row of the table. */
  public String row(NodeRow row) {
    if (ofJobs) {
      List<String> jobs = jobs(row, true);
      return String.format(
          "%s %s %6d %5d %6d %s %s %s %s %s\n",
          left(row.name(), 15),
          left(state(row), 15),
          jobs.size() + row.suspended(),
          jobs.size(),
          row.suspended(),
          right(memory(row), 12),
          right(count(row, "ncpus"), 7),
          right(count(row, "nmics"), 7),
          right(count(row, "ngpus"), 7),
          jobs.isEmpty() ? NONE : String.join(",", jobs));
    }
    return String.format(
        "%s %s %s %s %s %s %s %s %s %s %s\n",
        left(row.name(), 15),
        left(state(row), 15),
        left(row.available("OS", NONE), 8),
        left(row.available("hardware", NONE), 8),
        left(row.available("host", NONE), 15),
        left(row.text("queue"), 10),
        right(memory(row), 8),
        right(count(row, "ncpus"), 7),
        right(count(row, "nmics"), 7),
        right(count(row, "ngpus"), 7),
        row.text("comment"));
  }

  /** A row as a line of name=value. */
  public String separated(NodeRow row, String delimiter) {
    List<String> pairs = new ArrayList<>();
    fields(row).forEach(field -> pairs.add(field.name() + "=" + field.value()));
    if (ofJobs) {
      List<String> jobs = jobs(row, false);
      pairs.add("jobs=" + (jobs.isEmpty() ? NONE : String.join(",", jobs)));
    } else {
      pairs.add("comment=" + row.text("comment"));
    }
    return String.join(delimiter, pairs) + "\n";
  }

  private List<ShownAttribute> fields(NodeRow row) {
    List<ShownAttribute> fields = new ArrayList<>();
    fields.add(ShownAttribute.of("vnode", row.name()));
    fields.add(ShownAttribute.of("state", state(row)));
    if (ofJobs) {
      int run = jobs(row, false).size();
      fields.add(ShownAttribute.of("njobs", run + row.suspended()));
      fields.add(ShownAttribute.of("run", run));
      fields.add(ShownAttribute.of("susp", row.suspended()));
    } else {
      for (String name : List.of("OS", "hardware", "host")) {
        fields.add(ShownAttribute.of(name, row.available(name, NONE)));
      }
      fields.add(ShownAttribute.of("queue", row.text("queue")));
    }
    String suffix = ofJobs ? "(f/t)" : "";
    fields.add(ShownAttribute.of("mem" + suffix, memory(row)));
    for (String name : List.of("ncpus", "nmics", "ngpus")) {
      fields.add(ShownAttribute.of(name + suffix, count(row, name)));
    }
    return fields;
  }

  /** A row as an object of JSON. */
  public void json(Json json, NodeRow row) {
    json.open(row.name()).text("State", state(row));
    if (ofJobs) {
      List<String> jobs = jobs(row, false);
      json.value("Total Jobs", Integer.toString(jobs.size() + row.suspended()));
      json.value("Running Jobs", Integer.toString(jobs.size()));
      json.value("Suspended Jobs", Integer.toString(row.suspended()));
      json.text("mem f/t", memory(row));
      for (String name : List.of("ncpus", "nmics", "ngpus")) {
        json.text(name + " f/t", count(row, name));
      }
      json.array("jobs", jobs);
    } else {
      for (String name : List.of("OS", "hardware", "host")) {
        json.text(name, row.available(name, NONE));
      }
      json.text("queue", row.text("queue")).text("Memory", memory(row));
      for (String name : List.of("ncpus", "nmics", "ngpus")) {
        json.value(name, count(row, name));
      }
      json.text("comment", row.text("comment"));
    }
    json.close();
  }

  /** Attributes of a node as an object of JSON: of what is assigned only what is not nothing. */
  public static void attributes(Json json, String name, List<ShownAttribute> attributes) {
    json.open(name);
    String group = null;
    for (ShownAttribute shown : attributes) {
      if (group != null && !shown.name().equals(group)) {
        json.close();
        group = null;
      }
      if (shown.part() != null && group == null) {
        group = shown.name();
        json.open(group);
      }
      boolean nothing =
          shown.name().equals("resources_assigned") && SizeText.leading(shown.value()) == 0;
      if (shown.name().equals("jobs")) {
        json.array("jobs", ids(shown.value()));
      } else if (!nothing) {
        json.value(shown.part() == null ? shown.name() : shown.part(), shown.value());
      }
    }
    if (group != null) {
      json.close();
    }
    json.close();
  }

  private String state(NodeRow row) {
    String state = row.text("state");
    int comma = state.indexOf(',');
    return whole || comma < 0 ? state : state.substring(0, comma);
  }

  private String memory(NodeRow row) {
    String all = row.available("mem", "0kb");
    String total = SizeText.shortened(SizeText.leading(all), SizeText.power(all));
    if (!ofJobs) {
      return total;
    }
    String assigned = row.resource("resources_assigned", "mem", "0kb");
    long free = SizeText.kilobytes(all) - SizeText.kilobytes(assigned);
    return SizeText.shortened(Math.max(0, free), 1) + "/" + total;
  }

  private String count(NodeRow row, String resource) {
    long all = SizeText.leading(row.available(resource, "0"));
    return ofJobs ? row.free(resource) + "/" + all : Long.toString(all);
  }

  private List<String> jobs(NodeRow row, boolean withoutServer) {
    String end = "." + server;
    return ids(row.jobs()).stream()
        .map(
            id ->
                withoutServer && id.endsWith(end)
                    ? id.substring(0, id.length() - end.length())
                    : id)
        .toList();
  }

  /** Ids of the jobs on a node, each once. */
  private static List<String> ids(String jobs) {
    Set<String> ids = new LinkedHashSet<>();
    for (String job : jobs.equals(NONE) ? new String[0] : jobs.split(", *")) {
      int slot = job.indexOf('/');
      ids.add(slot < 0 ? job : job.substring(0, slot));
    }
    return List.copyOf(ids);
  }

  private String left(String text, int width) {
    return String.format("%-" + width + "s", whole ? text : JobTables.cut(text, width));
  }

  private String right(String text, int width) {
    return String.format("%" + width + "s", whole ? text : JobTables.cut(text, width));
  }
}
