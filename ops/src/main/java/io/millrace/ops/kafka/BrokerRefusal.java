package io.millrace.ops.kafka;

import io.millrace.ops.word.OneLine;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** Why brokers do not serve a client, and what helps, in one line. */
public final class BrokerRefusal {

  private static final String TRUST =
      "the brokers' certificate is of an authority that these settings do not trust: name it in"
          + " ssl.truststore.location or ssl.truststore.certificates";

  private static final String NAMES = "No subject alternative";

  private BrokerRefusal() {}

  /**
   * @param why what a client of Kafka has thrown
   */
  public static String of(Throwable why) {
    String said = OneLine.of(why).replaceAll("\\s+", " ").strip();
    if (why instanceof SslAuthenticationException) {
      return ofCertificate(why, said);
    }
    if (why instanceof SaslAuthenticationException) {
      return said + "; the account, its password or sasl.mechanism is wrong";
    }
    if (why instanceof AuthorizationException) {
      return said + "; the account has no right to it: ./millrace acls --check names missing rules";
    }
    return said;
  }

  private static String ofCertificate(Throwable why, String said) {
    for (Throwable each = why; each != null; each = each.getCause()) {
      String text = String.valueOf(each.getMessage());
      if (each instanceof CertificateExpiredException) {
        return "the brokers' certificate has expired (" + text + "): give the brokers a new one";
      }
      if (each instanceof CertificateNotYetValidException) {
        return "the brokers' certificate is not valid yet ("
            + text
            + "): compare the clocks of this host and the brokers";
      }
      if (text.startsWith(NAMES) || text.startsWith("No name matching")) {
        return "the brokers' certificate is not for the address by which they are named ("
            + text
            + "): name them as it does, or give them one for that address";
      }
      // The latter where another authority has the same name.
      if (each instanceof CertPathBuilderException || each instanceof SignatureException) {
        return TRUST;
      }
    }
    return said;
  }
}
