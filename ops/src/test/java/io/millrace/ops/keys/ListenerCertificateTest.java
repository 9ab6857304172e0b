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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
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
  private Path[] given(String name, String... options) throws Exception {
    Path store = folder.resolve(name + ".p12");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "broker",
                "-dname",
                "CN=given",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit"));
    command.addAll(List.of(options));
    ProcessBuilder keytool =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    assertEquals(0, keytool.start().waitFor());
    KeyStore all = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(store)) {
      all.load(in, "changeit".toCharArray());
    }
    Path chain = folder.resolve(name + ".crt");
    Path key = folder.resolve(name + ".key");
    Files.writeString(chain, pem("CERTIFICATE", all.getCertificate("broker").getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", all.getKey("broker", "changeit".toCharArray()).getEncoded()));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return new Path[] {chain, key};
  }

  private static String pem(String name, byte[] content) {
    return "-----BEGIN "
        + name
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(content)
        + "\n-----END "
        + name
        + "-----\n";
  }

  @Test
  void anAdministratorsIsTaken() throws Exception {
    Path[] rsa = given("rsa", "-keyalg", "RSA", "-keysize", "2048", "-ext", "SAN=ip:10.1.2.3");
    certificate.take(rsa[0], rsa[1]);
    assertEquals("", certificate.check());
    Path[] other = given("other", "-keyalg", "EC", "-ext", "SAN=ip:10.1.2.3");
    String before = Files.readString(home.listenerKey());
    assertTrue(notTaken(rsa[0], other[1]).contains(" is not the key of the first certificate in "));
    Files.setPosixFilePermissions(other[0], PosixFilePermissions.fromString("rw-------"));
    assertTrue(notTaken(rsa[0], other[0]).contains(" has no key in PEM"));
    assertTrue(notTaken(rsa[1], rsa[1]).contains(" has no certificates in PEM"));
    assertTrue(notTaken(folder.resolve("none"), rsa[1]).endsWith("none cannot be read"));
    Files.setPosixFilePermissions(rsa[1], PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(notTaken(rsa[0], rsa[1]).contains(" is open to others: give it mode 0600"));
    assertEquals(before, Files.readString(home.listenerKey()), "what is refused changes nothing");
  }

  @Test
  void onesTimeIsLookedAt() throws Exception {
    Path[] old =
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
    assertTrue(notTaken(old[0], old[1]).contains(", not now"));
    Path[] soon = given("soon", "-keyalg", "EC", "-validity", "5", "-ext", "SAN=ip:" + ADDRESS);
    certificate.take(soon[0], soon[1]);
    assertTrue(certificate.check().contains(" ends at "), "in less than thirty days");
    Path[] wild = given("wild", "-keyalg", "EC", "-ext", "SAN=dns:*.example.org");
    new ListenerCertificate(home, "head.example.org").take(wild[0], wild[1]);
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
