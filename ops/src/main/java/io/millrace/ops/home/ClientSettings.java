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

  private static final Pattern PASSWORD = Pattern.compile("password=\"([0-9a-f]+)\"");
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
        byte[] password = new byte[PASSWORD_BYTES];
        random.nextBytes(password);
        write(home, principal, bootstrapServers, HexFormat.of().formatHex(password));
      }
    }
    writeToken(home, random);
  }

  private static boolean reaches(Path client, String bootstrapServers) throws IOException {
    return Files.exists(client) && bootstrapServers.equals(read(client).get("bootstrap.servers"));
  }

  /**
   * Gives each principal a copy of the administrator's own settings, except the one for everybody.
   * An administrator with separate accounts puts those into the files.
   */
  public static void copy(Home home, Map<String, Object> given) throws IOException {
    // Properties escapes characters that it would read differently, such as a backslash or blank in
    // a password.
    Properties properties = new Properties();
    given.forEach((k, v) -> properties.setProperty(k, v.toString()));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    properties.store(text, "Copied from the settings that --properties named.");
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      if (principal != KafkaPrincipal.MONITOR) {
        SmallFile.write(
            home.client(principal), text.toString(StandardCharsets.ISO_8859_1), "rw-------");
      }
    }
    writeToken(home, new SecureRandom());
  }

  private static void writeToken(Home home, SecureRandom random) throws IOException {
    if (!Files.exists(home.queryToken())) {
      byte[] token = new byte[PASSWORD_BYTES];
      random.nextBytes(token);
      SmallFile.write(home.queryToken(), HexFormat.of().formatHex(token) + "\n", "rw-------");
    }
  }

  private static void write(Home home, KafkaPrincipal principal, String bootstrap, String password)
      throws IOException {
    String text =
        "bootstrap.servers="
            + bootstrap
            + "\nsecurity.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config="
            + login(principal, password)
            + "\n";
    // The ledger holds the environments of all jobs, so an administrator decides by chgrp who may
    // read it.
    boolean open = principal == KafkaPrincipal.MONITOR;
    SmallFile.write(home.client(principal), text, open ? "rw-r-----" : "rw-------");
  }

  /** JAAS configuration with which a client logs in. */
  public static String login(KafkaPrincipal principal, String password) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\""
        + principal.text()
        + "\" password=\""
        + password
        + "\";";
  }

  /** Password of a principal of the embedded broker. */
  public static String password(Home home, KafkaPrincipal principal) throws IOException {
    Object login = read(home.client(principal)).get("sasl.jaas.config");
    Matcher found = PASSWORD.matcher(login == null ? "" : login.toString());
    if (!found.find()) {
      throw new IOException(home.client(principal) + " has no password");
    }
    return found.group(1);
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
