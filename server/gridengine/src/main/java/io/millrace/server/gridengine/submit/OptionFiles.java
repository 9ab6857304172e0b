package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** {@code -@ FILE}: the words of a file in place of the option, which may name further files. */
public final class OptionFiles {

  private static final int FILE_MAX = 64 << 10;
  private static final int FILES_MAX = 16;
  private static final String OPTION = "-@";

  /** Reads a file of the one who gave the command. */
  interface OptionFileReader {
    List<String> words(String path) throws Failure, IOException;
  }

  private final OptionFileReader reader;
  private final ToIntFunction<String> arguments;
  private int files;

  /**
   * @param arguments how many of them follow an option
   */
  OptionFiles(OptionFileReader reader, ToIntFunction<String> arguments) {
    this.reader = reader;
    this.arguments = arguments;
  }

  /** The words of qsub's command line with those of its files. */
  static List<String> ofSubmission(Call call) throws Failure, IOException {
    return new OptionFiles(path -> read(call, path), Submission::argumentsOf)
        .expand(call.args(), 0);
  }

  /** The words of qalter's command line with those of its files. */
  public static List<String> ofAlteration(Call call) throws Failure, IOException {
    return new OptionFiles(path -> read(call, path), Alteration::argumentsOf)
        .expand(call.args(), Alteration.leadingJobs(call.args()));
  }

  /** Words with those of files among the options; what follows the options is a job's own. */
  List<String> expand(List<String> words, int firstOption) throws Failure, IOException {
    List<String> expanded = new ArrayList<>(words);
    int at = firstOption;
    while (at < expanded.size() && expanded.get(at).startsWith("-")) {
      if (!expanded.get(at).equals(OPTION)) {
        at += 1 + arguments.applyAsInt(expanded.get(at));
        continue;
      }
      if (at + 1 >= expanded.size()) {
        throw new Failure("error: ERROR! -@ option must have argument\n", 1);
      }
      if (++files > FILES_MAX) {
        throw new Failure("error: -@: more than " + FILES_MAX + " files of options\n", 1);
      }
      expanded.remove(at);
      expanded.addAll(at, reader.words(expanded.remove(at)));
    }
    return expanded;
  }

  private static List<String> read(Call call, String path) throws Failure, IOException {
    try {
      String text = new String(call.invocation().readFile(path, FILE_MAX), StandardCharsets.UTF_8);
      List<String> words = new ArrayList<>();
      text.lines()
          .filter(line -> !line.strip().startsWith("#"))
          .forEach(line -> words.addAll(OptionLineWords.of(line)));
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
