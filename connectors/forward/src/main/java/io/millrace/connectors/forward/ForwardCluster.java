package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OwnSessions;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.question.QuestionTurns;
import io.millrace.connectors.bridge.run.BridgeParts;
import io.millrace.connectors.bridge.run.BridgeTerms;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.run.SteadyClock;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideScope;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.forward.load.ClusterLoads;
import io.millrace.connectors.forward.observe.HostSilence;
import io.millrace.connectors.forward.reserve.ReservationThread;
import io.millrace.connectors.local.ExecutorGroup;
import io.millrace.connectors.local.LocalExecutor;
import io.millrace.connectors.local.host.ExecutorSettings;
import io.millrace.connectors.local.order.DispatchPosition;
import io.millrace.connectors.local.report.LoadReporter;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.schemas.Topics;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The nodes of one cluster: an executor for each, and one bridge for all of them. */
final class ForwardCluster implements ServedCluster {
  private static final Logger log = LoggerFactory.getLogger(ForwardCluster.class);

  /** Each node reads its orders by a thread and connections of its own. */
  static final int NODES_MOST = 256;

  /** How often it is looked whether the hosts are to be asked for. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Shortest and longest time between two questions for the queue. */
  private static final Duration QUERY_LEAST = Duration.ofSeconds(5);

  private static final Duration QUERY_MOST = Duration.ofSeconds(300);

  /** Shortest time between two questions for the hosts. */
  private static final Duration HOSTS_LEAST = Duration.ofSeconds(10);

  /** How often a node looks whether it is away. */
  private static final long AWAY_LOOK_S = 2;

  private static final int RUNS_MOST = 50_000;

  private final ServedTerms terms;
  private final ClusterFile file;
  private final HeldSpool lock;
  private final Optional<SchemaRegistry> registry;
  private final RunJournal journal;
  private final CommandRunner runner;
  private final OutsideSystem system;
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final InstantSource clock = new SteadyClock();
  private final QuestionTurns turns = new QuestionTurns(QUERY_LEAST);
  private final QueryPace hostPace = new QueryPace(HOSTS_LEAST, QUERY_MOST);
  private final BridgeThread thread;
  private final ForwardExecution.ClusterConnection shared;
  private final Path nodes;
  private volatile Optional<ExecutorGroup> group = Optional.empty();
  private final NodeExecutors executors = new NodeExecutors();
  private final List<ForwardExecution> executions = new CopyOnWriteArrayList<>();
  private final List<Thread> telling = new CopyOnWriteArrayList<>();
  private final Optional<ReservationThread> reservations;
  private final HostSilence silence = new HostSilence(breaker);
  private volatile boolean untold;
  private volatile Optional<ForwardPicture> picture = Optional.empty();

  /** What each host has, as the cluster has told it last. */
  private final Map<String, ForwardNode> told = new ConcurrentHashMap<>();

  private final ClusterLoads loads;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Whoever serves has it. */
  private final Semaphore serving = new Semaphore(1);

  private ForwardCluster(ServedTerms terms, HeldSpool lock, Optional<SchemaRegistry> registry)
      throws IOException {
    this.terms = terms;
    this.file = terms.file();
    this.lock = lock;
    this.registry = registry;
    this.nodes = terms.spool().resolve("nodes");
    Files.createDirectories(nodes);
    this.runner =
        CommandHosts.of(
            file,
            new ProcessRunner(OwnSessions.open(terms.spool().resolve("sessions"))),
            Optional.of(terms.spool()));
    this.system = file.kind().open(file, runner);
    SharedRunFolders folders =
        new SharedRunFolders(
            file.text("spool"),
            runner,
            file.commands(Map.of()),
            (int) file.number(ClusterKeys.KEEP_DAYS));
    this.reservations = reservations();
    String mark = SpoolMark.of(terms.spool());
    // The last that can fail.
    this.journal = RunJournal.open(terms.spool().resolve("journal"));
    BridgeTerms bounds =
        new BridgeTerms(
            QUERY_LEAST,
            QUERY_MOST,
            Duration.ofSeconds(file.number("command_limit_s")),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            (int) file.number("waiting_most"),
            (int) file.number("waiting_most_account"),
            RUNS_MOST,
            (int) file.number("submissions_at_once"));
    this.thread =
        new BridgeThread(
            new OutsideBridge(
                new BridgeParts(system, folders, journal, bounds, clock, scope()), breaker, turns),
            this::say);
    this.loads = new ClusterLoads(file.text("system").equals("oar"));
    this.thread.watch(loads::look);
    this.thread.watch(it -> untold = it.untold().isPresent());
    this.shared =
        new ForwardExecution.ClusterConnection(
            file,
            thread,
            new OutsideAccounts(file, runner),
            new ForwardOutcome(folders),
            mark,
            clock);
  }

