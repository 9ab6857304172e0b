package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunLimits;
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
import java.util.HashSet;
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
  private final String host;
  private final Path folder;
  private final BridgeThread thread;
  private final OutsideAccounts accounts;
  private final ForwardOutcome outcomes;
  private final String mark;
  private final InstantSource clock;
  private final RunObserver observer;
  private final Map<RunId, KnownRun> runs = new ConcurrentHashMap<>();

  /** A run, and what was told of it in this life. */
  private static final class KnownRun {
    private volatile ForwardedRun run;
    volatile StartedRun begun;
    volatile boolean over;

    /**
     * The order to suspend or resume that is not carried out yet; it and the file change at once.
     */
    volatile StandingOrder standing;

    private final ClaimLooks looks = new ClaimLooks();

    /** What was said of it last; null while what an earlier process has said is not known. */
    String said;

    KnownRun(ForwardedRun run, String said) {
      this.run = run;
      this.said = said;
      String standing = run.orders().standing();
      this.standing = standing.isEmpty() ? null : new StandingOrder(standing);
    }

    private void now(PassedOrders orders, Path folder) throws IOException {
      run.with(orders).write(folder);
      run = run.with(orders);
    }

    synchronized void stand(String order, Path folder) throws IOException {
      now(run.orders().standing(order), folder);
      standing = new StandingOrder(order);
    }

    synchronized void done(StandingOrder order, Path folder) throws IOException {
      if (standing == order) {
        now(run.orders().standing(""), folder);
        standing = null;
      }
    }

    synchronized void signal(int number, int signal, Path folder) throws IOException {
      PassedOrders more = run.orders().signal(number, signal);
      if (!more.equals(run.orders())) {
        now(more, folder);
      }
    }

    /** The signal that is to be sent now; it is not kept any more. */
    synchronized Optional<Integer> takeSignal(Path folder) throws IOException {
      List<Integer> signals = run.orders().signals();
      if (signals.isEmpty()) {
        return Optional.empty();
      }
      now(run.orders().sent(), folder);
      return Optional.of(signals.get(0));
    }
  }

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
    this.host = node.host();
    this.folder = node.runs();
    this.observer = observer;
  }

  /** Continues with the runs of an earlier process. */
  static ForwardExecution open(ClusterConnection cluster, ForwardNode node, RunObserver observer)
      throws IOException, InterruptedException {
    Path folder = node.runs();
    Files.createDirectories(folder);
    ForwardExecution execution = new ForwardExecution(cluster, node, observer);
    for (ForwardedRun run : ForwardedRun.all(folder)) {
      if (cluster.thread().call(bridge -> bridge.run(run.tag())).isPresent()) {
        execution.runs.put(run.id(), new KnownRun(run, null));
      } else {
        run.remove(folder); // its order is read again
      }
    }
    cluster.thread().watch(execution::look);
    return execution;
  }

  @Override
  public boolean start(RunRequest request) throws IOException, InterruptedException {
    if (runs.containsKey(request.id())) {
      return false;
    }
    if (new HashSet<>(request.context().nodes()).size() > 1) {
      throw new IllegalArgumentException("a run of several hosts is not passed on");
    }
    if (runs.values().stream().anyMatch(it -> !it.over && request.id().follows(it.run.id()))) {
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
            request.context().ncpus(),
            PassedOrders.NONE);
    run.write(folder);
    runs.put(run.id(), new KnownRun(run, ""));
    boolean taken = false;
    try {
      taken = thread.call(bridge -> bridge.order(order));
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
    return runs.values().stream().map(it -> it.run.tag()).collect(Collectors.toSet());
  }

  /** What the run was given of the resources that the cluster's file names. */
  private Map<String, Long> resources(RunRequest request) {
    Map<String, Long> amounts = new TreeMap<>(request.context().amounts());
    amounts.keySet().retainAll(file.resources().keySet());
    return amounts;
  }

  private OutsideSubmission submission(RunRequest request)
      throws IOException, InterruptedException {
    String account = accounts.of(request.owner().user());
    RunLimits limits = request.terms().limits();
    return new OutsideSubmission(
        tag(request.id(), request.terms().campaign()),
        account,
        request.context().jobName(),
        ForwardPlace.of(file, host, request.context().queue()),
        new OutsideAmounts(
            request.context().ncpus(),
            limits.memory().memKb(),
            limits.walltimeS() > 0 ? Optional.of(limits.walltimeS()) : Optional.empty(),
            resources(request)),
        new OutsideSubmission.SubmittedScript(
            ForwardScript.text(request),
            ForwardScript.arguments(request),
            ForwardScript.environment(request),
            "/"));
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
      Optional<OutsideRun> run = known.over ? Optional.empty() : bridge.run(known.run.tag());
      if (run.isPresent()) {
        look(known, run.get(), bridge.trouble(run.get()));
      }
      if (run.isPresent() && !known.over) {
        stand(bridge, known, run.get());
        signal(bridge, known, run.get());
      }
    }
  }

  private void look(KnownRun known, OutsideRun run, Optional<String> trouble) {
    try {
      tell(known, run, trouble);
    } catch (UncheckedIOException e) {
      // Its files are not reached, as the bridge tells; it is told when they are.
      log.debug("{}", known.run.id(), e);
    }
  }

  private void tell(KnownRun known, OutsideRun run, Optional<String> trouble) {
    boolean ended = run.state() == OutsideRunState.ENDED;
    say(known, run, trouble);
    if (known.begun == null && (ended || known.looks.isDue(run.state(), System.nanoTime()))) {
      OptionalLong began = outcomes.began(run);
      if (began.isPresent()) {
        long number = run.id().map(OutsideId::number).orElse(0L);
        known.begun = new StartedRun(known.run.id(), known.run.origin(), number, began.getAsLong());
        observer.started(known.begun);
      }
    }
    if (ended) {
      RunOutcome outcome = outcomes.of(run, known.run.ncpus());
      PrintedOutput steps = outcomes.steps(run);
      known.over = true;
      observer.finished(new FinishedRun(known.run.id(), known.run.origin(), outcome, steps));
    }
  }

  /** Says where the run is, when it stays there for more than a moment. */
  private void say(KnownRun known, OutsideRun run, Optional<String> trouble) {
    String text = OutsideWords.of(run, trouble);
    boolean settled =
        text.isEmpty() || Duration.between(run.since(), clock.instant()).compareTo(MOMENT) > 0;
    if (settled && !text.equals(known.said)) {
      known.said = text;
      observer.outside(known.run.id(), known.run.origin(), text);
    }
  }

  /** Has the outside system delete it; how long that leaves a job is its own affair. */
  @Override
  public boolean kill(RunId id, int signal) {
    KnownRun known = runs.get(id);
    if (known == null || known.over) {
      return false;
    }
    thread.later(
        "run " + id + " cannot be deleted",
        bridge -> {
          bridge.delete(known.run.tag());
          return null;
        });
    return true;
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
    boolean stands = OrderSubject.of(order) == OrderSubject.STANDING;
    if (!stands && !SIGNAL.matcher(order).matches()) {
      log.warn("{}: order '{}' is not passed on to cluster {}", id, order, file.name());
      return true;
    }
    synchronized (known) {
      if (!known.over && stands) {
        known.stand(order, folder);
      } else if (!known.over) {
        known.signal(number, Integer.parseInt(order), folder);
      }
      return !known.over;
    }
  }

  /** Sends the signals of a run once it runs there; what came before waits for that. */
  private void signal(OutsideBridge bridge, KnownRun known, OutsideRun run)
      throws IOException, InterruptedException {
    boolean runs =
        known.begun != null
            && (run.state() == OutsideRunState.RUNNING || run.state() == OutsideRunState.SUSPENDED);
    Optional<Integer> signal = runs ? known.takeSignal(folder) : Optional.empty();
    if (signal.isPresent()) {
      Controlled said = bridge.signal(run.tag(), signal.get());
      if (said instanceof Controlled.Done) {
        log.info("{}: signal {}: {}", known.run.id(), signal.get(), said);
      } else {
        log.warn("{}: signal {}: {}", known.run.id(), signal.get(), said);
      }
    }
  }

  /** Suspends or resumes. */
  private void stand(OutsideBridge bridge, KnownRun known, OutsideRun run)
      throws IOException, InterruptedException {
    StandingOrder order = known.standing;
    if (order == null) {
      return;
    }
    if (order.isDone(run.state(), bridge.seenAt())) {
      known.done(order, folder);
      return;
    }
    Optional<OutsideAction> action = order.due(run.state(), bridge.seenAt(), clock.instant());
    if (action.isPresent()) {
      Controlled said = bridge.control(run.tag(), action.get());
      order.answered(action.get(), said, clock.instant());
      if (said instanceof Controlled.ControlRefused) {
        log.warn("{}: {}: {}", known.run.id(), action.get(), said);
      } else {
        log.info("{}: {}: {}", known.run.id(), action.get(), said);
      }
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
      known.run.remove(folder);
    }
    runs.remove(id);
    thread.later(
        "run " + id + " cannot be forgotten",
        bridge -> {
          bridge.forget(known.run.tag());
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
