package io.millrace.server.gateway;

import io.millrace.schemas.HostName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;

/** Options of a process that users' commands pass through: {@code --name value}. */
public final class ProcessOptions {

  private final String process;
  private final String usage;
  private final Map<String, String> given = new HashMap<>();

  /** Wrong options: one line, and how it would be right. */
  public static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String text) {
      super(text);
    }
  }

  /**
   * @param process name of the process, in front of complaints
   * @param known names of the options, without dashes
   */
  public ProcessOptions(String process, String usage, Set<String> known, String[] args)
      throws Wrong {
    this.process = process;
    this.usage = usage;
    for (int i = 0; i < args.length; i += 2) {
      boolean there = args[i].startsWith("--") && known.contains(args[i].substring(2));
      if (!there || i + 1 == args.length) {
        throw wrong((there ? "an argument is missing for " : "unknown option ") + args[i]);
      }
      given.put(args[i].substring(2), args[i + 1]);
    }
  }

  public Wrong wrong(String what) {
    return new Wrong(process + ": " + what + "\n" + usage);
  }

  public Optional<String> get(String name) {
    return Optional.ofNullable(given.get(name));
  }

  public String required(String name) throws Wrong {
    return get(name).orElseThrow(() -> wrong("--" + name + " is missing"));
  }

  public int number(String name, int whenAbsent, int least, int most) throws Wrong {
    String text = given.getOrDefault(name, Integer.toString(whenAbsent));
    boolean number = text.matches("\\d{1,9}");
    if (!number || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
      throw wrong("--" + name + " is " + least + " to " + most + ", not " + text);
    }
    return Integer.parseInt(text);
  }

  /** Settings of Kafka clients: those of the file that an option names, and the brokers. */
  public Map<String, Object> kafka(String fileOption) throws IOException, Wrong {
    Map<String, Object> kafka = new HashMap<>();
    if (get(fileOption).isPresent()) {
      Properties file = new Properties();
      try (InputStream in = Files.newInputStream(Path.of(required(fileOption)))) {
        file.load(in);
      }
      file.forEach((key, value) -> kafka.put((String) key, value));
    }
    kafka.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, required("bootstrap-servers"));
    return kafka;
  }

  /** What the shards want to see; its file may be made later, it is read when first asked for. */
  public static Supplier<String> queryToken(Path home) {
    Path file = home.resolve("etc").resolve("query.token");
    return new Supplier<>() {
      private volatile String token;

      @Override
      public String get() {
        if (token == null) {
          try {
            token = Files.readString(file).strip();
          } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
          }
        }
        return token;
      }
    };
  }

  /** The name that was given, else the host's up to the first dot. */
  public String host() throws IOException {
    return given.containsKey("host") ? given.get("host") : HostName.untilDot();
  }
}
