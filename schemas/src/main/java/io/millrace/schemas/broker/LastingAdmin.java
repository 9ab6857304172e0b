package io.millrace.schemas.broker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;

/**
 * An administrative client that is kept for long. One whose login failed, as a program listened in
 * the broker's place or the broker did not know a new password yet, keeps that failure as its state
 * and can answer with it when the broker is long back: it is then replaced.
 */
public final class LastingAdmin implements AutoCloseable {

  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final Map<String, Object> settings;
  private Admin client;
  private boolean closed;

  /**
   * @param settings of the client
   */
  public LastingAdmin(Map<String, Object> settings) {
    this.settings = Map.copyOf(settings);
    this.client = Admin.create(this.settings);
  }

  /**
   * Asks, and once more when the client's login had failed.
   *
   * @throws ExecutionException what the brokers, or the client, answered
   * @throws TimeoutException when there is no answer within {@code patience}
   */
  public <T> T ask(Function<Admin, KafkaFuture<T>> question, Duration patience)
      throws ExecutionException, TimeoutException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    Admin used = client();
    try {
      return answer(question.apply(used), end);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AuthenticationException)) {
        throw e;
      }
      return answer(question.apply(replace(used)), end);
    }
  }

  private static <T> T answer(KafkaFuture<T> asked, long end)
      throws ExecutionException, TimeoutException, InterruptedException {
    return asked.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  private synchronized Admin client() {
    return client;
  }

  /** What others ask of the failed one at this moment fails as it did before. */
  private synchronized Admin replace(Admin failed) {
    if (client == failed && !closed) {
      failed.close(Duration.ZERO);
      client = Admin.create(settings);
    }
    return client;
  }

  @Override
  public synchronized void close() {
    closed = true;
    client.close(CLOSING);
  }
}
