package io.millrace.connectors.local;

import io.millrace.connectors.local.host.ExecutorSettings;
import io.millrace.connectors.local.host.HostClaim;
import io.millrace.connectors.local.host.HostLoad;
import io.millrace.connectors.local.host.HostProcesses;
import io.millrace.connectors.local.order.DispatchConsumer;
import io.millrace.connectors.local.order.DispatchPosition;
import io.millrace.connectors.local.order.DispatchReader;
import io.millrace.connectors.local.order.OrderContext;
import io.millrace.connectors.local.order.RunReleases;
import io.millrace.connectors.local.report.Announcer;
import io.millrace.connectors.local.report.LoadReporter;
import io.millrace.connectors.local.report.ReportOrigin;
import io.millrace.connectors.local.report.ReportSender;
import io.millrace.connectors.local.report.Reports;
import io.millrace.connectors.local.report.Samples;
import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.OutsideReply;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The executor of a host: orders from the topic dispatch to an {@link Execution}, reports to the
 * topic commands.
 *
 * <p>Order of the steps, on which exactly-once execution rests: an order is read; the run directory
 * is made; the position behind the order is written; only then may the run be released, and only
 * when the broker has acknowledged the report of its end.
 */
public final class LocalExecutor implements AutoCloseable {
  private final Bus bus;
  private final RunReleases releases;
  private final Execution execution;
  private final DispatchReader reader;
  private final Background background;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Makes the execution that the executor drives. */
  public interface ExecutionFactory {
    Execution open(RunObserver observer) throws IOException;
  }

  private LocalExecutor(
      Bus bus,
      RunReleases releases,
      Execution execution,
      DispatchReader reader,
      Background background) {
    this.bus = bus;
    this.releases = releases;
    this.execution = execution;
    this.reader = reader;
    this.background = background;
  }

  /** What is reported from time to time. */
  private static final class Background {
    private final LoadReporter load;
    private final Optional<Samples> samples;
    private Runnable beats = () -> {};

    Background(LoadReporter load, Optional<Samples> samples) {
      this.load = load;
      this.samples = samples;
    }

    synchronized void start(Bus bus, HostKey key) {
      beats = bus.group().heartbeat().add(key, bus.claim(), samples);
      load.start();
    }

    synchronized void close() {
      beats.run();
      samples.ifPresent(Samples::close);
      load.close();
    }
  }

  /**
   * Starts an executor. Returns when it reads its orders and the broker has its ReportNodeUp.
   *
   * @throws IOException in one line, when the spool cannot be used, the broker or a topic is not
   *     there, or a schema is not registered
   */
  public static LocalExecutor open(ExecutorSettings settings, ExecutionFactory factory)
      throws IOException, InterruptedException {
    return open(settings, factory, HostLoad::read);
  }

  /**
   * The same for a host that may be another one than this.
   *
   * @param load of that host
   */
  public static LocalExecutor open(
      ExecutorSettings settings, ExecutionFactory factory, LoadReporter.LoadSource load)
      throws IOException, InterruptedException {
    ExecutorGroup group = ExecutorGroup.open(settings.kafka());
    LocalExecutor executor = null;
    try {
      executor = open(settings, factory, load, group, true);
      return executor;
    } finally {
      if (executor == null) {
        group.close();
      }
    }
  }

  /**
   * The same of one of several hosts.
   *
   * @param group what they share; it is closed after all of them
   */
  public static LocalExecutor open(
      ExecutorSettings settings,
      ExecutionFactory factory,
      LoadReporter.LoadSource load,
      ExecutorGroup group)
      throws IOException, InterruptedException {
    return open(settings, factory, load, group, false);
  }

  private static LocalExecutor open(
      ExecutorSettings settings,
      ExecutionFactory factory,
      LoadReporter.LoadSource load,
      ExecutorGroup group,
      boolean alone)
      throws IOException, InterruptedException {
    Files.createDirectories(settings.spool());
    DispatchConsumer consumer = DispatchConsumer.open(settings, group.clusterId());
    DispatchPosition position = null;
    try {
      position =
          DispatchPosition.open(
              settings.spool(), consumer.clusterId(), consumer.partition(), settings.durable());
      consumer.seek(position);
      HostClaim claim = HostClaim.of(settings.spool());
      return start(settings, factory, new Bus(consumer, group, alone, position, claim), load);
    } catch (IOException | RuntimeException e) {
      consumer.close();
      if (position != null) {
        position.close();
      }
      throw e;
    }
  }

  /**
   * @param alone whether the group is this executor's own
   */
  private record Bus(
      DispatchConsumer consumer,
      ExecutorGroup group,
      boolean alone,
      DispatchPosition position,
      HostClaim claim) {}

