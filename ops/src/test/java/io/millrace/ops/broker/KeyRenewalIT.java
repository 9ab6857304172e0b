package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.ops.e2e.Beside;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.KeyFiles;
import io.millrace.ops.init.ClusterInit;
import io.millrace.ops.keys.HostLogins;
import io.millrace.ops.keys.KeyRenewal;
import io.millrace.schemas.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords are renewed at a real broker, and whatever interrupts that is gone on with. */
@Beside
@Tag("night")
class KeyRenewalIT {

  private static final List<KafkaPrincipal> ALL = List.of(KafkaPrincipal.values());
  private static final List<KafkaPrincipal> TWO =
      List.of(KafkaPrincipal.ADMIN, KafkaPrincipal.GATEWAY);

  @TempDir Path folder;
  private BrokerProcess broker;
  private Home home;

  @BeforeEach
  void start() throws Exception {
    broker = new BrokerProcess(folder, 1);
    home = broker.home();
    broker.start();
  }

  @AfterEach
  void stop() throws Exception {
    broker.close();
  }

  private static void logIn(Map<String, Object> settings) throws Exception {
    try (Admin admin = Admin.create(settings)) {
      admin.describeCluster().clusterId().get();
    }
  }

  private void assertAllLogIn() throws Exception {
    for (KafkaPrincipal principal : ALL) {
      logIn(broker.client(principal));
    }
  }

  /** Soon: a listener hears of a new password a moment after it was acknowledged. */
  private static void assertRefused(Map<String, Object> settings) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              ExecutionException refused =
                  assertThrows(ExecutionException.class, () -> logIn(settings));
              assertInstanceOf(SaslAuthenticationException.class, refused.getCause());
            });
  }

  @Test
  void theNewOnesAreGoodAndTheOldOnesAreNotAlsoAfterSigkill() throws Exception {
    assertAllLogIn();
    Map<String, Object> admin = broker.client(KafkaPrincipal.ADMIN);
    Map<String, Object> gateway = broker.client(KafkaPrincipal.GATEWAY);
    Map<String, Object> server = broker.client(KafkaPrincipal.SERVER);
    assertEquals(TWO, new KeyRenewal(home).renew(TWO));
    assertNotEquals(
        gateway.get("sasl.jaas.config"),
        broker.client(KafkaPrincipal.GATEWAY).get("sasl.jaas.config"));
    assertAllLogIn();
    assertRefused(admin);
    assertRefused(gateway);
    logIn(server);
    assertEquals(ALL, new KeyRenewal(home).renew(ALL), "the administrator's once more");
    assertRefused(server);
    broker.kill();
    broker.start();
    assertAllLogIn();
    assertRefused(server);
  }

  @Test
  void oneThatWasKilledBeforeTheBrokerWasToldIsGoneOnWith() throws Exception {
    KeyFiles.begin(home, TWO);
    assertAllLogIn();
    Map<String, Object> old = broker.client(KafkaPrincipal.ADMIN);
    new KeyRenewal(home).finish();
    assertAllLogIn();
    assertRefused(old);
  }

  @Test
  void oneThatWasKilledAfterTheBrokerWasToldIsGoneOnWith() throws Exception {
    KeyFiles.begin(home, TWO);
    tell();
    assertRefused(broker.client(KafkaPrincipal.ADMIN));
    assertEquals(ALL, new KeyRenewal(home).renew(ALL), "with the others in the same call");
    assertAllLogIn();
  }

  @Test
  void aBrokerThatIsKilledMeanwhileTakesTheNewOnes() throws Exception {
    KeyFiles.begin(home, TWO);
    String told = ClientSettings.password(KeyFiles.next(home, KafkaPrincipal.ADMIN));
    tell();
    broker.kill();
    broker.start();
    assertEquals(List.of(), KeyFiles.begun(home));
    assertEquals(told, ClientSettings.password(home, KafkaPrincipal.ADMIN));
    assertAllLogIn();
  }

  @Test
  void aHostMayWhatExecutorsMayUntilItIsRevoked() throws Exception {
    new ClusterInit(broker.client(KafkaPrincipal.ADMIN), 1, line -> {}).run(true);
    HostFiles.make(home, "afar");
    HostLogins logins = new HostLogins(home);
    logins.admit("afar");
    Map<String, Object> first = ClientSettings.read(home.hostClient("afar"));
    HostFiles.make(home, "afar");
    logins.admit("afar");
    assertRefused(first);
    Map<String, Object> client = ClientSettings.read(home.hostClient("afar"));
    client.put("max.block.ms", 20_000);
    client.put("retries", 0);
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(client, bytes, bytes)) {
      write(producer, Topics.REPORTS);
      write(producer, Topics.HEARTBEATS);
      assertDenied(producer, Topics.COMMANDS);
      assertDenied(producer, Topics.DISPATCH);
      HostFiles.revoke(home, "afar");
      logins.expel("afar");
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertDenied(producer, Topics.REPORTS));
    }
    assertRefused(client);
    logins.expel("afar"); // once more, as one that was interrupted would
    broker.kill();
    broker.start();
    assertRefused(client);
    HostFiles.make(home, "afar");
    logins.admit("afar");
    logIn(ClientSettings.read(home.hostClient("afar")));
  }

  /** Revoked while the broker was away, which may know the password still. */
  @Test
  void whoWasRevokedMeanwhileIsNotLetInByABrokerThatStarts() throws Exception {
    HostFiles.make(home, "afar");
    new HostLogins(home).admit("afar");
    Map<String, Object> client = ClientSettings.read(home.hostClient("afar"));
    broker.kill();
    HostFiles.revoke(home, "afar");
    broker.start();
    assertRefused(client);
  }

  private static void write(KafkaProducer<byte[], byte[]> producer, String topic) throws Exception {
    producer.send(new ProducerRecord<>(topic, 0, new byte[0], new byte[0])).get();
  }

  private static void assertDenied(KafkaProducer<byte[], byte[]> producer, String topic) {
    ExecutionException denied =
        assertThrows(ExecutionException.class, () -> write(producer, topic), topic);
    assertInstanceOf(TopicAuthorizationException.class, denied.getCause());
  }

  /** As a renewal does that is killed before it has put the files in place. */
  private void tell() throws Exception {
    try (Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN))) {
      List<UserScramCredentialAlteration> all = new ArrayList<>();
      for (KafkaPrincipal principal : TWO) {
        all.add(
            new UserScramCredentialUpsertion(
                principal.text(),
                new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096),
                ClientSettings.password(KeyFiles.next(home, principal))));
      }
      admin.alterUserScramCredentials(all).all().get();
    }
  }
}
