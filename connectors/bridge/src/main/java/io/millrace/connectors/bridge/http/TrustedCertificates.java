package io.millrace.connectors.bridge.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a file, which alone say whether a server is who it should be. */
public final class TrustedCertificates {
  private TrustedCertificates() {}

  /**
   * TLS that trusts them and no others.
   *
   * @param file for what is said when it has none
   * @param pem its content
   * @throws IOException in one line, when there are none
   */
  public static SSLContext of(Path file, byte[] pem) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      CertificateFactory x509 = CertificateFactory.getInstance("X.509");
      int count = 0;
      for (Certificate each : x509.generateCertificates(new ByteArrayInputStream(pem))) {
        store.setCertificateEntry("certificate" + count++, each);
      }
      if (count == 0) {
        throw new IOException(file + " has no certificates in PEM: it has nothing");
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " has no certificates in PEM: " + e.getMessage(), e);
    }
  }
}
