package io.millrace.schedulers.engine;

import io.millrace.schemas.health.Health;
import io.millrace.schemas.health.PartKind;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/** Process entry of an engine apart. Exit status: 0 ended as asked, 1 failed, 2 usage. */
public final class EngineApartMain {

  private static final long LONGEST_END_S = 2;

  private EngineApartMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) throws InterruptedException {
    ApartOptions options;
    try {
      options = ApartOptions.parse(arguments);
    } catch (UsageException e) {
      return e.tell();
    }
    CountDownLatch done = new CountDownLatch(1);
    try {
      Health health = Health.begin(PartKind.ENGINE, ApartOptions.given(arguments));
      EngineApart engine = new EngineApart(options, Codecs.open(options.kafka()), System.out);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(engine, done)));
      health.ready(engine::obstacle);
      engine.run();
      return 0;
    } catch (UsageException e) {
      return e.tell();
    } catch (IOException | RegistryException | IllegalStateException | KafkaException e) {
      System.err.println("engine: " + e.getMessage());
      return 1;
    } finally {
      done.countDown();
    }
  }

  private static void end(EngineApart engine, CountDownLatch done) {
    engine.stop();
    try {
      done.await(LONGEST_END_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
