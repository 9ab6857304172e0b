package io.millrace.ops.log;

import io.millrace.ops.life.LifeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * Logging of a part, named by {@code -Djava.util.logging.config.class}: Millrace's messages from
 * INFO, Kafka's from WARN, into the bounded file of {@code -Dmillrace.log}, or to standard error
 * without it. {@code -Dmillrace.log.kafka=INFO} shows more of Kafka. As every part creates loggers,
 * its {@link LifeFile} is held from here on, too.
 */
public final class LogSetup {

  /** Called by the Java runtime when the first logger is created. */
  public LogSetup() throws IOException {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.WARNING);
    String file = System.getProperty("millrace.log");
    if (file == null) {
      ConsoleHandler console = new ConsoleHandler();
      console.setFormatter(new LogFormatter());
      root.addHandler(console);
    } else {
      root.addHandler(new LogFile(Path.of(file)));
      BoundedPrint.install(BoundedPrint.BYTES_MAX);
      LifeFile.hold();
    }
    levels();
  }

  private static void levels() {
    set("io.millrace", Level.INFO);
    set("org.apache.kafka", Level.parse(System.getProperty("millrace.log.kafka", "WARNING")));
    set("kafka", Level.parse(System.getProperty("millrace.log.kafka", "WARNING")));
    // This class warns about every setting that a client passes on to another.
    set("org.apache.kafka.clients.consumer.ConsumerConfig", Level.SEVERE);
    set("org.apache.kafka.clients.producer.ProducerConfig", Level.SEVERE);
    set("org.apache.kafka.clients.admin.AdminClientConfig", Level.SEVERE);
    set("org.apache.kafka.common.utils.AppInfoParser", Level.SEVERE);
    Logger connections = level(StrangeBroker.LOGGER, null);
    connections.setFilter(new StrangeBroker(System::nanoTime));
    ReferencedLoggers.LOGGERS.add(connections);
  }

  private static void set(String name, Level level) {
    ReferencedLoggers.LOGGERS.add(level(name, level));
  }

  private static Logger level(String name, Level level) {
    Logger logger = Logger.getLogger(name);
    logger.setLevel(level);
    return logger;
  }

  /** Holds loggers in fields, because the runtime forgets the level of an unreferenced logger. */
  private static final class ReferencedLoggers {
    private static final List<Logger> LOGGERS = new CopyOnWriteArrayList<>();
  }
}
