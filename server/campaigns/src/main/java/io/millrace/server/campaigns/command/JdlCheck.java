package io.millrace.server.campaigns.command;

import io.millrace.server.campaigns.jdl.CampaignDocument;
import io.millrace.server.campaigns.jdl.CampaignDocument.Supply;
import io.millrace.server.campaigns.jdl.JdlReader;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.operand.TextLines;
import io.millrace.server.gateway.session.Invocation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** {@code gridsub --check}: says what is wrong with a document, or what it describes. */
final class JdlCheck {

  private static final int WRONG = 1;

  private final Invocation invocation;
  private final String name;

  /**
   * @param name of the command, as in its messages
   */
  JdlCheck(Invocation invocation, String name) {
    this.invocation = invocation;
    this.name = name;
  }

  /** Checks a file, {@code -} or the document itself; gives the exit status. */
  int run(String operand) {
    String source = operand.stripLeading().startsWith("{") ? "JSON" : operand;
    try (InputStream text = open(operand)) {
      CampaignDocument document = JdlReader.read(text, task -> {});
      invocation.out(words(document));
      return 0;
    } catch (JdlRefused e) {
      e.faults().forEach(fault -> complain(source + ": " + fault));
      return WRONG;
    } catch (IOException e) {
      complain(source + ": " + e.getMessage());
      return WRONG;
    }
  }

  private InputStream open(String operand) throws IOException {
    if (operand.stripLeading().startsWith("{")) {
      return new ByteArrayInputStream(operand.getBytes(StandardCharsets.UTF_8));
    }
    return operand.equals("-") ? invocation.stdin() : invocation.openFile(operand);
  }

  private String words(CampaignDocument document) throws JdlRefused, IOException {
    String tasks =
        document.supply() == Supply.ENDLESS
            ? "tasks without end"
            : document.supply() == Supply.FILE
                ? tasks(lines(document.paramFile().orElseThrow()))
                : tasks(document.tasks());
    String clusters = String.join(", ", document.clusters().keySet());
    return document.name() + ": " + tasks + " on " + clusters + "\n";
  }

  private static String tasks(long count) {
    return count == 1 ? "1 task" : count + " tasks";
  }

  /** Counts the lines of a file of parameters, each of which must be one. */
  private long lines(String path) throws JdlRefused, IOException {
    String file = home(path);
    long count = 0;
    try (TextLines lines = new TextLines(invocation.openFile(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        JdlReader.line(file, ++count, line);
      }
    } catch (TextLines.WrongLine e) {
      throw new IOException(file + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException("/param_file: " + file + ": " + e.getMessage(), e);
    }
    if (count == 0) {
      throw new IOException("/param_file: " + file + " has no line");
    }
    return count;
  }

  private String home(String path) {
    String home = invocation.environment().getOrDefault("HOME", "");
    return path.replace("{HOME}", home).replaceFirst("^(~|\\$HOME)(?=/|$)", home);
  }

  private void complain(String text) {
    invocation.err(name + ": " + text + "\n");
  }
}
