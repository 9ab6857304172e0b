package io.millrace.server.web.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.server.client.SignedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of a daemon's answers; here a program gives them. */
class MungeVerifierTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String CLUSTER = "cluster-1";
  private static final AuthenticationRequest REQUEST =
      new AuthenticationRequest(List.of(), "192.0.2.1", "POST", "/v1/session", "", new byte[] {1});

  @TempDir Path folder;
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private Unmunge unmunge;

  @BeforeEach
  void daemon() {
    unmunge = new Unmunge(folder.resolve("daemon").toString(), "");
  }

  @AfterEach
  void close() {
    unmunge.close();
  }

  /** The daemon's clock is right; the credential was made so long before it is shown. */
  private void made(long ageS) throws IOException {
    long decodedS = NOW.getEpochSecond();
    String payload =
        SignedRequest.text(
            CLUSTER, REQUEST.method(), REQUEST.target(), REQUEST.idempotencyKey(), REQUEST.body());
    String answer =
        String.format(
            "STATUS: Success (0)%nENCODE_TIME: then (%d)%nDECODE_TIME: now (%d)%n"
                + "UID: mary (1000)%nGID: staff (100)%n%n%s",
            decodedS - ageS, decodedS, payload);
    Path said = Files.writeString(folder.resolve("said"), answer);
    Path program = Files.writeString(folder.resolve("daemon"), "#!/bin/sh\ncat " + said + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Of a door that is opened while the host's clock is so far off. */
  private MungeVerifier open(Duration off) {
    Clock clock = Clock.fixed(NOW.plus(off), ZoneOffset.UTC);
    return new MungeVerifier(unmunge, CLUSTER, false, clock, nanos::get);
  }

  private static String credential(int number) {
    byte[] bytes = new byte[24];
    bytes[0] = (byte) number;
    return "MUNGE:" + Base64.getEncoder().encodeToString(bytes) + ":";
  }

  @Test
  void howOldADoorIsDoesNotChangeWhenTheClockIsSet() throws Exception {
    for (Duration off : List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1))) {
      MungeVerifier door = open(off);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
      made(2);
      assertEquals("mary", door.principal(credential(1), REQUEST).user(), off.toString());
      made(20);
      CredentialRefused refused =
          assertThrows(
              CredentialRefused.class, () -> door.principal(credential(2), REQUEST), off + "");
      assertEquals("older-than-the-door", refused.reason());
    }
  }

  @Test
  void whatIsTooOldOrOfAnotherRequestOrUsedIsRefused() throws Exception {
    MungeVerifier door = open(Duration.ZERO);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    made(MungeVerifier.AGE_S_MAX + 1);
    assertEquals("expired", refused(door, credential(1), REQUEST));
    made(1);
    AuthenticationRequest other =
        new AuthenticationRequest(List.of(), "192.0.2.1", "GET", "/v1/session", "", new byte[] {1});
    assertEquals("other-request", refused(door, credential(1), other));
    door.principal(credential(1), REQUEST);
    assertEquals("replayed", refused(door, credential(1), REQUEST));
  }

  /** Such a program closes its end of the pipe before or while the credential is written. */
  @Test
  void aProgramThatReadsNothingIsHeardAllTheSame() throws Exception {
    MungeVerifier door = open(Duration.ZERO);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    Path program = Files.writeString(folder.resolve("daemon"), "#!/bin/sh\nexec <&-\nexit 14\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (int i = 0; i < 200; i++) {
      assertEquals("forged", refused(door, credential(i), REQUEST));
    }
  }

  private static String refused(
      MungeVerifier door, String credential, AuthenticationRequest request) {
    return assertThrows(CredentialRefused.class, () -> door.principal(credential, request))
        .reason();
  }
}
