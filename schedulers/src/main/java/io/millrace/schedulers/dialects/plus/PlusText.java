package io.millrace.schedulers.dialects.plus;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The reader of a sched_conf: lines {@code Option: word, word}, comments from # to the end of the
 * line.
 */
public final class PlusText {

  /** Most characters of a line, without its comment. */
  public static final int LINE_MAX = 4096;

  private static final int SHOWN = 60;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@+-]+");

  private final String file;
  private final Map<PlusOption, List<String>> values = new EnumMap<>(PlusOption.class);
  private final Map<PlusOption, Integer> lines = new EnumMap<>(PlusOption.class);
  private final List<String> notes = new ArrayList<>();

  private PlusText(String file) {
    this.file = file;
  }

  /**
   * A text that was read.
   *
   * @param notes what decides nothing, with file and line
   */
  public record PlusConfRead(PlusConf conf, List<String> notes) {}

  /** Whether any line begins with an option, but for its case. */
  public static boolean describes(String text) {
    return text.lines()
        .map(line -> line.strip().split("[:\\s]", 2)[0])
        .anyMatch(word -> PlusOption.words().stream().anyMatch(word::equalsIgnoreCase));
  }

  /**
   * Reads a text.
   *
   * @param file its name, for messages
   * @throws ConfigurationRefused on the first thing that is wrong
   */
  public static PlusConfRead read(String file, String text) {
    PlusText reader = new PlusText(file);
    String[] all = text.split("\r?\n", -1);
    for (int i = 0; i < all.length; i++) {
      reader.take(all[i], i + 1);
    }
    reader.checkTurns();
    reader.checkLists();
    reader.noteWhatDecidesNothing();
    return new PlusConfRead(new PlusConf(reader.values), List.copyOf(reader.notes));
  }

  private void take(String line, int number) {
    int comment = line.indexOf('#');
    String said = (comment < 0 ? line : line.substring(0, comment)).strip();
    if (said.isEmpty()) {
      return;
    }
    if (said.length() > LINE_MAX) {
      throw refused(number, "the line is longer than " + LINE_MAX + " characters");
    }
    int colon = said.indexOf(':');
    if (colon < 0) {
      throw refused(number, "'" + shown(said) + "' is not OPTION: WORD, WORD, ...");
    }
    String word = said.substring(0, colon).strip();
    PlusOption option =
        PlusOption.named(word)
            .orElseThrow(
                () ->
                    refused(
                        number,
                        "'"
                            + shown(word)
                            + "' is no option"
                            + Nearest.hint(shown(word), PlusOption.words())));
    Integer before = lines.put(option, number);
    if (before != null) {
      throw refused(number, word + " stands in line " + before + " already");
    }
    values.put(option, words(option, said.substring(colon + 1), number));
  }

  private List<String> words(PlusOption option, String text, int number) {
    Set<String> seen = new HashSet<>();
    List<String> words = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      String word = each.strip();
      if (word.isEmpty()) {
        throw refused(number, option.word() + " must be " + option.type() + " with commas between");
      }
      check(option, word, number);
      if (!seen.add(word)) {
        throw refused(number, "'" + word + "' stands in " + option.word() + " twice");
      }
      words.add(word);
    }
    return words;
  }

  private void check(PlusOption option, String word, int number) {
    List<String> known =
        switch (option) {
          case JOB_KEYS -> PlusJobKey.words();
          case NODE_KEYS -> PlusNodeKey.words();
          default -> List.of();
        };
    boolean right = known.isEmpty() ? NAME.matcher(word).matches() : known.contains(word);
    if (!right) {
      throw refused(
          number,
          "'"
              + shown(word)
              + "' is none of the "
              + option.type()
              + Nearest.hint(shown(word), known));
    }
  }

  private void checkTurns() {
    List<String> keys = values.getOrDefault(PlusOption.JOB_KEYS, List.of());
    if (keys.contains(PlusJobKey.TURNS.word()) && keys.contains(PlusJobKey.BY_QUEUE.word())) {
      throw refused(
          lines.get(PlusOption.JOB_KEYS),
          PlusJobKey.TURNS.word()
              + " and "
              + PlusJobKey.BY_QUEUE.word()
              + " must not be specified at the same time");
    }
  }

  /** A key that needs a list has one; a list that no key asks for is told. */
  private void checkLists() {
    List<String> keys = values.getOrDefault(PlusOption.JOB_KEYS, PlusOption.JOB_KEYS.usual());
    for (PlusJobKey key : PlusJobKey.values()) {
      PlusOption list = key.list().orElse(null);
      boolean wanted = keys.contains(key.word());
      if (list != null && wanted && !values.containsKey(list)) {
        throw refused(
            lines.get(PlusOption.JOB_KEYS), key.word() + " needs " + list.word() + ": NAME, ...");
      }
      if (list != null && !wanted && values.containsKey(list)) {
        note(list, list.word() + " decides nothing without " + key.word() + " in JobSortKey");
      }
    }
  }

  private void noteWhatDecidesNothing() {
    List<PlusJobKey> before = new ArrayList<>();
    for (String word : values.getOrDefault(PlusOption.JOB_KEYS, List.of())) {
      PlusJobKey key = PlusJobKey.named(word).orElseThrow();
      before.stream()
          .filter(it -> it == PlusJobKey.SUBMITTED || key.opposite().filter(it::equals).isPresent())
          .findFirst()
          .ifPresent(it -> note(PlusOption.JOB_KEYS, word + " decides nothing after " + it.word()));
      before.add(key);
    }
    List<String> nodes = values.getOrDefault(PlusOption.NODE_KEYS, List.of());
    int name = nodes.indexOf(PlusNodeKey.NAME.word());
    if (name >= 0 && name + 1 < nodes.size()) {
      note(
          PlusOption.NODE_KEYS,
          nodes.get(name + 1) + " decides nothing after " + PlusNodeKey.NAME.word());
    }
  }

  private void note(PlusOption option, String what) {
    notes.add(refused(lines.get(option), what).getMessage());
  }

  private ConfigurationRefused refused(int number, String reason) {
    return new ConfigurationRefused(file, number, reason);
  }

  /** The beginning of a word, so that a message stays a line. */
  private static String shown(String word) {
    return word.length() > SHOWN ? word.substring(0, SHOWN) + "..." : word;
  }
}
