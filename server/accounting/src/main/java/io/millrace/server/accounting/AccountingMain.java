package io.millrace.server.accounting;

import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/** Process entry of the accounting. Exit status: 0 ended as asked, 1 failed, 2 usage. */
public final class AccountingMain {

  private static final ProgramOptions OPTIONS =
      Health.addTo(
              ProgramOptions.ofProcess(
                  "accounting", "Writes accounting files and day logs, sends mail."))
          .kafka()
          .value("--folder", "DIR", "where the accounting files are")
          .value("--home", "DIR", "home folder, for day logs (default: none are written)")
          .value("--campaign-log", "FILE", "a line there for what happens to campaigns");
  private static final long LONGEST_END_S = 5;

  private AccountingMain() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    CountDownLatch done = new CountDownLatch(1);
    try {
      GivenOptions options = OPTIONS.parse(arguments);
      Health health = Health.begin(PartKind.ACCOUNTING, options);
      Map<String, Object> kafka = options.kafka();
      Path folder = Path.of(options.require("--folder"));
      Path home = options.get("--home").map(Path::of).orElse(null);
      try (Accounting accounting =
          new Accounting(kafka, Codecs.open(kafka), folder, Clock.systemDefaultZone(), home)) {
        options.get("--campaign-log").map(Path::of).ifPresent(accounting::logCampaigns);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(accounting, done)));
        health.ready(accounting::obstacle);
        System.out.println("ready");
        accounting.run();
      }
      return 0;
    } catch (UsageException e) {
      return e.tell();
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
}
