package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.FileUnread;
import io.millrace.connectors.bridge.files.FileUnread.UnreadCause;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.files.OutsideFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Folders of runs in a file system that the hosts of the outside system see too. */
public final class SharedRunFolders implements RunFolders {

  private static final Pattern STATUS = Pattern.compile("status=([0-9]{1,3})\nended=[0-9]{1,18}\n");

  private static final Pattern ID = Pattern.compile("id=([0-9.]{1,30})\n");

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  private static final int FILE_BYTES = 400;

  private static final String BY_WRAPPER = "file of the wrapper";

  private final String spool;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final OutsideFiles files;
  private final SlowAccounts slow;
  private final int keptDays;

  public SharedRunFolders(String spool, CommandRunner runner, AccountCommands commands) {
    this(spool, runner, commands, ClusterKeys.KEEP_DAYS_USUAL);
  }

  /**
   * The same.
   *
   * @param keptDays for how many days they are kept
   */
  public SharedRunFolders(
      String spool, CommandRunner runner, AccountCommands commands, int keptDays) {
    this(spool, runner, commands, keptDays, System::nanoTime);
  }

  /**
   * The same.
   *
   * @param clock nanoseconds, as the machine's own one
   */
  SharedRunFolders(
      String spool,
      CommandRunner runner,
      AccountCommands commands,
      int keptDays,
      LongSupplier clock) {
    this.keptDays = keptDays;
    this.spool = spool;
    this.runner = runner;
    this.commands = commands;
    this.files = runner.files();
    this.slow = new SlowAccounts(clock);
  }

  @Override
  public Told<RunClaim> close(OutsideTag tag, String account) throws InterruptedException {
    Path folder = Path.of(RunWrapper.folder(spool, account, tag));
    try {
      if (looked(account, () -> isFolder(folder))) {
        return holder(folder, account);
      }
      OutsideCommand command =
          commands.as(account, List.of("/bin/mkdir", folder.toString()), new byte[0]);
      OutsideAnswer answer = runner.run(command);
      if (answer.isGood()) {
        return Told.of(RunClaim.CLOSED);
      }
      if (answer.ending() == ProcessEnding.TIMED_OUT) {
        slow.slow(account);
      }
      return answer.isWhole() && looked(account, () -> isFolder(folder))
          ? holder(folder, account)
          : Told.nothing(folder + ": the claim cannot be taken: " + answer.trouble());
    } catch (IOException e) {
      return Told.nothing(folder + ": the claim cannot be looked at: " + e.getMessage());
    }
  }

  @Override
  public int keptDays() {
    return keptDays;
  }

