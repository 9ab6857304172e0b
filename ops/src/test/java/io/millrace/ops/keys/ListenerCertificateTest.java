package io.millrace.ops.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.KeyFiles;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.server.http.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenerCertificateTest {
  private static final String ADDRESS = "10.1.2.3";

  @TempDir Path folder;
  private Home home;
  private ListenerCertificate certificate;

  @BeforeEach
  void create() throws IOException {
    home = new Home(folder.resolve("home"));
    home.create();
    certificate = new ListenerCertificate(home, ADDRESS);
  }

  private static String refused(ListenerCertificate certificate) {
    String why = assertThrows(IOException.class, certificate::check).getMessage();
    assertEquals(1, why.lines().count(), why);
    return why;
  }

  private String notTaken(Path chain, Path key) {
    String why = assertThrows(IOException.class, () -> certificate.take(chain, key)).getMessage();
    assertEquals(1, why.lines().count(), why);
    return why;
  }

  @Test
  void withoutOneTheBrokerRefuses() {
    assertTrue(refused(certificate).startsWith("the broker has no certificate for 10.1.2.3: "));
  }

  @Test
  void oneIsMadeOnce() throws Exception {
    certificate.ensure();
    assertEquals("", certificate.check());
    String made = Files.readString(home.listenerKey());
    assertTrue(made.endsWith(Files.readString(home.listenerCertificate())), made);
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(home.listenerKey())));
    certificate.ensure();
    assertEquals(made, Files.readString(home.listenerKey()));
    certificate.make();
    assertNotEquals(made, Files.readString(home.listenerKey()));
    try (var left = Files.list(home.tls())) {
      assertEquals(2, left.count(), "the store of keytool is gone");
    }
  }

  @Test
  void itNamesTheAddress() throws Exception {
    for (String address : List.of("10.1.2.4", "[fd00::1]", "head.example.org")) {
      ListenerCertificate other = new ListenerCertificate(home, address);
      other.make();
      assertEquals("", other.check());
      String why = refused(certificate);
      assertTrue(why.contains(" and not for 10.1.2.3: ./millrace keys certificate"), why);
    }
  }

  /** As an administrator may have one: made elsewhere, with these options of keytool. */
  private TestCertificate given(String name, String... options) throws Exception {
    return TestCertificate.make(folder.resolve(name), options);
  }

  @Test
  void anAdministratorsIsTaken() throws Exception {
    TestCertificate rsa =
        given("rsa", "-keyalg", "RSA", "-keysize", "2048", "-ext", "SAN=ip:10.1.2.3");
    certificate.take(rsa.chain(), rsa.key());
    assertEquals("", certificate.check());
    TestCertificate other = given("other", "-keyalg", "EC", "-ext", "SAN=ip:10.1.2.3");
    String before = Files.readString(home.listenerKey());
    assertTrue(
        notTaken(rsa.chain(), other.key())
            .contains(" is not the key of the first certificate in "));
    Files.setPosixFilePermissions(other.chain(), PosixFilePermissions.fromString("rw-------"));
    assertTrue(notTaken(rsa.chain(), other.chain()).contains(" has no key in PEM"));
    assertTrue(notTaken(rsa.key(), rsa.key()).contains(" has no certificates in PEM"));
    assertTrue(notTaken(folder.resolve("none"), rsa.key()).endsWith("none cannot be read"));
    Files.setPosixFilePermissions(rsa.key(), PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(notTaken(rsa.chain(), rsa.key()).contains(" is open to others: give it mode 0600"));
    assertEquals(before, Files.readString(home.listenerKey()), "what is refused changes nothing");
  }

  @Test
  void onesTimeIsLookedAt() throws Exception {
    TestCertificate old =
        given(
            "old",
            "-keyalg",
            "EC",
            "-startdate",
            "-9d",
            "-validity",
            "2",
            "-ext",
            "SAN=ip:" + ADDRESS);
    assertTrue(notTaken(old.chain(), old.key()).contains(", not now"));
    TestCertificate soon =
        given("soon", "-keyalg", "EC", "-validity", "5", "-ext", "SAN=ip:" + ADDRESS);
    certificate.take(soon.chain(), soon.key());
    assertTrue(certificate.check().contains(" ends at "), "in less than thirty days");
    TestCertificate wild = given("wild", "-keyalg", "EC", "-ext", "SAN=dns:*.example.org");
    new ListenerCertificate(home, "head.example.org").take(wild.chain(), wild.key());
    ListenerCertificate deeper = new ListenerCertificate(home, "a.head.example.org");
    assertThrows(IOException.class, deeper::check);
  }

  @Test
  void otherHostsGetTheAddressTheCertificateAndKeysOfTheirOwn() throws Exception {
    ClusterSettings cluster = ClusterSettings.embedded(1, ADDRESS);
    cluster.write(home);
    ClientSettings.generate(home, cluster.bootstrapServers());
    certificate.ensure();
    HostFiles.make(home, "afar");
    Path file = home.hostClient("afar");
    Map<String, Object> settings = ClientSettings.read(file);
    assertEquals(ADDRESS + ":" + cluster.embedded().outside(), settings.get("bootstrap.servers"));
    assertEquals("SASL_SSL", settings.get("security.protocol"));
    assertEquals(
        Files.readString(home.listenerCertificate()), settings.get("ssl.truststore.certificates"));
    assertTrue(settings.get("sasl.jaas.config").toString().contains("\"executor-afar\""));
    String password = ClientSettings.password(file);
    assertNotEquals(ClientSettings.password(home, KafkaPrincipal.EXECUTOR), password);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));

    KeyFiles.begin(home, List.of(KafkaPrincipal.EXECUTOR));
    KeyFiles.finish(home);
    assertEquals(settings, ClientSettings.read(file), "the executors here concern nobody else");
    certificate.make();
    assertEquals(List.of("afar"), HostFiles.refresh(home));
    Map<String, Object> renewed = ClientSettings.read(file);
    assertNotEquals(
        settings.get("ssl.truststore.certificates"), renewed.get("ssl.truststore.certificates"));
    assertEquals(password, ClientSettings.password(file));
    assertEquals(settings.get(HostKey.PROPERTY), renewed.get(HostKey.PROPERTY));
  }
}
