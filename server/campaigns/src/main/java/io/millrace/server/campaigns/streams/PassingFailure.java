package io.millrace.server.campaigns.streams;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApplicationRecoverableException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;

/**
 * Failures after which another try may succeed: the broker is away, or a transaction came to
 * nothing. After all others (a missing right, a record that is too large, another campaign server
 * in this one's place) each try would fail alike.
 */
final class PassingFailure {

  private PassingFailure() {}

  /** Whether the innermost cause of a failure passes. */
  static boolean is(Throwable root) {
    if (root instanceof FencedInstanceIdException) {
      return false;
    }
    // A bare one is what a producer says of records that were not acknowledged in time. Who is in
    // the broker's place and cannot prove to be the broker may be gone before long.
    return root.getClass() == KafkaException.class
        || root instanceof RetriableException
        || root instanceof ApplicationRecoverableException
        || root instanceof AuthenticationException
        || root instanceof InterruptException
        || root instanceof OutOfOrderSequenceException
        || root instanceof RebalanceInProgressException
        || root instanceof TransactionAbortableException
        || root instanceof TransactionAbortedException;
  }
}
