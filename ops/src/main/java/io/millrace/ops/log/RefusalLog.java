package io.millrace.ops.log;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * The audit log of a part: a line for each thing that it refused to who came with a principal's
 * password. Bounded, as whoever has such a password can be refused without end.
 */
public final class RefusalLog implements Consumer<String> {

  /** Of each file; two older ones are kept beside it. */
  static final long BYTES_MAX = 8L << 20;

  /** Logger of Kafka's authorizer: tells at INFO what it denied, more finely what it allowed. */
  private static final Logger AUTHORIZER = Logger.getLogger("kafka.authorizer.logger");

  private final Handler lines;

  /** Begins the file, or goes on with it. */
  public RefusalLog(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    lines = new LogFile(file, BYTES_MAX);
    lines.setFormatter(
        new Formatter() {
          @Override
          public String format(LogRecord record) {
            return Instant.ofEpochMilli(record.getMillis()) + " " + formatMessage(record) + "\n";
          }
        });
  }

  /** Where a part's audit log is. */
  public static Path file(Home home, String part) {
    return home.log(part).resolveSibling(part + "-audit.log");
  }

  /** Writes down what was refused. A disk that does not take it changes nothing about that. */
  @Override
  public void accept(String refused) {
    lines.publish(new LogRecord(Level.INFO, refused));
  }

  /** Lets the broker of this process write down what its access rules denied. */
  public void hearAuthorizer() {
    AUTHORIZER.setLevel(Level.INFO);
    AUTHORIZER.setUseParentHandlers(false);
    AUTHORIZER.addHandler(lines);
  }
}
