package io.millrace.connectors.local;

import io.millrace.connectors.local.execution.LocalExecution;
import io.millrace.connectors.local.execution.NullExecution;
import io.millrace.connectors.local.host.ControlGroups;
import io.millrace.connectors.local.host.ExecutorSettings;
import io.millrace.connectors.local.host.RunGroups;
import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Process entry of an executor. Exit status 2 for a wrong command line, 1 when it cannot start or
 * cannot go on, 3 when another executor serves its host: it must not be restarted automatically
 * then, or the two executors replace each other in turn. SIGTERM ends it with 143 after its reports
 * were sent. Runs go on.
 */
public final class LocalExecutorMain {
  private static final Logger log = LoggerFactory.getLogger(LocalExecutorMain.class);

  /** Another executor serves the host. */
  static final int DISMISSED = 3;

  private LocalExecutorMain() {}

  public static void main(String[] args) throws InterruptedException {
    ExecutorOptions options;
    Health health;
    try {
      options = ExecutorOptions.parse(args);
      health = Health.begin(PartKind.EXECUTOR, ExecutorOptions.given(args));
    } catch (UsageException e) {
      System.exit(e.tell());
      return;
    } catch (IllegalArgumentException | IOException e) {
      System.err.println("millrace-executor: " + line(e));
      System.exit(2);
      return;
    }
    try (LocalExecutor executor = LocalExecutor.open(options.settings(), execution(options))) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> end(executor), "millrace-executor-end"));
      log.info("host {} is ready", options.settings().host());
      Measures measures = Measures.ofProcess();
      measures.answer(Metric.SPOOL_RUNS, into -> into.is(executor.execution().runs().size()));
      measures.answer(Metric.REPORTS_WAITING, into -> into.is(executor.undelivered()));
      health.ready(executor::obstacle);
      System.out.println("millrace-executor: ready");
      tellWhenServed(executor, options.settings().host());
      executor.await();
      if (!executor.isClosed()) {
        String why = executor.dismissal();
        System.err.println(
            "millrace-executor: " + (why.isEmpty() ? "the reader of orders ended" : why));
        System.exit(why.isEmpty() ? 1 : DISMISSED);
      }
    } catch (IOException e) {
      System.err.println("millrace-executor: " + line(e));
      System.exit(1);
    }
  }

  private static void tellWhenServed(LocalExecutor executor, String host) {
    Thread waits =
        new Thread(
            () -> {
              try {
                executor.awaitServed();
                System.out.println("millrace-executor: serves " + host);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "millrace-executor-served");
    waits.setDaemon(true);
    waits.start();
  }

  private static LocalExecutor.ExecutionFactory execution(ExecutorOptions options) {
    if (options.isNull()) {
      return observer -> new NullExecution(options.nullDurationMs(), observer);
    }
    ExecutorSettings settings = options.settings();
    LocalSettings local =
        new LocalSettings(
            settings.spool(),
            options.supervisor(),
            options.tmp(),
            options.rootJobs(),
            settings.durable(),
            LocalSettings.LocalRunBounds.DEFAULT);
    return observer ->
        LocalExecution.open(
            local,
            observer,
            spool -> {
              RunGroups groups = ControlGroups.offer(spool, options.groups());
              log.info("{}", groups.told());
              return groups.processors();
            });
  }

  private static void end(LocalExecutor executor) {
    try {
      executor.close();
    } catch (IOException e) {
      System.err.println("millrace-executor: " + line(e));
    }
  }

  private static String line(Exception e) {
    return String.valueOf(e.getMessage()).replace('\n', ' ');
  }
}
