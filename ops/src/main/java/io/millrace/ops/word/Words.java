package io.millrace.ops.word;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The words that there are: those that their packages provide as services of the Java runtime. */
public final class Words {

  private Words() {}

  /** All, in the order in which they are provided, which is that of the help. */
  public static List<Word> all() {
    return ServiceLoader.load(Word.class).stream().map(ServiceLoader.Provider::get).toList();
  }

  /** Makes no word behind the one that is looked for. */
  public static Optional<Word> find(String name) {
    for (Word word : ServiceLoader.load(Word.class)) {
      if (word.name().equals(name)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }
}
