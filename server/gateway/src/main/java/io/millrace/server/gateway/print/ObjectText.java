package io.millrace.server.gateway.print;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Attributes of cluster objects in the order of the attribute table, set ones and computed ones.
 */
public final class ObjectText {

  private static final String AVAILABLE = "resources_available";
  private static final String ASSIGNED = "resources_assigned";

  /** State of a node that a reservation has for itself now. */
  private static final String RESERVED = "resv-exclusive";

  /** Comment of an engine that failed and works again. */
  private static final String READY = "READY_TO_USE";

  /** How qstat -q shows that a queue has no limit. */
  private static final String NO_LIMIT = "  --   ";

  private final ResourceTable resources;

  public ObjectText(ResourceTable resources) {
    this.resources = resources;
  }

  /**
   * The server with the jobs of all queues.
   *
   * @param run the state of its default scheduler; null when that never had an engine
   */
  public List<ShownAttribute> server(
      ClusterObject server, Scheduler run, QueueCounts counts, String version) {
    Map<String, String> values = set(server);
    values.put("server_state", serverState(server, run));
    values.put("total_jobs", Long.toString(counts.total()));
    values.put("state_count", counts.text());
    values.put("pbs_version", version);
    assigned(values, counts.assigned());
    reservable(values, "server_priv/reservable.ad has them");
    return ordered(ObjectKind.SERVER, values);
  }

  private static void reservable(Map<String, String> values, String whence) {
    values.computeIfPresent(
        AttributeTable.RESERVABLE,
        (name, text) -> "(" + text.lines().count() + " lines; " + whence + ")");
  }

  /** The server's state in PBS's words: whether it schedules, and does so just now. */
  public static String serverState(ClusterObject server, Scheduler run) {
    Map<String, String> values = set(server);
    return switch (values.getOrDefault(AttributeTable.TERMINATING, "")) {
      case "immediate" -> "Terminating";
      case "delay" -> "Terminating_Delay";
      default -> {
        boolean on = values.getOrDefault("scheduling", "False").equals("True");
        yield !on ? "Idle" : reachable(run) && run.getInCycle() ? "Scheduling" : "Active";
      }
    };
  }

  /** A queue with its jobs. */
  public List<ShownAttribute> queue(ClusterObject queue, QueueCounts counts, boolean hasNodes) {
    Map<String, String> values = set(queue);
    if (hasNodes) {
      values.put("hasnodes", "True");
    }
    values.put("total_jobs", Long.toString(counts.total()));
    values.put("state_count", counts.text());
    assigned(values, counts.assigned());
    return ordered(ObjectKind.QUEUE, values);
  }

  /**
   * A scheduler object.
   *
   * @param run null for one that never had an engine
   * @param home of the server; empty where it is not known
   */
  public List<ShownAttribute> scheduler(ClusterObject scheduler, Scheduler run, String home) {
    Map<String, String> values = set(scheduler);
    // The texts themselves would be too long, and qmgr could not read them back.
    for (String texts :
        List.of(
            AttributeTable.GRID_ENGINE_CONFIGURATION,
            AttributeTable.SCHED_CONFIG,
            AttributeTable.ORIGIN2000)) {
      values.computeIfPresent(
          texts,
          (name, text) -> "(" + text.lines().count() + " lines; ./millrace policy load sets them)");
    }
    reservable(values, "./millrace policy load sets them");
    for (String lines : List.of(AttributeTable.SERVER_DYN_RES, AttributeTable.POLICY_INPUTS_FROM)) {
      values.computeIfPresent(lines, (name, text) -> text.replace("\n", ", "));
    }
    if (run != null && !run.getInputs().isEmpty()) {
      values.put(AttributeTable.POLICY_INPUTS, InputText.all(run.getInputs()));
    }
    if (scheduler.getName().equals("default")) {
      values.put("partition", "pbs-default");
    }
    if (run != null && run.getApart()) {
      values.put("sched_host", run.getHost());
    }
    for (String attribute : SchedulerFolders.BOTH) {
      if (!home.isEmpty()) {
        String usual = home + "/" + SchedulerFolders.usual(attribute, scheduler.getName());
        values.putIfAbsent(attribute, usual);
      }
    }
    switch (values.getOrDefault("job_run_wait", "runjob_hook").toLowerCase(Locale.ROOT)) {
      case "runjob_hook" -> values.put("throughput_mode", "True");
      case "execjob_hook" -> values.put("throughput_mode", "False");
      default -> {} // none of both, as in PBS
    }
    // Without a partition there is nothing that it could schedule.
    boolean works = values.containsKey("partition") && reachable(run);
    values.put("state", !works ? "down" : run.getInCycle() ? "scheduling" : "idle");
    said(values, run);
    return ordered(ObjectKind.SCHEDULER, values);
  }

