package io.millrace.connectors.local.spool;

import io.millrace.connectors.local.run.Staging;
import io.millrace.schemas.pbs.jobs.StagingPair;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The file {@code stage} of a run directory: a shell script that stages files in and out. */
public final class StageScript {
  private static final String SCRIPT = "stage.sh";

  private StageScript() {}

  /** The script; a shell executes it as the job's owner before and after the run. */
  public static String of(Staging staging) {
    List<String> lines = new ArrayList<>();
    lines.add(text());
    lines.add("begin");
    staging.in().forEach(pair -> lines.add(call("bring", pair)));
    staging.out().forEach(pair -> lines.add(call("take", pair)));
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
    try (InputStream file = StageScript.class.getResourceAsStream(SCRIPT)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
