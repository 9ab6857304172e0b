package io.millrace.connectors.connect;

import io.millrace.connectors.connect.SourceOpening.SourceView;
import io.millrace.connectors.forward.ServedTerms;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterNews;
import io.millrace.connectors.forward.observe.Shown;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at one cluster, each second, and hands to Connect what has changed.
 *
 * <p>All records of a look but the last have the position before it: whichever of them Connect has
 * sent when it dies, the look is repeated from there, and the topics themselves say what was shown.
 */
public final class OutsideSourceTask extends SourceTask {
  private static final Logger log = LoggerFactory.getLogger(OutsideSourceTask.class);

  /** Pause before the topics are read again that could not be read. */
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final SourceOpening opening;
  private final Duration look;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private ServedTerms terms;
  private volatile SourceView view;
  private SourcePosition position = SourcePosition.FIRST;
  private Duration pause = Duration.ZERO;
  private volatile String told = "";
  private boolean kept;

  /** Connect makes it so. */
  public OutsideSourceTask() {
    this(SourceOpening::ofTopics, ClusterLook.LOOK);
  }

  OutsideSourceTask(SourceOpening opening, Duration look) {
    this.opening = opening;
    this.look = look;
  }

  @Override
  public String version() {
    return PluginVersion.text();
  }

  @Override
  public void start(Map<String, String> settings) {
    terms = new ConnectorSettings(ConnectSide.SOURCE, settings).terms();
    PluginMetrics metrics = context.pluginMetrics();
    TaskMetrics.addObstacle(metrics, () -> told);
    TaskMetrics.add(
        metrics,
        "unanswered",
        "Questions to the cluster in a row that were not answered.",
        () -> watch().map(ClusterLook::unanswered).orElse(0));
    TaskMetrics.add(
        metrics,
        "nodes",
        "Hosts of the cluster that are shown.",
        () -> watch().map(ClusterLook::nodes).orElse(0));
  }

  private Optional<ClusterLook> watch() {
    return Optional.ofNullable(view).map(SourceView::watch);
  }

  @Override
  public List<SourceRecord> poll() throws InterruptedException {
    if (stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      return null;
    }
    ClusterLook watch = open();
    pause = look;
    ClusterNews news = isKept() ? watch.look() : watch.lookAtHosts();
    tell(watch.obstacle());
    return news.shown().isEmpty() ? null : records(news);
  }

  private ClusterLook open() {
    if (view == null) {
      pause = AGAIN;
      try {
        position = SourcePosition.of(stored());
        view = opening.open(terms, position.cursor());
      } catch (IOException e) {
        told = e.getMessage();
        throw new RetriableException(e.getMessage(), e);
      } catch (IllegalArgumentException e) {
        throw new ConnectException(e.getMessage(), e);
      }
    }
    return view.watch();
  }

  private Map<String, Object> stored() {
    return context.offsetStorageReader().offset(SourcePosition.partition(terms.file().name()));
  }

  /** Whether Connect has a position of the cluster: no job is shown before. */
  private boolean isKept() {
    kept = kept || SourcePosition.of(stored()).snapshot() > 0;
    return kept;
  }

  /** A cluster that is silent is no fault of the task, which goes on asking. */
  private void tell(String obstacle) {
    if (!obstacle.equals(told)) {
      told = obstacle;
      if (obstacle.isEmpty()) {
        log.info("cluster {} answers", terms.file().name());
      } else {
        log.warn("{}", obstacle);
      }
    }
  }

  private List<SourceRecord> records(ClusterNews news) {
    SourcePosition before = position;
    SourcePosition after = before.next(news.cursor());
    List<SourceRecord> records = new ArrayList<>();
    int last = news.shown().size() - 1;
    for (int i = 0; i <= last; i++) {
      records.add(record(news.shown().get(i), i == last ? after : before));
    }
    position = after;
    if (context.transactionContext() != null) {
      context.transactionContext().commitTransaction(records.get(last));
    }
    return records;
  }

  private SourceRecord record(Shown shown, SourcePosition at) {
    ProducerRecord<byte[], byte[]> record = view.records().apply(shown);
    return new SourceRecord(
        SourcePosition.partition(terms.file().name()),
        at.kept(),
        record.topic(),
        record.partition(),
        Schema.BYTES_SCHEMA,
        record.key(),
        Schema.OPTIONAL_BYTES_SCHEMA,
        record.value());
  }

  @Override
  public void stop() {
    stopped.countDown();
    if (view != null) {
      view.end().run();
    }
  }
}
