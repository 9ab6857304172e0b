package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.request.Words;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** {@code -@ FILE}: the words of a file in place of the option, which may name further files. */
final class OptionFiles {

  private static final int FILE_MAX = 64 << 10;
  private static final int FILES_MAX = 16;
  private static final String OPTION = "-@";

  private final Call call;
  private int files;

  private OptionFiles(Call call) {
    this.call = call;
  }

  /** The words of the command line with those of its files. */
  static List<String> expanded(Call call) throws Failure, IOException {
    return new OptionFiles(call).expand(call.args());
  }

  private List<String> expand(List<String> words) throws Failure, IOException {
    int at = words.indexOf(OPTION);
    if (at < 0) {
      return words;
    }
    if (at + 1 >= words.size()) {
      throw new Failure("error: ERROR! -@ option must have argument\n", 1);
    }
    if (++files > FILES_MAX) {
      throw new Failure("error: -@: more than " + FILES_MAX + " files of options\n", 1);
    }
    List<String> expanded = new ArrayList<>(words.subList(0, at));
    expanded.addAll(read(words.get(at + 1)));
    expanded.addAll(words.subList(at + 2, words.size()));
    return expand(expanded);
  }

  private List<String> read(String path) throws Failure, IOException {
    try {
      String text = new String(call.invocation().readFile(path, FILE_MAX), StandardCharsets.UTF_8);
      List<String> words = new ArrayList<>();
      text.lines()
          .filter(line -> !line.strip().startsWith("#"))
          .forEach(line -> words.addAll(Words.of(line)));
      return words;
    } catch (IOException e) {
      if (call.invocation().clientGone()) {
        throw e;
      }
      throw new Failure(
          "error: cannot read the options in " + path + ": " + e.getMessage() + "\n", 1);
    }
  }
}
