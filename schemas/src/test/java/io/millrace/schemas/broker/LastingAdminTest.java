package io.millrace.schemas.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class LastingAdminTest {

  private static final Map<String, Object> NOBODY = Map.of("bootstrap.servers", "127.0.0.1:1");
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final SaslAuthenticationException LOGIN =
      new SaslAuthenticationException("a stranger in its place");

  private final List<Admin> asked = new ArrayList<>();

  /** Fails so often, then answers with the number of attempts. */
  private KafkaFuture<String> answer(Admin client, int failures, Exception failure) {
    asked.add(client);
    KafkaFutureImpl<String> answer = new KafkaFutureImpl<>();
    if (asked.size() <= failures) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete("at attempt " + asked.size());
    }
    return answer;
  }

  @Test
  void aClientWhoseLoginFailedIsReplacedAndAskedOnceMore() throws Exception {
    try (LastingAdmin admin = new LastingAdmin(NOBODY)) {
      assertEquals("at attempt 2", admin.ask(client -> answer(client, 1, LOGIN), PATIENCE));
      assertEquals(2, asked.stream().distinct().count());
      assertEquals("at attempt 3", admin.ask(client -> answer(client, 1, LOGIN), PATIENCE));
      assertSame(asked.get(1), asked.get(2), "the new one is kept");
    }
  }

  @Test
  void aBrokerThatIsStillNotTrustedIsToldAsSuch() {
    try (LastingAdmin admin = new LastingAdmin(NOBODY)) {
      ExecutionException told =
          assertThrows(
              ExecutionException.class,
              () -> admin.ask(client -> answer(client, 2, LOGIN), PATIENCE));
      assertSame(LOGIN, told.getCause());
      assertEquals(2, asked.size());
    }
  }

  @Test
  void anotherFailureIsTheAnswer() {
    try (LastingAdmin admin = new LastingAdmin(NOBODY)) {
      TopicAuthorizationException refused = new TopicAuthorizationException("topic");
      ExecutionException told =
          assertThrows(
              ExecutionException.class,
              () -> admin.ask(client -> answer(client, 1, refused), PATIENCE));
      assertInstanceOf(TopicAuthorizationException.class, told.getCause());
      assertEquals(1, asked.size());
    }
  }

  @Test
  void noAnswerIsWaitedForNoLongerThanAllowed() {
    try (LastingAdmin admin = new LastingAdmin(NOBODY)) {
      assertThrows(
          TimeoutException.class,
          () -> admin.ask(client -> new KafkaFutureImpl<>(), Duration.ofMillis(1)));
    }
  }
}
