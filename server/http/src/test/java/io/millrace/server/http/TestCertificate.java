package io.millrace.server.http;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * A certificate that nobody else has signed, made anew, and its key.
 *
 * @param chain file of the certificate in PEM
 * @param key file of the key in PEM (PKCS #8), for its owner alone
 */
public record TestCertificate(Path chain, Path key) {

  private static final String ALIAS = "test";
  private static final String PASSWORD = "changeit";

  /**
   * One of an elliptic curve.
   *
   * @param names for whom it stands, as keytool has them, for example ip:127.0.0.1
   */
  public static TestCertificate of(Path folder, String names)
      throws IOException, GeneralSecurityException, InterruptedException {
    return make(folder, "-keyalg", "EC", "-ext", "san=" + names);
  }

  /**
   * One that is made with these options of keytool.
   *
   * @param folder where its files are put; it is made when there is none
   */
  public static TestCertificate make(Path folder, String... options)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = Files.createDirectories(folder).resolve("store.p12");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                // As many hashes as usual take longer than all the rest.
                "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.keyPbeIterationCount=1",
                "-J-Dkeystore.pkcs12.macIterationCount=1",
                "-genkeypair",
                "-alias",
                ALIAS,
                "-dname",
                "CN=test",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
    command.addAll(List.of(options));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException(said.strip());
    }
    KeyStore made = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      made.load(in, PASSWORD.toCharArray());
    }
    Path chain = folder.resolve("chain.pem");
    Path key = folder.resolve("key.pem");
    Files.writeString(chain, pem("CERTIFICATE", made.getCertificate(ALIAS).getEncoded()));
    Files.writeString(
        key, pem("PRIVATE KEY", made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    return new TestCertificate(chain, key);
  }

  private static String pem(String kind, byte[] content) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }

  /** What a server shows of it. */
  public SslContext tls() throws SSLException {
    return SslContextBuilder.forServer(chain.toFile(), key.toFile()).build();
  }
}