  /** Whether a scheduler object has an engine that works; run is null when it never had one. */
  public static boolean reachable(Scheduler run) {
    return run != null && run.getEpoch() > 0 && run.getCondition() == EngineCondition.WORKS;
  }

  /** What the server says of an engine comes before an administrator's comment while it matters. */
  private static void said(Map<String, String> values, Scheduler run) {
    if (run == null || run.getComment().isEmpty()) {
      return;
    }
    if (run.getComment().equals(READY)) {
      values.putIfAbsent("comment", READY);
    } else {
      values.put("comment", run.getComment());
    }
  }

  /** A custom resource. */
  public List<ShownAttribute> resource(ClusterObject resource) {
    return ordered(ObjectKind.RESOURCE, set(resource));
  }

  /** A node; run has no measurements for one whose executor never came up. */
  public List<ShownAttribute> node(ClusterObject node, Node run, Times times) {
    return node(node, run, times, NodeReservations.NONE);
  }

  /** A node with what is reserved of it. */
  public List<ShownAttribute> node(
      ClusterObject node, Node run, Times times, NodeReservations reserved) {
    Map<String, String> values = set(node);
    Map<String, String> available = new TreeMap<>(NodeAmounts.properties(run, node, resources));
    Map<String, Long> capacity = NodeAmounts.capacity(run, node, resources);
    capacity.forEach((name, amount) -> available.put(name, amount(name, amount)));
    // What the administrator wrote is shown as it was written.
    available.replaceAll((name, text) -> values.getOrDefault(AVAILABLE + "." + name, text));
    available.forEach((name, text) -> values.put(AVAILABLE + "." + name, text));
    Map<String, Long> held = new TreeMap<>();
    capacity.keySet().forEach(name -> held.put(name, 0L));
    NodeAmounts.add(held, NodeAmounts.held(run));
    assigned(values, held);
    values.put("ntype", "PBS");
    String state = nodeState(node, run);
    if (reserved.exclusive()) {
      state = state.equals("free") ? RESERVED : state + "," + RESERVED;
    }
    values.put("state", state);
    if (!reserved.ids().isEmpty()) {
      values.put("resv", String.join(", ", reserved.ids()));
    }
    if (!run.getDownWhy().isEmpty()) {
      values.putIfAbsent("comment", "node down: " + run.getDownWhy());
    }
    if (NodeLoads.away(run.getMeasured()) != 0) {
      boolean silent = NodeLoads.away(run.getMeasured()) == NodeLoads.SILENT;
      values.putIfAbsent(
          "comment", silent ? "its cluster does not answer" : "its cluster gives it no jobs");
    }
    Map<String, Long> outside = NodeLoads.held(run.getMeasured());
    if (!outside.isEmpty()) {
      List<String> amounts = new ArrayList<>();
      outside.forEach((name, amount) -> amounts.add(name + "=" + amount(name, amount)));
      values.putIfAbsent(
          "comment", "other jobs of its cluster hold " + String.join(",", amounts) + " there");
    }
    if (!run.getHoldings().isEmpty()) {
      values.put("jobs", jobs(run));
    }
    if (run.getStateSinceMs() > 0) {
      values.put("last_state_change_time", time(times, run.getStateSinceMs()));
    }
    if (run.getLastUsedMs() > 0) {
      values.put("last_used_time", time(times, run.getLastUsedMs()));
    }
    return ordered(ObjectKind.NODE, values);
  }

  /** PBS's words in PBS's order: state-unknown, down, offline, job-busy, job-exclusive; or free. */
  public String nodeState(ClusterObject node, Node run) {
    List<String> words = new ArrayList<>();
    long away = NodeLoads.away(run.getMeasured());
    if ((run.getStateSinceMs() == 0 && !run.getUp()) || away == NodeLoads.SILENT) {
      words.add("state-unknown");
    }
    if (!run.getUp()) {
      words.add("down");
    }
    if ("offline".equals(set(node).get("state")) || away == NodeLoads.CLOSED) {
      words.add("offline");
    }
    String use = use(node, run);
    if (!use.isEmpty()) {
      words.add(use);
    }
    return words.isEmpty() ? "free" : String.join(",", words);
  }

  /** The state job-busy or job-exclusive; empty when neither applies. */
  private String use(ClusterObject node, Node run) {
    if (run.getHoldings().stream().anyMatch(Holding::getExclusive)) {
      return "job-exclusive";
    }
    long free = NodeAmounts.free(run, node, resources).getOrDefault("ncpus", 0L);
    boolean used = !run.getHoldings().isEmpty() || !NodeLoads.held(run.getMeasured()).isEmpty();
    return free <= 0 && used ? "job-busy" : "";
  }

