package io.millrace.ops.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

/** Each refusal names its cause and what helps, in one line. */
class BrokerRefusalTest {

  /** As the client of Kafka throws it: what was wrong is some causes below. */
  private static String handshake(Throwable why) {
    SSLHandshakeException handshake = new SSLHandshakeException("failed");
    handshake.initCause(new CertificateException("PKIX path validation failed", why));
    String said =
        BrokerRefusal.of(new SslAuthenticationException("SSL handshake failed", handshake));
    assertEquals(1, said.lines().count(), said);
    return said;
  }

  @Test
  void aCertificateThatIsNotTrustedNamesTheSetting() {
    String said =
        handshake(new CertPathBuilderException("unable to find valid certification path"));
    assertTrue(said.contains("ssl.truststore"), said);
  }

  @Test
  void oneOutOfItsTimeTellsWhen() {
    String expired =
        handshake(
            new CertPathValidatorException(
                "validity check failed", new CertificateExpiredException("NotAfter: 2026")));
    assertTrue(expired.contains("has expired (NotAfter: 2026)"), expired);
    String early =
        handshake(
            new CertPathValidatorException(
                "validity check failed", new CertificateNotYetValidException("NotBefore: 2027")));
    assertTrue(early.contains("clocks"), early);
  }

  @Test
  void oneOfAnotherAddressNamesIt() {
    String said =
        handshake(
            new CertificateException(
                "No subject alternative names matching IP address 10.0.0.1 found"));
    assertTrue(said.contains("10.0.0.1 found): name them as it does"), said);
  }

  @Test
  void passwordsRulesAndSilence() {
    String password = BrokerRefusal.of(new SaslAuthenticationException("Authentication failed"));
    assertTrue(password.startsWith("Authentication failed; the account, its password"), password);
    String rule = BrokerRefusal.of(new TopicAuthorizationException("Not authorized: [ledger]"));
    assertTrue(rule.contains("./millrace acls --check"), rule);
    assertEquals("timed out", BrokerRefusal.of(new TimeoutException("timed  \n out")));
  }
}
