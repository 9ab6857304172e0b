package io.millrace.ops.home;

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
    String text = "# Copied from the settings that --properties named.\n" + text(given);
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      SmallFile.write(home.client(principal), text, "rw-------");
    }
    writeToken(home, new SecureRandom());
  }

  /**
   * Lines NAME=VALUE by name, which {@link #read} and Kafka's own tools read. Only what they would
   * take for something else is escaped, not each colon as {@link Properties} does: tools that are
   * not in Java get the values by a line of shell.
   */
  public static String text(Map<String, ?> settings) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(settings)
        .forEach(
            (name, value) ->
                text.append(escaped(name, " :=#!"))
                    .append('=')
                    .append(escaped(value.toString(), ""))
                    .append('\n'));
    return text.toString();
  }

  /**
   * @param more characters with a meaning where this stands
   */
  private static String escaped(String given, String more) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < given.length(); i++) {
      char c = given.charAt(i);
      boolean leading = i == 0 && c == ' ';
      if (c == '\n') {
        text.append("\\n");
      } else if (c < ' ' || c > '~') {
        text.append(String.format("\\u%04x", (int) c));
      } else if (c == '\\' || leading || more.indexOf(c) >= 0) {
        text.append('\\').append(c);
      } else {
        text.append(c);
      }
    }
    return text.toString();
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
    SmallFile.write(home.client(principal), text, mode(principal));
  }

  /**
   * Permissions of a principal's file where each has an account of its own. The ledger holds the
   * environments of all jobs, so an administrator decides by chgrp who may read it.
   */
  static String mode(KafkaPrincipal principal) {
    return principal == KafkaPrincipal.MONITOR ? "rw-r-----" : "rw-------";
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
