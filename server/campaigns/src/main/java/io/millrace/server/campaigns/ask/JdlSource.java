package io.millrace.server.campaigns.ask;

import io.millrace.server.campaigns.jdl.JdlReader;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.operand.TextLines;
import io.millrace.server.gateway.session.Invocation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Matcher;

/** Where a description and its parameters come from; files are opened with the caller's rights. */
public class JdlSource {

  /** What a description is called that comes by itself. */
  public static final String JSON_NAME = "JSON";

  private static final String JSON = "{";

  private final Invocation invocation;

  public JdlSource(Invocation invocation) {
    this.invocation = invocation;
  }

  private static boolean isJson(String operand) {
    return operand.stripLeading().startsWith(JSON);
  }

  /** Name of the description in messages. */
  public static String name(String operand) {
    return isJson(operand) ? JSON_NAME : operand;
  }

  /** A file, {@code -} for standard input, or the description itself. */
  public InputStream open(String operand) throws IOException {
    return isJson(operand) ? json(operand) : file(operand);
  }

  /** The description itself, whatever it looks like. */
  public InputStream json(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A file, whatever its name; {@code -} is standard input. */
  public InputStream file(String name) throws IOException {
    return name.equals("-") ? invocation.stdin() : invocation.openFile(name);
  }

  /** Tells each line of a file of parameters; gives how many there are. */
  public long lines(String path, Consumer<String> each) throws JdlRefused, IOException {
    String file = home(path);
    long count = 0;
    try (TextLines lines = new TextLines(invocation.openFile(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        each.accept(JdlReader.line(file, ++count, line));
      }
    } catch (TextLines.WrongLine e) {
      throw new IOException("/param_file: " + file + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException("/param_file: " + file + ": " + e.getMessage(), e);
    }
    if (count == 0) {
      throw new IOException("/param_file: " + file + " has no line");
    }
    return count;
  }

  /** A path with the caller's home in the place of what stands for it. */
  public final String home(String path) {
    String home = invocation.environment().getOrDefault("HOME", "");
    return path.replace("{HOME}", home)
        .replaceFirst("^(~|\\$HOME)(?=/|$)", Matcher.quoteReplacement(home));
  }
}
