package io.millrace.connectors.forward;

import io.millrace.connectors.forward.observe.ClusterNews;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.PictureReading;
import io.millrace.connectors.forward.observe.PictureTopics;
import io.millrace.connectors.forward.observe.Shown;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is told of a cluster on its topics, and how far that goes in logs and accounting. */
final class ToldPicture implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ToldPicture.class);

  private static final String CURSOR = "cursor";

  private final Path spool;
  private final PictureTopics topics;

  /** What was not told yet, by topic and key. */
  private final Map<String, Shown> unsaid = new LinkedHashMap<>();

  private volatile boolean closed;

  /**
   * @param spool in which is remembered how far it goes
   */
  ToldPicture(Path spool, PictureTopics topics) {
    this.spool = spool;
    this.topics = topics;
  }

  /** How far the last process had told it; empty when there was none. */
  static String remembered(Path spool) throws IOException {
    Path file = spool.resolve(CURSOR);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /** Where it is remembered in the spool of a cluster: runs have files beside it. */
  static Path folder(ServedTerms terms) {
    return terms.file().observes() ? terms.spool() : terms.spool().resolve("shown");
  }

  /** Where records are shown. */
  interface ShownRecords {
    /** Returns when they are. */
    void show(List<Shown> records) throws IOException, InterruptedException;
  }

  /**
   * Takes back all that was shown of a cluster, of whatever mode.
   *
   * @return how many records
   * @throws IOException also while another process serves the cluster, and shows it
   */
  static int forget(ServedTerms terms) throws IOException {
    try (HeldSpool held = HeldSpool.await(terms.spool(), ToldPicture::refuse);
        SchemaRegistry registry = Codecs.registry(terms.kafka())) {
      RecordCodec codec = Codecs.of(registry);
      try (PictureTopics topics = new PictureTopics(terms.kafka(), codec)) {
        ClusterPicture picture =
            new PictureReading(terms.kafka(), codec).before(terms.file(), false);
        log.debug("{}: all is taken back", held.path());
        return takeBack(picture, folder(terms), topics::show);
      }
    } catch (IllegalStateException | RegistryException e) {
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void refuse() {
    throw new IllegalStateException("a process serves the cluster: end it before");
  }

  /** Nobody goes on behind what was told, once that is taken back. */
  static int takeBack(ClusterPicture picture, Path folder, ShownRecords records)
      throws IOException, InterruptedException {
    List<Shown> all = picture.farewell();
    records.show(all);
    Files.deleteIfExists(folder.resolve(CURSOR));
    return all.size();
  }

  /** Tells news; what cannot be told now is told with the next ones. */
  void tell(ClusterNews news) throws IOException, InterruptedException {
    news.shown().forEach(it -> unsaid.put(it.topic() + "/" + it.key(), it));
    if (unsaid.isEmpty()) {
      return;
    }
    try {
      topics.show(List.copyOf(unsaid.values()));
    } catch (IOException e) {
      if (!closed) {
        log.warn("{}; trying again", e.getMessage());
      }
      return;
    }
    unsaid.clear();
    remember(news.cursor());
  }

  /** Ends before the cursor were told, so that the next process goes on behind them. */
  private void remember(String cursor) throws IOException {
    Path draft = spool.resolve(CURSOR + ".new");
    Files.writeString(draft, cursor);
    Files.move(draft, spool.resolve(CURSOR), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() {
    closed = true;
    topics.close();
  }
}
