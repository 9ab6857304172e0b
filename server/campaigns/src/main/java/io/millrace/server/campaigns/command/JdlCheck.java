package io.millrace.server.campaigns.command;

import io.millrace.server.campaigns.ask.JdlSource;
import io.millrace.server.campaigns.jdl.CampaignDocument;
import io.millrace.server.campaigns.jdl.CampaignDocument.TaskSupply;
import io.millrace.server.campaigns.jdl.JdlReader;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.session.Invocation;
import java.io.IOException;
import java.io.InputStream;

/** {@code gridsub --check}: says what is wrong with a document, or what it describes. */
final class JdlCheck {

  private static final int WRONG = 1;

  private final Invocation invocation;
  private final JdlSource source;
  private final String name;

  /**
   * @param name of the command, as in its messages
   */
  JdlCheck(Invocation invocation, String name) {
    this.invocation = invocation;
    this.source = new JdlSource(invocation);
    this.name = name;
  }

  /** Checks a file, {@code -} or the document itself; gives the exit status. */
  int run(String operand) {
    String called = JdlSource.name(operand);
    try (InputStream text = source.open(operand)) {
      CampaignDocument document = JdlReader.read(text, task -> {});
      invocation.out(words(document));
      return 0;
    } catch (JdlRefused e) {
      e.faults().forEach(fault -> complain(called + ": " + fault));
      return WRONG;
    } catch (IOException e) {
      complain(called + ": " + e.getMessage());
      return WRONG;
    }
  }

  private String words(CampaignDocument document) throws JdlRefused, IOException {
    String tasks =
        document.supply() == TaskSupply.FILE
            ? tasks(source.lines(document.paramFile().orElseThrow(), line -> {}))
            : tasks(document.tasks());
    String clusters = String.join(", ", document.clusters().keySet());
    return document.name() + ": " + tasks + " on " + clusters + "\n";
  }

  private static String tasks(long count) {
    return count == 1 ? "1 task" : count + " tasks";
  }

  private void complain(String text) {
    invocation.err(name + ": " + text + "\n");
  }
}
