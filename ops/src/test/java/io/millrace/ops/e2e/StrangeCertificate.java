package io.millrace.ops.e2e;

import io.millrace.ops.home.Home;
import io.millrace.ops.keys.ListenerCertificate;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate as anybody can make one, for an address of the broker. */
final class StrangeCertificate {
  private static final char[] PASSWORD = "password".toCharArray();

  private StrangeCertificate() {}

  static SSLContext forLoopback(Path folder) throws Exception {
    Home home = new Home(folder);
    Files.createDirectories(home.tls());
    new ListenerCertificate(home, "127.0.0.1").make();
    String key = Files.readString(home.listenerKey()).split("-----")[2];
    PrivateKey own =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key)));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, PASSWORD);
    try (InputStream in = Files.newInputStream(home.listenerCertificate())) {
      Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
      store.setKeyEntry("strange", own, PASSWORD, new Certificate[] {certificate});
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