  /** Nothing is submitted in the names of others. */
  private OutsideScope scope() {
    return OutsideScope.of(file.name(), Set.copyOf(file.users().values()));
  }

  private Optional<ReservationThread> reservations() throws IOException {
    if (registry.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ReservationThread(
              file,
              breaker,
              file.kind().reservations(file, runner).orElseThrow(),
              terms.kafka(),
              Codecs.of(registry.get())));
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Opens the cluster; while another process has its spool, this one stands by.
   *
   * @param waiting called once before it waits
   */
  static ForwardCluster open(ServedTerms terms, Runnable waiting) throws IOException {
    HeldSpool lock = HeldSpool.await(terms.spool(), waiting);
    Optional<SchemaRegistry> registry = Optional.empty();
    ForwardCluster cluster = null;
    boolean opened = false;
    try {
      registry = registry(terms);
      cluster = new ForwardCluster(terms, lock, registry);
      cluster.thread.start();
      cluster.reservations.ifPresent(ReservationThread::start);
      opened = true;
      return cluster;
    } finally {
      // After an error too: another task of this process may take the spool.
      if (cluster != null && !opened) {
        cluster.close();
      } else if (!opened) {
        registry.ifPresent(SchemaRegistry::close);
        lock.close();
      }
    }
  }

  /** What reads the records of reservations, where there are some. */
  private static Optional<SchemaRegistry> registry(ServedTerms terms) throws IOException {
    try {
      return terms.file().reserves()
          ? Optional.of(Codecs.registry(terms.kafka()))
          : Optional.empty();
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void say(String trouble) {
    if (trouble.isEmpty()) {
      log.info("cluster {} answers as it should again", file.name());
    } else {
      log.warn("cluster {}: {}", file.name(), trouble);
    }
  }

  @Override
  public void show() {
    ForwardPicture shown = new ForwardPicture(terms, runner, clock, silence);
    picture = Optional.of(shown);
    shown.start(thread);
  }

  /** Serves the nodes until it is closed, or another executor serves all of them. */
  @Override
  public void run() throws IOException, InterruptedException {
    if (!serving.tryAcquire()) {
      return; // it was closed
    }
    try {
      for (ForwardNode node : ForwardNode.remembered(nodes, file.resources().keySet())) {
        serve(node);
      }
      executors.allAreKnown();
      forgetOthers();
      do {
        thread.requireRunning();
        look();
      } while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS) && dismissal().isEmpty());
    } finally {
      serving.release();
    }
  }

  @Override
  public String dismissal() {
    return executors.dismissal();
  }

  @Override
  public String obstacle() {
    if (isSilent()) {
      return "cluster " + file.name() + " does not tell its hosts";
    }
    if (!loads.areKnown()) {
      return "the queue of cluster " + file.name() + " was not read yet";
    }
    String unreserved = reservations.map(ReservationThread::obstacle).orElse("");
    if (!unreserved.isEmpty()) {
      return unreserved;
    }
    return executors.obstacle().orElse("no host of cluster " + file.name() + " is known yet");
  }

  @Override
  public OptionalLong carriedOut(int partition, long end) {
    return executors.carriedOut(partition, end);
  }

  @Override
  public void tell(Measures measures) {
    measures.answer(Metric.FORWARD_NODES, into -> into.is(executors.size()));
    measures.answer(
        Metric.FORWARD_RUNS,
        into -> into.is(executions.stream().mapToInt(it -> it.tags().size()).sum()));
    measures.answer(Metric.FORWARD_UNANSWERED, into -> into.is(silence.unanswered()));
    measures.answer(
        Metric.REPORTS_WAITING, into -> into.is(group.map(ExecutorGroup::undelivered).orElse(0L)));
  }

  private boolean isSilent() {
    return silence.why().isPresent();
  }

  private void look() throws IOException, InterruptedException {
    Instant begun = clock.instant();
    silence.queue(!untold, hostPace);
    if (!breaker.lets(begun) || !hostPace.isDue(begun) || !turns.takes(hostPace, begun)) {
      return;
    }
    long begunNs = System.nanoTime();
    Told<OutsideInventory> said = system.inventory();
    Duration took = Duration.ofNanos(System.nanoTime() - begunNs);
    hostPace.asked(begun, took);
    loads.asked(took, said instanceof Told.Answered<?>);
    if (said instanceof Told.Nothing<OutsideInventory> nothing) {
      // One that ran into its time limit is no load; the breaker sees to pauses.
      hostPace.hurry();
      breaker.silent(nothing.why(), clock.instant());
      silence.silent(nothing.why());
      log.warn("cluster {} does not tell its hosts: {}", file.name(), nothing.why());
    } else if (said instanceof Told.Answered<OutsideInventory> answer) {
      breaker.answered();
      picture.ifPresent(it -> it.take(answer.value(), begun));
      loads.told(answer.value().hosts(), system.ownStress().orElse(0));
      for (OutsideHost host : answer.value().hosts()) {
        if (!HostKey.isMember(host.name() + "@" + file.name())) {
          log.warn("host '{}' of cluster {} can be no node", host.name(), file.name());
        } else {
          ForwardNode node = ForwardNode.of(nodes, host, file.resources().keySet());
          told.put(host.name(), node);
          serve(node);
        }
      }
      silence.answered();
    }
  }

  private void serve(ForwardNode node) throws IOException, InterruptedException {
    if (executors.has(node.host())) {
      return;
    }
    String member = node.host() + "@" + file.name();
    // A host of which nobody ever said what it has gets its executor when it is up.
    if (!node.isMeasured() || executors.size() == NODES_MOST) {
      if (node.isMeasured()) {
        log.warn("host {} gets no node: {} are the most", node.host(), NODES_MOST);
      }
      executors.leave(
          node.host(), Topics.dispatchPartition(member), DispatchPosition.of(node.folder()));
      return;
    }
    ExecutorSettings settings =
        new ExecutorSettings(
            terms.key().member(member), terms.kafka(), node.folder(), node.measured(), true, false);
    LocalExecutor executor =
        LocalExecutor.open(
            settings, observer -> execution(node, observer), away(node.host()), shared());
    executors.add(node.host(), new NodeExecutor.HostNodeExecutor(executor));
    Thread served = new Thread(() -> tell(executor, settings.host()), "millrace-served");
    served.setDaemon(true);
    telling.add(served);
    served.start();
  }

  /** What all nodes share; it is there once the brokers answer. */
  private ExecutorGroup shared() throws IOException {
    if (group.isEmpty()) {
      group = Optional.of(ExecutorGroup.open(terms.kafka()));
    }
    return group.get();
  }

  private ForwardExecution execution(ForwardNode node, RunObserver observer) throws IOException {
    try {
      ForwardExecution execution = ForwardExecution.open(shared, node, observer);
      executions.add(execution);
      return execution;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Whether a node gets runs, and what others hold of it, told as a load of it. */
  private LoadReporter.LoadSource away(String host) {
    return new LoadReporter.LoadSource() {
      @Override
      public Map<String, Long> read() {
        Map<String, Long> measured =
            Optional.ofNullable(told.get(host)).map(ForwardNode::measured).orElse(Map.of());
        return loads.of(host, measured, isSilent());
      }

      @Override
      public long intervalS() {
        return AWAY_LOOK_S;
      }
    };
  }

  private static void tell(LocalExecutor executor, String host) {
    try {
      executor.awaitServed();
      log.info("host {} is served", host);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs that no node has: one that is over was released, and any other one is deleted. */
  private void forgetOthers() throws IOException, InterruptedException {
    thread.call(
        bridge -> {
          // One that is taken on meanwhile is known to its node before it is to the bridge.
          Collection<OutsideRun> all = bridge.runs();
          Set<OutsideTag> known = new HashSet<>();
          executions.forEach(it -> known.addAll(it.tags()));
          for (OutsideRun run : all) {
            if (known.contains(run.tag())) {
              continue;
            }
            if (run.state() == OutsideRunState.ENDED) {
              bridge.forget(run.tag());
            } else {
              log.error("{} is of no node here, and is deleted", run.tag());
              bridge.delete(run.tag());
            }
          }
          return null;
        });
  }

  /** Ends; what is outside goes on. Nobody else has the spool before all that works in it ended. */
  @Override
  public void close() throws IOException {
    if (closed.getCount() == 0) {
      return;
    }
    closed.countDown();
    reservations.ifPresent(ReservationThread::close);
    picture.ifPresent(ForwardPicture::close);
    thread.close();
    telling.forEach(Thread::interrupt);
    try {
      executors.close();
    } finally {
      try {
        registry.ifPresent(SchemaRegistry::close);
      } finally {
        lock.closeAfter(this::awaitEnd, this::closeLast);
      }
    }
  }

  private void closeLast() throws IOException {
    runner.close();
    journal.close();
  }

  private void awaitEnd() throws InterruptedException {
    serving.acquire(); // it may have opened an executor until then
    if (group.isPresent()) {
      group.get().close();
      group.get().awaitEnd();
    }
    if (reservations.isPresent()) {
      reservations.get().awaitEnd();
    }
    if (picture.isPresent()) {
      picture.get().awaitEnd();
    }
    thread.awaitEnd();
    executors.awaitEnd();
  }
}
