package io.millrace.server.gateway.request;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.Script;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.session.FileTooLargeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * What a job executes: a script or a command.
 *
 * @param name base name of the script file; empty for standard input and for a command
 * @param script the script's record; null for a command
 * @param argv the command; empty for a script
 */
public record JobProgram(String name, Script script, List<String> argv) {

  public static JobProgram command(List<String> argv) {
    return new JobProgram("", null, argv);
  }

  /**
   * A script that the caller may read.
   *
   * @throws Failure when it cannot be read, is too large or has line ends of Windows
   */
  public static JobProgram file(Call call, String file) throws Failure, IOException {
    try {
      byte[] text = call.invocation().readFile(file, Topics.SCRIPT_BYTES_MAX);
      ScriptDirectives.checkLineEnds(text, call);
      return script(file.substring(file.lastIndexOf('/') + 1), text);
    } catch (FileTooLargeException e) {
      throw tooLarge(call, file);
    } catch (IOException e) {
      if (call.invocation().clientGone()) {
        throw e;
      }
      throw call.failure("script file:: " + e.getMessage(), 1);
    }
  }

  /**
   * The script that stands on standard input.
   *
   * @throws Failure when it is too large or has line ends of Windows
   */
  public static JobProgram input(Call call) throws Failure, IOException {
    byte[] text = call.invocation().stdin().readNBytes(Topics.SCRIPT_BYTES_MAX + 1);
    if (text.length > Topics.SCRIPT_BYTES_MAX) {
      throw tooLarge(call, "standard input");
    }
    ScriptDirectives.checkLineEnds(text, call);
    return script("", text);
  }

  private static JobProgram script(String name, byte[] text) {
    return new JobProgram(
        name, new Script(ByteBuffer.wrap(sha256(text)), ByteBuffer.wrap(text)), List.of());
  }

  private static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static Failure tooLarge(Call call, String what) {
    return call.failure(
        "script "
            + what
            + " is too large: a script has at most "
            + Topics.SCRIPT_BYTES_MAX
            + " bytes",
        1);
  }

  /** Length of the script; 0 for a command. */
  public int bytes() {
    return script == null ? 0 : script.getText().remaining();
  }

  /** The script as text. */
  public String text() {
    return new String(script.getText().array(), StandardCharsets.UTF_8);
  }
}
