package io.millrace.connectors.local;

import io.millrace.schemas.StagingPair;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that come to a run before its start and leave after its end, and its directory.
 *
 * @param node name of the host, under which its files are meant
 * @param ownDirectory whether the job has a directory of its own
 * @param in what to bring; the other file is the source
 * @param out what to take away; the other file is the target
 */
public record Staging(
    String node, boolean ownDirectory, List<StagingPair> in, List<StagingPair> out) {

  /** Of a run that starts at home with what is there. */
  public static final Staging NONE = new Staging("", false, List.of(), List.of());

  private static final String SCRIPT = "stage.sh";

  public Staging {
    in = List.copyOf(in);
    out = List.copyOf(out);
  }

  /** Whether there is nothing to do. */
  boolean none() {
    return !ownDirectory && in.isEmpty() && out.isEmpty();
  }

  /** What a shell is to read, as the job's owner, before the run and after it. */
  String script() {
    List<String> lines = new ArrayList<>();
    lines.add(text());
    lines.add("begin");
    in.forEach(pair -> lines.add(call("bring", pair)));
    out.forEach(pair -> lines.add(call("take", pair)));
    lines.add("finish");
    return String.join("\n", lines) + "\n";
  }

  private static String call(String what, StagingPair pair) {
    return what + quoted(pair.path()) + quoted(pair.host()) + quoted(pair.other());
  }

  private static String quoted(String word) {
    String plain = word.startsWith("-") ? "./" + word : word;
    return " '" + plain.replace("'", "'\\''") + "'";
  }

  private static String text() {
    try (InputStream file = Staging.class.getResourceAsStream(SCRIPT)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
