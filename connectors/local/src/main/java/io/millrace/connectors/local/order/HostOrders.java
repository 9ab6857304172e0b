package io.millrace.connectors.local.order;

import io.millrace.connectors.local.host.HostClaim;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.HostServed;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the shards' answers on which executor serves the host, and their requests to announce it.
 */
final class HostOrders {
  private static final Logger log = LoggerFactory.getLogger(HostOrders.class);

  private final OrderContext desk;
  private final CountDownLatch served = new CountDownLatch(1);
  private String refusal = "";

  HostOrders(OrderContext desk) {
    this.desk = desk;
  }

  /** Waits until a shard has accepted the executor. */
  void awaitServed() throws InterruptedException {
    served.await();
  }

  /** Whether a shard has accepted the executor. */
  boolean isServed() {
    return served.getCount() == 0;
  }

  /** Why a shard last gave the host to another executor, in one line; empty when none did. */
  String refusal() {
    return refusal;
  }

  void carryOut(AskHost order, long offset) {
    if (desk.ways().announcer().answer(order.getShard())) {
      desk.ways().asked().run();
    }
  }

  /** Handles a shard's answer: this executor serves the host, or another one does. */
  void carryOut(HostServed answer, long offset) {
    HostClaim claim = desk.here().self().claim();
    HostClaim.HostClaimStanding standing = claim.heard(answer);
    if (claim.serves()) {
      served.countDown();
    }
    if (standing == HostClaim.HostClaimStanding.UNCHANGED) {
      return;
    }
    String host = desk.here().host();
    String why =
        standing == HostClaim.HostClaimStanding.REFUSED
            ? String.format(
                "host %s is served by executor %s, which has runs there (%d); if its spool is gone"
                    + " for good, start this one (%s) once with --take-over true (up: --take-over)",
                host, answer.getExecutor(), answer.getRuns(), claim.executor())
            : String.format(
                "host %s was taken over by executor %s from this one (%s)",
                host, answer.getExecutor(), claim.executor());
    log.error("shard {}: {}", answer.getShard(), why);
    refusal = why;
  }
}