  private static LocalExecutor start(
      ExecutorSettings settings, ExecutionFactory factory, Bus bus, LoadReporter.LoadSource source)
      throws IOException, InterruptedException {
    Reports reports = new Reports(settings.key());
    RunReleases releases = new RunReleases(bus.position());
    ReportSender sender = bus.group().sender();
    Execution execution;
    try {
      execution = factory.open(observer(reports, sender, releases));
      bus.position().use();
    } catch (IOException | RuntimeException e) {
      releases.close();
      throw e;
    }
    releases.of(execution);
    Reports.Self self =
        new Reports.Self(HostProcesses.bootId(), settings.measured(), bus.claim(), false);
    LoadReporter load = new LoadReporter(source, self, reports, sender, bus.group().loads());
    Announcer announcer = new Announcer(sender, reports, self, execution);
    DispatchReader reader =
        new DispatchReader(
            bus.consumer(),
            bus.group().codec(),
            new OrderContext.Here(settings.key(), self),
            new OrderContext.Ways(
                execution, releases, sender, reports, announcer, load::tellAgain));
    Optional<Samples> samples =
        execution.tellsUsage() ? Optional.of(new Samples(execution)) : Optional.empty();
    CountDownLatch announced = new CountDownLatch(1);
    announcer.first(settings.takeOver(), announced::countDown);
    reader.start();
    LocalExecutor executor =
        new LocalExecutor(bus, releases, execution, reader, new Background(load, samples));
    executor.awaitAnnounced(announced);
    executor.background.start(bus, settings.key());
    return executor;
  }

  private void awaitAnnounced(CountDownLatch announced) throws IOException, InterruptedException {
    try {
      if (!announced.await(DispatchConsumer.PATIENCE.toMillis() * 4, TimeUnit.MILLISECONDS)) {
        close();
        throw new IOException("the broker does not take reports");
      }
    } catch (InterruptedException e) {
      close();
      throw e;
    }
  }

  private static RunObserver observer(Reports reports, ReportSender sender, RunReleases releases) {
    return new RunObserver() {
      @Override
      public void started(StartedRun started) {
        if (started.id().task() == 0) { // nobody waits for a task to begin
          sender.send(reports.started(started));
        }
      }

      @Override
      public void outside(RunId id, String origin, String text) {
        sender.send(reports.outside(id, origin, text));
      }

      @Override
      public void answered(RunId id, String origin, OutsideReply reply) {
        sender.send(reports.answered(id, origin, reply));
      }

      @Override
      public void finished(FinishedRun finished) {
        long offset = ReportOrigin.of(finished.origin()).offset();
        sender.send(reports.finished(finished, () -> releases.delivered(finished.id(), offset)));
      }
    };
  }

  /** The execution, for questions about its runs. */
  public Execution execution() {
    return execution;
  }

  /** How many ends were reported and released in this life. */
  public long released() {
    return releases.count();
  }

  /** Runs until it is closed, or its reader fails for good. */
  public void await() throws InterruptedException {
    reader.await();
  }

  /** Waits until a shard has accepted this executor for its host. */
  public void awaitServed() throws InterruptedException {
    reader.awaitServed();
  }

  /** The Kafka partition of the topic dispatch that has its orders. */
  public int partition() {
    return bus.position().partition();
  }

  /** The first of its orders that would be read again; empty while it has read none. */
  public OptionalLong reached() {
    return bus.position().read();
  }

  /** How many reports of its group the brokers have not acknowledged yet. */
  public long undelivered() {
    return bus.group().undelivered();
  }

  /** What is in the way of serving, in one line; empty for nothing. */
  public String obstacle() {
    if (!dismissal().isEmpty()) {
      return dismissal();
    }
    return reader.served() ? "" : "no shard has accepted this executor for its host yet";
  }

  /** Why another executor serves the host, in one line; empty while this one does. */
  public String dismissal() {
    return reader.dismissal();
  }

  public boolean isClosed() {
    return closed.get();
  }

  /** Ends the executor; runs go on, and the next executor finds them in the spool. */
  @Override
  public void close() throws IOException {
    if (closed.getAndSet(true)) {
      return;
    }
    DispatchPosition position = bus.position();
    ExecutorGroup own = bus.alone() ? bus.group() : null;
    try (position;
        own;
        execution) {
      background.close();
      reader.close();
    }
  }

  /**
   * Returns when no thread of it works in the spool any more, but for what its group still hears of
   * its reports.
   */
  public void awaitEnd() throws InterruptedException {
    reader.await();
    if (bus.alone()) {
      bus.group().awaitEnd();
    }
  }

  /**
   * Whether an executor process understands this value of its option {@code --resources}.
   *
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  public static void checkResources(String list) {
    ExecutorOptions.resources(list);
  }
}
