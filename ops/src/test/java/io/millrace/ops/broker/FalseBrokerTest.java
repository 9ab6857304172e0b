package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.AuthenticationException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a program that listens in a broker's place gets out of a client of a home. */
class FalseBrokerTest {

  @TempDir Path folder;

  private Map<String, Object> client(FalseBroker broker) throws Exception {
    Home home = new Home(folder);
    home.create();
    ClientSettings.generate(home, "127.0.0.1:" + broker.port());
    Map<String, Object> settings =
        new HashMap<>(ClientSettings.read(home.client(KafkaPrincipal.GATEWAY)));
    settings.put("default.api.timeout.ms", "5000");
    settings.put("request.timeout.ms", "4000");
    return settings;
  }

  private String password() throws Exception {
    return ClientSettings.password(new Home(folder), KafkaPrincipal.GATEWAY);
  }

  @ParameterizedTest
  @EnumSource
  void noPasswordIsToldAndTheBrokerIsNotTrusted(FalseBroker.Way way) throws Exception {
    try (FalseBroker broker = new FalseBroker(0, way);
        Admin admin = Admin.create(client(broker))) {
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> admin.listTopics().names().get());
      assertEquals(List.of(), broker.passwords());
      assertInstanceOf(AuthenticationException.class, refused.getCause());
      assertFalse(broker.received(password()));
      assertEquals(Set.of(), broker.beyondLogin());
      assertTrue(broker.connections() > 0);
    }
  }

  /** So that the other test would see a password that is told. */
  @Test
  void whoeverUsesPlainTellsItsPassword() throws Exception {
    try (FalseBroker broker = new FalseBroker(0, FalseBroker.Way.PLAIN_ONLY)) {
      Map<String, Object> plain = client(broker);
      plain.put("sasl.mechanism", "PLAIN");
      plain.put(
          "sasl.jaas.config",
          "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"gateway\""
              + " password=\""
              + password()
              + "\";");
      try (Admin admin = Admin.create(plain)) {
        admin.listTopics();
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> broker.passwords().contains(password()));
        assertTrue(broker.received(password()));
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> broker.beyondLogin().contains("METADATA"));
      }
    }
  }
}
