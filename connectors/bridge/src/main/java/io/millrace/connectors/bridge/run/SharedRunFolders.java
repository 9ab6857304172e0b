package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.files.OutsideFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.AccountCommands;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Folders of runs in a file system that the hosts of the outside system see too. */
public final class SharedRunFolders implements RunFolders {

  private static final Pattern STATUS = Pattern.compile("status=([0-9]{1,3})\nended=[0-9]{1,18}\n");

  private static final Pattern ID = Pattern.compile("id=([0-9.]{1,30})\n");

  private static final int FILE_BYTES = 400;

  private static final String BY_WRAPPER = "file of the wrapper";

  private final String spool;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final OutsideFiles files;

  public SharedRunFolders(String spool, CommandRunner runner, AccountCommands commands) {
    this.spool = spool;
    this.runner = runner;
    this.commands = commands;
    this.files = runner.files();
  }

  @Override
  public Told<RunClaim> close(OutsideTag tag, String account) throws InterruptedException {
    Path folder = Path.of(RunWrapper.folder(spool, account, tag));
    try {
      if (isFolder(folder)) {
        return holder(folder, account);
      }
      OutsideCommand command =
          commands.as(account, List.of("/bin/mkdir", folder.toString()), new byte[0]);
      OutsideAnswer answer = runner.run(command);
      if (answer.isGood()) {
        return Told.of(RunClaim.CLOSED);
      }
      return answer.isWhole() && isFolder(folder)
          ? holder(folder, account)
          : Told.nothing(folder + ": the claim cannot be taken: " + answer.trouble());
    } catch (IOException e) {
      return Told.nothing(folder + ": the claim cannot be looked at: " + e.getMessage());
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
      Optional<String> owner = files.factsOfLink(folder).map(FileFacts::owner);
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
      return isFolder(folder) && holder(folder, account) instanceof Told.Answered<RunClaim>;
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

  /** Whether a look at a file takes a way over the network. */
  public boolean isFar() {
    return files.isFar();
  }

  /**
   * What a file of a run says, up to some hundred bytes; empty when there is none, or it is of
   * somebody else.
   *
   * @throws UncheckedIOException when the host of the files is not reached
   */
  public String text(OutsideTag tag, String account, String name) {
    Path file = Path.of(RunWrapper.folder(spool, account, tag), name);
    try {
      if (files.factsOfLink(file).filter(FileFacts::isRegular).isEmpty()) {
        // To open a pipe, which its owner may have put there, would take until somebody writes.
        return "";
      }
      try (OutsideFile in = files.openNoLink(file)) {
        return in.owner().equals(account)
            ? new String(in.read(0, FILE_BYTES), StandardCharsets.US_ASCII)
            : "";
      }
    } catch (FilesUnreached e) {
      throw new UncheckedIOException(e);
    } catch (IOException e) {
      return "";
    }
  }
}
