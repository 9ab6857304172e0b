package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.connectors.bridge.run.SteadyClock;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.PictureReading;
import io.millrace.connectors.forward.observe.PictureTopics;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A cluster that is looked at and shown; nothing is submitted or changed there. Its logs and
 * accounting are read on each second, its queue is asked for as a whole now and then.
 */
final class ObservingCluster implements ServedCluster {
  private final ServedTerms terms;
  private final HeldSpool lock;
  private final CommandRunner runner;
  private final ToldPicture told;
  private final ClusterLook watch;
  private final CountDownLatch closed = new CountDownLatch(1);

  private ObservingCluster(ServedTerms terms, HeldSpool lock) throws IOException {
    this.terms = terms;
    this.lock = lock;
    RecordCodec codec;
    try {
      codec = Codecs.open(terms.kafka());
    } catch (RegistryException e) {
      throw new IOException(e.getMessage(), e);
    }
    this.runner = CommandHosts.of(terms.file(), new ProcessRunner(), Optional.of(terms.spool()));
    OutsideSystem system = terms.file().kind().open(terms.file(), runner);
    ClusterPicture picture =
        new PictureReading(terms.kafka(), codec).before(terms.file(), system.hasAccounting());
    Path folder = ToldPicture.folder(terms);
    this.told = new ToldPicture(folder, new PictureTopics(terms.kafka(), codec));
    String cursor = ToldPicture.remembered(folder);
    this.watch = new ClusterLook(terms.file().name(), system, picture, cursor, new SteadyClock());
  }

  static ObservingCluster open(ServedTerms terms, Runnable waiting) throws IOException {
    HeldSpool lock = HeldSpool.await(terms.spool(), waiting);
    ObservingCluster cluster = null;
    try {
      cluster = new ObservingCluster(terms, lock);
      return cluster;
    } finally {
      if (cluster == null) {
        lock.close(); // after an error too: another task of this process may take it
      }
    }
  }

  @Override
  public void run() throws IOException, InterruptedException {
    do {
      told.tell(watch.look());
    } while (!closed.await(ClusterLook.LOOK.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Override
  public String dismissal() {
    return "";
  }

  @Override
  public String obstacle() {
    return watch.obstacle();
  }

  @Override
  public OptionalLong carriedOut(int partition, long end) {
    return OptionalLong.of(end); // nobody orders anything there
  }

  @Override
  public void tell(Measures measures) {
    measures.answer(Metric.FORWARD_NODES, into -> into.is(watch.nodes()));
    measures.answer(Metric.FORWARD_UNANSWERED, into -> into.is(watch.unanswered()));
  }

  @Override
  public void close() throws IOException {
    if (closed.getCount() == 0) {
      return;
    }
    closed.countDown();
    told.close();
    runner.close();
    lock.close();
  }
}
