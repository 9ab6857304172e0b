package io.millrace.schedulers.dialects.origin2000;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import io.millrace.schedulers.dialects.origin2000.plan.OriginMemory;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.plan.OriginScheduler;
import io.millrace.schedulers.dialects.origin2000.state.OriginAction;
import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginJob;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import io.millrace.schedulers.dialects.origin2000.state.OriginOutside;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport;
import io.millrace.schedulers.dialects.origin2000.state.OriginView;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A scheduler of the Origin2000 dialect with one host of 32 nodes, on Tuesday 9 November 1999 at
 * 20:00. Queues submit, special, ded, ext and exec exist; exec has 32 nodes and 8 hours.
 */
public final class OriginScene implements OriginOutside {

  public static final String BASE =
      "SUBMIT_QUEUE submit\nBATCH_QUEUES exec\nAVOID_FRAGMENTATION False\n"
          + "SORT_BY_PAST_USAGE False\n";
  public static final String PRIME =
      "ENFORCE_PRIME_TIME True\nPRIME_TIME_START 08:00:00\nPRIME_TIME_END 17:00:00\n"
          + "PRIME_TIME_WALLT_LIMIT 02:00:00\n";
  public static final String DEDICATED =
      "ENFORCE_DEDICATED_TIME True\nDEDICATED_QUEUES ded\nDEDICATED_TIME_COMMAND schedule\n";
  public static final String ALLOCATION = "ENFORCE_ALLOCATION True\nSCHED_ACCT_DIR acct\n";

  private static final long WAITED_S = 60;

  private final OriginPlace place;
  private final Map<String, OriginJob> jobs = new LinkedHashMap<>();
  private final Map<String, OriginQueueState> queues = new LinkedHashMap<>();
  private final Map<String, OriginHostState> hosts = new LinkedHashMap<>();
  private final Map<String, String> dedicatedTimes = new HashMap<>();
  private final Set<String> refused = new HashSet<>();
  private final Set<String> stuck = new HashSet<>();
  private OriginConfig config;
  private OriginHolidays holidays = OriginHolidays.NONE;
  private boolean usageFirst = true;
  private boolean checked = true;
  private InputFile usage = InputFile.NONE;
  private InputFile allocations = InputFile.NONE;
  private InputFile current = InputFile.NONE;
  private long now;
  private OriginMemory memory;
  private OriginReport report;

  public OriginScene(String text) {
    this(text, "UTC");
  }

  public OriginScene(String text, String zone) {
    place = new OriginPlace("hopper", ZoneId.of(zone));
    config = OriginConfigText.read("config", BASE + text, place).config();
    at("1999-11-09T20:00:00");
    host("hopper", 32, 0);
    for (String name : List.of("submit", "special", "ded", "ext")) {
      queue(name, -1, -1);
    }
    queue("exec", 32, -1);
  }

  public OriginConfig config() {
    return config;
  }

  public OriginPlace place() {
    return place;
  }

  public OriginScene config(OriginConfig other) {
    config = other;
    return this;
  }

  /** Takes options that do not fit each other. */
  public OriginScene unchecked() {
    checked = false;
    return this;
  }

  /** The time of the next cycle; the scheduler has been started at the first. */
  public OriginScene at(String local) {
    now = LocalDateTime.parse(local).atZone(place.zone()).toEpochSecond();
    memory = memory == null ? new OriginMemory(now) : memory;
    return this;
  }

  public OriginScene after(long seconds) {
    now += seconds;
    return this;
  }

  public OriginScene host(String name, long nodes, double load) {
    return host(name, nodes, load, "global");
  }

  public OriginScene host(String name, long nodes, double load, String counters) {
    hosts.put(
        name, new OriginHostState(name, nodes * 2, nodes * OriginNodes.MEMORY, load, counters));
    return this;
  }

  /**
   * @param nodes -1 without limit
   * @param maxRunning -1 without limit
   */
  public OriginScene queue(String name, long nodes, long maxRunning) {
    return queue(name, nodes, maxRunning, -1);
  }

  public OriginScene queue(String name, long nodes, long maxRunning, long maxUserRun) {
    OriginQueueState.RequestBound none = new OriginQueueState.RequestBound(-1, -1, -1);
    OriginQueueState.RequestBound most =
        nodes < 0
            ? none
            : new OriginQueueState.RequestBound(nodes * 2, nodes * OriginNodes.MEMORY, 8 * 3600);
    queues.put(
        name, new OriginQueueState(name, true, true, maxRunning, maxUserRun, null, most, none));
    return this;
  }

  public OriginScene holidays(String text) {
    holidays = OriginHolidays.read("holidays", text);
    return this;
  }

  public OriginScene readsUsageLate() {
    usageFirst = false;
    return this;
  }

  public OriginScene usage(String text) {
    usage = new InputFile(text, 1);
    return this;
  }

  public OriginScene allocations(String text, String used) {
    allocations = new InputFile(text, now);
    current = new InputFile(used, now);
    return this;
  }

  public OriginScene dedicatedTime(String name, String output) {
    dedicatedTimes.put(name, output);
    return this;
  }

  /** Lets the server refuse to start a job. */
  public OriginScene refuse(String job) {
    refused.add(job);
    return this;
  }

  /** Lets a host refuse a mode of its counters. */
  public OriginScene stick(String host, String mode) {
    stuck.add(host + " " + mode);
    return this;
  }

