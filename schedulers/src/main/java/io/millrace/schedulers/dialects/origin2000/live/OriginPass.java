package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.plan.OriginMemory;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.plan.OriginScheduler;
import io.millrace.schedulers.dialects.origin2000.state.OriginAction;
import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginJob;
import io.millrace.schedulers.dialects.origin2000.state.OriginOutside;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport;
import io.millrace.schedulers.dialects.origin2000.state.OriginView;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One look at all jobs: shows the dialect what is so, and takes what it decided. */
final class OriginPass implements OriginOutside {

  /** How long a job rests after the shard, or the room on its node, refused its start. */
  static final long REST_MS = 60_000;

  /** Walltime of a job that asks for none: five years, as in PBS. */
  private static final long UNLIMITED_S = 5L * 365 * 86_400;

  /** Begins what jobs are told while nothing is done. */
  private static final String ONLY_TRIED = "TEST_ONLY is set, nothing is done: ";

  private static final List<OriginOption> LISTS =
      List.of(
          OriginOption.SUBMIT_QUEUE,
          OriginOption.BATCH_QUEUES,
          OriginOption.SPECIAL_QUEUE,
          OriginOption.DEDICATED_QUEUES,
          OriginOption.EXTERNAL_QUEUES);

  private final OriginFollower state;
  private final OriginRules rules;
  private final OriginMemory memory;
  private final LimitGate limits;
  private final int launchesMax;
  private final long now;
  private final OriginCycles.OriginCycleOutcome outcome;
  private final OriginConfig config;
  private final Map<String, Node> nodes = new HashMap<>();
  private final Map<Long, String> comments = new LinkedHashMap<>();
  private final Map<Long, String> moved = new LinkedHashMap<>();
  private final Map<Long, NodeShare> accepted = new HashMap<>();

  /** Jobs of which nothing was decided where everything is only tried. */
  private final Set<OriginTask> idle = new LinkedHashSet<>();

  private long proposed;
  private int looked;

  /**
   * @param memory is changed
   * @param outcome takes what is to be done
   */
  OriginPass(
      OriginFollower state,
      OriginMemory memory,
      LimitGate limits,
      int launchesMax,
      long now,
      OriginCycles.OriginCycleOutcome outcome) {
    this.state = state;
    this.rules = state.loaded().rules();
    this.memory = memory;
    this.limits = limits;
    this.launchesMax = launchesMax;
    this.now = now;
    this.outcome = outcome;
    this.config = rules.config();
  }

  /** How many jobs it looked at. */
  int looked() {
    return looked;
  }

  /** Whether interrupted jobs went back, so that another look is due. */
  boolean run() {
    Map<String, OriginHostState> hosts = hosts();
    List<OriginJob> jobs = jobs();
    looked = jobs.size();
    OriginView view =
        new OriginView(
            now,
            jobs,
            state.queues().states(state.partitions()),
            hosts,
            InputFile.NONE,
            state.inputs().allocations(),
            state.inputs().current());
    Optional<String> missing = missing(view);
    if (missing.isPresent()) {
      String name = missing.get();
      OriginCycles.allWait(
          state, "", "The policy cannot be obeyed: there is no queue " + name, now * 1000);
      return false;
    }
    memory.usageElsewhere(state.usage());
    memory.allocationsElsewhere(state.groupUsage());
    OriginReport report = OriginScheduler.run(rules, memory, this, view);
    report.actions().forEach(this::take);
    moved.forEach((number, queue) -> state.task(number).resubmitted = queue);
    comments.forEach(this::tell);
    idle.forEach(task -> say(task, ONLY_TRIED + "it would not start now"));
    return report.again();
  }

  /** A queue that the configuration names and nobody has made; the dialect would stand still. */
  private Optional<String> missing(OriginView view) {
    return LISTS.stream()
        .flatMap(list -> config.queues(list).stream())
        .map(OriginQueueName::name)
        .filter(name -> !view.queues().containsKey(name))
        .findFirst();
  }

  private Map<String, OriginHostState> hosts() {
    Map<String, OriginHostState> hosts = new LinkedHashMap<>();
    for (OriginOption list : LISTS) {
      for (OriginQueueName queue : config.queues(list)) {
        if (!knowsDedicatedTimes(queue.host())) {
          continue; // to start a job by a guess cannot be undone
        }
        state
            .hosts()
            .usable(queue.host(), state.partitions())
            .ifPresent(
                node -> {
                  nodes.put(queue.host(), node);
                  hosts.put(queue.host(), state.hosts().state(queue.host(), node));
                });
      }
    }
    return hosts;
  }

  private boolean knowsDedicatedTimes(String host) {
    return !config.enforced(OriginOption.ENFORCE_DEDICATED_TIME, now)
        || dedicatedTimes(host).isPresent()
            && config
                .word(OriginOption.SYSTEM_NAME)
                .map(name -> dedicatedTimes(name).isPresent())
                .orElse(true);
  }

  /** The jobs of all queues that the configuration names, in the order of submission. */
  private List<OriginJob> jobs() {
    limits.begin();
    List<OriginTask> own = new ArrayList<>();
    Set<String> named = Set.copyOf(named());
    for (OriginTask task : state.tasks()) {
      if (!state.owns(task) || task.waits() && (task.leaving || task.givenUp)) {
        continue;
      }
      if (task.proposed != null) {
        proposed++;
        limits.take(task.number, task.chunks);
      }
      if (task.ofArray && task.waits()) {
        say(task, "The policy does not start arrays of jobs");
      } else if (named.contains(task.queue())) {
        own.add(task);
        if (config.on(OriginOption.TEST_ONLY) && task.waits() && !task.held) {
          idle.add(task);
        }
      } else if (task.waits() && !task.held) {
        say(task, "Queue " + task.queue() + " is not one of the policy's queues");
      }
    }
    own.sort(Comparator.comparingLong(task -> task.rank));
    return own.stream().map(this::shown).toList();
  }

