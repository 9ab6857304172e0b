package io.millrace.ops.bench;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.plan.OriginMemory;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.plan.OriginScheduler;
import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginJob;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import io.millrace.schedulers.dialects.origin2000.state.OriginOutside;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport;
import io.millrace.schedulers.dialects.origin2000.state.OriginView;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A site of the Origin2000 dialect: four hosts of 64 nodes, half of them busy, all options of the
 * scheduler in use, and a queue of jobs of 200 users in 20 groups.
 */
final class OriginLoad implements OriginOutside {

  /** Tuesday 9 November 1999, 10:00: in prime time. */
  private static final long NOW = 942_141_600;

  private static final int HOSTS = 4;
  private static final long NODES = 64;
  private static final int USERS = 200;
  private static final int GROUPS = 20;

  private static final String CONFIG =
      """
      SUBMIT_QUEUE submit
      BATCH_QUEUES b0@h0,b1@h1,b2@h2,b3@h3
      SPECIAL_QUEUE special
      DEDICATED_QUEUES d0@h0,d1@h1,d2@h2,d3@h3
      EXTERNAL_QUEUES ext@h0
      ENFORCE_PRIME_TIME True
      PRIME_TIME_START 8:00:00
      PRIME_TIME_END 18:00:00
      PRIME_TIME_WALLT_LIMIT 4:00:00
      PRIME_TIME_SMALL_NODE_LIMIT 8
      PRIME_TIME_SMALL_WALLT_LIMIT 8:00:00
      SMALL_JOB_MAX 16
      WALLT_LIMIT_SMALL_JOB 100:00:00
      WALLT_LIMIT_LARGE_JOB 100:00:00
      ENFORCE_DEDICATED_TIME True
      DEDICATED_TIME_COMMAND schedule
      DEDICATED_TIME_CACHE_SECS 300
      SYSTEM_NAME all
      NONPRIME_DRAIN_SYS True
      NP_DRAIN_BACKTIME 30:00
      NP_DRAIN_IDLETIME 5:00
      MAX_JOBS 40
      MIN_JOBS 1
      TARGET_LOAD_PCT 90
      TARGET_LOAD_VARIANCE -15%,+10%
      ENFORCE_ALLOCATION True
      SCHED_ACCT_DIR acct
      SORT_BY_PAST_USAGE True
      DECAY_FACTOR 0.75
      OA_DECAY_FACTOR 0.95
      MAX_QUEUED_TIME 48:00:00
      INTERACTIVE_LONG_WAIT 30:00
      SMALL_QUEUED_TIME 4:00:00
      SORTED_JOB_DUMPFILE sorted
      MANAGE_HPM_COUNTERS True
      REVOKE_HPM_COUNTERS True
      SCHED_RESTART_ACTION RESUBMIT
      AVOID_FRAGMENTATION True
      FAKE_MACHINE_MULT 1
      """;

  private final OriginRules rules;
  private final OriginMemory memory = new OriginMemory(NOW - 600);
  private final List<OriginJob> jobs = new ArrayList<>();
  private final Map<String, OriginQueueState> queues = new LinkedHashMap<>();
  private final Map<String, OriginHostState> hosts = new LinkedHashMap<>();
  private InputFile usage;
  private final InputFile allocations;
  private int cycles;

  /**
   * @param waiting number of jobs that wait
   */
  OriginLoad(int waiting) {
    OriginPlace place = new OriginPlace("h0", ZoneId.of("UTC"));
    OriginConfig config = OriginConfigText.read("config", CONFIG, place).config();
    OriginConfigChecks.check("config", config, command -> true);
    rules = new OriginRules(config, place, OriginHolidays.NONE, true);
    for (int host = 0; host < HOSTS; host++) {
      hosts.put("h" + host, host("h" + host));
      queue("b" + host, NODES);
      queue("d" + host, NODES);
    }
    queue("submit", -1);
    queue("special", -1);
    queue("ext", NODES);
    for (int i = 0; i < HOSTS * 8; i++) {
      run(i);
    }
    for (int i = 0; i < waiting; i++) {
      queueJob(i);
    }
    usage = new InputFile(usageText(), 0);
    allocations = new InputFile(allocationText(), 0);
  }

  private static OriginHostState host(String name) {
    return new OriginHostState(
        name, NODES * OriginNodes.PROCESSORS, NODES * OriginNodes.MEMORY, 60, "global");
  }

  private void queue(String name, long nodes) {
    OriginQueueState.RequestBound none = new OriginQueueState.RequestBound(-1, -1, -1);
    OriginQueueState.RequestBound most =
        nodes < 0
            ? none
            : new OriginQueueState.RequestBound(
                nodes * OriginNodes.PROCESSORS, nodes * OriginNodes.MEMORY, 100 * 3600);
    queues.put(name, new OriginQueueState(name, true, true, 12, 4, null, most, none));
  }

  private static String usageText() {
    StringBuilder text = new StringBuilder("Tue\n");
    for (int user = 0; user < USERS; user++) {
      text.append(group(user)).append(":u").append(user).append(' ').append(user * 7 % 90 + 1.5);
      text.append('\n');
    }
    return text.toString();
  }

  private static String allocationText() {
    StringBuilder text = new StringBuilder();
    for (int group = 0; group < GROUPS; group++) {
      text.append("P= project = grp").append(group).append(" = 100000\n");
    }
    return text.toString();
  }

  private static String group(int user) {
    return "grp" + user % GROUPS;
  }

  /** A job of four nodes that runs: eight of them take half of a host. */
  private void run(int number) {
    int host = number % HOSTS;
    OriginQueueName place = new OriginQueueName("b" + host, "h" + host);
    jobs.add(job("r" + number, number, place, 4, 7200 + number * 60L));
  }

  private void queueJob(int number) {
    String queue = number % 500 == 7 ? "special" : number % 400 == 9 ? "ext" : "submit";
    long nodes = 1 + number * 31L % 48;
    long walltime = 600 + number * 97L % 90_000;
    OriginQueueName place = new OriginQueueName(queue, "");
    jobs.add(job("w" + number, number, place, nodes, walltime));
  }

  /** A job that runs where a host is given, and waits where none is. */
  private static OriginJob job(
      String id, int number, OriginQueueName place, long nodes, long walltimeS) {
    boolean runs = !place.host().isEmpty();
    int user = number * 13 % USERS;
    long since = NOW - 600 - number * 53L % 200_000;
    return new OriginJob(
        id,
        "u" + user,
        group(user),
        place.name(),
        "submit",
        place.host(),
        runs ? 'R' : 'Q',
        nodes * OriginNodes.PROCESSORS,
        nodes * OriginNodes.MEMORY,
        walltimeS,
        runs ? 3600 : 0,
        since,
        since,
        since,
        number % 20 == 3,
        number % 50 == 4,
        null);
  }

  /** One cycle on the same jobs; what it decides is not carried out. */
  OriginReport cycle() {
    OriginView view =
        new OriginView(NOW + cycles++, jobs, queues, hosts, usage, allocations, InputFile.NONE);
    OriginReport report = OriginScheduler.run(rules, memory, this, view);
    report.decayUsage().ifPresent(text -> usage = new InputFile(text, NOW));
    memory.cycleEnds();
    return report;
  }

  @Override
  public Optional<String> dedicatedTimes(String name) {
    return Optional.of(name.toUpperCase(Locale.ROOT) + " 11/12/1999 22:00-23:00 11/12/1999\n");
  }

  @Override
  public boolean switchCounters(String host, String mode) {
    return true;
  }

  @Override
  public boolean starts(String job, String host) {
    return true;
  }
}
