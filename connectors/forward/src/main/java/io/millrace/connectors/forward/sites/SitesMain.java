package io.millrace.connectors.forward.sites;

import io.millrace.schemas.RecordCodec;
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
import org.apache.kafka.common.KafkaException;

/**
 * Process entry of who speaks to other installations. Exit status: 1 failed, 2 usage; SIGTERM ends
 * it with 143.
 */
public final class SitesMain {
  private static final String NAME = "millrace-sites: ";

  /** Line that is printed when all is known that is wanted of other installations. */
  public static final String READY = NAME + "ready";

  private static final ProgramOptions OPTIONS =
      Health.addTo(
              ProgramOptions.ofProcess(
                  "millrace-sites",
                  "Has other installations hold, keep and give back parts of reservations."))
          .kafka()
          .value("--sites", "FILE", "where other installations are, and by which token");

  private SitesMain() {}

  public static void main(String[] args) throws InterruptedException {
    try {
      serve(OPTIONS.parse(args));
    } catch (UsageException e) {
      System.exit(e.tell());
    } catch (IOException | RegistryException | KafkaException e) {
      System.err.println(NAME + String.valueOf(e.getMessage()).replace('\n', ' '));
      System.exit(1);
    }
  }

  private static void serve(GivenOptions options)
      throws IOException, RegistryException, UsageException, InterruptedException {
    SitesFile file = new SitesFile(Path.of(options.require("--sites")).toAbsolutePath());
    Health health = Health.begin(PartKind.SITES, options);
    Map<String, Object> kafka = options.kafka();
    RecordCodec codec = Codecs.open(kafka);
    try (SiteReports reports = new SiteReports(kafka, codec, Clock.systemUTC());
        SitesThread sites = new SitesThread(new HttpSiteDoor(file), reports, Clock.systemUTC())) {
      Runtime.getRuntime().addShutdownHook(new Thread(sites::close, "millrace-sites-end"));
      health.ready(sites::obstacle);
      sites.run(kafka, codec, () -> System.out.println(READY));
    }
  }
}
