package io.millrace.server.accounting;

import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/** Process entry of the accounting. Exit status: 0 ended as asked, 1 failed, 2 usage. */
public final class AccountingMain {

  private static final String USAGE =
      "usage: AccountingMain --bootstrap-servers HOST:PORT [--properties FILE] --folder DIR"
          + " [--home DIR]";
  private static final Set<String> OPTIONS =
      Set.of("--bootstrap-servers", "--properties", "--folder", "--home");
  private static final long LONGEST_END_S = 5;

  private AccountingMain() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    CountDownLatch done = new CountDownLatch(1);
    try {
      Map<String, String> options = options(arguments);
      Map<String, Object> kafka = kafka(options);
      Path folder = Path.of(options.get("--folder"));
      Path home = options.containsKey("--home") ? Path.of(options.get("--home")) : null;
      try (Accounting accounting =
          new Accounting(kafka, Codecs.open(kafka), folder, Clock.systemDefaultZone(), home)) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(accounting, done)));
        System.out.println("ready");
        accounting.run();
      }
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("accounting: " + e.getMessage());
      System.err.println(USAGE);
      return 2;
    } catch (IOException | RegistryException | IllegalStateException | KafkaException e) {
      Throwable cause = e.getCause() instanceof KafkaException ? e.getCause() : e;
      System.err.println("accounting: " + cause.getMessage());
      return 1;
    } finally {
      done.countDown();
    }
  }

  private static void end(Accounting accounting, CountDownLatch done) {
    accounting.stop();
    try {
      done.await(LONGEST_END_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<String, String> options(String[] arguments) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!OPTIONS.contains(arguments[i])) {
        throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a value");
      }
      options.put(arguments[i], arguments[i + 1]);
    }
    for (String needed : new String[] {"--bootstrap-servers", "--folder"}) {
      if (!options.containsKey(needed)) {
        throw new IllegalArgumentException(needed + " is missing");
      }
    }
    return options;
  }

  private static Map<String, Object> kafka(Map<String, String> options) throws IOException {
    Map<String, Object> kafka = new HashMap<>();
    if (options.containsKey("--properties")) {
      Properties file = new Properties();
      try (Reader in = Files.newBufferedReader(Path.of(options.get("--properties")))) {
        file.load(in);
      }
      file.forEach((key, value) -> kafka.put((String) key, value));
    }
    kafka.put("bootstrap.servers", options.get("--bootstrap-servers"));
    return kafka;
  }
}
