package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.BareProgram;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.SudoWords;
import io.millrace.connectors.bridge.far.FarQuestions;
import io.millrace.connectors.bridge.far.SftpFiles;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.files.OutsideFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts commands in a container of this host, by the program of its engine. */
public final class ContainerRunner implements CommandRunner {
  private static final Logger log = LoggerFactory.getLogger(ContainerRunner.class);

  /** What a command in it is given beyond the time after which we do not wait for it any more. */
  private static final long MORE_S = 1;

  /** What it is given then to end by itself. */
  private static final String GRACE_S = "2";

  private final ContainerTerms terms;
  private final CommandRunner here;
  private final ContainerLink link;
  private final ContainerFiles channels;
  private final FarQuestions questions;
  private final SftpFiles files;
  private final Semaphore free;

  /**
   * The one of a cluster; nothing is asked of the engine before the first command.
   *
   * @param here what starts commands of this host
   * @param mark file that remembers which container it is; empty where this process alone does
   */
  public static ContainerRunner of(ClusterFile file, CommandRunner here, Optional<Path> mark) {
    return new ContainerRunner(ContainerTerms.of(file), here, new ContainerMark(mark));
  }

  ContainerRunner(ContainerTerms terms, CommandRunner here, ContainerMark mark) {
    this.terms = terms;
    this.here = here;
    this.link = new ContainerLink(terms, here, mark);
    this.channels = new ContainerFiles(terms, link);
    this.questions =
        new FarQuestions(this, terms.account(), "container " + terms.container(), terms.limit());
    this.files = new SftpFiles(channels, questions);
    this.free = new Semaphore(terms.atOnce(), true);
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) throws InterruptedException {
    long begin = System.nanoTime();
    Optional<String> unfit = BareProgram.unfit(command);
    if (unfit.isPresent()) {
      return OutsideAnswer.notStarted(unfit.get(), begin);
    }
    if (!free.tryAcquire(command.limit().toMillis(), TimeUnit.MILLISECONDS)) {
      return OutsideAnswer.notStarted(
          terms.atOnce()
              + " commands are under way in container "
              + terms.container()
              + " already; see 'container_at_once'",
          begin);
    }
    try {
      RunningContainer at = link.get();
      String owner = command.account().orElse(terms.account());
      OutsideCommand exec =
          new OutsideCommand(
              terms.exec(at, owner, bounded(command)),
              command.input(),
              Map.of(),
              command.limit(),
              command.outputMost());
      return understood(command, at, here.run(exec));
    } catch (FilesUnreached e) {
      return OutsideAnswer.notStarted(e.getMessage(), begin);
    } finally {
      free.release();
    }
  }

  /** No engine ends a command when who has begun it ends: it has to end by itself. */
  private static List<String> bounded(OutsideCommand command) {
    long most = command.limit().plusSeconds(MORE_S).plusMillis(999).toSeconds();
    List<String> words =
        new ArrayList<>(List.of("/usr/bin/timeout", "-k", GRACE_S, Long.toString(most)));
    words.addAll(BareProgram.words(command));
    return words;
  }

  /** What is the command's and what the engine's. */
  private OutsideAnswer understood(
      OutsideCommand command, RunningContainer at, OutsideAnswer answer)
      throws InterruptedException {
    if (!answer.isWhole() || SudoWords.refused(answer)) {
      return answer;
    }
    if (EngineWords.hasNoAccount(answer)) {
      return new OutsideAnswer(
          ProcessEnding.EXITED, answer.status(), "", answer.trouble() + "\n", answer.took());
    }
    if (EngineWords.notBegun(answer)) {
      link.drop(at);
      return new OutsideAnswer(
          ProcessEnding.NOT_STARTED, -1, "", EngineWords.trouble(answer, terms), answer.took());
    }
    // A container that ends takes its commands with it, which end with a status then.
    boolean doubtful = answer.status() != 0 || terms.engine().bySudo();
    if (EngineWords.brokenOff(answer) || doubtful && !link.isSame(at)) {
      log.warn(
          "{}: {} was cut off: its container ended, was begun anew, or is nobody's any more",
          terms,
          command.program());
      link.drop(at);
      return new OutsideAnswer(ProcessEnding.CUT, -1, answer.text(), answer.err(), answer.took());
    }
    return BareProgram.understood(command, answer);
  }

  /** Of a program of the engine's here, too, which its command there will follow. */
  @Override
  public boolean isUnderWay(String account, String word) {
    return here.isUnderWay(account, word) || questions.isUnderWay(account, word);
  }

  @Override
  public Optional<String> unseen() throws InterruptedException {
    Optional<String> unseen = here.unseen();
    return unseen.isPresent() ? unseen : questions.unseen();
  }

  @Override
  public OutsideFiles files() {
    return files;
  }

  @Override
  public void close() {
    channels.close();
  }
}