  /**
   * Adds a job, which waits in submit since a minute.
   *
   * @param words in any order: {@code queue=NAME owner=NAME group=NAME waited=SECONDS run=SECONDS}
   *     (it runs since), {@code state=C origin=QUEUE interactive hpm}
   */
  public OriginScene job(String id, long nodes, String walltime, String words) {
    Map<String, String> set = new HashMap<>();
    for (String word : words.split(" ")) {
      String[] parts = word.split("=", 2);
      set.put(parts[0], parts.length > 1 ? parts[1] : "");
    }
    boolean runs = set.containsKey("run");
    long since = now - Long.parseLong(set.getOrDefault("waited", String.valueOf(WAITED_S)));
    jobs.put(
        id,
        new OriginJob(
            id,
            set.getOrDefault("owner", "ann"),
            set.getOrDefault("group", "g1"),
            set.getOrDefault("queue", runs ? "exec" : "submit"),
            set.getOrDefault("origin", ""),
            runs ? "hopper" : "",
            runs ? 'R' : set.getOrDefault("state", "Q").charAt(0),
            nodes * 2,
            nodes * OriginNodes.MEMORY,
            OriginType.timespec(walltime),
            runs ? Long.parseLong(set.get("run")) : 0,
            since,
            since,
            since,
            set.containsKey("interactive"),
            set.containsKey("hpm"),
            null));
    return this;
  }

  public OriginScene finish(String id) {
    jobs.remove(id);
    return this;
  }

  /** Runs a cycle and tells its actions, a line each. */
  public String run() {
    if (checked) {
      OriginConfigChecks.check("config", config, command -> true);
    }
    boolean accounts = config.word(OriginOption.SCHED_ACCT_DIR).isPresent();
    List<OriginAction> actions = new ArrayList<>();
    do {
      report =
          OriginScheduler.run(
              new OriginRules(config, place, holidays, usageFirst),
              memory,
              this,
              new OriginView(
                  now,
                  List.copyOf(jobs.values()),
                  queues,
                  hosts,
                  usage,
                  accounts ? allocations : InputFile.NONE,
                  accounts ? current : InputFile.NONE));
      actions.addAll(report.actions());
      report.actions().forEach(this::take);
      report.decayUsage().ifPresent(text -> usage = new InputFile(text, now));
    } while (report.again());
    memory.cycleEnds();
    return String.join("\n", actions.stream().map(OriginScene::told).toList());
  }

  public OriginReport report() {
    return report;
  }

  public String usage() {
    return usage.text();
  }

  /** The jobs in the order in which they were looked at. */
  public String sorted() {
    return String.join(" ", report.sorted().stream().map(OriginReport.Sorted::job).toList());
  }

  private static String told(OriginAction action) {
    if (action instanceof OriginAction.Comment it) {
      return it.job() + ": " + it.text();
    } else if (action instanceof OriginAction.OriginJobStart it) {
      String on = it.job() + " on " + it.queue() + "@" + it.host();
      return (it.accepted() ? "run " : "refused ") + on;
    } else if (action instanceof OriginAction.OriginMove it) {
      return "move " + it.job() + " to " + it.to();
    } else if (action instanceof OriginAction.OriginDeletion it) {
      return "delete " + it.job() + ": " + it.reason().split("\n")[0];
    } else if (action instanceof OriginAction.SwitchCounters it) {
      return it.mode() + " on " + it.host() + (it.done() ? "" : " fails");
    } else if (action instanceof OriginAction.WouldRun it) {
      return "would run " + it.job() + " on " + it.queue() + "@" + it.host();
    } else if (action instanceof OriginAction.WouldDelete it) {
      return "would delete " + it.job();
    }
    return action.toString();
  }

  private void take(OriginAction action) {
    if (action instanceof OriginAction.Comment it) {
      OriginJob job = jobs.get(it.job());
      jobs.put(it.job(), changed(job, job.queue(), job.state(), it.text()));
    } else if (action instanceof OriginAction.OriginMove it) {
      OriginJob job = jobs.get(it.job());
      jobs.put(it.job(), changed(job, it.to(), job.state(), job.comment()));
    } else if (action instanceof OriginAction.OriginJobStart it && it.accepted()) {
      OriginJob job = jobs.get(it.job());
      jobs.put(it.job(), changed(job, job.queue(), 'R', job.comment()));
    } else if (action instanceof OriginAction.OriginDeletion it) {
      jobs.remove(it.job());
    }
  }

  private OriginJob changed(OriginJob job, String queue, char state, String comment) {
    return new OriginJob(
        job.id(),
        job.owner(),
        job.group(),
        queue,
        job.originQueue(),
        job.execHost(),
        state,
        job.ncpus(),
        job.memory(),
        job.walltimeS(),
        job.usedS(),
        job.createdAt(),
        job.eligibleAt(),
        now,
        job.interactive(),
        job.hpm(),
        comment);
  }

  @Override
  public Optional<String> dedicatedTimes(String name) {
    String nothing = "No scheduled downtime for the specified period.";
    return config
        .word(OriginOption.DEDICATED_TIME_COMMAND)
        .map(command -> dedicatedTimes.getOrDefault(name, nothing));
  }

  @Override
  public boolean switchCounters(String host, String mode) {
    return !stuck.contains(host + " " + mode);
  }

  @Override
  public boolean starts(String job, String host) {
    return !refused.contains(job);
  }
}
