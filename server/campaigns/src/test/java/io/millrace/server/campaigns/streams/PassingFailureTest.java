package io.millrace.server.campaigns.streams;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.junit.jupiter.api.Test;

final class PassingFailureTest {

  @Test
  void aBrokerThatIsAwayComesBack() {
    for (Throwable root :
        List.of(
            new TimeoutException("no answer"),
            new DisconnectException(),
            new InvalidProducerEpochException("another epoch"),
            new SaslAuthenticationException("a stranger in its place"),
            new KafkaException("not acknowledged in time"))) {
      assertTrue(PassingFailure.is(root), root.toString());
    }
  }

  @Test
  void whatEachTryMeetsAgainDoesNotPass() {
    for (Throwable root :
        List.of(
            new TopicAuthorizationException("campaign-ledger"),
            new TransactionalIdAuthorizationException("no"),
            new RecordTooLargeException("3 MiB"),
            new UnknownServerException(),
            new FencedInstanceIdException("another one is here"),
            new MissingSourceTopicException("a topic is gone"),
            new IllegalStateException("a fact that cannot be applied"))) {
      assertFalse(PassingFailure.is(root), root.toString());
    }
  }
}
