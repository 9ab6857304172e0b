package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import io.millrace.server.http.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords go to a server that proves its name by a certificate that is trusted, else nowhere. */
class OarTlsTest {

  @TempDir static Path shared;

  private static TestCertificate certificate;

  @TempDir Path folder;

  /** One that names 127.0.0.1 alone. */
  @BeforeAll
  static void certificate() throws Exception {
    certificate = TestCertificate.of(shared, "ip:127.0.0.1");
  }

  @Test
  void onlyWhoIsTrustedIsAsked() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\n");
    try (PlayedOar oar = new PlayedOar(Optional.of(certificate.tls()))) {
      String url = oar.url().replace("http:", "https:");
      OarRequest question = OarRequest.get("/version.json");
      OarAnswer stranger = new OarDoor(OarFixtures.file(folder, url)).ask(question);
      assertEquals(ExchangeEnding.NOT_SENT, stranger.ending(), stranger::trouble);
      assertTrue(
          stranger.trouble().startsWith(url + " does not prove who it is; see 'certificates'"),
          stranger::trouble);
      String certificates = "certificates = " + certificate.chain();
      String other = url.replace("127.0.0.1", "localhost");
      OarAnswer misnamed = new OarDoor(OarFixtures.file(folder, other, certificates)).ask(question);
      assertEquals(ExchangeEnding.NOT_SENT, misnamed.ending(), misnamed::trouble);
      assertEquals(0, oar.asked().size());
      OarAnswer known = new OarDoor(OarFixtures.file(folder, url, certificates)).ask(question);
      assertEquals(200, known.status(), known::trouble);
      assertEquals(1, oar.asked().size());
    }
  }

  @Test
  void otherCertificatesCountWithoutANewStart() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\n");
    Path file = folder.resolve("ca.pem");
    Files.copy(TestCertificate.of(folder, "ip:127.0.0.2").chain(), file);
    try (PlayedOar oar = new PlayedOar(Optional.of(certificate.tls()))) {
      String url = oar.url().replace("http:", "https:");
      OarDoor door = new OarDoor(OarFixtures.file(folder, url, "certificates = " + file));
      OarRequest question = OarRequest.get("/version.json");
      assertEquals(ExchangeEnding.NOT_SENT, door.ask(question).ending());
      Files.copy(certificate.chain(), file, StandardCopyOption.REPLACE_EXISTING);
      OarAnswer known = door.ask(question);
      assertEquals(200, known.status(), known::trouble);
    }
  }
}
