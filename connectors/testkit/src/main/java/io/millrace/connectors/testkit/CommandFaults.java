package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.OutsideFiles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A runner with faults: the answer of each tenth submission is lost after it was carried out;
 * others are lost before, or are carried out much later; outputs are cut in the middle, with and
 * without a word about it; authentication and the controller fail for a while.
 */
public final class CommandFaults implements CommandRunner {

  /** This process was killed while a command ran. */
  public static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private record Late(OutsideCommand command, Instant at) {}

  private static final int TENTH = 10;

  private final CommandRunner real;
  private final InstantSource clock;
  private final Random random;
  private final Consumer<Duration> waits;
  private final Set<String> submitting;
  private final List<Late> late = new ArrayList<>();
  private final Set<String> lateTags = new HashSet<>();
  private final List<String> lateInputs = new ArrayList<>();
  private Instant failsUntil = Instant.MIN;
  private boolean on = true;
  private boolean kills;
  private int submissions;
  private int faults;

  /**
   * @param waits what a wait until the time limit does
   * @param submitting names of the programs that submit
   */
  public CommandFaults(
      CommandRunner real,
      InstantSource clock,
      long seed,
      Consumer<Duration> waits,
      Set<String> submitting) {
    this.real = real;
    this.clock = clock;
    this.random = new Random(seed);
    this.waits = waits;
    this.submitting = submitting;
  }

  /** Kills too: {@link Killed} is thrown before or after a command. */
  public void kills() {
    kills = true;
  }

  /** No more faults; what is late is carried out. */
  public void off() throws InterruptedException {
    on = false;
    for (Late one : late) {
      real.run(one.command);
    }
    late.clear();
  }

  /** How many faults there were. */
  public int count() {
    return faults;
  }

  /** Whether a submission with a word in it was carried out after its time limit. */
  public boolean wasLate(String word) {
    return lateTags.contains(word);
  }

  /** Whether one was that has a text in its input, as one of several runs has. */
  public boolean wasLateWith(String text) {
    return lateInputs.stream().anyMatch(it -> it.contains(text));
  }

  @Override
  public boolean isUnderWay(String account, String word) {
    return real.isUnderWay(account, word);
  }

  @Override
  public Optional<String> unseen() throws InterruptedException {
    return real.unseen();
  }

  @Override
  public OutsideFiles files() {
    return real.files();
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) throws InterruptedException {
    carryOutLate();
    if (!on) {
      return real.run(command);
    }
    boolean submits = command.words().stream().anyMatch(it -> submitting.contains(name(it)));
    if (clock.instant().isBefore(failsUntil)) {
      return failing(command);
    }
    if (submits && ++submissions % TENTH == 0) {
      real.run(command);
      return silent(command);
    }
    int dice = random.nextInt(100);
    if (dice < 2) {
      failsUntil = clock.instant().plusSeconds(random.nextInt(90));
      return failing(command);
    }
    if (dice < 5) {
      return silent(command);
    }
    if (dice < 8 && submits) {
      late.add(new Late(command, clock.instant().plusSeconds(random.nextInt(200))));
      lateTags.addAll(command.words());
      lateInputs.add(new String(command.input(), StandardCharsets.UTF_8));
      return silent(command);
    }
    if (dice < 12) {
      return cut(real.run(command));
    }
    if (dice < 20 && kills) {
      faults++;
      kill(command, submits);
      throw new Killed();
    }
    return real.run(command);
  }

  /** What the command does meanwhile: nothing, its work, or its work after our death. */
  private void kill(OutsideCommand command, boolean submits) throws InterruptedException {
    int dice = random.nextInt(submits ? 3 : 2);
    if (dice == 1) {
      real.run(command);
    } else if (dice == 2) {
      int most = Math.toIntExact(command.limit().toSeconds());
      late.add(new Late(command, clock.instant().plusSeconds(random.nextInt(most))));
    }
  }

  private void carryOutLate() throws InterruptedException {
    for (Iterator<Late> all = late.iterator(); all.hasNext(); ) {
      Late one = all.next();
      if (!clock.instant().isBefore(one.at)) {
        all.remove();
        real.run(one.command);
      }
    }
  }

  private OutsideAnswer silent(OutsideCommand command) {
    faults++;
    waits.accept(command.limit());
    return new OutsideAnswer(ProcessEnding.TIMED_OUT, -1, "", "", command.limit());
  }

  /** What the systems say when credentials or the controller fail. */
  private OutsideAnswer failing(OutsideCommand command) {
    faults++;
    if (name(command.words().get(0)).equals("squeue")) {
      String json =
          "{\"errors\":[{\"description\":\"Failed while looking for jobs\",\"error\":\"Unspecified"
              + " error\"}],\"jobs\":[]}";
      return new OutsideAnswer(ProcessEnding.EXITED, 0, json, "", Duration.ofMillis(20));
    }
    String said = "error: Batch job submission failed: Invalid authentication credential";
    return new OutsideAnswer(ProcessEnding.EXITED, 1, "", said, Duration.ofMillis(20));
  }

  private OutsideAnswer cut(OutsideAnswer whole) {
    faults++;
    byte[] bytes = whole.out().getBytes(StandardCharsets.UTF_8);
    int length = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    String part = new String(bytes, 0, length, StandardCharsets.UTF_8);
    ProcessEnding ending = random.nextBoolean() ? ProcessEnding.CUT : whole.ending();
    return new OutsideAnswer(ending, whole.status(), part, whole.err(), whole.took());
  }

  private static String name(String word) {
    return word.substring(word.lastIndexOf('/') + 1);
  }
}
