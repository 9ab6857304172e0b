package io.millrace.ops.word;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** All words, which are provided as services by the packages of this module. */
public final class Words {

  private Words() {}

  /** All words in the order in which they are provided, which is the order of the help. */
  public static List<Word> all() {
    return ServiceLoader.load(Word.class).stream().map(ServiceLoader.Provider::get).toList();
  }

  /** Finds a word without instantiating those behind it. */
  public static Optional<Word> find(String name) {
    for (Word word : ServiceLoader.load(Word.class)) {
      if (word.name().equals(name)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }
}
