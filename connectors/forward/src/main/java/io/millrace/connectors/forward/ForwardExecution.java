package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSubmission.OutsidePlace;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunLimits;
import io.millrace.connectors.local.run.RunNodes;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.connectors.local.run.StartedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the runs of one node of a cluster, by the bridge of that cluster. */
final class ForwardExecution implements Execution {
  private static final Logger log = LoggerFactory.getLogger(ForwardExecution.class);

  private static final Pattern JOB =
      Pattern.compile("([0-9]{1,18})(?:\\[([0-9]{1,9})])?(?:\\..*)?");

  private static final Pattern SIGNAL = Pattern.compile("[1-9][0-9]?");

  private static final Duration MOMENT = Duration.ofSeconds(2);

  private final ClusterFile file;
  private final Path folder;
  private final BridgeThread thread;
  private final OutsideAccounts accounts;
  private final ForwardOutcome outcomes;
  private final String mark;
  private final InstantSource clock;
  private final RunObserver observer;
  private final OrderPassing passing;
  private final Map<RunId, KnownRun> runs = new ConcurrentHashMap<>();

  /**
   * What the executions of a cluster share.
   *
   * @param mark of the spool
   * @param clock that of the bridge: times of the queue's answers and of runs are held against it
   */
  record ClusterConnection(
      ClusterFile file,
      BridgeThread thread,
      OutsideAccounts accounts,
      ForwardOutcome outcomes,
      String mark,
      InstantSource clock) {}

  private ForwardExecution(ClusterConnection cluster, ForwardNode node, RunObserver observer) {
    this.file = cluster.file();
    this.thread = cluster.thread();
    this.accounts = cluster.accounts();
    this.outcomes = cluster.outcomes();
    this.mark = cluster.mark();
    this.clock = cluster.clock();
    this.folder = node.runs();
    this.observer = observer;
    this.passing = new OrderPassing(clock, observer);
  }

  /** Continues with the runs of an earlier process. */
  static ForwardExecution open(ClusterConnection cluster, ForwardNode node, RunObserver observer)
      throws IOException, InterruptedException {
    Path folder = node.runs();
    Files.createDirectories(folder);
    ForwardExecution execution = new ForwardExecution(cluster, node, observer);
    for (ForwardedRun run : ForwardedRun.all(folder)) {
      if (cluster.thread().call(bridge -> bridge.run(run.tag())).isPresent()) {
        execution.take(new KnownRun(run, folder, null));
      } else {
        run.remove(folder); // its order is read again
      }
    }
    cluster.thread().watch(execution::look);
    return execution;
  }

  /** Goes on with a run of an earlier process, which could not note that it is to be deleted. */
  private void take(KnownRun known) {
    runs.put(known.run().id(), known);
    if (known.run().isToDelete(folder)) {
      delete(known);
    }
  }

  @Override
  public boolean start(RunRequest request) throws IOException, InterruptedException {
    if (runs.containsKey(request.id())) {
      return false;
    }
    if (runs.values().stream().anyMatch(it -> !it.over && request.id().follows(it.run().id()))) {
      throw new IOException("an earlier run of the job is not over");
    }
    OutsideSubmission order = submission(request);
    RunWrapper.of(file.text("spool"), order); // refuses what could not be submitted
    ForwardedRun run =
        new ForwardedRun(
            request.id(),
            order.tag(),
            order.account(),
            request.terms().origin(),
            order.amounts().slots(),
            PassedOrders.NONE);
    run.write(folder);
    runs.put(run.id(), new KnownRun(run, folder, ""));
    boolean taken = false;
    try {
      taken = thread.order(order);
    } finally {
      if (!taken) {
        runs.remove(run.id());
      }
    }
    if (!taken) {
      throw new IOException("cluster " + file.name() + " has as many runs as there may be");
    }
    return true;
  }

  /** Tags of its runs. */
  Set<OutsideTag> tags() {
    return runs.values().stream().map(it -> it.run().tag()).collect(Collectors.toSet());
  }

  /** What the run was given there of the resources that the cluster's file names. */
  private Map<String, Long> resources(RunNodes.NodeHost there) {
    Map<String, Long> amounts = new TreeMap<>(there.amounts());
    amounts.keySet().retainAll(file.resources().keySet());
    return amounts;
  }

  private OutsideSubmission submission(RunRequest request)
      throws IOException, InterruptedException {
    String account = accounts.of(request.owner().user());
    RunLimits limits = request.terms().limits();
    OutsidePlace place = ForwardPlace.of(file, hosts(request), request.context().queue());
    return new OutsideSubmission(
        tag(request.id(), request.terms().campaign()),
        account,
        request.context().jobName(),
        place,
        new OutsideAmounts(
            request.context().nodes().hosts().stream()
                .map(it -> new OutsideShare(it.ncpus(), it.memKb(), it.chunks(), resources(it)))
                .toList(),
            limits.walltimeS() > 0 ? Optional.of(limits.walltimeS()) : Optional.empty()),
        new OutsideSubmission.SubmittedScript(
            ForwardScript.text(request, !place.hosts().isEmpty()),
            ForwardScript.arguments(request),
            ForwardScript.environment(request),
            "/"));
  }

  /** Its hosts, as the cluster calls them; one job there has hosts of no other cluster. */
  private List<String> hosts(RunRequest request) {
    List<String> hosts = new ArrayList<>();
    for (RunNodes.NodeHost each : request.context().nodes().hosts()) {
      int at = each.name().indexOf('@');
      if (at < 0 || !each.name().substring(at + 1).equals(file.name())) {
        throw new IllegalArgumentException(
            "host " + each.name() + " of the run is none of cluster " + file.name());
      }
      hosts.add(each.name().substring(0, at));
    }
    return hosts;
  }