  /** As PBS: a job stands there for each processor that it has on the node, at least once. */
  private static String jobs(Node run) {
    StringBuilder jobs = new StringBuilder();
    int slot = 0;
    for (Holding holding : run.getHoldings()) {
      long processors = holding.getAmounts().getOrDefault("ncpus", (long) holding.getChunks());
      for (int i = 0; i < Math.max(1, processors); i++) {
        jobs.append(jobs.length() == 0 ? "" : ", ");
        jobs.append(holding.getJobId()).append('/').append(slot++);
      }
    }
    return jobs.toString();
  }

  private static String time(Times times, long ms) {
    return times == null ? Long.toString(ms / 1000) : times.ctime(ms);
  }

  private void assigned(Map<String, String> values, Map<String, Long> amounts) {
    amounts.forEach(
        (name, amount) -> {
          String text =
              resources
                  .find(name)
                  .map(r -> Amounts.formatAssigned(r, amount))
                  .orElse(Long.toString(amount));
          values.put(ASSIGNED + "." + name, text);
        });
  }

  private String amount(String name, long amount) {
    return resources.find(name).map(r -> Amounts.format(r, amount)).orElse(Long.toString(amount));
  }

  private static Map<String, String> set(ClusterObject object) {
    Map<String, String> values = new HashMap<>();
    for (Attribute attribute : object.getAttributes()) {
      values.put(attribute.getName(), attribute.getValue());
    }
    return values;
  }

  private static List<ShownAttribute> ordered(ObjectKind kind, Map<String, String> values) {
    Map<String, String> sorted = new TreeMap<>(values);
    List<ShownAttribute> shown = new ArrayList<>();
    for (AttributeDefinition definition : AttributeTable.of(kind)) {
      String name = definition.name();
      if (definition.perResource()) {
        String prefix = name + ".";
        sorted.forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) {
                shown.add(new ShownAttribute(name, key.substring(prefix.length()), value));
              }
            });
      } else {
        String value = sorted.getOrDefault(name, definition.defaultValue());
        if (!value.isEmpty()) {
          shown.add(ShownAttribute.of(name, value));
        }
      }
    }
    return shown;
  }

  /** A row of qstat -Q. */
  public static String queueRow(ClusterObject queue, QueueCounts counts) {
    Map<String, String> values = set(queue);
    return String.format(
        "%-16s %5d %5d %3s %3s %5d %5d %5d %5d %5d %5d %s\n",
        JobTables.cut(queue.getName(), 16),
        0,
        counts.total(),
        yes(values.get("enabled")),
        yes(values.get("started")),
        counts.of(JobStatus.QUEUED),
        counts.of(JobStatus.RUNNING),
        counts.of(JobStatus.HELD),
        counts.waiting(),
        counts.of(JobStatus.TRANSIT),
        counts.of(JobStatus.EXITING),
        values.containsKey("queue_type") ? values.get("queue_type").substring(0, 3) + "*" : "--");
  }

  /** A row of qstat -B. */
  public static String serverRow(String name, QueueCounts counts, String state) {
    return String.format(
        "%-16s %5d %5d %5d %5d %5d %5d %5d %5d %-10s\n",
        JobTables.cut(name, 16),
        0,
        counts.total(),
        counts.of(JobStatus.QUEUED),
        counts.of(JobStatus.RUNNING),
        counts.of(JobStatus.HELD),
        counts.waiting(),
        counts.of(JobStatus.TRANSIT),
        counts.of(JobStatus.EXITING),
        state);
  }

  /** A row of qstat -q. */
  public static String limitsRow(ClusterObject queue, QueueCounts counts, SizeUnit sizes) {
    Map<String, String> values = set(queue);
    String memory = values.get("resources_max.mem");
    return String.format(
        "%-16s %6.6s %8.8s %8.8s %4.4s %5d %5d %4.4s   %s %s\n",
        JobTables.cut(queue.getName(), 16),
        memory == null ? "--  " : sizes.show(memory),
        values.getOrDefault("resources_max.cput", NO_LIMIT),
        values.getOrDefault("resources_max.walltime", NO_LIMIT),
        values.getOrDefault("resources_max.nodect", "-- "),
        counts.of(JobStatus.RUNNING),
        counts.total() - counts.of(JobStatus.RUNNING) - counts.of(JobStatus.EXITING),
        values.getOrDefault("max_running", NO_LIMIT),
        "True".equals(values.get("enabled")) ? "E" : "D",
        "True".equals(values.get("started")) ? "R" : "S");
  }

  private static String yes(String value) {
    return "True".equals(value) ? "yes" : "no";
  }
}
