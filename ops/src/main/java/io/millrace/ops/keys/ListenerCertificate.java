package io.millrace.ops.keys;

import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The certificate with which the broker proves itself to executors of other hosts, and its key. A
 * certificate that we make signs itself: executors are given it beside their password, and trust
 * nothing else.
 */
public final class ListenerCertificate {

  /** A host that has a copy must get a new one afterwards, so that it is seldom. */
  private static final int VALID_DAYS = 3650;

  /** How long before its end {@code up} says so. */
  private static final Duration NOTICE = Duration.ofDays(30);

  private static final String ALIAS = "broker";
  private static final String PASSWORD_VARIABLE = "MILLRACE_STORE_PASSWORD";

  /**
   * Options of keytool's Java machine, which lives for a second. Its store is deleted when it was
   * read, and has a password by chance: hashing it ten thousand times protects nothing.
   */
  private static final List<String> BRIEF =
      List.of(
          "-J-XX:TieredStopAtLevel=1",
          "-J-XX:+UseSerialGC",
          "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
          "-J-Dkeystore.pkcs12.keyPbeIterationCount=1",
          "-J-Dkeystore.pkcs12.macIterationCount=1");

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);
  private static final Pattern IP = Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*]?");

  private final Home home;
  private final String address;

  /**
   * @param address where the broker listens for executors of other hosts, as {@code up --listen}
   *     has it
   */
  public ListenerCertificate(Home home, String address) {
    this.home = home;
    this.address = address;
  }

  /**
   * Name of who proves itself with a certificate that we make for this address. Each has its own:
   * clients with OpenSSL look for what they trust by this name, and take the first.
   */
  public String subject() {
    return "CN=Millrace broker at " + bare(address);
  }

  /** Makes a certificate unless the home has one. */
  public void ensure() throws IOException, InterruptedException {
    if (!Files.exists(home.listenerKey())) {
      make();
    }
  }

  /** Makes a key and a certificate that names the address. */
  public void make() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(home.tls(), "made");
    try {
      Path store = folder.resolve("store");
      String password = random();
      keytool(store, password);
      KeyStore made = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        made.load(in, password.toCharArray());
      }
      PrivateKey key = (PrivateKey) made.getKey(ALIAS, password.toCharArray());
      write(
          pem("PRIVATE KEY", key.getEncoded()),
          pem("CERTIFICATE", made.getCertificate(ALIAS).getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot make a certificate: " + e.getMessage(), e);
    } finally {
      FolderTree.delete(folder);
    }
  }

  private void keytool(Path store, String password) throws IOException, InterruptedException {
    String kind = IP.matcher(address).matches() ? "ip:" : "dns:";
    Path said = store.resolveSibling("said");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(BRIEF);
    command.addAll(
        List.of(
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-validity",
            Integer.toString(VALID_DAYS),
            "-dname",
            subject(),
            "-ext",
            "SAN=" + kind + bare(address),
            "-keystore",
            store.toString(),
            "-storetype",
            "PKCS12",
            // Not as an argument, which everybody on the host sees.
            "-storepass:env",
            PASSWORD_VARIABLE));
    ProcessBuilder program =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    program.environment().put(PASSWORD_VARIABLE, password);
    if (program.start().waitFor() != 0) {
      throw new IOException(
          "cannot make a certificate for "
              + address
              + ": "
              + Files.readString(said).strip().lines().findFirst().orElse("keytool failed"));
    }
  }

  private static String random() {
    byte[] random = new byte[24];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  private static String bare(String address) {
    return address.replaceAll("[\\[\\]]", "");
  }

  private static String pem(String name, byte[] content) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + name + "-----\n" + lines + "\n-----END " + name + "-----\n";
  }

  private void write(String key, String chain) throws IOException {
    // The broker reads both from one file, so that there is no moment with one of each.
    SmallFile.write(home.listenerKey(), key + chain, "rw-------");
    SmallFile.write(home.listenerCertificate(), chain, "rw-r--r--");
  }

  /**
   * Takes an administrator's certificate.
   *
   * @param chain in PEM, the broker's own certificate first
   * @param key in PEM (PKCS #8), without a password
   * @throws IOException in one line when they are not what they should be
   */
  public void take(Path chain, Path key) throws IOException {
    for (Path file : List.of(chain, key)) {
      if (!Files.isReadable(file)) {
        throw new IOException(file + " cannot be read");
      }
    }
    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(key));
    if (!mode.matches("..-..----.|..-------")) {
      throw new IOException(key + " is open to others: give it mode 0600");
    }
    List<X509Certificate> certificates = parse(chain, Files.readString(chain));
    Matcher found = KEY.matcher(Files.readString(key));
    if (!found.find()) {
      throw new IOException(key + " has no key in PEM (PKCS #8, without a password)");
    }
    byte[] content = Base64.getMimeDecoder().decode(found.group(1));
    if (!belongs(content, certificates.get(0).getPublicKey())) {
      throw new IOException(key + " is not the key of the first certificate in " + chain);
    }
    require(certificates.get(0), chain, Instant.now());
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : certificates) {
      try {
        text.append(pem("CERTIFICATE", certificate.getEncoded()));
      } catch (CertificateException e) {
        throw new IOException(chain + ": " + e.getMessage(), e);
      }
    }
    write(pem("PRIVATE KEY", content), text.toString());
  }

  private static boolean belongs(byte[] key, PublicKey certified) {
    String algorithm = certified.getAlgorithm();
    try {
      PrivateKey own =
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
      Signature signature =
          Signature.getInstance(algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
      byte[] text = random().getBytes(StandardCharsets.US_ASCII);
      signature.initSign(own);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /**
   * Checks the certificate that the home has.
   *
   * @return what the administrator should know; empty when all is well
   * @throws IOException in one line why the broker cannot prove itself with it
   */
  public String check() throws IOException {
    Path file = home.listenerCertificate();
    if (!Files.isReadable(file) || !Files.isReadable(home.listenerKey())) {
      throw new IOException(
          "the broker has no certificate for " + address + ": ./millrace keys certificate");
    }
    X509Certificate own = parse(file, Files.readString(file)).get(0);
    Instant now = Instant.now();
    require(own, file, now);
    Instant end = own.getNotAfter().toInstant();
    return now.plus(NOTICE).isAfter(end)
        ? "the certificate for executors of other hosts ends at "
            + end
            + ": ./millrace keys certificate"
        : "";
  }

  private void require(X509Certificate own, Path file, Instant now) throws IOException {
    try {
      own.checkValidity(Date.from(now));
    } catch (CertificateException e) {
      throw new IOException(
          file
              + " is valid from "
              + own.getNotBefore().toInstant()
              + " to "
              + own.getNotAfter().toInstant()
              + ", not now",
          e);
    }
    List<String> names = names(own, file);
    if (names.stream().noneMatch(this::covers)) {
      throw new IOException(
          file
              + " is for "
              + String.join(", ", names)
              + " and not for "
              + address
              + ": ./millrace keys certificate");
    }
  }

  private boolean covers(String name) {
    if (IP.matcher(address).matches()) {
      try {
        return InetAddress.getByName(bare(address)).getHostAddress().equals(name);
      } catch (IOException e) {
        return false;
      }
    }
    String host = address.toLowerCase(Locale.ROOT);
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals(host)
        || lower.startsWith("*.")
            && host.indexOf('.') > 0
            && host.substring(host.indexOf('.')).equals(lower.substring(1));
  }

  /** Names of hosts and addresses that a certificate is for. */
  private static List<String> names(X509Certificate certificate, Path file) throws IOException {
    List<String> names = new ArrayList<>();
    try {
      if (certificate.getSubjectAlternativeNames() != null) {
        for (List<?> name : certificate.getSubjectAlternativeNames()) {
          if (name.get(0).equals(2)) {
            names.add(name.get(1).toString());
          } else if (name.get(0).equals(7)) {
            names.add(InetAddress.getByName(name.get(1).toString()).getHostAddress());
          }
        }
      }
    } catch (CertificateException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    return names;
  }

  private static List<X509Certificate> parse(Path file, String text) throws IOException {
    List<X509Certificate> all = new ArrayList<>();
    try {
      CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)))
          .forEach(certificate -> all.add((X509Certificate) certificate));
    } catch (CertificateException e) {
      throw new IOException(file + " has no certificates in PEM: " + e.getMessage(), e);
    }
    if (all.isEmpty()) {
      throw new IOException(file + " has no certificates in PEM");
    }
    return all;
  }
}
