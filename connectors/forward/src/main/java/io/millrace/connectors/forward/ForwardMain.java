package io.millrace.connectors.forward;

import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Process entry of a forwarding executor. Exit status 2 for a wrong command line or cluster file, 1
 * when it cannot start or go on, 3 when other executors serve the nodes: it must not be restarted
 * automatically then. SIGTERM ends it with 143; runs go on.
 */
public final class ForwardMain {
  private static final Logger log = LoggerFactory.getLogger(ForwardMain.class);

  private static final String NAME = "millrace-forward: ";

  /** Line that is printed when the cluster's runs are followed. */
  public static final String READY = NAME + "ready";

  private static final int DISMISSED = 3;

  private ForwardMain() {}

  public static void main(String[] args) throws InterruptedException {
    ForwardOptions options;
    Health health;
    try {
      options = ForwardOptions.parse(args);
      health = Health.begin(PartKind.FORWARD, ForwardOptions.given(args));
    } catch (UsageException e) {
      System.exit(e.tell());
      return;
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(NAME + line(e));
      System.exit(2);
      return;
    }
    String name = options.terms().file().name();
    if (options.forget()) {
      forget(options);
      return;
    }
    try (ServedCluster cluster = ServedCluster.open(options.terms(), () -> standBy(health, name))) {
      cluster.tell(Measures.ofProcess());
      cluster.show();
      health.ready(cluster::obstacle);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(cluster), "millrace-forward-end"));
      log.info("cluster {} is followed", name);
      System.out.println(READY);
      cluster.run();
      if (!cluster.dismissal().isEmpty()) {
        System.err.println(NAME + cluster.dismissal());
        System.exit(DISMISSED);
      }
    } catch (IOException e) {
      System.err.println(NAME + line(e));
      System.exit(1);
    }
  }

  private static void forget(ForwardOptions options) {
    try {
      int records = ToldPicture.forget(options.terms());
      System.out.println(
          NAME + records + " records of " + options.terms().file().name() + " taken back");
    } catch (IOException e) {
      System.err.println(NAME + line(e));
      System.exit(1);
    }
  }

  private static void standBy(Health health, String cluster) {
    health.ready(() -> "another forwarder serves cluster " + cluster);
    System.out.println(NAME + "stands by for cluster " + cluster);
  }

  private static void end(ServedCluster cluster) {
    try {
      cluster.close();
    } catch (IOException e) {
      System.err.println(NAME + line(e));
    }
  }

  private static String line(Exception e) {
    return String.valueOf(e.getMessage()).replace('\n', ' ');
  }
}
