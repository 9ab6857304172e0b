package io.millrace.connectors.bridge.command;

import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.schemas.door.AccountNumbers;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts processes of this machine, without a shell and in an environment of their own. */
public final class ProcessRunner implements CommandRunner {

  private static final Logger log = LoggerFactory.getLogger(ProcessRunner.class);

  static final Path PROCESSES = Path.of("/proc");
  private static final String USER = System.getProperty("user.name");

  /** Who has begun a process, and whose it is. */
  private static final Pattern USERS = Pattern.compile("Uid:\\s+(\\d+)\\s+(\\d+)\\s.*");

  private static final String ROOT = "0";

  /** What a killed process is given to vanish, and what its pipes are given to close. */
  private static final long GRACE_MS = 2_000;

  /** What is read of an output at once. */
  private static final int PIECE_BYTES = 65_536;

  private final OwnSessions sessions;
  private final List<FollowedCommand> followed = new CopyOnWriteArrayList<>();

  public ProcessRunner() {
    this(OwnSessions.present());
  }

  /**
   * @param sessions in which earlier processes of ours, too, have begun what may be under way
   */
  public ProcessRunner(OwnSessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) throws InterruptedException {
    long begin = System.nanoTime();
    Process process;
    try {
      process = start(command.requireOwn());
    } catch (IOException e) {
      return OutsideAnswer.notStarted(reason(command, e), begin);
    }
    try {
      return await(process, command, begin);
    } finally {
      end(process);
    }
  }

  @Override
  public synchronized Optional<FollowedLines> follow(OutsideCommand command) {
    for (FollowedCommand one : followed) {
      if (one.isOf(command)) {
        return Optional.of(one.reader());
      }
    }
    FollowedCommand one = new FollowedCommand(command, FollowedCommand.FollowTerms.USUAL);
    FollowedLines lines = one.reader();
    followed.add(one);
    one.start();
    return Optional.of(lines);
  }

  @Override
  public void close() {
    followed.forEach(FollowedCommand::close);
  }

  /** Starts a process, with nothing around it but what belongs to the command. */
  public static Process start(OutsideCommand command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command.words()).directory(new File("/"));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(command.wholeEnvironment());
    return builder.start();
  }

  @Override
  public boolean isUnderWay(String account, String word) {
    Set<String> owners = new HashSet<>(List.of(account, USER));
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path process : processes) {
        if (words(process).anyMatch(it -> it.equals(word) || it.endsWith("=" + word))
            && isOf(process, owners)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      log.warn("the processes of this machine cannot be listed: {}", e.toString());
      return true;
    }
    return unseen().isPresent();
  }

  /** Where those of others are hidden not even the first is seen, which is on each machine. */
  @Override
  public Optional<String> unseen() {
    return Files.isReadable(PROCESSES.resolve("1/cmdline"))
        ? Optional.empty()
        : Optional.of("the processes of others are hidden here (hidepid of /proc)");
  }

  /**
   * Anybody else can name his processes as he likes, and would keep a run waiting so; also one that
   * has become another's because its program does that, as su before it has asked for a password.
   * One that we have begun is ours, also while it is root's, as sudo before it begins the command;
   * where it is that altogether its session still says who has begun it.
   */
  private boolean isOf(Path process, Set<String> owners) {
    try {
      boolean isOwners = owners.contains(Files.getOwner(process).getName());
      String own = Integer.toUnsignedString(AccountNumbers.own());
      boolean here = sessions.has(process);
      return Files.readAllLines(process.resolve("status"), StandardCharsets.ISO_8859_1).stream()
          .anyMatch(it -> isOf(it, isOwners, own) || here && isRoots(it));
    } catch (IOException e) {
      return false; // it has ended meanwhile
    }
  }

  /**
   * Whether one of them has begun a process.
   *
   * @param line of its status; none but that of its users says it
   * @param isOwners whether it is theirs now
   * @param own number of our account
   */
  static boolean isOf(String line, boolean isOwners, String own) {
    Matcher users = USERS.matcher(line);
    return users.matches()
        && (users.group(1).equals(own) || isOwners && users.group(1).equals(users.group(2)));
  }

  /** Whether a line of its status says that root has begun it, as it is told there now. */
  static boolean isRoots(String line) {
    Matcher users = USERS.matcher(line);
    return users.matches() && users.group(1).equals(ROOT);
  }

  private static Stream<String> words(Path process) {
    try {
      byte[] words = Files.readAllBytes(process.resolve("cmdline"));
      return Arrays.stream(new String(words, StandardCharsets.ISO_8859_1).split("\0"));
    } catch (IOException e) {
      return Stream.empty(); // it has ended meanwhile
    }
  }

  private static OutsideAnswer await(Process process, OutsideCommand command, long begin)
      throws InterruptedException {
    ProcessOutput out = new ProcessOutput(process.getInputStream(), command.outputMost(), process);
    int errMost = Math.min(command.outputMost(), OutsideCommand.COMPLAINT_MOST);
    ProcessOutput err = new ProcessOutput(process.getErrorStream(), errMost, process);
    Thread writer = new Thread(() -> write(process, command.input()), "outside-command-input");
    writer.setDaemon(true);
    writer.start();
    out.start();
    err.start();
    boolean ended = process.waitFor(command.limit().toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) {
      end(process);
    }
    out.thread.join(GRACE_MS);
    err.thread.join(GRACE_MS);
    ProcessEnding ending = ProcessEnding.EXITED;
    if (!ended) {
      ending = ProcessEnding.TIMED_OUT;
    } else if (out.isTooLong() || err.isTooLong()) {
      ending = ProcessEnding.TOO_LONG;
    } else if (!out.isWhole() || !err.isWhole()) {
      ending = ProcessEnding.CUT;
    }
    int status = ended ? process.exitValue() : -1;
    return new OutsideAnswer(
        ending, status, out.text(), err.text().toString(), OutsideAnswer.took(begin));
  }

  private static void write(Process process, byte[] input) {
    try (OutputStream to = process.getOutputStream()) {
      to.write(input);
    } catch (IOException e) {
      // The command did not want it; its answer says what it made of that.
    }
  }

  /** Ends a process and what it has started. */
  private static void end(Process process) throws InterruptedException {
    if (!process.isAlive()) {
      return;
    }
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    if (!process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String reason(OutsideCommand command, IOException e) {
    String said = String.valueOf(e.getMessage());
    int at = said.indexOf("error=");
    int comma = said.indexOf(", ", at);
    String why = at >= 0 && comma > at ? said.substring(comma + 2) : said;
    return command.words().get(0) + ": " + why;
  }

  /** One output of a process, read to its end or to its bound. */
  private static final class ProcessOutput {
    private final InputStream from;
    private final Process process;
    private final KeptOutput kept;
    private final AtomicBoolean whole = new AtomicBoolean();
    private final Thread thread = new Thread(this::read, "outside-command-output");

    ProcessOutput(InputStream from, int most, Process process) {
      this.from = from;
      this.kept = new KeptOutput(most);
      this.process = process;
    }

    void start() {
      thread.setDaemon(true);
      thread.start();
    }

    private void read() {
      byte[] part = new byte[PIECE_BYTES];
      try {
        for (int got = from.read(part); got >= 0; got = from.read(part)) {
          if (!kept.add(part, 0, got)) {
            process.destroy();
            return;
          }
        }
        whole.set(true);
      } catch (IOException e) {
        // The stream was closed under us: the output is not whole.
      }
    }

    boolean isWhole() {
      return whole.get();
    }

    boolean isTooLong() {
      return kept.isTooLong();
    }

    OutsideText text() {
      return kept.text();
    }
  }
}
