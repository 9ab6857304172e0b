package io.millrace.connectors.bridge.far;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is asked of another host by commands that each host has. */
public final class FarQuestions {
  private static final Logger log = LoggerFactory.getLogger(FarQuestions.class);

  /** A word that no process has. */
  private static final String NOBODYS = "millrace.nobody";

  private static final int OUTPUT_MOST = 64 << 20;

  private final CommandRunner runner;
  private final String account;
  private final String place;
  private final Duration limit;
  private final CircuitBreaker listing = new CircuitBreaker(1);

  /** Why was said last that it is not told what is under way. */
  private volatile String said = "";

  /**
   * @param account as which commands are started there
   * @param place as logs call the host
   * @param limit of each question
   */
  public FarQuestions(CommandRunner runner, String account, String place, Duration limit) {
    this.runner = runner;
    this.account = account;
    this.place = place;
    this.limit = limit;
  }

  /**
   * By the list of processes there. Where that cannot be had, or does not show all, one may be
   * under way, as a command goes on when who has begun it is gone.
   */
  public boolean isUnderWay(String owner, String word) {
    try {
      return !Told.of(false).equals(lists(owner, word));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Why nobody can say what is under way. */
  public Optional<String> unseen() throws InterruptedException {
    return lists(account, NOBODYS) instanceof Told.Nothing<Boolean> nothing
        ? Optional.of(nothing.why())
        : Optional.empty();
  }

  /** Whether a process there has a word; a list that fails is asked for in pauses only. */
  private Told<Boolean> lists(String owner, String word) throws InterruptedException {
    if (!listing.lets(Instant.now())) {
      return Told.nothing(listing.reason());
    }
    OutsideAnswer answer = ask(FarProcesses.WORDS);
    if (!answer.isGood()) {
      String why =
          "the processes there cannot be listed: " + answer.trouble() + "; see /bin/ps there";
      listing.silent(why, Instant.now());
      return untold(why);
    }
    listing.answered();
    Told<Boolean> told = new FarProcesses(account).has(answer.text().reader(), owner, word);
    return told instanceof Told.Nothing<Boolean> nothing ? untold(nothing.why()) : told;
  }

  private Told<Boolean> untold(String why) {
    if (!why.equals(said)) {
      log.warn("what is under way on {} cannot be told: {}", place, why);
    }
    said = why;
    return Told.nothing(why);
  }

  /** Names of accounts by their numbers, and back: a line of the directory there. */
  OutsideAnswer account(String nameOrNumber) throws InterruptedException {
    return ask(List.of("/usr/bin/getent", "passwd", nameOrNumber));
  }

  /** What test says of a file. */
  OutsideAnswer test(String question, String file) throws InterruptedException {
    return ask(List.of("/usr/bin/test", question, file));
  }

  private OutsideAnswer ask(List<String> words) throws InterruptedException {
    return runner.run(new OutsideCommand(words, new byte[0], Map.of(), limit, OUTPUT_MOST));
  }
}
