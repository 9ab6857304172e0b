package io.millrace.ops.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GivenAccountsTest {

  @TempDir Path base;
  private Path folder;
  private GivenAccounts accounts;

  @BeforeEach
  void writeAll() throws IOException {
    folder = base.resolve("accounts");
    accounts = new GivenAccounts(folder);
    for (KafkaPrincipal principal : JoinFile.principals()) {
      accounts.write(
          principal,
          Map.of("sasl.jaas.config", ClientSettings.login("site-" + principal.text(), "x")));
    }
  }

  private String wrong() {
    return assertThrows(IOException.class, accounts::read).getMessage();
  }

  private void gateway(String text) throws IOException {
    Files.writeString(folder.resolve("gateway.properties"), text);
  }

  @Test
  void whatIsWrittenIsReadAndForTheOwnerAlone() throws IOException {
    assertEquals("site-server", accounts.read().get(KafkaPrincipal.SERVER).principal());
    assertEquals(JoinFile.principals().size(), accounts.read().size());
    String mode =
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(folder.resolve("server.properties")));
    assertEquals("rw-------", mode);
  }

  @Test
  void aClientCertificatePassesThroughWithItsName() throws IOException {
    gateway(
        "security.protocol=SSL\nssl.keystore.location=/etc/kafka/gateway.pem\n"
            + "millrace.principal=CN=gateway,O=Site\n");
    GivenAccounts.KafkaAccount account = accounts.read().get(KafkaPrincipal.GATEWAY);
    assertEquals("CN=gateway,O=Site", account.principal());
    assertEquals(
        Map.of("security.protocol", "SSL", "ssl.keystore.location", "/etc/kafka/gateway.pem"),
        account.client());
  }

  @Test
  void aTokensSettingsPassThrough() throws IOException {
    String login = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;";
    gateway(
        "sasl.mechanism=OAUTHBEARER\nsasl.jaas.config="
            + login
            + "\nsasl.oauthbearer.token.endpoint.url=https://idp/token\n"
            + "millrace.principal=gateway-client\n");
    GivenAccounts.KafkaAccount account = accounts.read().get(KafkaPrincipal.GATEWAY);
    assertEquals("gateway-client", account.principal());
    assertEquals(login, account.client().get("sasl.jaas.config"));
    assertEquals("https://idp/token", account.client().get("sasl.oauthbearer.token.endpoint.url"));
  }

  @Test
  void whatIsWrongIsSaidInALineWithTheCure() throws IOException {
    gateway("security.protocol=SSL\n");
    assertTrue(wrong().contains("gateway.properties does not say whom the brokers take it for"));
    gateway("millrace.principal=User:a\n");
    assertTrue(wrong().endsWith("is a name without User: before it"), wrong());
    gateway("millrace.principal=*\n");
    assertTrue(wrong().endsWith(": '*' is everybody to the brokers: give one account's name"));
    gateway("millrace.principal=site-server\n");
    assertTrue(wrong().contains("are of the same account, site-server: each kind"), wrong());
    gateway("millrace.principal=a\n");
    accounts.read();
    Path file = folder.resolve("gateway.properties");
    for (String open : List.of("rw-r--r--", "rw-r-----", "rw----r--", "rw--w----")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));
      assertEquals(
          file + " holds passwords, and others than its owner may read it: chmod 600 " + file,
          wrong());
    }
    Files.delete(file);
    assertEquals(List.of(KafkaPrincipal.GATEWAY), accounts.missing());
    assertTrue(wrong().contains(" has no settings of gateway (gateway.properties): "), wrong());
  }
}
