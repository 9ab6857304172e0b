package io.millrace.server.web.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-20T12:00:00Z"), ZoneOffset.UTC);

  @TempDir Path folder;

  private static AuthenticationRequest request(String target) {
    return new AuthenticationRequest(
        List.of("Bearer secret"), "192.0.2.1", "POST", target, "", new byte[0]);
  }

  @Test
  void aLineTellsWhoAndWhyAndNoSecret() throws Exception {
    Path file = folder.resolve("audit.log");
    try (AuditLog log = new AuditLog(file, 1 << 20, 2, CLOCK)) {
      log.refused(
          CredentialRefused.because(CredentialKind.TOKEN, "expired"),
          request("/v1/jobs\n2026 forged=line,a?token=secret"));
    }
    assertEquals(
        "2026-11-20T12:00:00Z refused kind=token reason=expired peer=192.0.2.1"
            + " request=POST,/v1/jobs_2026_forged=line_a\n",
        Files.readString(file));
  }

  @Test
  void whereNoNewFileCanBeBegunTheOldOneGoesOn() throws Exception {
    Path file = folder.resolve("audit.log");
    Files.createDirectories(folder.resolve("audit.log.1/full"));
    try (AuditLog log = new AuditLog(file, 200, 1, CLOCK)) {
      for (int i = 0; i < 10; i++) {
        log.refused(CredentialRefused.because(CredentialKind.MUNGE, "forged"), request("/" + i));
      }
    }
    assertEquals(10, Files.readAllLines(file).size());
  }

  @Test
  void itsFilesAreBounded() throws Exception {
    Path file = folder.resolve("audit.log");
    try (AuditLog log = new AuditLog(file, 1000, 2, CLOCK)) {
      for (int i = 0; i < 100; i++) {
        log.refused(
            CredentialRefused.because(CredentialKind.MUNGE, "forged"),
            request("/" + "x".repeat(100_000)));
      }
    }
    assertTrue(Files.size(file) <= 1000);
    assertTrue(Files.size(folder.resolve("audit.log.1")) <= 1000);
    assertTrue(Files.exists(folder.resolve("audit.log.2")));
    assertFalse(Files.exists(folder.resolve("audit.log.3")));
  }
}