  private OutsideTag tag(RunId id, String attempt) {
    Matcher job = JOB.matcher(id.jobId());
    if (!job.matches() || id.task() != 0) {
      throw new IllegalArgumentException(id + " is not passed on");
    }
    String number = job.group(2) == null ? job.group(1) : job.group(1) + "-" + job.group(2);
    return new OutsideTag(file.name(), number, id.run(), attempt).of(mark);
  }

  /** Tells what has become of the runs; called by the thread of the bridge. */
  private void look(OutsideBridge bridge) throws IOException, InterruptedException {
    for (KnownRun known : runs.values()) {
      Optional<OutsideRun> run = known.over ? Optional.empty() : bridge.run(known.run().tag());
      if (run.isPresent()) {
        look(bridge, known, run.get());
      }
      if (run.isPresent() && !known.over) {
        passing.pass(bridge, known, run.get());
      }
    }
  }

  private void look(OutsideBridge bridge, KnownRun known, OutsideRun run) {
    try {
      tell(bridge, known, run);
    } catch (UncheckedIOException e) {
      // Its files are not reached, as the bridge tells; it is told when they are.
      log.debug("{}", known.run().id(), e);
    }
  }

  private void tell(OutsideBridge bridge, KnownRun known, OutsideRun run) {
    boolean ended = run.state() == OutsideRunState.ENDED;
    say(bridge, known, run);
    if (known.begun == null && (ended || known.looks.isDue(run.state(), System.nanoTime()))) {
      OptionalLong began = outcomes.began(run);
      if (began.isPresent()) {
        long number = run.id().map(OutsideId::number).orElse(0L);
        known.begun =
            new StartedRun(known.run().id(), known.run().origin(), number, began.getAsLong());
        observer.started(known.begun);
      }
    }
    if (ended) {
      RunOutcome outcome = outcomes.of(run, known.run().ncpus());
      PrintedOutput steps = outcomes.steps(run);
      known.over = true;
      observer.finished(new FinishedRun(known.run().id(), known.run().origin(), outcome, steps));
    }
  }

  /** Says where the run is, when it stays there for more than a moment, and what was refused. */
  private void say(OutsideBridge bridge, KnownRun known, OutsideRun run) {
    String where = OutsideWords.of(run, bridge.isHeld(run.tag()), bridge.trouble(run));
    boolean refused = !known.refusal().isEmpty() && run.state() != OutsideRunState.ENDED;
    String text = refused ? OutsideWords.joined(where, known.refusal()) : where;
    boolean settled =
        refused
            || where.isEmpty()
            || Duration.between(run.since(), clock.instant()).compareTo(MOMENT) > 0;
    if (settled && !text.equals(known.said)) {
      known.said = text;
      observer.outside(known.run().id(), known.run().origin(), text);
    }
  }

  /** Has the outside system delete it; how long that leaves a job is its own affair. */
  @Override
  public boolean kill(RunId id, int signal) {
    KnownRun known = runs.get(id);
    if (known == null || known.over) {
      return false;
    }
    delete(known);
    return true;
  }

  /** What the journal has no room for is noted beside the run, which another process finds. */
  private void delete(KnownRun known) {
    thread.later(
        "run " + known.run().id() + " cannot be deleted",
        bridge -> {
          boolean noted = false;
          try {
            bridge.delete(known.run().tag());
            noted = true;
          } finally {
            if (!known.over) {
              known.run().toDelete(folder, !noted);
            }
          }
          return null;
        });
  }

  @Override
  public boolean discard(RunId id) {
    return kill(id, 0);
  }

  @Override
  public boolean order(RunId id, int number, String order) throws IOException {
    KnownRun known = runs.get(id);
    if (known == null || known.over) {
      return false;
    }
    OrderSubject subject = OrderSubject.of(order);
    if (subject == OrderSubject.SIGNAL && !SIGNAL.matcher(order).matches()) {
      log.warn("{}: order '{}' is not passed on to cluster {}", id, order, file.name());
      return true;
    }
    synchronized (known) {
      if (known.over) {
        return false;
      }
      OrderPassing.asked(known, subject, order);
      switch (subject) {
        case STANDING -> known.stand(order);
        case HOLDING -> known.hold(order.equals(OrderSubject.HOLD));
        case LIMIT -> known.limit(OrderSubject.limitS(order));
        case SIGNAL -> known.signal(number, Integer.parseInt(order));
      }
      return true;
    }
  }

  @Override
  public void write(RunId id, boolean output, String line) throws IOException {
    throw new IOException("the output of a run in cluster " + file.name() + " is written there");
  }

  /** The file is gone before the bridge forgets the run. */
  @Override
  public void release(RunId id) throws IOException {
    KnownRun known = runs.get(id);
    if (known == null) {
      return;
    }
    synchronized (known) {
      known.run().remove(folder);
    }
    runs.remove(id);
    thread.later(
        "run " + id + " cannot be forgotten",
        bridge -> {
          bridge.forget(known.run().tag());
          return null;
        });
  }

  @Override
  public boolean knows(RunId id) {
    return runs.containsKey(id);
  }

  @Override
  public List<RunId> runs() {
    return List.copyOf(runs.keySet());
  }

  @Override
  public List<StartedRun> begun() {
    return runs.values().stream()
        .filter(it -> it.begun != null && !it.over)
        .map(it -> it.begun)
        .toList();
  }

  @Override
  public boolean tellsUsage() {
    return false;
  }

  /** What a run uses is known at its end. */
  @Override
  public Optional<RunUsage> sample(RunId id) {
    return Optional.empty();
  }

  @Override
  public boolean survives() {
    return true;
  }

  /** The bridge belongs to all nodes of the cluster. */
  @Override
  public void close() {}
}
