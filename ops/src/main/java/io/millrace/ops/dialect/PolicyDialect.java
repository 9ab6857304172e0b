package io.millrace.ops.dialect;

import io.millrace.schemas.common.Attribute;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A language in which a site writes its policy down. */
public interface PolicyDialect {

  /**
   * What a policy's texts say.
   *
   * @param summary one line for those that are right
   * @param explanation lines: what each setting means and changes
   * @param notes lines about what was accepted
   * @param refusals lines: file, line and reason; empty when the texts are right
   */
  record PolicyReading(
      String summary, List<String> explanation, List<String> notes, List<String> refusals) {}

  /** Name of the file without which a folder holds no policy in this language. */
  String principal();

  /**
   * Which files of a folder belong to a policy in this language, by their names; empty when the
   * names do not tell.
   */
  List<String> filesOf(List<String> names);

  /**
   * True when the texts are in this language.
   *
   * @param texts by the names of their files, without folders
   */
  boolean knows(Map<String, String> texts);

  /** Whether wrong lines can be taken as the program takes them that the texts were made for. */
  default boolean canBeLenient() {
    return false;
  }

  /**
   * Reads the texts together.
   *
   * @param lenient true to take wrong lines as the program takes them that the texts were made for
   */
  PolicyReading read(Map<String, String> texts, boolean lenient);

  /**
   * The attributes of a scheduler object that say what the texts say, those without a value to be
   * unset; empty where the texts themselves are loaded.
   */
  default Optional<List<Attribute>> attributes(Map<String, String> texts) {
    return Optional.empty();
  }
}
