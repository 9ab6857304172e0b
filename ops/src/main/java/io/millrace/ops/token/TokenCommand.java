package io.millrace.ops.token;

import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.web.credential.Accounts;
import io.millrace.server.web.credential.TokenFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code token}: manages tokens for the HTTP server. */
public final class TokenCommand {

  private static final Pattern TIME = Pattern.compile("(\\d{1,6})([smhd])");
  private static final List<String> WORDS = List.of("create", "list", "revoke", "rotate");
  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  private final GivenOptions options;
  private final Home home;
  private final TokenFolder folder;
  private final Console console;

  private TokenCommand(GivenOptions options, Home home, Console console) {
    this.options = options;
    this.home = home;
    this.folder = new TokenFolder(home.root());
    this.console = console;
  }

  public static int run(List<String> args, Console console)
      throws IOException, InterruptedException, UsageException {
    GivenOptions options =
        HomeOption.only("token", "Tokens for HTTP. Only root and the home's owner may.")
            .value("--user", "NAME", "create: for whom (default: yourself); revoke: all of theirs")
            .value("--expires", "TIME", "create: for how long, such as 30m, 8h or 7d (default 8h)")
            .operands("create | list | revoke [TOKEN_ID] | rotate")
            .parse(args);
    String what = options.operands().isEmpty() ? "" : options.operands().get(0);
    if (!WORDS.contains(what)) {
      throw options.wrong(
          (what.isEmpty() ? "give" : "there is no '" + what + "':")
              + " create, list, revoke or rotate");
    }
    TokenCommand command = new TokenCommand(options, HomeOption.of(options), console);
    command.checkCaller();
    return command.run(what);
  }

  /**
   * Refuses callers other than root and the owner; file permissions would do so too, but with a
   * less clear message.
   */
  private void checkCaller() throws IOException {
    String caller = System.getProperty("user.name");
    if (!Files.isDirectory(home.root())) {
      throw new IOException(home.root() + " is no home of Millrace");
    }
    String owner = Files.getOwner(home.root()).getName();
    if (!caller.equals("root") && !caller.equals(owner)) {
      throw new IOException("only root and " + owner + " make and revoke tokens here");
    }
  }

  private int run(String what) throws IOException, InterruptedException, UsageException {
    boolean operand = what.equals("revoke") && !options.has("--user");
    if (options.operands().size() != (operand ? 2 : 1)) {
      throw options.wrong(
          what.equals("revoke")
              ? "revoke takes a token id, or --user"
              : what + " takes no operand");
    }
    Instant now = Instant.now();
    switch (what) {
      case "create" -> create(now);
      case "list" -> list(now);
      case "revoke" -> revoke(now);
      default -> {
        int keys = folder.rotate(now);
        console.say("new tokens have a new key; " + keys + " keys verify");
      }
    }
    return 0;
  }

  private void create(Instant now) throws IOException, InterruptedException, UsageException {
    String user = options.get("--user").orElse(System.getProperty("user.name"));
    Duration lifetime = lifetime(options.get("--expires").orElse("8h"));
    if (new Accounts(Clock.systemUTC()).find(user).isEmpty()) {
      throw options.wrong("there is no user " + user + " on this host");
    }
    TokenFolder.Issued issued = folder.create(user, lifetime, now);
    // Standard output is the token alone, so that a shell variable can take it.
    System.err.println(
        "token "
            + issued.id()
            + " of "
            + user
            + ", good until "
            + SHOWN.format(issued.expires())
            + "; ./millrace token revoke "
            + issued.id()
            + " ends it");
    console.say(issued.text());
  }

  private Duration lifetime(String text) throws UsageException {
    Matcher time = TIME.matcher(text);
    if (time.matches()) {
      long count = Long.parseLong(time.group(1));
      Duration lifetime =
          switch (time.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
          };
      if (!lifetime.isZero() && lifetime.compareTo(TokenFolder.LONGEST) <= 0) {
        return lifetime;
      }
    }
    throw options.wrong(
        "--expires takes a time from 1s to "
            + TokenFolder.LONGEST.toDays()
            + "d, such as 30m, 8h or 7d, not '"
            + text
            + "'");
  }

  private void list(Instant now) throws IOException {
    console.say(String.format("%-36s  %-16s %-19s  %s", "token", "user", "good until", "state"));
    for (TokenFolder.Listed token : folder.list(now)) {
      String state = token.revoked() ? "revoked" : "good";
      console.say(
          String.format(
              "%-36s  %-16s %-19s  %s",
              token.id(), token.user(), SHOWN.format(token.expires()), state));
    }
  }

  private void revoke(Instant now) throws IOException, UsageException {
    if (options.has("--user")) {
      String user = options.require("--user");
      if (user.isEmpty() || user.chars().anyMatch(Character::isWhitespace)) {
        throw options.wrong("--user takes the name of a user, not '" + user + "'");
      }
      folder.revokeAllOf(user, now);
      console.say("no token of " + user + " that was made until now is good any more");
      return;
    }
    String id = options.operands().get(1);
    if (!id.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
      throw options.wrong("'" + id + "' is no id of a token: see ./millrace token list");
    }
    folder.revoke(id, now);
    console.say("revoked " + id);
  }
}
