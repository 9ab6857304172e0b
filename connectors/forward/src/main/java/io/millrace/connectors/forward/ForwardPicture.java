package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.HandedAnswers;
import io.millrace.connectors.forward.observe.HostSilence;
import io.millrace.connectors.forward.observe.PictureReading;
import io.millrace.connectors.forward.observe.PictureTopics;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the jobs, hosts and queues of a cluster that runs go to, as one that is only observed is
 * shown. Queue and hosts are those that were asked for anyhow; accounting is read once more, from
 * its file.
 */
final class ForwardPicture implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ForwardPicture.class);

  /** Time between two tries to begin. */
  private static final long AGAIN_S = 5;

  private final ServedTerms terms;
  private final OutsideSystem system;
  private final InstantSource clock;
  private final Path spool;
  private final Thread thread = new Thread(this::run, "millrace-shown");
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HandedAnswers handed;

  /** What reads the topics, or has; null before. */
  private volatile PictureReading reading;

  /** Why the last try failed; used by the thread only. */
  private String fault = "";

  /**
   * @param silence of the hosts, as whoever asks for them knows it
   */
  ForwardPicture(
      ServedTerms terms, CommandRunner runner, InstantSource clock, HostSilence silence) {
    this.terms = terms;
    this.handed = new HandedAnswers(silence);
    this.clock = clock;
    // Of its own, as a tail of a file has one reader.
    this.system = terms.file().kind().open(terms.file(), runner);
    this.spool = ToldPicture.folder(terms);
    thread.setDaemon(true);
  }

  /** Begins to show what the bridge of a thread hears. */
  void start(BridgeThread bridge) {
    bridge.later(
        "the cluster cannot be shown",
        it -> {
          it.hands(handed::queue);
          return null;
        });
    bridge.watch(handed::look);
    thread.start();
  }

  /** The cluster has told its hosts, asked for at a moment. */
  void take(OutsideInventory inventory, Instant asked) {
    handed.hosts(inventory, asked);
  }

  private void run() {
    try {
      do {
        try {
          show();
        } catch (IOException | RegistryException | RuntimeException e) {
          say(e);
        }
      } while (!closed.await(AGAIN_S, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      log.debug("closed", e);
    }
  }

  /** Once, however often it is tried. */
  private void say(Exception why) {
    if (closed.getCount() > 0 && !fault.equals(String.valueOf(why.getMessage()))) {
      fault = String.valueOf(why.getMessage());
      log.warn("cluster {} is not shown, trying again: {}", terms.file().name(), fault, why);
    }
  }

  /** Shows it until it is closed, or the topics cannot be used. */
  private void show() throws IOException, RegistryException, InterruptedException {
    Files.createDirectories(spool);
    try (SchemaRegistry registry = Codecs.registry(terms.kafka())) {
      RecordCodec codec = Codecs.of(registry);
      ClusterPicture picture = before(codec);
      String cursor = ToldPicture.remembered(spool);
      try (ToldPicture told = new ToldPicture(spool, new PictureTopics(terms.kafka(), codec))) {
        ClusterLook look = ClusterLook.handed(handed, system, picture, cursor, clock);
        do {
          told.tell(look.look());
          fault = "";
        } while (!closed.await(ClusterLook.LOOK.toMillis(), TimeUnit.MILLISECONDS));
      }
    }
  }

  private ClusterPicture before(RecordCodec codec) throws IOException {
    PictureReading one = new PictureReading(terms.kafka(), codec);
    reading = one;
    // Whoever closes this may have come before there was one.
    if (closed.getCount() == 0) {
      one.close();
    }
    return one.before(terms.file(), system.hasAccounting());
  }

  @Override
  public void close() {
    closed.countDown();
    PictureReading one = reading;
    if (one != null) {
      one.close();
    }
  }

  /** Returns when nothing of it works in the spool any more. */
  void awaitEnd() throws InterruptedException {
    thread.join();
  }
}
