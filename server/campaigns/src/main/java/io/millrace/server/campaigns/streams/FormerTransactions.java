package io.millrace.server.campaigns.streams;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions of an application's processes before this one. What a killed one had begun would
 * keep the positions of its inbox from this one until the brokers' time-out of transactions.
 */
final class FormerTransactions {

  private static final Logger LOG = LoggerFactory.getLogger(FormerTransactions.class);
  private static final long PATIENCE_MS = 3_000;

  private FormerTransactions() {}

  /** Ends those of an application that has one process at a time, which has not begun yet. */
  static void end(Map<String, Object> client, String application) {
    try (Admin admin = Admin.create(client)) {
      try {
        List<String> former = of(application, begun(admin));
        if (!former.isEmpty()) {
          LOG.info("ends transactions of a process before this one: {}", former);
          admin.fenceProducers(former).all().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        }
      } finally {
        admin.close(Duration.ofMillis(PATIENCE_MS));
      }
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("transactions of a process before this one may last: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Those of an application: Kafka Streams puts the process and the thread behind its name. */
  static List<String> of(String application, Collection<String> begun) {
    return begun.stream()
        .filter(it -> it.matches("\\Q" + application + "\\E-[0-9a-f]{8}(-[0-9a-f]{4,12}){4}-.+"))
        .toList();
  }

  private static List<String> begun(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    ListTransactionsOptions options =
        new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
    return admin.listTransactions(options).all().get(PATIENCE_MS, TimeUnit.MILLISECONDS).stream()
        .map(TransactionListing::transactionalId)
        .toList();
  }
}
