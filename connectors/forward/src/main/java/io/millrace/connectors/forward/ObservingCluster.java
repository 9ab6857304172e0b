package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.run.QueryPace;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.PictureTopics;
import io.millrace.connectors.forward.observe.Shown;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster that is looked at and shown; nothing is submitted or changed there. Its logs and
 * accounting are read on each second, its queue is asked for as a whole now and then.
 */
final class ObservingCluster implements ServedCluster {
  private static final Logger log = LoggerFactory.getLogger(ObservingCluster.class);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration SLOWEST = Duration.ofSeconds(300);

  /** Pieces of the logs that one look reads. */
  private static final int PIECES = 16;

  private static final String CURSOR = "cursor";

  private final ForwardOptions options;
  private final FileChannel lock;
  private final OutsideSystem system;
  private final PictureTopics topics;
  private final ClusterPicture picture;
  private final QueryPace queuePace = new QueryPace(Duration.ofSeconds(5), SLOWEST);
  private final QueryPace hostPace = new QueryPace(Duration.ofSeconds(15), SLOWEST);
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final CountDownLatch closed = new CountDownLatch(1);
  private String cursor = "";
  private Instant readAt = Instant.MIN;
  private List<Shown> unsaid = List.of();
  private volatile String obstacle = "the queue was not read yet";
  private volatile int unanswered;
  private volatile int nodes;

  private ObservingCluster(ForwardOptions options, FileChannel lock) throws IOException {
    this.options = options;
    this.lock = lock;
    this.system = options.file().kind().open(options.file(), new ProcessRunner());
    try {
      this.topics = new PictureTopics(options.kafka(), Codecs.open(options.kafka()), options.key());
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
    this.picture =
        new ClusterPicture(
            options.file().name(), options.file().kind().name(), system.hasAccounting());
  }

  static ObservingCluster open(ForwardOptions options, Runnable waiting) throws IOException {
    FileChannel lock = ServedCluster.await(options.spool(), waiting);
    try {
      ObservingCluster cluster = new ObservingCluster(options, lock);
      cluster.topics.restore(cluster.picture);
      cluster.cursor = cluster.remembered();
      return cluster;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Takes back all that was shown of a cluster.
   *
   * @return how many records
   * @throws IOException while another process shows it too
   */
  static int forget(ForwardOptions options) throws IOException {
    try (ObservingCluster cluster = open(options, ObservingCluster::refuse)) {
      List<Shown> all = cluster.picture.farewell();
      cluster.topics.show(all);
      Files.deleteIfExists(options.spool().resolve(CURSOR));
      return all.size();
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void refuse() {
    throw new IllegalStateException("a process observes the cluster: end it before");
  }

  @Override
  public void run() throws IOException, InterruptedException {
    do {
      changes();
      questions();
      tell();
    } while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
  }

  private void changes() {
    for (int i = 0; i < PIECES; i++) {
      Instant begun = Instant.now();
      Told<OutsideChanges> told = system.changes(cursor);
      if (told instanceof Told.Nothing<OutsideChanges> nothing) {
        log.debug("{}: {}", options.file().name(), nothing.why());
        return;
      }
      OutsideChanges changes = ((Told.Answered<OutsideChanges>) told).value();
      picture.changes(changes, begun);
      cursor = changes.cursor();
      if (changes.atEnd()) {
        readAt = begun;
        return;
      }
    }
  }

  private void questions() throws InterruptedException {
    Instant now = Instant.now();
    if (breaker.lets(now) && hostPace.isDue(now)) {
      Told<OutsideInventory> told = system.inventory();
      hostPace.asked(now, Duration.between(now, Instant.now()));
      if (told instanceof Told.Answered<OutsideInventory> answer) {
        picture.hosts(answer.value(), now);
        heard();
      } else {
        silent(((Told.Nothing<OutsideInventory>) told).why(), now);
      }
    }
    now = Instant.now();
    if (breaker.lets(now) && queuePace.isDue(now)) {
      Told<List<OutsideJob>> told = system.snapshot();
      queuePace.asked(now, Duration.between(now, Instant.now()));
      if (told instanceof Told.Answered<List<OutsideJob>> answer) {
        picture.queue(answer.value(), now);
        heard();
      } else {
        silent(((Told.Nothing<List<OutsideJob>>) told).why(), now);
      }
      picture.pass(now, readAt);
    }
  }

  private void heard() {
    breaker.answered();
    unanswered = 0;
    obstacle = "";
  }

  private void silent(String why, Instant now) {
    breaker.silent(why, now);
    unanswered++;
    if (breaker.isOpen()) {
      picture.silent(why);
      obstacle = "cluster " + options.file().name() + " does not answer: " + why;
    }
  }

  /** What could not be told is told before anything else. */
  private void tell() throws IOException, InterruptedException {
    if (unsaid.isEmpty()) {
      unsaid = picture.news();
      nodes = picture.nodes();
    }
    if (unsaid.isEmpty()) {
      return;
    }
    try {
      topics.show(unsaid);
      unsaid = List.of();
      remember();
    } catch (IOException e) {
      if (closed.getCount() > 0) {
        log.warn("{}; trying again", e.getMessage());
      }
    }
  }

  private String remembered() throws IOException {
    Path file = options.spool().resolve(CURSOR);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /** Ends before the cursor were told, so that the next process goes on behind them. */
  private void remember() throws IOException {
    Path draft = options.spool().resolve(CURSOR + ".new");
    Files.writeString(draft, cursor);
    Files.move(draft, options.spool().resolve(CURSOR), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public String dismissal() {
    return "";
  }

  @Override
  public String obstacle() {
    return obstacle;
  }

  @Override
  public void tell(Measures measures) {
    measures.answer(Metric.FORWARD_NODES, into -> into.is(nodes));
    measures.answer(Metric.FORWARD_UNANSWERED, into -> into.is(unanswered));
  }

  @Override
  public void close() throws IOException {
    if (closed.getCount() == 0) {
      return;
    }
    closed.countDown();
    topics.close();
    lock.close();
  }
}
