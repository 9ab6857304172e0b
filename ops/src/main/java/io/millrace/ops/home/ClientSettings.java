package io.millrace.ops.home;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files with which clients reach the broker, and the passwords inside. */
public final class ClientSettings {

  /**
   * Name of the mechanism with which principals log in: no side tells the password, and each proves
   * that it knows it.
   */
  public static final String MECHANISM = "SCRAM-SHA-512";

  private static final Pattern PASSWORD = Pattern.compile("password=\"([0-9a-f]+)\"");

  /** So many that guessing is hopeless for whoever has seen a login, however fast he computes. */
  private static final int PASSWORD_BYTES = 24;

  private ClientSettings() {}

  /**
   * Writes a settings file with a fresh password for each principal that has none or one for
   * another broker. The home is not initialised yet, so the broker adopts these passwords.
   */
  public static void generate(Home home, String bootstrapServers) throws IOException {
    SecureRandom random = new SecureRandom();
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      if (!reaches(home.client(principal), bootstrapServers)) {
        write(home, principal, bootstrapServers, newPassword(random));
      }
    }
    writeToken(home, random);
  }

  private static boolean reaches(Path client, String bootstrapServers) throws IOException {
    return Files.exists(client) && bootstrapServers.equals(read(client).get("bootstrap.servers"));
  }

  /**
   * Gives each principal a copy of the administrator's own settings, for the owner alone: that of
   * the monitor too, by which accounting reads. An administrator with separate accounts puts those
   * into the files.
   */
  public static void copy(Home home, Map<String, Object> given) throws IOException {
    // Properties escapes characters that it would read differently, such as a backslash or blank in
    // a password.
    Properties properties = new Properties();
    given.forEach((k, v) -> properties.setProperty(k, v.toString()));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    properties.store(text, "Copied from the settings that --properties named.");
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      SmallFile.write(
          home.client(principal), text.toString(StandardCharsets.ISO_8859_1), "rw-------");
    }
    writeToken(home, new SecureRandom());
  }

  /** A password that nobody has had before. */
  public static String newPassword(SecureRandom random) {
    byte[] password = new byte[PASSWORD_BYTES];
    random.nextBytes(password);
    return HexFormat.of().formatHex(password);
  }

  private static void writeToken(Home home, SecureRandom random) throws IOException {
    if (!Files.exists(home.queryToken())) {
      SmallFile.write(home.queryToken(), newPassword(random) + "\n", "rw-------");
    }
  }

  private static void write(Home home, KafkaPrincipal principal, String bootstrap, String password)
      throws IOException {
    String text =
        "bootstrap.servers="
            + bootstrap
            + "\nsecurity.protocol=SASL_PLAINTEXT\nsasl.mechanism="
            + MECHANISM
            + "\nsasl.jaas.config="
            + login(principal.text(), password)
            + "\n";
    // The ledger holds the environments of all jobs, so an administrator decides by chgrp who may
    // read it.
    boolean open = principal == KafkaPrincipal.MONITOR;
    SmallFile.write(home.client(principal), text, open ? "rw-r-----" : "rw-------");
  }

  /** JAAS configuration with which a client logs in. */
  public static String login(String principal, String password) {
    return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\""
        + principal
        + "\" password=\""
        + password
        + "\";";
  }

  /** Password of a principal of the embedded broker. */
  public static String password(Home home, KafkaPrincipal principal) throws IOException {
    return password(home.client(principal));
  }

  /** Password in a settings file. */
  public static String password(Path client) throws IOException {
    Object login = read(client).get("sasl.jaas.config");
    Matcher found = PASSWORD.matcher(login == null ? "" : login.toString());
    if (!found.find()) {
      throw new IOException(client + " has no password");
    }
    return found.group(1);
  }

  /** Text of a settings file with another password; other lines, an administrator's, stay. */
  static String withPassword(String text, String password) {
    return PASSWORD.matcher(text).replaceAll("password=\"" + password + "\"");
  }

  /** Whether a principal logs in without telling its password, whoever has changed its file. */
  public static boolean keepsPassword(Home home, KafkaPrincipal principal) throws IOException {
    return MECHANISM.equals(read(home.client(principal)).get("sasl.mechanism"));
  }

  /** Settings of a properties file. */
  public static Map<String, Object> read(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    }
    Map<String, Object> settings = new TreeMap<>();
    properties.forEach((key, value) -> settings.put(key.toString(), value.toString()));
    return settings;
  }
}
