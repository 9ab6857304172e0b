package io.millrace.connectors.bridge.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.config.keys.OpenSshCertificate;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.apache.sshd.common.util.io.resource.PathResource;
import org.apache.sshd.common.util.security.SecurityUtils;

/** The private key with which we say who we are, and its certificate where there is one. */
final class UserKey {

  private static final String CERTIFICATE = "-cert.pub";

  private UserKey() {}

  /** What is offered, in this order. */
  static List<KeyPair> read(Path file) throws SshFault {
    OwnFile.requireSecret(file);
    List<KeyPair> keys = new ArrayList<>();
    KeyPair key = privateKey(file);
    Path certificate = file.resolveSibling(file.getFileName() + CERTIFICATE);
    if (Files.exists(certificate)) {
      keys.add(new KeyPair(certificate(certificate), key.getPrivate()));
    }
    keys.add(key);
    return keys;
  }

  private static KeyPair privateKey(Path file) throws SshFault {
    try (InputStream in = Files.newInputStream(file)) {
      Iterable<KeyPair> found =
          SecurityUtils.loadKeyPairIdentities(
              null, new PathResource(file), in, FilePasswordProvider.EMPTY);
      if (found != null && found.iterator().hasNext()) {
        return found.iterator().next();
      }
      throw new SshFault(file + " has no private key; write one with ssh-keygen -t ed25519");
    } catch (SshFault e) {
      throw e;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new SshFault(
          file
              + " has no private key that can be used without a passphrase; take the passphrase"
              + " away with ssh-keygen -p, or write a new one",
          e);
    }
  }

  private static OpenSshCertificate certificate(Path file) throws SshFault {
    PublicKey read;
    try {
      PublicKeyEntry entry = PublicKeyEntry.parsePublicKeyEntry(Files.readString(file).strip());
      read = entry.resolvePublicKey(null, null, PublicKeyEntryResolver.FAILING);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new SshFault(file + " has no certificate; have it signed anew, or take it away", e);
    }
    if (!(read instanceof OpenSshCertificate certificate)
        || certificate.getType() != OpenSshCertificate.Type.USER) {
      throw new SshFault(file + " has no certificate of a user; take it away");
    }
    if (!OpenSshCertificate.isValidNow(certificate)) {
      boolean over =
          Long.compareUnsigned(certificate.getValidBefore(), Instant.now().getEpochSecond()) <= 0;
      throw new SshFault(
          file
              + (over
                  ? " expired at " + Instant.ofEpochSecond(certificate.getValidBefore())
                  : " begins at " + Instant.ofEpochSecond(certificate.getValidAfter()))
              + "; have the key signed anew");
    }
    return certificate;
  }
}
