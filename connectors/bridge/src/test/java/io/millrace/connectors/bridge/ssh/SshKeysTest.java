package io.millrace.connectors.bridge.ssh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.sshd.certificate.OpenSshCertificateBuilder;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyEncryptionContext;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To whom a connection goes, and as whom. */
class SshKeysTest {

  @TempDir Path folder;
  private EmbeddedSshd sshd;

  @BeforeEach
  void start() throws Exception {
    sshd = new EmbeddedSshd(folder);
  }

  @AfterEach
  void stop() throws Exception {
    sshd.close();
  }

  /** What comes of a command: empty when it was carried out. */
  private String trouble() throws InterruptedException {
    SshRunner runner = new SshRunner(sshd.terms());
    try {
      OutsideAnswer answer =
          runner.run(
              new OutsideCommand(
                  List.of("/bin/true"), new byte[0], Map.of(), Duration.ofSeconds(20), 1000));
      return answer.isGood() ? "" : answer.trouble().replace(folder.toString(), "H");
    } finally {
      runner.close();
    }
  }

  private void assertRefused(String... parts) throws InterruptedException {
    String trouble = trouble();
    for (String part : parts) {
      assertTrue(trouble.contains(part), trouble);
    }
    assertEquals(1, trouble.lines().count());
    assertEquals(0, sshd.begun(), "nothing was sent");
  }

  @Test
  void theKnownKeyIsTaken() throws Exception {
    assertEquals("", trouble());
  }

  @Test
  void anUnknownHostIsRefused() throws Exception {
    sshd.known("# nobody\n");
    assertRefused(
        "the key of host 127.0.0.1 port " + sshd.port() + " is not known: ssh-ed25519 SHA256:",
        "; compare it with the one of the host, and write it into H/known");
    assertEquals("# nobody\n", Files.readString(sshd.knownHosts()), "it is not written");
  }

  @Test
  void aChangedKeyIsRefused() throws Exception {
    sshd.changeHostKey();
    assertRefused("is not the one that is known: ssh-ed25519 SHA256:", "; somebody may be in its");
  }

  @Test
  void aKeyOfAnotherKindAloneIsAChangedOne() throws Exception {
    sshd.know(EmbeddedSshd.key("RSA").getPublic());
    assertRefused("is not the one that is known: ssh-ed25519 SHA256:");
  }

  @Test
  void aRevokedKeyIsRefused() throws Exception {
    String host = "[127.0.0.1]:" + sshd.port() + " ";
    String key = PublicKeyEntry.toString(sshd.hostKey());
    sshd.known(host + key + "\n@revoked " + host + key + "\n");
    assertRefused("is revoked in H/known");
  }

  @Test
  void aFileOfHostsThatOthersMayChangeIsRefused() throws Exception {
    Files.setPosixFilePermissions(sshd.knownHosts(), PosixFilePermissions.fromString("rw-rw-r--"));
    assertRefused("H/known can be changed by others; chmod go-w H/known");
    Files.delete(sshd.knownHosts());
    assertRefused("there is no file H/known; write it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rwx------"})
  void aKeyThatOthersHaveIsRefused(String rights) throws Exception {
    Files.setPosixFilePermissions(sshd.userKey(), PosixFilePermissions.fromString(rights));
    assertRefused("H/id can be read by others; chmod 600 H/id");
  }

  @Test
  void aKeyBehindALinkIsRefused() throws Exception {
    Files.move(sshd.userKey(), folder.resolve("other"));
    Files.createSymbolicLink(sshd.userKey(), folder.resolve("other"));
    assertRefused("there is no file H/id");
  }

  @Test
  void aKeyWithAPassphraseIsRefused() throws Exception {
    OpenSSHKeyEncryptionContext secret = new OpenSSHKeyEncryptionContext();
    secret.setPassword("secret");
    secret.setCipherType("256");
    try (var out = Files.newOutputStream(sshd.userKey())) {
      OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(
          EmbeddedSshd.key("Ed25519"), "test", secret, out);
    }
    assertRefused("H/id has no private key that can be used without a passphrase; take");
    Files.writeString(sshd.userKey(), "nothing\n");
    assertRefused("H/id has no private key");
  }

  /** As one whose time is over by expiry-time in authorized_keys: the sshd does not say why. */
  @Test
  void aKeyThatIsNotTakenIsSaid() throws Exception {
    sshd.accept();
    assertRefused("does not take the key of H/id for ", "; add its .pub", "(expiry-time)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void keysOfOtherKindsAreTaken(String algorithm) throws Exception {
    KeyPair key = EmbeddedSshd.key(algorithm);
    sshd.accept(key.getPublic());
    EmbeddedSshd.write(key, sshd.userKey());
    assertEquals("", trouble());
  }

  private void certify(KeyPair key, Instant begin, Instant end) throws Exception {
    EmbeddedSshd.write(key, sshd.userKey());
    OpenSshCertificate certificate =
        OpenSshCertificateBuilder.userCertificate()
            .id("test")
            .serial(1)
            .principals(List.of(System.getProperty("user.name")))
            .validAfter(begin)
            .validBefore(end)
            .publicKey(key.getPublic())
            .sign(EmbeddedSshd.key("Ed25519"), "ssh-ed25519");
    Files.writeString(
        folder.resolve("id-cert.pub"), PublicKeyEntry.toString(certificate) + " test\n");
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    KeyPair key = EmbeddedSshd.key("Ed25519");
    Instant end = Instant.parse("2026-01-02T03:04:05Z");
    certify(key, end.minusSeconds(3600), end);
    assertRefused("H/id-cert.pub expired at 2026-01-02T03:04:05Z; have the key signed anew");
    certify(key, Instant.now().plusSeconds(3600), Instant.now().plusSeconds(7200));
    assertRefused("H/id-cert.pub begins at ");
  }

  @Test
  void behindACertificateThatIsNotTakenTheKeyIsOffered() throws Exception {
    KeyPair key = EmbeddedSshd.key("Ed25519");
    certify(key, Instant.now().minusSeconds(3600), Instant.now().plusSeconds(3600));
    sshd.accept(key.getPublic());
    assertEquals("", trouble());
  }
}
