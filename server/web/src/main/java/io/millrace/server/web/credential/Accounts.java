package io.millrace.server.web.credential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Accounts of this host, asked of the system's directory and remembered for a minute. */
public final class Accounts {

  /** What may be given to a program as a user's name. */
  static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}[$]?");

  private static final long FRESH_MS = 60_000;
  private static final int REMEMBERED = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int ANSWER_BYTES_MAX = 16 * 1024;

  private record KnownAccount(Optional<Account> account, long sinceMs) {}

  /**
   * An account.
   *
   * @param group name of the primary group, or its number when it has no name
   * @param home its folder
   */
  public record Account(String group, String home) {}

  private final Clock clock;
  private final String directory;
  private final Duration patience;
  private final Map<String, KnownAccount> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, KnownAccount> eldest) {
          return size() > REMEMBERED;
        }
      };

  public Accounts(Clock clock) {
    this(clock, "getent", PATIENCE);
  }

  /**
   * @param directory the program that is asked, as getent is
   */
  Accounts(Clock clock, String directory, Duration patience) {
    this.clock = clock;
    this.directory = directory;
    this.patience = patience;
  }

  Clock clock() {
    return clock;
  }

  /**
   * The account of this name; empty when there is none.
   *
   * @throws IOException when the directory does not answer
   */
  public Optional<Account> find(String user) throws IOException, InterruptedException {
    if (!NAME.matcher(user).matches()) {
      return Optional.empty();
    }
    long now = clock.millis();
    synchronized (known) {
      KnownAccount found = known.get(user);
      if (found != null && now - found.sinceMs() < FRESH_MS) {
        return found.account();
      }
    }
    Optional<Account> account = ask(user);
    synchronized (known) {
      known.put(user, new KnownAccount(account, now));
    }
    return account;
  }

  /** Seven fields: name, password, uid, gid, remark, home, shell. */
  private Optional<Account> ask(String user) throws IOException, InterruptedException {
    String[] fields = said("passwd", "--", user).split(":", -1);
    if (fields.length != 7 || !fields[0].equals(user)) {
      return Optional.empty();
    }
    String group = said("group", "--", fields[3]).split(":", 2)[0];
    return Optional.of(new Account(group.isEmpty() ? fields[3] : group, fields[5]));
  }

  /** The first bytes of what it says: of a group's members nobody needs to know. */
  private String said(String... asked) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(directory));
    command.addAll(List.of(asked));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    CompletableFuture<Process> end =
        process.onExit().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    end.whenComplete(
        (ended, late) -> {
          if (late != null) { // destroying one that has ended closes what is still to be read of it
            process.destroyForcibly();
          }
        });
    try {
      process.getOutputStream().close();
      byte[] answer = process.getInputStream().readNBytes(ANSWER_BYTES_MAX);
      if (answer.length < ANSWER_BYTES_MAX) {
        end.get();
      }
      return new String(answer, StandardCharsets.UTF_8).strip();
    } catch (ExecutionException e) {
      throw new IOException(
          directory + " has not answered within " + patience.toMillis() + " ms", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