  private List<String> named() {
    return LISTS.stream()
        .flatMap(list -> config.queues(list).stream())
        .map(OriginQueueName::name)
        .distinct()
        .toList();
  }

  private void say(OriginTask task, String text) {
    if (!text.equals(task.comment)) {
      tell(task.number, text);
      task.commentedS = 0; // so that the policy may say something else at once
    }
  }

  private OriginJob shown(OriginTask task) {
    return new OriginJob(
        Long.toString(task.number),
        task.user,
        task.group,
        task.queue(),
        "",
        host(task),
        status(task),
        task.asked("ncpus"),
        task.asked("mem"),
        task.walltimeS < 0 ? UNLIMITED_S : task.walltimeS,
        task.node == null ? 0 : Math.max(0, now - task.startedS),
        task.createdS,
        task.eligibleS,
        task.commentedS,
        task.terminal,
        false,
        task.comment);
  }

  /** The host of the job's queue on whose node it runs; empty while it waits. */
  private String host(OriginTask task) {
    if (task.node == null) {
      return task.proposed == null ? "" : task.proposedHost;
    }
    return LISTS.stream()
        .flatMap(list -> config.queues(list).stream())
        .filter(queue -> queue.name().equals(task.queue()))
        .map(OriginQueueName::host)
        .filter(host -> nodes.containsKey(host))
        .filter(host -> nodes.get(host).getName().equals(task.node))
        .findFirst()
        .orElse("");
  }

  /** Its state in PBS's letter; what is not to be started now is W to the dialect. */
  private char status(OriginTask task) {
    if (!task.waits()) {
      return 'R';
    }
    if (task.held) {
      return 'H';
    }
    boolean rests = task.restUntilMs > now * 1000;
    Optional<LimitGate.Reached> limit = limits.reached(task.number, task.chunks);
    limit.ifPresent(
        reached -> say(task, "Limit " + reached.name() + " is reached (" + reached.amount() + ")"));
    return rests || limit.isPresent() ? 'W' : 'Q';
  }

  private void take(OriginAction action) {
    if (action instanceof OriginAction.Comment comment) {
      comments.put(Long.parseLong(comment.job()), comment.text());
    } else if (action instanceof OriginAction.OriginMove move) {
      moved(Long.parseLong(move.job()), move.to());
    } else if (action instanceof OriginAction.OriginJobStart run) {
      started(Long.parseLong(run.job()), run);
    } else if (action instanceof OriginAction.OriginDeletion delete) {
      givenUp(Long.parseLong(delete.job()), delete.reason());
    } else if (action instanceof OriginAction.WouldRun run) {
      tried(run.job(), "it would start in queue " + run.queue() + " on host " + run.host());
    } else if (action instanceof OriginAction.WouldDelete delete) {
      tried(delete.job(), "it would be deleted: " + delete.reason());
    }
    // A job's request stays as it was asked for; only the dialect counts it in whole nodes.
  }

  private void tried(String job, String what) {
    OriginTask task = state.task(Long.parseLong(job));
    idle.remove(task);
    String text = ONLY_TRIED + what;
    if (!text.equals(task.comment)) {
      say(task, text);
      outcome.tried().put(task.number, what);
    }
  }

  /** What is held may be altered before it is released; the shard would refuse its deletion. */
  private void givenUp(long number, String why) {
    OriginTask task = state.task(number);
    if (task.held) {
      return;
    }
    if (outcome.deletions().size() >= launchesMax) {
      state.touch(); // the others in the next cycle
      return;
    }
    task.givenUp = true;
    outcome.deletions().put(number, why);
  }

  private void moved(long number, String to) {
    OriginTask task = state.task(number);
    if (to.equals(task.queue())) {
      moved.remove(number); // back again: the start was refused
    } else {
      moved.put(number, to);
    }
  }

  private void started(long number, OriginAction.OriginJobStart run) {
    comments.remove(number);
    if (!run.accepted()) {
      return;
    }
    moved.remove(number);
    OriginTask task = state.task(number);
    OriginStart start = new OriginStart(number, accepted.get(number), run.queue());
    task.proposed = start;
    task.proposedHost = run.host();
    state.reasons().clear(number);
    outcome.starts().add(start);
  }

  private void tell(long number, String text) {
    OriginTask task = state.task(number);
    task.comment = text;
    task.commentedS = now;
    state.reasons().say(number, text, now * 1000);
  }

  @Override
  public Optional<String> dedicatedTimes(String name) {
    return state.inputs().dedicatedTimes(name);
  }

  @Override
  public boolean switchCounters(String host, String mode) {
    return false;
  }

  @Override
  public boolean starts(String job, String host) {
    OriginTask task = state.task(Long.parseLong(job));
    Node node = nodes.get(host);
    if (proposed >= launchesMax) {
      state.full();
      return false;
    }
    if (limits.reached(task.number, task.chunks).isPresent()) {
      state.touch(); // others are tried without it
      return false;
    }
    Map<String, Long> amounts = task.amounts();
    if (node == null || !state.hosts().fits(node, amounts)) {
      String where = node == null ? host : node.getName();
      state.rest(
          task,
          "There is no room for it on node " + where + " beside what else runs there",
          now * 1000,
          now * 1000 + REST_MS);
      return false;
    }
    NodeShare share = new NodeShare(node.getName(), node.getHost(), task.chunks, amounts);
    state.hosts().hold(task.number, List.of(share));
    limits.take(task.number, task.chunks);
    accepted.put(task.number, share);
    proposed++;
    return true;
  }
}
