package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords go to a server that proves its name by a certificate that is trusted, else nowhere. */
class OarTlsTest {

  private static final String STORE_PASSWORD = "changeit";

  @TempDir static Path shared;

  private static X509Certificate certificate;
  private static PrivateKey key;

  @TempDir Path folder;

  /** One that names 127.0.0.1 alone. */
  @BeforeAll
  static void certificate() throws Exception {
    Path store = shared.resolve("store.p12");
    String options =
        "-J-XX:TieredStopAtLevel=1 -genkeypair -alias oar -keyalg EC -dname CN=oar"
            + " -ext san=ip:127.0.0.1 -storetype PKCS12 -storepass "
            + STORE_PASSWORD
            + " -keystore "
            + store;
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder((keytool + " " + options).split(" "))
            .redirectErrorStream(true)
            .redirectOutput(new File(shared.toFile(), "said"))
            .start();
    assertTrue(process.waitFor(120, TimeUnit.SECONDS));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, STORE_PASSWORD.toCharArray());
    }
    certificate = (X509Certificate) keys.getCertificate("oar");
    key = (PrivateKey) keys.getKey("oar", STORE_PASSWORD.toCharArray());
  }

  private static String pem() throws Exception {
    String text =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
    return "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n";
  }

  @Test
  void onlyWhoIsTrustedIsAsked() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\n");
    Path trusted = Files.writeString(folder.resolve("ca.pem"), pem());
    try (PlayedOar oar =
        new PlayedOar(Optional.of(SslContextBuilder.forServer(key, certificate).build()))) {
      String url = oar.url().replace("http:", "https:");
      OarRequest question = OarRequest.get("/version.json");
      OarAnswer stranger = new OarDoor(OarFixtures.file(folder, url)).ask(question);
      assertEquals(ExchangeEnding.NOT_SENT, stranger.ending(), stranger::trouble);
      assertTrue(
          stranger.trouble().startsWith(url + " does not prove who it is; see 'certificates'"),
          stranger::trouble);
      String certificates = "certificates = " + trusted;
      String other = url.replace("127.0.0.1", "localhost");
      OarAnswer misnamed = new OarDoor(OarFixtures.file(folder, other, certificates)).ask(question);
      assertEquals(ExchangeEnding.NOT_SENT, misnamed.ending(), misnamed::trouble);
      assertEquals(0, oar.asked().size());
      OarAnswer known = new OarDoor(OarFixtures.file(folder, url, certificates)).ask(question);
      assertEquals(200, known.status(), known::trouble);
      assertEquals(1, oar.asked().size());
    }
  }
}
