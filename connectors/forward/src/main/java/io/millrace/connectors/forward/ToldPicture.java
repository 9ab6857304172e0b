package io.millrace.connectors.forward;

import io.millrace.connectors.forward.observe.ClusterNews;
import io.millrace.connectors.forward.observe.PictureTopics;
import io.millrace.connectors.forward.observe.Shown;
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

  /** Nobody goes on behind what was told. */
  void forget() throws IOException {
    Files.deleteIfExists(spool.resolve(CURSOR));
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
