package io.millrace.ops.broker;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.message.AlterUserScramCredentialsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.authenticator.CredentialCache;
import org.apache.kafka.common.security.scram.ScramCredential;

/**
 * Whom the embedded broker lets in: the principals of the home, with the passwords of its files,
 * and this process itself, with a password that is made at each start and is in its memory only. So
 * nobody else can log in as the broker, least of all at the controller's listener, and no file has
 * to be renewed for it.
 */
final class BrokerLogins {

  /** Principal of the broker's own process. */
  static final String OWN = "broker";

  private static final ScramMechanism MECHANISM = ScramMechanism.SCRAM_SHA_512;

  /**
   * The fewest that Kafka allows. More would slow down the guessing of passwords; these are random
   * numbers of 192 bits, and each login computes so many hashes on either side.
   */
  private static final int ITERATIONS = 4096;

  private static final int SALT_BYTES = 24;
  private static final int KEY_BITS = 512;

  private final String ownPassword;
  private final AlterUserScramCredentialsRequestData request;

  private BrokerLogins(String ownPassword, AlterUserScramCredentialsRequestData request) {
    this.ownPassword = ownPassword;
    this.request = request;
  }

  static BrokerLogins of(Home home) throws IOException {
    SecureRandom random = new SecureRandom();
    String own = ClientSettings.newPassword(random);
    Map<String, String> passwords = new LinkedHashMap<>();
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      passwords.put(principal.text(), ClientSettings.password(home, principal));
    }
    passwords.putAll(HostFiles.passwords(home));
    passwords.put(OWN, own);
    AlterUserScramCredentialsRequestData request = new AlterUserScramCredentialsRequestData();
    for (Map.Entry<String, String> each : passwords.entrySet()) {
      byte[] salt = new byte[SALT_BYTES];
      random.nextBytes(salt);
      request
          .upsertions()
          .add(
              new ScramCredentialUpsertion()
                  .setName(each.getKey())
                  .setMechanism(MECHANISM.type())
                  .setIterations(ITERATIONS)
                  .setSalt(salt)
                  .setSaltedPassword(salted(each.getValue(), salt)));
    }
    return new BrokerLogins(own, request);
  }

  private static byte[] salted(String password, byte[] salt) throws IOException {
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
          .generateSecret(new PBEKeySpec(password.toCharArray(), salt, ITERATIONS, KEY_BITS))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java cannot derive keys of passwords", e);
    }
  }

  /** JAAS configuration with which this process logs in at itself. */
  String ownLogin() {
    return ClientSettings.login(OWN, ownPassword);
  }

  /** Settings of a client within this process. */
  Map<String, Object> client(String bootstrapServers) {
    return Map.of(
        "bootstrap.servers",
        bootstrapServers,
        "security.protocol",
        "SASL_PLAINTEXT",
        "sasl.mechanism",
        ClientSettings.MECHANISM,
        "sasl.jaas.config",
        ownLogin());
  }

  AlterUserScramCredentialsRequestData request() {
    return request;
  }

  /**
   * @throws IOException when the controller has refused one of them
   */
  void check(AlterUserScramCredentialsResponseData response) throws IOException {
    for (var result : response.results()) {
      if (result.errorCode() != Errors.NONE.code()) {
        throw new IOException(
            "the password of " + result.user() + " is not adopted: " + result.errorMessage());
      }
    }
  }

  /** Whether a listener with these credentials knows the present passwords. */
  boolean areKnown(CredentialCache credentials) {
    CredentialCache.Cache<ScramCredential> cache =
        credentials.cache(MECHANISM.mechanismName(), ScramCredential.class);
    return request.upsertions().stream()
        .allMatch(
            each -> {
              ScramCredential known = cache.get(each.name());
              return known != null && Arrays.equals(known.salt(), each.salt());
            });
  }
}
