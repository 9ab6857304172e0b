package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.command.BareProgram;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.far.KeptLink;
import io.millrace.connectors.bridge.files.FilesUnreached;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of the container, and whether it is the same one still. */
final class ContainerLink {

  private static final int ANSWER_MOST = 64 * 1024;

  private static final String ROOT = "0";

  private final ContainerTerms terms;
  private final CommandRunner here;
  private final ContainerMark mark;
  private final KeptLink<RunningContainer> link;

  /** What was found not to be so any more. */
  private volatile RunningContainer over;

  /**
   * @param here what starts the engine's program
   */
  ContainerLink(ContainerTerms terms, CommandRunner here, ContainerMark mark) {
    this.terms = terms;
    this.here = here;
    this.mark = mark;
    this.link = new KeptLink<>(terms.toString(), this::find, it -> it != over);
  }

  /**
   * The container, which may end at any time.
   *
   * @throws FilesUnreached when it does not run, or is not the one that it was
   */
  RunningContainer get() throws FilesUnreached, InterruptedException {
    return link.get();
  }

  /** It is looked for anew. */
  void drop(RunningContainer at) {
    over = at;
  }

  /** Whether it has run all the time since it was found; false also where nobody can say. */
  boolean isSame(RunningContainer at) throws InterruptedException {
    OutsideAnswer said = here(terms.inspect());
    return said.isGood()
        && RunningContainer.read(said.out()).filter(it -> it.equals(at)).isPresent();
  }

  /** A command of the engine's program. */
  OutsideAnswer here(List<String> words) throws InterruptedException {
    return here.run(new OutsideCommand(words, new byte[0], Map.of(), terms.limit(), ANSWER_MOST));
  }

  private RunningContainer find() throws FilesUnreached, InterruptedException {
    OutsideAnswer said = here(terms.inspect());
    if (said.ending() == ProcessEnding.NOT_STARTED) {
      throw new FilesUnreached(
          "the container engine cannot be asked: " + said.trouble() + "; see 'container_program'");
    }
    if (!said.isGood()) {
      throw new FilesUnreached(EngineWords.trouble(said, terms));
    }
    Optional<RunningContainer> found = RunningContainer.read(said.out());
    if (found.isEmpty()) {
      throw new FilesUnreached(
          "what the engine says of container "
              + terms.container()
              + " is not understood; see 'container_engine'");
    }
    RunningContainer at = found.get();
    if (!at.isCalled(terms.container())) {
      throw new FilesUnreached(EngineWords.absent(terms));
    }
    if (!at.isRunning()) {
      throw new FilesUnreached(EngineWords.notRunning(terms, at.state()));
    }
    mark.require(at);
    prove(at);
    mark.remember(at);
    return at;
  }

  /** Tries whether commands are started there, and that it is not root who starts them. */
  private void prove(RunningContainer at) throws FilesUnreached, InterruptedException {
    OutsideCommand who =
        new OutsideCommand(
            List.of("/usr/bin/id", "-u"), new byte[0], Map.of(), terms.limit(), ANSWER_MOST);
    List<String> words = terms.exec(at, terms.account(), BareProgram.words(who));
    OutsideAnswer said = here(words);
    if (!said.isGood()) {
      throw new FilesUnreached(EngineWords.trouble(BareProgram.understood(who, said), terms));
    }
    if (said.out().strip().equals(ROOT)) {
      throw new FilesUnreached(
          terms + " is root; name another one in 'container_account': nothing is started as root");
    }
  }
}