  @Override
  public Told<Boolean> remove(List<OutsideTag> tags, String account) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("/bin/rm", "-rf", "--"));
    tags.forEach(it -> words.add(RunWrapper.folder(spool, account, it)));
    try {
      slow.require(account);
    } catch (IOException e) {
      return Told.nothing(e.getMessage());
    }
    OutsideAnswer answer = runner.run(commands.as(account, words, new byte[0]));
    if (answer.ending() == ProcessEnding.TIMED_OUT) {
      slow.slow(account);
    }
    return answer.isGood()
        ? Told.of(true)
        : Told.nothing("rm in " + spool + " as " + account + ": " + answer.trouble());
  }

  /** A look at files of an account. */
  private interface FolderLook<T> {
    T look() throws IOException;
  }

  /** Looks, unless they are left alone for now; one without an answer in time is noted. */
  private <T> T looked(String account, FolderLook<T> look) throws IOException {
    slow.require(account);
    try {
      T said = look.look();
      slow.answered();
      return said;
    } catch (FileUnread e) {
      if (e.why() == UnreadCause.SLOW) {
        slow.slow(account);
      }
      throw e;
    }
  }

  private boolean isFolder(Path folder) throws IOException {
    return files.factsOfLink(folder).filter(FileFacts::isFolder).isPresent();
  }

  @Override
  public boolean isAccountGone(String account) {
    return files.lacksAccount(account);
  }

  /**
   * Whether a wrapper has made the folder. Between making it and writing the file claim it has not
   * begun the script, but will; without the file it counts as begun.
   */
  private Told<RunClaim> holder(Path folder, String account) {
    try {
      Optional<String> owner =
          looked(account, () -> files.factsOfLink(folder)).map(FileFacts::owner);
      if (owner.isEmpty()) {
        return Told.nothing(folder + " is gone");
      }
      return owner.get().equals(account)
          ? Told.of(RunClaim.RUN)
          : Told.nothing(folder + " belongs to " + owner.get() + ", not to " + account);
    } catch (IOException e) {
      return Told.nothing(folder + ": " + e.getMessage());
    }
  }

  @Override
  public boolean isTaken(OutsideTag tag, String account) {
    Path folder = Path.of(RunWrapper.folder(spool, account, tag));
    try {
      return looked(account, () -> isFolder(folder))
          && holder(folder, account) instanceof Told.Answered<RunClaim>;
    } catch (IOException e) {
      return false; // nobody can say
    }
  }

  @Override
  public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
    Matcher said = ID.matcher(text(tag, account, "claim"));
    return said.lookingAt() ? OutsideId.read(said.group(1)) : Optional.empty();
  }

  @Override
  public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
    Matcher said = STATUS.matcher(text(tag, account, "exit"));
    if (!said.matches()) {
      return Optional.empty();
    }
    int status = Integer.parseInt(said.group(1));
    return Optional.of(
        status > 128 && status < 193
            ? new OutsideEnd(-1, status - 128, OutsideCause.SIGNALLED, BY_WRAPPER)
            : new OutsideEnd(status, 0, OutsideCause.EXITED, BY_WRAPPER));
  }

  /**
   * What a file of a run says, up to some hundred bytes; empty when there is none that we may read,
   * or it is of somebody else.
   *
   * @throws UncheckedIOException when the host of the files is not reached, or nobody can say
   *     whether there is such a file, as where a disk fails
   */
  public String text(OutsideTag tag, String account, String name) {
    return text(tag, account, name, FILE_BYTES);
  }

  /** The same, up to so many bytes. */
  public String text(OutsideTag tag, String account, String name, int most) {
    Path folder = Path.of(RunWrapper.folder(spool, account, tag));
    Path file = folder.resolve(name);
    try {
      return looked(account, () -> text(folder, file, account, most));
    } catch (FilesUnreached | FileUnread e) {
      throw new UncheckedIOException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(
          new FileUnread(UnreadCause.FAULT, file + " cannot be read: " + e.getMessage(), e));
    }
  }

  private String text(Path folder, Path file, String account, int most) throws IOException {
    try {
      if (files.factsOfLink(file).filter(FileFacts::isRegular).isEmpty()) {
        // To open a pipe, which its owner may have put there, would take until somebody writes.
        return "";
      }
      try (OutsideFile in = files.openNoLink(file)) {
        return isOwn(in.owner(), account, file)
            ? new String(in.read(0, most), StandardCharsets.US_ASCII)
            : "";
      }
    } catch (NoSuchFileException | AccessDeniedException e) {
      return "";
    } catch (IOException e) {
      if (!isAnswer(e) || isFolder(folder)) {
        throw e;
      }
      return ""; // its account has put something else in the place of the folder
    }
  }

  /** Whether the error is one of a file, and not that nobody was there to say anything. */
  private static boolean isAnswer(IOException e) {
    return !(e instanceof FilesUnreached)
        && !(e instanceof FileUnread unread && unread.why() != UnreadCause.FAULT);
  }

  /** A directory that is away, too, leaves an owner with his number alone. */
  private boolean isOwn(String owner, String account, Path file) throws IOException {
    if (NUMBER.matcher(owner).matches() && !files.hasAllAccounts()) {
      throw new FileUnread(
          UnreadCause.FAULT,
          file + " is of the account " + owner + ", for which the directory has no name now");
    }
    return owner.equals(account);
  }
}
